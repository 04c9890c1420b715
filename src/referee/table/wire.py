"""How pushes go over the wire: what many pages are sent alike is compressed once for all of them.

For that each message is compressed by itself, which also spares the memory that a connection would keep for it.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.typing import ExtensionParameter

_LEVEL: Final = 3  # the highest takes three times as long and saves a sixth
_TAIL: Final = b"\x00\x00\xff\xff"  # ends what is compressed, and is not sent
_KEPT: Final = 64


class _SharedDeflate(PerMessageDeflate):
    def encode(self, frame: Frame) -> Frame:
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY) or not frame.fin:
            return super().encode(frame)
        data = _compressed(bytes(frame.data), self.local_max_window_bits)
        return Frame(frame.opcode, data, True, True, frame.rsv2, frame.rsv3)


@lru_cache(_KEPT)
def _compressed(data: bytes, bits: int) -> bytes:
    made = zlib.compressobj(_LEVEL, wbits=-bits)
    return (made.compress(data) + made.flush(zlib.Z_SYNC_FLUSH)).removesuffix(_TAIL)


class _SharedDeflateFactory(ServerPerMessageDeflateFactory):
    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        agreed, made = super().process_request_params(params, accepted_extensions)
        shared = _SharedDeflate(
            made.remote_no_context_takeover, made.local_no_context_takeover, made.remote_max_window_bits,
            made.local_max_window_bits, made.compress_settings,
        )  # fmt: skip
        return agreed, shared


class Wire(WebSocketsSansIOProtocol):
    """A page's connection, as uvicorn wants its class."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn.available_extensions = [_SharedDeflateFactory(server_no_context_takeover=True, client_max_window_bits=12)]
