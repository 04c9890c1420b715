"""Roll and keep the slow way: every roll, every set of dice, follow-up dice by recursion to a depth. Shares no code."""

from functools import cache
from itertools import combinations, product

RING = ("", "OT", "O", "ST", "S", "ET")
SKILL = ("", "", "O", "O", "O", "ST", "ST", "S", "S", "SO", "ET", "E")
KINDS = {"r": RING, "s": SKILL}


def symbols(face):
    return (("S" in face) + ("E" in face), int("O" in face), int("T" in face))


class Slow:
    """The best value of a roll, for `worth(s, o, t)` that depends on symbols up to `limits` only."""

    def __init__(self, worth, limits, barred=False, together=False, depth=9):
        self.worth, self.limits, self.barred, self.together, self.depth = worth, limits, barred, together, depth
        self.pending = cache(self._together if together else self._singly)

    def clip(self, here, face=""):
        return tuple(min(a + b, most) for a, b, most in zip(here, symbols(face), self.limits, strict=True))

    def may(self, face):
        return bool(face) and not (self.barred and "T" in face)

    def _singly(self, here, ring, skill, depth):
        if not ring + skill or not depth:
            return self.worth(*here)
        kind = "s" if skill else "r"
        left = (ring, skill - 1) if skill else (ring - 1, skill)
        total = 0.0
        for face in KINDS[kind]:
            best = self.pending(here, *left, depth)
            if self.may(face):
                more = "E" in face
                after = (left[0] + (more and kind == "r"), left[1] + (more and kind == "s"))
                best = max(best, self.pending(self.clip(here, face), *after, depth - more))
            total += best
        return total / len(KINDS[kind])

    def _together(self, here, ring, skill, depth):
        if not ring + skill or not depth:
            return self.worth(*here)
        total = 0.0
        for faces in product(*[RING] * ring, *[SKILL] * skill):
            dice = [(face, "r" if place < ring else "s") for place, face in enumerate(faces)]
            total += self.keep(dice, len(dice), here, depth - 1, least=0)
        return total / (6**ring * 12**skill)

    def keep(self, dice, most, here=(0, 0, 0), depth=None, least=1):
        free = [die for die in dice if self.may(die[0]) or not die[0]]
        best = None
        for size in range(min(least, len(free)), min(most, len(free)) + 1):
            for kept in combinations(free, size):
                now = here
                for face, _ in kept:
                    now = self.clip(now, face)
                pending = [sum("E" in face and kind == which for face, kind in kept) for which in "rs"]
                value = self.pending(now, *pending, self.depth if depth is None else depth)
                best = value if best is None else max(best, value)
        return best

    def value(self, ring, skill, most, roll=None):
        roll = roll or (lambda dice: self.keep(dice, most))
        known, total = {}, 0.0
        for faces in product(*[RING] * ring, *[SKILL] * skill):
            dice = tuple(sorted((face, "r" if place < ring else "s") for place, face in enumerate(faces)))
            if dice not in known:
                known[dice] = roll(list(dice))
            total += known[dice]
        return total / (6**ring * 12**skill)

    def rerolled(self, ring, skill, most, adversity=False, against=0):
        """The value with the best reroll of up to two dice; `adversity`: of exactly two with a success, or all of fewer;
        `against`: the worst of up to so many with a success."""

        @cache
        def fallen(stays, again):
            if not again:
                return self.keep(list(stays), most)
            kind, rest = again[0], again[1:]
            return sum(fallen(tuple(sorted((*stays, (face, kind)))), rest) for face in KINDS[kind]) / len(KINDS[kind])

        def best(dice):
            may = [place for place, (face, _) in enumerate(dice) if not (adversity or against) or symbols(face)[0]]
            sizes = [min(2, len(may))] if adversity else range((against or 2) + 1)
            return (min if against else max)(
                fallen(
                    tuple(die for place, die in enumerate(dice) if place not in chosen),
                    tuple(sorted(dice[place][1] for place in chosen)),
                )
                for size in sizes
                for chosen in combinations(may, size)
            )

        return self.value(ring, skill, most, best)
