"""Looking back over the web, without a browser: pages of the past, replays by a link, transcripts opened, "what if"."""

import random
import re
from typing import Any

import httpx
import pytest

from referee.content import opening
from referee.content.sources import restore
from referee.engine import BadTranscript
from referee.table import lookback

from .server import Server, api


def address(link: str) -> str:
    _, table, seat, _ = link.rsplit("/", 3)
    return f"/t/{table}/{seat}"


def play(server: Server, links: dict[str, str], answers: int) -> None:
    draws = random.Random(7)
    for _ in range(answers):
        for seat in ("sable", "garrick"):
            question = api(server, links[seat]).json()["question"]
            if question:
                value = draws.choice(question["offers"])["value"]
                assert api(server, links[seat], "/answer", json={"ticket": question["ticket"], "value": value}).status_code == 200


def ticket(page: str) -> str:
    found = re.search(r'name="ticket" value="(a[^"]+)"', page)
    assert found
    return found[1]


def concede(client: httpx.Client, link: str) -> None:
    sent = client.post(address(link) + "/act", data={"ticket": ticket(client.get(address(link)).text), "do": "concede"})
    assert sent.status_code == 200


@pytest.fixture(scope="module")
def ended(server: Server) -> dict[str, Any]:
    """A table that is over: its links, who sits there, its transcript."""
    links = server.set_table()
    play(server, links, 8)
    sable = server.sit(links["sable"])
    concede(sable, links["sable"])
    transcript = sable.get(address(links["sable"]) + "/transcript").text
    return {"links": links, "sable": sable, "gm": server.sit(links["gm"]), "transcript": transcript}


def test_a_seat_looks_back_while_the_encounter_goes_on(server: Server) -> None:
    links = server.set_table()
    play(server, links, 6)
    sable, place = server.sit(links["sable"]), address(links["sable"]) + "/past"
    last = sable.get(place)
    assert last.status_code == 200
    number = int(last.url.path.rsplit("/", 1)[1])
    assert number > 3
    assert f"Moment {number} of {number}" in last.text
    assert "Sable deploys" not in sable.get(f"{place}/0").text
    assert f'href="{place}/2"' in sable.get(f"{place}/3").text
    assert sable.get(place, params={"n": 2}).url.path == f"{place}/2"
    assert sable.get(f"{place}/999").url.path == f"{place}/{number}"
    assert sable.get(f"{place}/three").status_code == 404
    # Neither another's eyes nor a table that begins there, and no form that would send an answer.
    assert sable.get(f"{place}/2", params={"as": "garrick"}).status_code == 403
    assert sable.get(f"{place}/2", params={"as": "gm"}).status_code == 403
    assert sable.post(address(links["sable"]) + "/what-if", data={"n": "2"}).status_code == 403
    assert (
        sable.post(
            address(links["sable"]) + "/share", data={"ticket": ticket(sable.get(address(links["sable"])).text), "do": "on"}
        ).status_code
        == 422
    )
    assert 'form="answer"' not in last.text
    assert sable.get(address(links["garrick"]) + "/past").status_code == 401
    gm = server.sit(links["gm"])
    assert gm.get(address(links["gm"]) + "/past/2", params={"as": "garrick"}).status_code == 200


def test_a_replay_is_shared_and_taken_away(server: Server, ended: dict[str, Any]) -> None:
    sable, gm, links = ended["sable"], ended["gm"], ended["links"]
    place = address(links["sable"])
    page = sable.post(place + "/share", data={"ticket": ticket(sable.get(place + "/past").text), "do": "on"})
    link = re.search(r'id="replay-link"[^>]*value="([^"]+)"', page.text)
    assert link
    other = server.client()
    other.follow_redirects = True
    shown = other.get(link[1])
    assert shown.status_code == 200
    assert "Moment 0 of" in shown.text
    assert other.get(link[1] + "/2", params={"as": "gm"}).status_code == 200
    assert other.get(link[1], params={"n": 2, "as": "garrick", "by": "spectator"}).status_code == 200
    assert other.get(link[1][:-1] + ("0" if link[1][-1] != "0" else "1")).status_code == 404
    assert other.post(place + "/answer", data={}).status_code == 401
    branch = other.post(link[1] + "/what-if", data={"n": "3"})
    assert branch.status_code == 200
    assert branch.url.path.endswith("/gm")
    assert branch.url.path.split("/")[2] != place.split("/")[2]
    refused = sable.post(place + "/share", data={"ticket": ticket(sable.get(place + "/past").text), "do": "off"})
    assert refused.status_code == 422
    gms = address(links["gm"])
    assert gm.post(gms + "/share", data={"ticket": ticket(gm.get(gms + "/past").text), "do": "off"}).status_code == 200
    gone = other.get(link[1])
    assert gone.status_code == 404
    assert "not shared, or not any more" in gone.text
    again = gm.post(gms + "/share", data={"ticket": ticket(gm.get(gms + "/past").text), "do": "on"})
    assert link[1] not in again.text
    host = server.sit(links["host"])
    lobby = host.get(address(links["host"]) + "/lobby").text
    assert "Link of the replay" in lobby
    tickets = re.findall(r'name="ticket" value="(a[^"]+)"', lobby)
    back = host.post(address(links["host"]) + "/share", data={"ticket": tickets[-1], "do": "off"})
    assert back.url.path.endswith("/lobby")
    assert "Link of the replay" not in back.text


