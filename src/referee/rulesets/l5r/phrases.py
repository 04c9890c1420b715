"""What is said alike in questions and in the log: actions, opportunity rows, lasting effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .naming import listed, name, thing, title


def _wait_until(event: str, near: Any = "") -> str:
    words = {"attacks": "attacks", "moves": "moves", "handles": "readies or stows an item", "ends_turn": "ends the turn"}
    return f"When somebody comes within {near} bands" if event == "within" else f"When somebody {words[event]}"


_WAYS: Final = {"forward": "up the track", "back": "down the track"}
VERBS: Final[dict[str, Callable[..., str]]] = {
    "ring": lambda ring: ring.title(),
    "next": lambda kind: f"The {kind} die first",
    "turn": lambda number: f"{number} strife" if number else "None",
    "tell": lambda trait: "There is nothing to tell" if trait == "none" else title(trait),
    "stance": lambda ring: f"{ring.title()} stance",
    "grip": lambda item, grip: f"Hold the {thing(item)} in {'two hands' if grip == '2h' else 'one hand'}",
    "drop": lambda item: f"Drop the {thing(item)}",
    "move": lambda to: f"Move to position {to}",
    "to": lambda to: f"To position {to}",
    "adjust": lambda amount: f"Change it by {amount:+d}" if amount else "Leave it as it is",
    "scar": title,
    "bid": lambda points: f"Bid {points}",
    "parry": lambda item: f"Parry with the {thing(item)}, which is damaged",
    "calming_breath": lambda: "Calming Breath",
    "prepare": lambda item, state: (
        f"Stow the {thing(item)}"
        if state == "stowed"
        else f"Ready the {thing(item)} in {'two hands' if state == '2h' else 'one hand'}"
    ),
    "center": lambda skill: f"Center on {title(skill)}",
    "predict": lambda ring: f"Predict {ring.title()}",
    "assist": lambda who: f"Assist {name(who)}",
    "challenge": lambda who: f"Challenge {name(who)}",
    "guard": lambda who: f"Guard {name(who)}",
    "maneuver": lambda way, how: f"Maneuver {_WAYS[way]}" + (", with a check to get further" if how == "check" else ""),
    "wait": lambda: "Wait for something",
    "end": lambda condition, who: f"End {name(who)}'s {thing(condition)}",
    "nothing": lambda: "Do nothing",
    "disarm": lambda who, body="": f"Disarm {name(who)}" + (f" of the {thing(body)}" if body else ""),
    "grapple": lambda who: f"Grapple {name(who)}",
    "two_weapons": lambda who: f"Strike {name(who)} with two weapons",
    "roll": lambda number: f"{number} {'die' if number == 1 else 'dice'}",
    "wait_to": lambda verb: f"Wait to {thing(verb)}",
    "when": _wait_until,
    "whom": lambda who: f"{name(who)}, or any of that side" if who in ("first", "second") else name(who),
    "waited": lambda verb: f"Now {thing(verb)}",
    "crescent": lambda who: f"Crescent Moon Style: strike {name(who)}",
    "redirect": lambda who: "Draw the attack on yourself",
    "seize": lambda: "Seize the moment",
}


def weapon_words(weapon: str, called: str = "") -> str:
    """A weapon with its article: a blow of the body is one of many."""
    return f"a {thing(weapon)}" if weapon in ("punch", "kick", "bite") else f"the {called or thing(weapon)}"


ROWS: Final = {
    "opp_1": "Learn the easiest approach",
    "opp_2": "Undo {n} strife",
    "opp_3": "Assist the next similar check of the own side",
    "opp_4": "Sense demeanour and strife of {t}",
    "opp_5": "Act subtly",
    "opp_6": "Notice an advantage or disadvantage of {t}",
    "opp_7": "Next Martial check adds a kept {O}",
    "opp_8": "Move upwards {n}",
    "opp_9": "Be hard to shoot at (next ranged attack TN +2)",
    "opp_10": "Learn a disadvantage of {t}",
    "opp_11": "Calm {t} by 2",
    "opp_12": "Act carefully",
    "opp_13": "Recall a fact, or have an item ready",
    "opp_14": "Ignore {t} terrain while moving",
    "opp_15": "Next critical suffered {n} less severe",
    "opp_16": "Overcome a disadvantage of one's own",
    "opp_17": "Spare another its disadvantage",
    "opp_18": "Inflame {t} by 2 strife",
    "opp_19": "Act showily",
    "opp_20": "Notice an oddity nearby",
    "opp_21": "Harry {t} (next check TN +1, unless against {who})",
    "opp_22": "Expose {t} (next resist check TN +{n})",
    "opp_23": "Daunt (others pay 2 strife to target {who})",
    "opp_24": "Rally (focus instead of vigilance)",
    "opp_25": "Calm down by 2",
    "opp_26": "Act efficiently",
    "opp_27": "Spot terrain or an object",
    "opp_28": "Rest (1 fatigue less)",
    "opp_29": "Ignore {n} resistance",
    "opp_30": "Move one band, to {t}",
    "opp_31": "Learn all terrain",
    "opp_32": "Foresee (next check with {t} TN -1)",
    "opp_33": "Sense spirits",
    "opp_34": "Gain an insight",
    "opp_35": "Next attack ignores {t} terrain",
    "opp_36": "Initiative +{n}",
    "opp_37": "Ignore a condition",
    "opp_38": "Sense an Otherworldly being",
    "critical": "Critical strike on {t}",
    "opp_40": "Razor edge (deadliness +{n})",
    "opp_41": "Snare {t}",
    "opp_42": "Shelter {t} from hardship (next TN 1 lower)",
    "opp_43": "Torment the Tainted ({n})",
    "opp_44": "Next Martial Arts check adds a kept die with strife",
    "ready_weapon": "Ready a weapon",
    "tec_2_fire": "Assess (an advantage fits every check of its bearer)",
    "tec_3_air": "Assess {t} (an advantage and the armour)",
    "tec_3_earth": "Assess {t} (no disadvantages apply)",
    "tec_3_water": "Assess {t} (its terrain hides the own side)",
    "tec_5": "Striking as Air (reserve {t})",
    "tec_6": "Striking as Earth (resistance +{n})",
    "tec_7": "Striking as Water (resistance of {t} -{n})",
    "tec_8": "Striking as Fire (next critical on {t} +{n})",
    "tec_15": "Crescent Moon (strike back once)",
}


_UNNAMED: Final = {
    "opp_14": "some", "opp_30": "a position", "opp_32": "a ring", "opp_35": "some", "tec_3_water": "a position", "tec_5": "dice",
}  # fmt: skip


def row_words(id: str, amount: int, target: Any, who: str) -> str:
    """An opportunity row with how much of it and on what; `who` spends it. No target: the row as such."""
    text = ROWS[id].replace("{who}", name(who))
    if "{n}" in text:
        text = text.replace("{n}", str(amount))
    elif amount > 1:
        text = f"{text} ({amount})"
    aimed = target != "" and target != ()
    if "{t}" in text:
        return text.replace("{t}", target_words(target) if aimed else _UNNAMED.get(id, "somebody"))
    return f"{text}: {target_words(target)}" if aimed else text


def target_words(target: Any) -> str:
    """What something is done to: figures, dice, positions, cards."""
    if isinstance(target, tuple):
        if target and isinstance(target[0], int):
            return "die " + " ".join(map(str, target))
        return ", ".join(target_words(each) for each in target)
    if isinstance(target, int):
        return f"position {target}"
    return thing(target) if target in _LOWER else name(target)


_LOWER: Final = ("object", "1h", "2h", "dangerous", "entangling", "obscuring")

EFFECTS: Final = {
    "kept_o": "the next Martial check adds a kept {O}",
    "kept_t": "the next Martial Arts check adds a kept die with strife",
    "hardened": "the next critical suffered is {n} less severe",
    "opened": "the next critical suffered is {n} more severe",
    "resist": "physical resistance {+n}",
    "weaken": "physical resistance {-n}",
    "harried": "the next check has TN {+n}, unless against {source}",
    "exposed": "the next resist check has TN {+n}",
    "daunting": "others pay {n} strife to target {who}",
    "elusive": "the next ranged attack on {who} has TN {+n}",
    "guarded": "attacks on {who} have TN {+n}",
    "foresee": "the next check has TN {-n} with {applies}",
    "clear_sight": "the next attack ignores {applies} terrain",
    "surefooted": "moving ignores {applies} terrain",
    "endure": "{source} does not count",
    "sheltered": "the next TN against hardship is {n} lower",
    "veiled": "terrain at {applies} hides {who}",
    "assessed": "{applies} fits every check",
    "assist_similar": "will assist the next {applies} check",
    "laid_bare": "the next hostile check against {who} has TN 1",
    "crescent": "will strike back once",
    "invoked": "{applies} applies to the next check",
}


def effect_words(effect: str, amount: int, applies: Any, source: str, who: str) -> str:
    """A lasting effect, and on what it works."""
    on = listed([target_words(each) if each not in ("air", "earth", "fire", "water") else each.title() for each in applies])
    if effect == "overcome":
        return f"{on if applies else 'no disadvantage'} {'does not apply' if applies else 'applies'}"
    text = EFFECTS.get(effect, thing(effect))
    for mark, words in (
        ("{n}", str(amount)), ("{+n}", f"{amount:+d}"), ("{-n}", f"{-amount:+d}"), ("{source}", _source(source)),
        ("{applies}", on), ("{who}", name(who)),
    ):  # fmt: skip
        text = text.replace(mark, words)
    return text


def _source(id: str) -> str:
    return thing(id) if "wounded" in id or id in _CONDITIONS else name(id)


def rounds_left(number: int, whose: str = "") -> str:
    """How long the Dying live (L5R-COND-8): at the end of whose turn they die if no round is left."""
    if number:
        return f"{number} round{'s' if number != 1 else ''}"
    return f"dies at the end of {whose}'s turn" if whose else "dies at the end of the turn"


_CONDITIONS: Final = (
    "afflicted", "bleeding", "burning", "dazed", "disoriented", "dying", "enraged", "exhausted", "immobilized", "incapacitated",
    "intoxicated", "prone", "silenced", "suffocating", "unconscious",
)  # fmt: skip
