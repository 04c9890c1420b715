from collections.abc import Iterator

import pytest

from .server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server")).start()
    yield running
    running.stop()
    assert "Traceback" not in running.log(), running.log()
