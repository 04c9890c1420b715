"""`referee odds`: right values, JSON shapes, pictures, messages for bad input."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from referee.cli import main


def told(*words: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
        main(["odds", *words])
    return int(left.value.code or 0), out.getvalue(), err.getvalue()


def asked(words: str) -> dict:
    code, out, err = told(*words.split(), "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def is_chance(value: dict) -> bool:
    numerator, _, denominator = value["fraction"].partition("/")
    return abs(int(numerator) / int(denominator or 1) - value["probability"]) < 1e-12


@pytest.mark.parametrize(
    ("words", "fraction"),
    [
        ("l5r --ring 3 --skill 3 --tn 3", "131513/165888"),
        ("l5r --ring 3 --skill 3 --tn 3 --opportunity 1", "87665737/167961600"),
        ("l5r --ring 2 --skill 2 --tn 2 --max-strife 0", "277/972"),
        ("l5r --ring 1 --skill 1 --tn 1 --max-strife 0", "4/9"),
        ("l5r --ring 2 --skill 2 --tn 3 --opportunity 1 --max-strife 1", "26536159/496793088"),
        ("l5r --ring 0 --skill 0 --tn 0", "1"),
        ("l5r --ring 0 --skill 0 --tn 1", "0"),
        ("l5r --ring 1 --tn 1 --opportunity 2", "0"),
        ("soluna --need 3 --dice 3 --flips 1", "4/9"),
        ("soluna --need 4 --mind 5", "13/648"),
        ("soluna --need 2 --mind 4", "1"),
        ("vaia --stress v4 --times 9", "0"),
        ("vaia --stress v4 --times 1 --track 9", "1/4"),
        ("morphyry --drop --corpus 4", "3/5"),
        ("morphyry --break --with sword", "1/5"),
    ],
)
def test_one_answer_stands_at_the_top(words: str, fraction: str) -> None:
    answer = asked(words)
    assert answer["fraction"] == fraction
    assert is_chance(answer)
    assert answer["exact"] is True
    assert answer["missing"]["fraction"] == "0"


def test_printed_rule_order_and_hindsight() -> None:
    assert round(asked("l5r --ring 2 --skill 1 --tn 2 --opportunity 1")["probability"] * 100, 2) == 25.99
    assert round(asked("l5r --ring 2 --skill 1 --tn 2 --opportunity 1 --model hindsight")["probability"] * 100, 2) == 29.99
    assert round(asked("l5r --ring 2 --skill 1 --tn 1 --compromised")["probability"] * 100, 2) == 53.70
    assert asked("l5r --ring 3 --skill 3 --tn 3 --distinction")["probability"] == pytest.approx(0.9343547638, abs=5e-11)
    together = asked("l5r --ring 2 --skill 2 --tn 3 --opportunity 1 --max-strife 1 --follow-ups together")
    assert together["probability"] == pytest.approx(0.0534532, abs=5e-8)


def test_void_and_assistants_are_dice_and_keeps() -> None:
    plain = asked("l5r --ring 3 --skill 2 --keep 3 --tn 3")["fraction"]
    assert asked("l5r --ring 2 --skill 2 --tn 3 --void")["fraction"] == plain
    assert asked("l5r --ring 2 --skill 2 --tn 3 --assist-unskilled 1")["fraction"] == plain
    helped = asked("l5r --ring 2 --skill 1 --tn 3 --assist-skilled 1")["fraction"]
    assert helped == asked("l5r --ring 2 --skill 2 --keep 3 --tn 3")["fraction"]


def test_the_joint_law_and_the_table() -> None:
    law = asked("l5r --ring 2 --skill 1 --tn 2 --dist")
    assert all(is_chance(entry) and {"successes", "opportunities", "strife"} <= set(entry) for entry in law["dist"])
    assert sum(entry["probability"] for entry in law["dist"]) + law["missing"]["probability"] == pytest.approx(1)
    reached = sum(entry["probability"] for entry in law["dist"] if entry["successes"] >= 2)
    assert reached == pytest.approx(law["probability"], abs=1e-9)
    table = asked("l5r --table --tn 2")
    assert [row["ring"] for row in table["table"]] == [1, 2, 3, 4, 5]
    assert round(table["table"][2]["chances"][3]["probability"] * 100, 2) == 93.67


def test_contests_and_equilibria() -> None:
    plain = asked("soluna --contest 3+1 5+0")
    assert [plain[name]["fraction"] for name in ("first", "tie", "second")] == ["65/162", "1375/2916", "371/2916"]
    faces = asked("soluna --contest 3+1 5+0 --ties higher_face")
    assert [faces[name]["fraction"] for name in ("first", "tie", "second")] == ["23855/34992", "3275/34992", "3931/17496"]
    assert asked("soluna --contest 3+1 5 --ties reroll")["first"]["fraction"] == "1170/1541"
    free = asked("soluna --equilibrium 5 5")
    assert [(way["dice"], way["flips"], way["fraction"]) for way in free["first"]] == [(3, 1, "1")]
    priced = asked("soluna --equilibrium 7 7 --price 1/5")
    assert [way["fraction"] for way in priced["second"]] == ["49/130", "81/130"]
    one_sided = asked("soluna --equilibrium 5 5 --price 1/20 --value win")
    assert "found" in one_sided["equilibrium"]
    assert sum(way["probability"] for way in one_sided["first"]) == pytest.approx(1)


def test_bids_of_a_staredown() -> None:
    answer = asked("l5r --staredown 1 --composure 4 4 --endurance 3 3 --focus 2 2 --pool 2+1 2+1")
    assert answer["value"]["fraction"] == "1/2"
    assert [each["bid"] for each in answer["first"]] == [0, 1, 2]
    assert sum(each["probability"] for each in answer["first"]) == pytest.approx(1)
    assert answer["first"] == answer["second"]
    assert all(is_chance(each["worth"]) and each["worth"]["probability"] <= 0.5 for each in answer["first"])
    strained = asked("l5r --staredown 1 --composure 4 4 --endurance 3 3 --focus 2 2 --strife 5 1")
    assert [each["bid"] for each in strained["first"]] == [0]
    sides = {
        lower: asked(f"l5r --staredown 1 --composure 2 2 --endurance 1 1 --focus 1 1 --lower-honour {lower}")
        for lower in ("first", "second")
    }
    assert sides["first"]["value"]["probability"] > 0.5 > sides["second"]["value"]["probability"]


def test_bids_of_characters_in_words_and_bars(tmp_path: Path) -> None:
    words = ["l5r", "--staredown", "1", "--duellists", "doji_ren", "doji_ren", "--initiative", "3", "3"]
    code, out, err = told(*words)
    assert (code, err) == (0, "")
    assert "doji ren 1, strife 1, fatigue 0: wins" in out
    assert "bid 0" in out
    assert "#" in out
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    assert told(*words, "--plot", str(tmp_path / "x.svg"))[0] == 0
    assert (tmp_path / "x.svg").stat().st_size > 1000


def test_the_mix_of_a_bid_at_a_point(tmp_path: Path) -> None:
    file = tmp_path / "dawn.txt"
    with redirect_stdout(io.StringIO()), pytest.raises(SystemExit):
        main(["run", "l5r/duel_at_dawn", "--seed", "3", "--transcript", str(file)])
    entry = next(int(line.split()[0]) for line in file.read_text().splitlines() if '[["bid",' in line) - 1
    code, out, err = told("--at", f"{file}:{entry}", "--seat", "hida_hiro", "--json", "--seconds", "0.1")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    mix = answer["equilibrium"]
    assert mix["seat"] == "hida_hiro"
    assert sum(each["probability"] for each in mix["offers"]) == pytest.approx(1)
    assert answer["best"] == max(mix["offers"], key=lambda each: each["probability"])["offer"]
    assert all(is_chance(each["worth"]) and each["worth"]["probability"] <= mix["value"]["probability"] for each in mix["offers"])
    words = told("--at", f"{file}:{entry}", "--seconds", "0.1")[1]
    assert words.startswith("Best in secret, against hida hiro: worth ")
    assert "#" in words


def test_splits_and_the_best() -> None:
    answer = asked("soluna --need 3 --mind 5")
    assert (answer["best"]["dice"], answer["best"]["flips"], answer["best"]["fraction"]) == (3, 1, "4/9")
    assert len(answer["splits"]) == 12
    assert all(is_chance(way) for way in answer["splits"])


def test_attacks() -> None:
    answer = asked("vaia --accuracy 3 --evasion 5")
    assert [answer[name]["fraction"] for name in ("hit", "half", "miss")] == ["9/10", "1/20", "1/20"]
    # VAIA-EX-9: 32 -> 16 -> 9 -> 5.
    damage = asked("vaia --damage 32 --resistance 50 --reduction 7 --flat 4")["dist"]
    assert [(entry["damage"], entry["fraction"]) for entry in damage] == [(5, "1")]
    halved = asked("vaia --accuracy 0 --evasion 20 --damage v6 --raw 1")
    assert halved["half"]["fraction"] == "1/20"
    assert {entry["damage"]: entry["fraction"] for entry in halved["dist"]} == {
        0: "19/20", 1: "1/60", 2: "1/60", 3: "1/60",
    }  # fmt: skip


def test_a_plan_is_a_timetable() -> None:
    answer = asked("morphyry jumping_spinning_back_kick --electra 5 --corpus 3 --spiritum 5")
    assert answer["turns"] == 2
    assert [[check["points"] for check in turn["checks"]] for turn in answer["timetable"]] == [[2, 3], [5]]
    assert answer["timetable"][0]["ticks"] == ["jump", "jump", "spin"]
    assert asked("morphyry earthhammer --electra 5")["turns"] is None
    assert asked("morphyry earthhammer --electra 5 --with iron_ore")["turns"] == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "name a game"),
        ("chess", 'no ruleset "chess"'),
        ("l5r --ring 2", "--tn 3"),
        ("l5r --tn 2", "--ring 3"),
        ("l5r --ring -2 --tn 1", "--ring"),
        ("l5r --ring 2 --tn -1", "--tn"),
        ("l5r --ring 2 --tn 1 --keep 0", "--keep"),
        ("l5r --ring 0 --skill 3 --tn 1", "at least one die is kept"),
        ("l5r --ring 99 --tn 1", "too many"),
        ("l5r --ring 9 --skill 9 --tn 1 --opportunity 1 --max-strife 1", "too many"),
        ("l5r --ring 3 --tn 99999999", "too far off"),
        ("l5r --ring 2 --tn 1 --distinction --adversity", "L5R-CHK-15"),
        ("l5r --ring 2 --tn 1 --model hindsight --max-strife 1", "successes and opportunities only"),
        ("l5r --ring 2 --tn 1 --model hindsight --follow-ups together", "successes and opportunities only"),
        ("l5r --ring 2 --tn x", "not a valid integer"),
        ("l5r --ring 2 --tn 1 --colour red", "--colour"),
        ("l5r --match-ups --focus 3 3", "does not go with --match-ups"),
        ("l5r --match-ups --ring 3", "belongs to a check"),
        ("l5r --staredown 0", "--staredown"),
        ("l5r --staredown 31", "30 rounds"),
        ("l5r --staredown 1 --ring 3", "belongs to a check"),
        ("l5r --ring 3 --tn 2 --focus 3 3", "goes with --staredown"),
        ("l5r --staredown 1 --duellists kakita_kn hida_hiro", "kakita_ken"),
        ("l5r --staredown 1 --duellists kakita_ken hida_hiro --focus 2 2", "leave out --focus"),
        ("l5r --staredown 1 --pool 9 3+2", "no pool"),
        ("l5r --staredown 1 --blow 2 1/2", "a chance"),
        ("l5r --staredown 1 --composure 99 3", "too large"),
        ("l5r --staredown 1 --composure 20 20 --endurance 20 20", "too many positions"),
        ("soluna --need 3", "--mind 5"),
        ("l5r --ring 2 --tn 1 --opportunity -1", "--opportunity"),
        ("l5r --ring 2 --tn 1 --max-strife -1", "--max-strife"),
        ("l5r --ring 2 --skill -1 --tn 1", "--skill"),
        ("l5r --ring 8 --skill 8 --tn 1 --opportunity 1 --max-strife 1 --distinction", "too many to be rolled again"),
        ("l5r --ring 2 --tn 1 --dragon 1 --adversity", "one reroll at a time"),
        ("l5r --ring 2 --tn 1 --dragon 9", "at most 3"),
        ("l5r --ring 2 --tn 1 --bonus -1", "0 or more"),
        ("l5r --ring 2 --tn 1 --bonus 1/4 --opportunity 1", "leave out --opportunity"),
        ("l5r --ring 2 --tn 1 --strife-cost 1 --follow-ups together", "one at a time"),
        ("l5r --ring 2 --tn 1 --seat ken", "--seat goes with --at"),
        ("soluna --need 3 --dice 3 --confirm 5", "--confirm goes with --at"),
        ("soluna --need -3 --dice 3", "--need"),
        ("soluna --need 3 --dice -3", "--dice"),
        ("soluna --need 3 --mind -1", "--mind"),
        ("vaia --stress v4 --times -1", "--times"),
        ("vaia --stress v4 --times 5000", "too many"),
        ("morphyry cut --electra 99", "too much"),
        ("soluna --need 3 --mind 5 --contest 1 2", "one question"),
        ("soluna --contest 3+x 2", "no pool"),
        ("soluna --need 3 --dice 9999", "too many"),
        ("soluna --equilibrium 40 40", "too many"),
        ("soluna --equilibrium 4 4 --price x", "no number"),
        ("vaia", "ask for an attack"),
        ("vaia --accuracy 3", "--evasion"),
        ("vaia --damage 2d6", "no roll"),
        ("vaia --stress 3 --times 2", "no Stress requirement"),
        ("vaia --damage v6 --resistance 120", "per cent"),
        ("morphyry earthammer", "earthhammer"),
        ("morphyry cut --with swrd", "sword"),
        ("morphyry --break", "--with sword"),
        ("morphyry cut --on flor", "floor"),
        ("--at nothere.txt:3", "nothere.txt"),
    ],
)
def test_bad_input_is_told(words: str, message: str) -> None:
    code, out, err = told(*words.split())
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_more_opportunity_than_dice_is_noted() -> None:
    assert "2 opportunities at the most" in asked("l5r --ring 2 --skill 1 --tn 1 --opportunity 3")["note"]


def test_help_lists_a_games_own_options() -> None:
    code, out, err = told("l5r", "--help")
    assert (code, err) == (0, "")
    assert "--assist-skilled" in out
    assert "--at" in told("--help")[1]


def transcript(file: Path) -> None:
    with redirect_stdout(io.StringIO()), pytest.raises(SystemExit):
        main(["run", "vaia/ford", "--seed", "3", "--transcript", str(file)])


def test_success_weighed_against_strife_and_a_reroll_by_a_foe() -> None:
    weighed = asked("l5r --ring 1 --skill 0 --tn 1 --strife-cost 1/2")
    # One ring die, which must be kept: - and O are worth 0, OT -1/2, ST and ET 1/2, S 1.
    assert weighed["worth"]["fraction"] == "1/4"
    assert weighed["fraction"] == "1/2"
    assert weighed["averages"]["strife"] == pytest.approx(1 / 2)
    plain, again = asked("l5r --ring 1 --skill 0 --tn 1"), asked("l5r --ring 1 --skill 0 --tn 1 --dragon 1")
    assert (plain["fraction"], again["fraction"]) == ("1/2", "1/4")
    code, out, _ = told("l5r", "--ring", "3", "--skill", "2", "--tn", "2", "--bonus", "1/4", "--strife-cost", "1/4")
    assert code == 0
    assert "on the average" in out


def test_every_offer_at_a_point(tmp_path: Path) -> None:
    file = tmp_path / "ford.txt"
    transcript(file)
    code, out, err = told("--at", f"{file}:17", "--json", "--seconds", "0.5")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert len(answer["offers"]) > 2
    worths = {offer["offer"]: offer["worth"] for offer in answer["offers"]}
    assert worths[answer["best"]] == max(worths.values())
    for offer in answer["offers"]:
        assert {"offer", "exact", "missing", "samples", "outcomes"} <= set(offer)
        assert all(is_chance(outcome) for outcome in offer["outcomes"])
        assert sum(outcome["probability"] for outcome in offer["outcomes"]) == pytest.approx(1, abs=0.05)
    code, out, _ = told("--at", f"{file}:17", "--seconds", "0.5")
    assert code == 0
    assert answer["offers"][0]["offer"] in out
    assert "no entry 9999" in told("--at", f"{file}:9999")[2]
    assert "nobody is asked" in told("--at", str(file))[2]
    assert "asked: " in told("--at", f"{file}:17", "--seat", "nobody")[2]
    assert "no policy" in told("--at", f"{file}:17", "--reactions", "kind")[2]
    assert "no entry of a transcript" in told("--at", f"{file}:x")[2]
    assert "there is no offer 99" in told("--at", f"{file}:17", "--offer", "99")[2]
    assert "no offer 'danse'" in told("--at", f"{file}:17", "--offer", "danse")[2]
    assert "nothing that may come" in told("--at", f"{file}:17", "--goal", "a rose")[2]
    assert "ask for one thing" in told("--at", f"{file}:17", "--goal", "hp", "--most", "hp")[2]


def test_advice_for_a_goal_and_answers_given_first(tmp_path: Path) -> None:
    file = tmp_path / "alley.txt"
    with redirect_stdout(io.StringIO()), pytest.raises(SystemExit):
        main(["run", "soluna/alley", "--seed", "3", "--transcript", str(file)])
    at = ("--at", f"{file}:0")
    code, out, _ = told(*at, "--goal", "xul attack hits", "--json")
    answer = json.loads(out)
    values = {offer["offer"]: offer["value"] for offer in answer["offers"]}
    assert code == 0
    assert max(values, key=lambda each: values[each]) == answer["best"]
    assert 0 < values[answer["best"]] < 1
    least = json.loads(told(*at, "--least", "xul speed spent", "--json")[1])
    assert {offer["offer"]: offer["value"] for offer in least["offers"]}["Move"] < 0
    # Into secret orders: a Risk is taken with the dice and flips that are best for it.
    code, out, _ = told(*at, "--then", answer["best"], "--json")
    raised = {offer["offer"]: offer for offer in json.loads(out)["offers"]}
    assert [each for each in raised if each != "Not at all"]
    for offer in raised.values():
        if offer["offer"] != "Not at all":
            assert any(
                [each["what"], each["value"]] == ["risk", "succeeds"] for way in offer["outcomes"] for each in way["changes"]
            )
    code, out, _ = told(*at, "--offer", answer["best"], "--confirm", "40")
    assert code == 0
    assert "played 40 times: chi-square" in out


def test_plans_from_a_running_encounter(tmp_path: Path) -> None:
    file = tmp_path / "stair.txt"
    with redirect_stdout(io.StringIO()), pytest.raises(SystemExit):
        main(["run", "morphyry/broken_stair", "--seed", "3", "--transcript", str(file)])
    code, out, _ = told("--at", f"{file}:3", "--json")
    plans = {plan["technique"]: plan for plan in json.loads(out)["plans"]}
    assert code == 0
    assert plans
    assert all(plan["turns"] is None or plan["turns"] == len(plan["timetable"]) for plan in plans.values())
    assert any(plan["turns"] for plan in plans.values())
    assert "Plan for" in told("--at", f"{file}:3")[1]


def test_pictures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawings = {"a.svg": "soluna --need 3 --dice 5", "b.png": "l5r --table --tn 2", "c.svg": "soluna --equilibrium 5 5"}
    for name, words in drawings.items():
        assert told(*words.split(), "--plot", str(tmp_path / name))[0] == 0
        assert (tmp_path / name).stat().st_size > 2000
    drawn = (tmp_path / "a.svg").read_bytes()
    told(*["soluna", "--need", "3", "--dice", "5"], "--plot", str(tmp_path / "a.svg"))
    assert (tmp_path / "a.svg").read_bytes() == drawn
    assert ".svg or a .png" in told(*["soluna", "--need", "3", "--dice", "5"], "--plot", "x.gif")[2]
    assert "nothing to draw" in told(*["l5r", "--ring", "1", "--tn", "1"], "--plot", str(tmp_path / "x.png"))[2]
