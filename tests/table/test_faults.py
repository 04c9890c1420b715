"""What the server says when something goes wrong: a refusal with its reason; a fault of the program is logged and owned."""

from typing import Any, cast

import pytest

from referee.engine import IllegalAnswer
from referee.table.refusals import told


class Asked:
    """As much of a request as is looked at."""

    headers: dict[str, str] = {"hx-request": "true"}

    class url:  # noqa: N801 - as the framework names it
        path = "/t/1/sable"


@pytest.mark.parametrize(
    ("wrong", "status", "says"),
    [(IllegalAnswer("not on offer"), 422, "not on offer"), (TypeError("'int' object is not iterable"), 500, "")],
)
def test_refusals_and_faults_are_told_apart(wrong: Exception, status: int, says: str) -> None:
    answer = told(cast(Any, Asked()), wrong)
    assert answer.status_code == status
    assert says.lower() in str(answer.content).lower()
    assert "iterable" not in str(answer.content)
