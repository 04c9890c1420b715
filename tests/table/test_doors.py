"""The doors of the server: who is let in, what is refused, and what leaves with every answer."""

import re
from typing import Any

import httpx
import pytest

from .server import Server, api


@pytest.fixture(scope="module")
def links(server: Server) -> dict[str, str]:
    return server.set_table()


def get(url: str, **options: Any) -> httpx.Response:
    """Asks as somebody who sits nowhere."""
    with httpx.Client(trust_env=False, verify=False) as client:
        return client.get(url, **options)


def post(url: str, **options: Any) -> httpx.Response:
    with httpx.Client(trust_env=False, verify=False) as client:
        return client.post(url, **options)


def table_of(link: str) -> str:
    """The address of the table that a link leads to."""
    _, table, seat, _ = link.rsplit("/", 3)
    return f"/t/{table}/{seat}"


def form(page: str) -> dict[str, str]:
    """The first offer on a page, as its form sends it."""
    ticket = re.search(r'data-ticket="([^"]+)"', page)
    value = re.search(r'<button class="take" name="answer" value="([^"]+)"', page)
    assert ticket
    assert value
    return {"ticket": ticket[1], "answer": value[1].replace("&#34;", '"')}


def asked(server: Server, links: dict[str, str]) -> str:
    return next(seat for seat in ("sable", "garrick") if api(server, links[seat]).json()["question"])


def test_a_seat_is_taken_by_its_link_alone(server: Server, links: dict[str, str]) -> None:
    assert get(server.address + table_of(links["sable"])).status_code == 401
    assert get(links["sable"][:-1] + ("0" if links["sable"][-1] != "0" else "1")).status_code == 404
    assert get(links["sable"].replace("/sable/", "/garrick/")).status_code == 404
    assert get(f"{server.address}/s/none/sable/x").status_code == 404
    sable = server.sit(links["sable"])
    assert "Sable" in sable.get(table_of(links["sable"])).text
    assert sable.get(table_of(links["garrick"])).status_code == 401
    proof = links["sable"].rsplit("/", 1)[1]
    assert get(server.address + table_of(links["garrick"]), headers={"cookie": f"seat={proof}"}).status_code == 401


def test_only_host_and_gm_give_out_seats(server: Server, links: dict[str, str]) -> None:
    for seat, status in (("sable", 403), ("spectator", 403), ("gm", 200)):
        client = server.sit(links[seat])
        assert client.get(table_of(links[seat]) + "/lobby").status_code == status
    sable = server.sit(links["sable"])
    sent = sable.post(table_of(links["sable"]) + "/lobby", data={"seat": "sable", "do": "link", "ticket": "x"})
    assert sent.status_code == 409


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://elsewhere.example"}, 403),
        ({"origin": "SELF", "sec-fetch-site": "same-site"}, 403),
        ({"origin": "SELF", "host": "elsewhere.example"}, 403),
    ],
)
def test_what_other_pages_send_is_refused(server: Server, links: dict[str, str], headers: dict[str, str], status: int) -> None:
    given = {name: server.address if value == "SELF" else value for name, value in headers.items()}
    for path in ("/tables", table_of(links["sable"]) + "/answer"):
        told = post(server.address + path, headers=given, data={"scenario": "morphyry/broken_stair"})
        assert told.status_code == status
        assert "content-security-policy" in told.headers
    assert get(server.address, headers={"host": "elsewhere.example"}).status_code == 403


def test_every_answer_carries_the_security_headers(server: Server, links: dict[str, str]) -> None:
    for path in ("/", "/static/icon.svg", "/faces/morphyry/face.css", "/none", table_of(links["sable"]), "/rules/morphyry"):
        headers = get(server.address + path).headers
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


def test_what_is_too_large_or_no_form_is_refused(server: Server, links: dict[str, str]) -> None:
    sable = server.sit(links["sable"])
    path = table_of(links["sable"]) + "/answer"
    urlencoded = {"content-type": "application/x-www-form-urlencoded", "hx-request": "true"}
    assert sable.post(path, content=b"x" * 1_000_000, headers=urlencoded).status_code == 413
    for body in (b"", b"\xff\xfe", b"ticket=%ff&answer=%00", b"[" * 5000):
        sent = sable.post(path, content=body, headers=urlencoded)
        assert sent.status_code in (409, 422), sent.text


