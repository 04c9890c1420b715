"""What is pushed is compressed once for all who are sent the same, and every page can read it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
import websockets
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

from referee.table import wire

from .server import Server, api


async def first_push(server: Server, link: str, **options: Any) -> dict[str, Any]:
    path, proof = "/".join(link.split("/")[-3:-1]), link.rsplit("/", 1)[1]
    address = f"{server.address.replace('http', 'ws', 1)}/t/{path}/live?n=0"
    headers = {"cookie": f"seat={proof}"}
    async with websockets.connect(
        address,
        additional_headers=headers,
        origin=server.address,  # type: ignore[arg-type]
        proxy=None,
        **options,
    ) as connected:
        told: dict[str, Any] = json.loads(await asyncio.wait_for(connected.recv(), 10))
        return told


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"compression": None},
        {"compression": None, "extensions": [ClientPerMessageDeflateFactory(server_max_window_bits=9)]},
        {"compression": None, "extensions": [ClientPerMessageDeflateFactory(client_no_context_takeover=True)]},
    ],
)
def test_every_page_can_read_what_is_pushed(server: Server, options: dict[str, Any]) -> None:
    links = server.set_table()
    told = asyncio.run(first_push(server, links["spectator"], **options))
    assert told["n"] == len(api(server, links["spectator"], "/events").json())
    assert "hx-partial" in told["content"]


def test_it_is_compressed_once_for_all() -> None:
    wire._compressed.cache_clear()
    data = b"a push " * 500
    made = [wire._compressed(bytes(data), 15) for _ in range(5)]
    assert len(set(made)) == 1
    assert len(made[0]) < 100
    assert wire._compressed.cache_info().misses == 1
    assert wire._compressed(data, 9) != made[0]


def test_what_is_pushed_is_said_to_be_compressed_by_itself(server: Server) -> None:
    links = server.set_table()
    path, proof = "/".join(links["gm"].split("/")[-3:-1]), links["gm"].rsplit("/", 1)[1]

    async def agreed() -> str:
        address = f"{server.address.replace('http', 'ws', 1)}/t/{path}/live"
        headers = {"cookie": f"seat={proof}"}
        async with websockets.connect(address, additional_headers=headers, origin=server.address, proxy=None) as connected:  # type: ignore[arg-type]
            assert connected.response is not None
            return connected.response.headers["sec-websocket-extensions"]

    assert "server_no_context_takeover" in asyncio.run(agreed())
