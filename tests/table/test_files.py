"""Files that pages load are sent compressed where that helps, and nothing else can be had."""

import pytest

from .server import Server


@pytest.mark.parametrize(
    ("path", "kind", "packed"),
    [
        ("/static/table.css", "text/css", True),
        ("/static/table.js", "text/javascript", True),
        ("/faces/morphyry/face.css", "text/css", True),
        ("/static/fonts/alegreya-latin-wght-normal.woff2", "font/woff2", False),
    ],
)
def test_files_are_compressed_where_that_helps(server: Server, path: str, kind: str, packed: bool) -> None:
    told = {}
    for accepted in ("gzip, deflate, br", "br", ""):
        told[accepted] = server.http.get(path, headers={"accept-encoding": accepted})
        assert told[accepted].status_code == 200
        assert told[accepted].headers["content-type"].startswith(kind)
        assert "immutable" in told[accepted].headers["cache-control"]
        assert told[accepted].headers.get("vary") == ("accept-encoding" if packed else None)
    gzipped = told["gzip, deflate, br"]
    assert [each.headers.get("content-encoding") for each in told.values()] == ["gzip" if packed else None, None, None]
    assert gzipped.content == told[""].content
    assert not packed or int(gzipped.headers["content-length"]) < len(gzipped.content) / 2


@pytest.mark.parametrize(
    "path",
    ["/static/../web.py", "/static/%2e%2e/web.py", "/static//etc/passwd", "/static/none.css", "/static/", "/faces/none/face.css"],
)
def test_nothing_else_can_be_had(server: Server, path: str) -> None:
    assert server.http.get(path).status_code == 404