def test_a_stale_page_is_told_so(server: Server) -> None:
    links = server.set_table()
    seat = asked(server, links)
    client = server.sit(links[seat])
    path = table_of(links[seat])
    first = form(client.get(path).text)
    other = {"hx-request": "true"}
    wrong = {**first, "ticket": "q1.000000000000000000000000"}
    assert client.post(path + "/answer", data=wrong, headers=other).status_code == 409
    assert client.post(path + "/answer", data={**first, "answer": '"fly"'}, headers=other).status_code == 422
    assert client.post(path + "/answer", data=first, headers=other).status_code == 204
    assert client.post(path + "/answer", data=first, headers=other).status_code == 204
    stale = client.post(path + "/answer", data={**first, "answer": '"fly"'})
    assert stale.status_code == 200
    assert "The table has moved on" in stale.text


def test_markup_in_a_name_stays_text(server: Server) -> None:
    name = '<script>alert("x")</script>'
    links = server.set_table(name=name)
    page = server.sit(links["sable"]).get(table_of(links["sable"])).text
    assert name not in page
    assert "&lt;script&gt;" in page


def test_a_new_link_locks_the_old_one_out(server: Server) -> None:
    links = server.set_table()
    sable, gm = server.sit(links["sable"]), server.sit(links["gm"])
    lobby = table_of(links["gm"]) + "/lobby"
    ticket = re.search(r'name="ticket" value="([^"]+)"', gm.get(lobby).text)
    assert ticket
    told = gm.post(lobby, data={"ticket": ticket[1], "seat": "sable", "do": "link"})
    assert told.status_code == 200
    assert links["sable"] not in told.text
    assert sable.get(table_of(links["sable"])).status_code == 401
    assert get(links["sable"]).status_code == 404
    new = next(link for link in re.findall(r'class="link" readonly value="([^"]+)"', told.text) if "/sable/" in link)
    server.sit(new)


def test_the_transcript_is_kept_back_until_the_end(server: Server) -> None:
    links = server.set_table()
    sable = server.sit(links["sable"])
    path = table_of(links["sable"])
    assert sable.get(path + "/transcript").status_code == 403
    act = re.search(r'name="ticket" value="(a[^"]+)"><button class="danger" name="do" value="concede"', sable.get(path).text)
    assert act
    over = sable.post(path + "/act", data={"ticket": act[1], "do": "concede"})
    assert "The encounter is over" in over.text
    text = sable.get(path + "/transcript")
    assert text.status_code == 200
    assert text.text.startswith("referee transcript 1")


def test_no_secret_is_in_the_log_of_the_server(server: Server, links: dict[str, str]) -> None:
    get(links["sable"] + "x")
    get(server.address + table_of(links["sable"]) + "?x=1")
    assert links["sable"].rsplit("/", 1)[1] not in server.log()


def test_a_client_plays_by_the_api(server: Server) -> None:
    links = server.set_table()
    seat = asked(server, links)
    seen = api(server, links[seat]).json()
    question = seen["question"]
    assert seen["view"]["seat"] == seat
    assert question["offers"][0]["label"]
    assert api(server, links[seat], "/answer", json={"ticket": question["ticket"], "value": "fly"}).status_code == 422
    answer = {"ticket": question["ticket"], "value": question["offers"][0]["value"]}
    assert api(server, links[seat], "/answer", json=answer).json() == {"again": False}
    assert api(server, links[seat], "/answer", json=answer).json() == {"again": True}
    lines = api(server, links["spectator"], "/events").json()
    assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
    assert api(server, links["spectator"], f"/events?after={len(lines) - 1}").json() == lines[-1:]
    assert api(server, links["spectator"], "/events?after=-1").status_code == 400
    assert api(server, links[seat] + "x").status_code == 401
    assert api(server, links[seat], "/answer", json={"ticket": "x"}).status_code == 400


def test_without_javascript_a_form_answers_and_comes_back(server: Server) -> None:
    links = server.set_table()
    seat = asked(server, links)
    client = server.sit(links[seat])
    path = table_of(links[seat])
    before = client.get(path).text
    after = client.post(path + "/answer", data=form(before))
    assert after.status_code == 200
    assert after.url.path == path
    assert after.text != before


def test_rules_are_shown_as_a_book_as_a_page_and_as_a_card(server: Server) -> None:
    assert "MOR-ADV-5" in get(f"{server.address}/rules/morphyry").text
    assert "<html" in get(f"{server.address}/rules/morphyry/MOR-ADV-5").text
    assert "<html" not in get(f"{server.address}/rules/morphyry/MOR-ADV-5", headers={"hx-request": "true"}).text
    assert get(f"{server.address}/rules/morphyry/MOR-NONE-1").status_code == 404
    assert get(f"{server.address}/rules/none").status_code == 404