def test_all_is_shown_when_all_is_over(ended: dict[str, Any]) -> None:
    sable, place = ended["sable"], address(ended["links"]["sable"]) + "/past"
    own, everything = sable.get(f"{place}/0").text, sable.get(f"{place}/0", params={"as": "gm"}).text
    assert "Seen by" in own
    assert "Everything</b>" in everything
    assert 'class="backs"' in own
    assert 'class="backs"' not in everything
    last = sable.get(place, params={"as": "gm"}).text
    assert "wins" in last
    assert "What if?" not in last


def opened(server: Server, raw: bytes) -> httpx.Response:
    client = server.client()
    client.follow_redirects = True
    return client.post("/replays", files={"file": ("transcript.txt", raw)})


def test_a_transcript_opens_as_a_replay(server: Server, ended: dict[str, Any]) -> None:
    for raw in (ended["transcript"].encode(), ended["transcript"].replace("\n", "\r\n").encode("utf-8-sig")):
        shown = opened(server, raw)
        assert shown.status_code == 200
        assert shown.url.path.startswith("/r/")
        assert "Everything</b>" in shown.text
    pasted = server.client().post("/replays", data={"text": ended["transcript"]})
    assert pasted.status_code == 303


def test_a_transcript_that_would_keep_the_server_busy_is_broken_off(
    ended: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookback, "_LONGEST", -1)
    with pytest.raises(BadTranscript, match="too long"):
        lookback.replayed(ended["transcript"].encode())


def test_cards_that_were_changed_with_all_digests_are_refused() -> None:
    encounter = opening.start("soluna/door_under_fire", 1)
    source = encounter.content.source.decode().replace('["fists","blade"]', '["fists","blad"]')
    assert source != encounter.content.source.decode()
    forged = opening.start(restore(source.encode()), 1)
    with pytest.raises(BadTranscript, match='no card "blad" in weapons'):
        lookback.replayed(forged.transcript().encode())


@pytest.mark.parametrize(
    ("damage", "status", "words"),
    [
        (lambda text: b"", 422, "empty"),
        (lambda text: b"Dear diary", 422, "Line 1</b> This is no transcript"),
        (lambda text: b"\xff\xfe\x00", 422, "no text"),
        (lambda text: b"REFEREE\x01...", 422, "a save, not a transcript"),
        (lambda text: text.rsplit("\n", 4)[0].encode(), 422, "cut: its end is missing"),
        (lambda text: re.sub(r'"sable",\[', '"garrick",[', text, count=1).encode(), 422, "was changed after"),
        (lambda text: text.replace("  | ", "  | Then ", 1).encode(), 422, "A line of the log was changed"),
        (lambda text: text.replace("seed ", "sed ", 1).encode(), 422, "Line 4</b>"),
        (lambda text: text.replace("spirit", "spitir", 1).encode(), 422, "belong to another transcript"),
        (lambda text: text.replace("transcript 1", "transcript 9", 1).encode(), 422, "format 9"),
        (lambda text: text.encode() + b" " * 1_000_000, 413, "larger than 1 MB"),
    ],
    ids=["empty", "other text", "bytes", "save", "cut", "answer", "log", "header", "cards", "format", "large"],
)
def test_what_is_no_transcript_is_told(server: Server, ended: dict[str, Any], damage: Any, status: int, words: str) -> None:
    told = opened(server, damage(ended["transcript"]))
    assert told.status_code == status
    assert words in told.text
    assert "Save the transcript" in told.text
    assert "Traceback" not in told.text
