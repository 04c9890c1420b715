"""The JSON API does what its OpenAPI document says, whatever is sent to it; and the client of the documentation plays by it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from .server import Server, api

PAGE = Path(__file__).parents[2] / "docs" / "web-table.md"
OPERATIONS = [
    ("GET", "/api/tables/{table}/{seat}"),
    ("GET", "/api/tables/{table}/{seat}/events"),
    ("POST", "/api/tables/{table}/{seat}/answer"),
]
MODES = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
ASKED_FOR = (schemathesis.checks.not_a_server_error, schemathesis.checks.status_code_conformance,
             schemathesis.checks.content_type_conformance, schemathesis.checks.response_schema_conformance,
             schemathesis.checks.response_headers_conformance)  # fmt: skip


def fuzz(server: Server, method: str, path: str, mode: Any, examples: int) -> set[int]:
    """Sends what the document lets or does not let be sent: to a seat that is there, and to any; the statuses that came back."""
    document = server.http.get("/api/openapi.json").json()
    operation = schemathesis.openapi.from_dict(document)[path][method]
    links = server.set_table()
    seat = next(each for each in ("sable", "garrick") if api(server, links[each]).json()["question"])
    _, table, _, token = links[seat].rsplit("/", 3)
    ticket = api(server, links[seat]).json()["question"]["ticket"]
    told: set[int] = set()

    @settings(max_examples=examples, deadline=None, derandomize=True, phases=[Phase.generate, Phase.explicit],
              suppress_health_check=list(HealthCheck), database=None)  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode), there=st.integers(0, 3), asked=st.booleans())
    def send(case: schemathesis.Case, there: int, asked: bool) -> None:
        case.headers.pop("Authorization", None)
        headers = {"authorization": f"Bearer {token}"}
        if there:
            case.path_parameters = {"table": table, "seat": seat}
        if asked and isinstance(case.body, dict):
            case.body["ticket"] = ticket
        response = case.call(base_url=server.address, headers=headers)
        told.add(response.status_code)
        case.validate_response(response, checks=list(ASKED_FOR))

    send()
    return told


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: str(mode.value))
def test_the_api_keeps_to_its_document(server: Server, method: str, path: str, mode: Any) -> None:
    assert fuzz(server, method, path, mode, 25) - {404}


@pytest.mark.long
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: str(mode.value))
def test_the_api_keeps_to_its_document_for_long(server: Server, method: str, path: str, mode: Any) -> None:
    assert fuzz(server, method, path, mode, 500) - {404}


def test_every_operation_is_sent_to(server: Server) -> None:
    document = server.http.get("/api/openapi.json").json()
    told = [(method.upper(), path) for path, methods in document["paths"].items() for method in methods]
    assert sorted(told) == sorted(OPERATIONS)


def test_the_client_of_the_documentation_plays(server: Server) -> None:
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    client: dict[str, Any] = {}
    exec(compile(found[1], str(PAGE), "exec"), client)
    links = server.set_table()
    for _ in range(6):
        for seat in ("sable", "garrick"):
            client["play_first_offer"](links[seat])
    assert len(api(server, links["gm"], "/events").json()) > 6
    assert client["ask"](links["gm"])["view"]["seat"] == "gm"
