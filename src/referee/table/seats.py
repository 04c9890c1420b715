"""Links, cookies and tickets: who may sit where, proved by keyed digests. Nothing of it is stored."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from ..engine.errors import RefereeError


class Keys:
    """Makes and checks what only this server can make: 160 bits for a link, 96 for a ticket."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) < 32:
            raise RefereeError(f"a server secret has at least 32 bytes, not {len(secret)}")
        self._secret = secret

    @classmethod
    def of(cls, file: Path) -> Keys:
        """The keys of a secret in a file that only its owner can read; it is made if it is missing."""
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return cls(file.read_bytes())
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(secrets.token_bytes(32))
        return cls(file.read_bytes())

    def _digest(self, *words: str | int) -> str:
        return hmac.new(self._secret, "/".join(map(str, words)).encode(), hashlib.sha256).hexdigest()

    def link(self, table: str, seat: str, number: int) -> str:
        """What proves that somebody was given a seat; `number` counts how often its link was made anew."""
        return self._digest("seat", table, seat, number)[:40]

    def sits(self, proof: str, table: str, seat: str, number: int) -> bool:
        """Whether that proof is good for the seat now."""
        return hmac.compare_digest(proof.encode(), self.link(table, seat, number).encode())

    def ticket(self, table: str, seat: str, named: str) -> str:
        """Names a question or a next act of a seat, and proves that its page came from here."""
        return f"{named}.{self._digest('ticket', table, seat, named)[:24]}" if named else ""

    def fits(self, ticket: str, table: str, seat: str, named: str) -> bool:
        """Whether a ticket names that question or act."""
        return bool(named) and hmac.compare_digest(ticket.encode(), self.ticket(table, seat, named).encode())
