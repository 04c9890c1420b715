"""Characters are brought to a table over the web; what is wrong with one is told on the page, and nothing is opened."""

import re

from .server import Server, api

DUEL = "/bring/l5r/duel_at_dawn"


def card(page: str, number: int) -> str:
    """The text of a figure's card as the page shows it."""
    found = re.search(rf'<textarea id="text-{number}"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert found
    return found[1].replace("&#39;", "'").replace("&#34;", '"')


def test_a_changed_card_and_a_file_are_played(server: Server) -> None:
    client = server.client()
    client.follow_redirects = True
    page = client.get(DUEL).text
    assert "In place of Kakita Ken" in page
    changed, file = card(page, 0).replace("my_kakita_ken", "zoe"), card(page, 1).replace("my_hida_hiro", "tom")
    lobby = client.post(
        DUEL, data={"text-0": changed.replace("\n", "\r\n"), "text-1": card(page, 1)}, files={"file-1": ("t.yaml", file)}
    )
    assert lobby.status_code == 200, lobby.text
    links = {link.split("/")[-2]: link for link in re.findall(r'class="link" readonly value="([^"]+)"', lobby.text)}
    assert {"zoe", "tom"} <= set(links)
    assert f'href="{DUEL}"' in lobby.text
    assert api(server, links["zoe"]).json()["view"]["records"]["zoe"]["kind"]


def test_what_is_left_as_it_was_printed_is_not_replaced(server: Server) -> None:
    client = server.client()
    client.follow_redirects = True
    page = client.get(DUEL).text
    lobby = client.post(DUEL, data={"text-0": card(page, 0), "text-1": card(page, 1)}, files={"file-0": ("", b"")})
    assert "Kakita Ken" in lobby.text
    assert "My Kakita Ken" not in lobby.text


def test_faults_are_told_and_what_was_written_is_kept(server: Server) -> None:
    client = server.client()
    page = client.get(DUEL).text
    wrong = card(page, 0).replace("air: 3", "air: 9").replace("my_kakita_ken", "zoe<b>")
    told = client.post(DUEL, data={"text-0": wrong})
    assert told.status_code == 422
    assert "kakita_ken.yaml, line 4, column 16" in told.text
    assert "Right would be: write a whole number from 1 to 5" in told.text
    assert "zoe&lt;b&gt;" in told.text
    assert "zoe<b>" not in told.text
    large = client.post(DUEL, files={"file-0": ("big.yaml", b"#" * 1_000_000)})
    assert large.status_code == 413
    assert "at most 64 kB" in large.text


def test_only_scenarios_of_the_first_page_take_characters(server: Server) -> None:
    for place in ("/bring/l5r/nothing", "/bring/docs/content.md", "/bring/nothing/at_all", "/bring/..%2F..%2Fetc/passwd"):
        assert server.client().get(place).status_code == 404
