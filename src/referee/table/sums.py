"""The numbers beside offers: what is the same for all is told once, and like numbers open one card."""

from __future__ import annotations

from typing import Any

import msgspec

_pack = msgspec.msgpack.Encoder().encode


def common(offers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The numbers that are the same in all offers, which then are told once."""
    if len(offers) < 2:
        return []
    same = [each for each in offers[0]["numbers"] if all(each in offer["numbers"] for offer in offers[1:])]
    comes = [each for each in offers[0]["comes"] if all(each in offer["comes"] for offer in offers[1:])]
    for offer in offers:
        offer["numbers"] = [each for each in offer["numbers"] if each not in same]
        offer["comes"] = [each for each in offer["comes"] if each not in comes]
    return same + [{"name": name, "total": total, "lines": [], "least": None} for name, total in comes]


def name_cards(offers: list[dict[str, Any]]) -> None:
    """Names the card that each number opens; like numbers open the same, which lies beside the `first` of them.

    A number of one line whose rule the offer names has nothing to open.
    """
    cards: dict[bytes, str] = {}
    for offer in offers:
        named = []
        for place, number in enumerate(offer["numbers"]):
            lines = number["lines"]
            opens = len(lines) != 1 or number["least"] is not None or lines[0][2] not in ("", *offer["rules"])
            card = f"{offer['place']}-{place}" if opens else ""
            first = cards.setdefault(_pack(number), card) if opens else ""
            named.append(number | {"card": first, "first": card == first})
        offer["numbers"] = named
