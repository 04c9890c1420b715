"""What the rules hide is let known, or hidden again, by a GM's ruling: only those learn it who shall, and it replays."""

import re

import pytest

from referee.content import opening, registry
from referee.engine.encounter import Encounter
from referee.engine.ruleset import Secret

from .server import Server

SCENARIOS = [f"{game}/{name}" for game in registry.ids() for name in registry.scenarios(registry.get(game))]


def secrets(encounter: Encounter) -> list[Secret]:
    return list(encounter.game.ruleset.secrets(encounter.game))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_secret_can_be_told_and_hidden_again_and_replays(scenario: str) -> None:
    encounter = opening.start(scenario, 5)
    for secret in secrets(encounter):
        before = encounter.key()
        for known in (not secret.known, secret.known):
            now = next(each for each in secrets(encounter) if each.name == secret.name)
            assert now.known is not known
            encounter.rule([(now.record, now.field, now.value)], "because")
            assert next(each for each in secrets(encounter) if each.name == secret.name).known is known
        assert encounter.key() == before
    assert opening.check_replay(encounter.transcript()) is None


def test_who_is_told_of_a_card_sees_it_and_nobody_sees_another() -> None:
    encounter = opening.start("morphyry/broken_stair", 5)
    secret = next(each for each in secrets(encounter) if each.name.startswith("garrick."))
    card = secret.name.partition(".")[2]
    before = encounter.view("sable").bytes()
    assert card.encode() not in before
    encounter.rule([(secret.record, secret.field, secret.value)], "he drops it")
    after = encounter.view("sable").bytes()
    assert card.encode() in after
    others = [
        each.name.partition(".")[2]
        for each in secrets(encounter)
        if each.name.startswith("garrick.") and each.name != secret.name
    ]
    hidden = [each for each in others if each.encode() not in before]
    assert hidden
    assert all(each.encode() not in after for each in hidden)


def test_a_trait_is_told_to_one_side() -> None:
    encounter = opening.start("l5r/first_blood", 5)
    secret = next(each for each in secrets(encounter) if each.what == "quick reflexes")
    assert secret.to == "Mirumoto Fumi"
    encounter.rule([(secret.record, secret.field, secret.value)], "a rumour")
    assert encounter.game.records["side.mirumoto_fumi"].traits == (("kakita_hiroji", "quick_reflexes"),)
    assert b"quick_reflexes" not in encounter.view("spectator").bytes()


def test_the_gm_alone_hides_and_reveals(server: Server) -> None:
    links = server.set_table()
    place = "/t/{}/{}/hidden".format(*links["gm"].rsplit("/", 3)[1:3])
    gm = server.sit(links["gm"])
    page = gm.get(place).text
    ticket, button = re.search(r'name="ticket" value="([^"]+)"', page), re.search(r'value="(reveal garrick\.[^"]+)"', page)
    assert ticket
    assert button
    shown = gm.post(place, data={"ticket": ticket[1], "secret": button[1], "reason": "it slips from his sleeve"})
    assert f'value="{button[1].replace("reveal", "hide", 1)}"' in shown.text
    assert "known to the others" in shown.text
    assert "it slips from his sleeve" in gm.get(place.removesuffix("/hidden")).text
    assert gm.post(place, data={"ticket": ticket[1], "secret": button[1]}).status_code == 409
    sable = server.sit(links["sable"])
    assert sable.get(place).status_code == 401
    own = place.replace("/gm/", "/sable/")
    assert sable.get(own).status_code == 403
    assert sable.post(own, data={"ticket": ticket[1], "secret": button[1]}).status_code == 403
    assert "it slips from his sleeve" in sable.get(own.removesuffix("/hidden")).text
    soluna = server.set_table("soluna/alley")
    shown = server.sit(soluna["gm"]).get("/t/{}/{}/hidden".format(*soluna["gm"].rsplit("/", 3)[1:3])).text
    assert "The rules hide nothing" in shown
    assert "nobody hides: all orders are sealed" in shown


def test_the_gm_hides_a_figure_and_reveals_it(server: Server) -> None:
    links = server.set_table("vaia/ford")
    table = links["gm"].rsplit("/", 3)[1]
    place = f"/t/{table}/gm/hidden"
    gm, west, east = (server.sit(links[seat]) for seat in ("gm", "west", "east"))
    tokens = {seat: {"authorization": f"Bearer {links[seat].rsplit('/', 1)[1]}"} for seat in ("west", "east", "spectator")}

    def press(do: str, who: str, reason: str) -> int:
        ticket = re.search(r'name="ticket" value="([^"]+)"', gm.get(place).text)
        assert ticket
        data = {"ticket": ticket[1], "secret": f"{do} figure.{who}", "reason": reason}
        return int(gm.post(place, data=data).status_code)

    def known(seat: str, who: str) -> bool:
        seen = server.sit(links[seat]).get(f"/api/tables/{table}/{seat}", headers=tokens[seat]).json()["view"]
        return who in seen["records"]

    page = gm.get(place).text
    who = "thornback" if "reveal figure" not in page and "hide figure.thornback" in page else "duelist"
    assert "in sight of all" in page
    assert re.search(r"<small class=.barred.*?is asked something just now", page)
    assert press("hide", who, "into the reeds") == 200
    assert "in hiding: known to its own side only" in gm.get(place).text
    assert [known(seat, who) for seat in ("west", "east", "spectator")] == [False, True, False]
    aria = f'aria-label="{who.title()}"'
    assert aria not in west.get(f"/t/{table}/west").text
    assert aria in east.get(f"/t/{table}/east").text
    assert press("hide", who, "again") == 409
    assert press("reveal", who, "a twig snaps") == 200
    assert [known(seat, who) for seat in ("west", "east", "spectator")] == [True] * 3
    assert "a twig snaps" in west.get(f"/t/{table}/west").text


def test_a_trap_is_pointed_out_to_all() -> None:
    encounter = opening.start("vaia/ford", 5)
    secret = next(each for each in secrets(encounter) if each.name == "trap.c3")
    assert (secret.about, secret.what, secret.to, secret.known) == ("Tile c3", "caltrops", "all players", False)
    assert b'["c3","caltrops"]' not in encounter.view("west").bytes()
    encounter.rule([(secret.record, secret.field, secret.value)], "the moon comes out")
    assert b'["c3","caltrops"]' in encounter.view("west").bytes()
