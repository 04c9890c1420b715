"""What a person at a terminal may look at: the table, the log, refusals, numbers, rules. Changes nothing."""

from __future__ import annotations

from collections import Counter

from ..analysis.advice import advised
from ..analysis.digests import digest
from ..analysis.equilibria import contested, mixed
from ..analysis.equilibria import lines as told_mix
from ..analysis.odds import outlooks
from ..analysis.plans import plans
from ..analysis.wording import brief, lines, said
from ..content.faults import suggestion
from ..content.rules import rulebook
from ..engine.encounter import Encounter, Shown
from ..engine.errors import RefereeError
from ..engine.questions import Offer, Question
from .ink import Ink

SECONDS = 1.0  # of work for odds on demand


def about(encounter: Encounter, question: Question) -> str:
    """What is asked, in words."""
    return str(encounter.game.ruleset.words.about(encounter.game, question))


def tableau(encounter: Encounter, seat: str) -> list[str]:
    """The table in lines of text, as a seat may see it."""
    return [str(line) for line in encounter.game.ruleset.words.tableau(encounter.game, seat)]


def show_table(ink: Ink, encounter: Encounter, seat: str) -> None:
    """The table as a seat may see it."""
    ink.say()
    ink.title(seat.replace("_", " "), ink.side(seat) or "bold")
    for line in tableau(encounter, seat):
        ink.say(line)


def show_refusals(ink: Ink, encounter: Encounter, seat: str) -> None:
    """What a seat may not do now, and why."""
    refusals = encounter.refusals(seat)
    if not refusals:
        ink.say("  Nothing that you might expect is refused.")
        return
    game = encounter.game
    choice = encounter.choice(seat)
    labels = [str(game.ruleset.words.label(game, choice, Offer(each.value, each.group))) for each in refusals]
    for label, refusal in zip(labels, refusals, strict=True):
        ink.say(f"  not now: {label}", "bold")
        for reason in refusal.reasons:
            rules = f" [{', '.join(reason.rules)}]" if reason.rules else ""
            ink.paragraph(f"{game.ruleset.words.reason(game, reason)}{rules}", "      ")


def show_breakdown(ink: Ink, encounter: Encounter, offer: Shown | None, named: str) -> None:
    """Every number in an offer. RefereeError if there is no such offer."""
    if offer is None:
        raise RefereeError(f"there is no offer {named!r} to break down" if named else "say of which offer: b 1")
    numbers = encounter.breakdown(offer)
    ink.say(f"  {offer.label}" + (f" [{', '.join(offer.rules)}]" if offer.rules else ""))
    for number in numbers:
        ink.breakdown(number)
    if not numbers:
        ink.say("  There is no number in it.")


def show_chances(ink: Ink, encounter: Encounter, seat: str, numbered: list[tuple[str, Shown]]) -> None:
    """The offers again, with the odds of each beside it in a few words, and a star at the best."""
    looked = outlooks(encounter, seat, SECONDS, among=[each for _, each in numbered])
    best = max((outlook.worth for _, outlook in looked), default=0)
    declared = encounter.content.ruleset.odds
    digests = [digest(outlook, declared, best - outlook.worth, shown.choice.who) for shown, outlook in looked]
    told = Counter(fact for each in digests for fact in each.sure)
    common = {fact for fact, times in told.items() if 2 * times > len(digests) > 1}
    notes = [brief(each, common) for each in digests]
    secret = contested(encounter, seat)
    several = len({outlook.worth for _, outlook in looked}) > 1
    stars = [several and not secret and outlook.worth == best for _, outlook in looked]
    ink.offers(numbered, [f"{'* ' if star else '  '}{note}".rstrip() for star, note in zip(stars, notes, strict=True)])
    if any(stars):
        ink.say("  *: best, as the game judges; o tells more", "dim")
    elif secret:
        ink.say("  o tells what to choose how often where the other side chooses at the same time", "dim")


def show_odds(ink: Ink, encounter: Encounter, seat: str, numbered: list[tuple[str, Shown]], named: str) -> None:
    """The odds of every offer, or those of one in full, as the seat can know them. RefereeError if there is no such offer."""
    chosen = [(number, offer) for number, offer in numbered if named in ("", number)]
    if not chosen:
        raise RefereeError(f"there is no offer {named!r} here: o alone shows all")
    mix = None if named else mixed(encounter, seat, progress=ink.progress("  reckoning"))
    if mix is not None:
        for place, line in enumerate(told_mix(mix)):
            ink.say(f"  {line}", "" if place else "bold")
        return
    declared = encounter.content.ruleset.odds
    advice = {id(each.offer): each for each in advised(outlooks(encounter, seat, SECONDS, among=[each for _, each in chosen]))}
    for number, offer in chosen:
        each = advice[id(offer)]
        standing = "" if named else "best, as the game judges; " if not each.behind else f"{float(each.behind):,.1f} behind; "
        ink.say(f"  {number:>3}  {offer.label}: {standing}{said(each.outlook)}", "bold")
        for line in lines(each.outlook, declared, 30 if named else 3):
            ink.say(f"       {line}")
    if not named and declared is not None:
        for plan in plans(encounter, seat):
            for line in declared.tell(plan):
                ink.say(f"  {line}")


def show_rule(ink: Ink, encounter: Encounter, named: str) -> None:
    """A rule by its id, or the end of it. RefereeError if there is none."""
    statements = rulebook(encounter.content.ruleset).statements
    wanted = named.upper()
    found = [each for id, each in statements.items() if id == wanted or (wanted and id.partition("-")[2] == wanted)]
    if not found:
        raise RefereeError(f"there is no rule {named!r}; {suggestion(wanted, statements)}" if named else "say which: r ID")
    for statement in found:
        ink.paragraph(f"{statement.id}  {statement.text}", "  ")


def show_log(ink: Ink, encounter: Encounter, seat: str, last: int | None) -> None:
    """The log that a seat may see, or its last lines."""
    events = [event for event in encounter.events_for(seat) if not event.explain]
    for event in events if last is None else events[len(events) - min(last, len(events)) :]:
        ink.event(encounter.line(event), event)


def readable(error: Exception) -> str:
    """What went wrong, as a sentence for people."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)
