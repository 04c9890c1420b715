"""A server of the web table in a process of its own, and clients that ask it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

_START = """
import sys
from pathlib import Path
from referee.table import serving
folder, port, database, odds = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
app, rooms = serving.build(database, folder / "secret", (), bot_pause=0.0, odds_seconds=odds)
serving.run(app, serving.listen("127.0.0.1", port))
"""


class Server:
    """Starts, is killed, starts again on the same port and database."""

    def __init__(self, folder: Path, database: str = "", odds: float = 0) -> None:
        self.folder = folder
        self.odds = odds
        self.database = database or f"sqlite:///{folder / 'tables.db'}"
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None
        self.clients: list[httpx.Client] = []
        self.http = self.client()

    def client(self) -> httpx.Client:
        """Asks this server as a page of its own would; closed when the server stops."""
        made = httpx.Client(base_url=self.address, headers={"origin": self.address}, timeout=10, trust_env=False, verify=False)
        self.clients.append(made)
        return made

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Server:
        command = [sys.executable, "-c", _START, str(self.folder), str(self.port), self.database, str(self.odds)]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                if self.http.get("/healthz", timeout=1).status_code == 200:
                    return self
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError(f"the server does not answer: {self.log()}")

    def kill(self) -> None:
        """SIGKILL: nothing can be finished."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        while self.clients:
            self.clients.pop().close()
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=15)

    def log(self) -> str:
        return (self.folder / "server.log").read_text()

    def set_table(self, scenario: str = "morphyry/broken_stair", **fields: str) -> dict[str, str]:
        """Opens a table as a browser does: the link of every seat, the host's too."""
        page = self.client().post("/tables", data={"scenario": scenario, **fields}, follow_redirects=True)
        assert page.status_code == 200, page.text
        links = re.findall(r'class="link" readonly value="([^"]+)"', page.text)
        opened = str(page.history[0].headers["location"])
        return {link.split("/")[-2]: link for link in links} | {"host": self.address + opened}

    def sit(self, link: str) -> httpx.Client:
        """A browser without JavaScript that has opened a link."""
        client = self.client()
        client.follow_redirects = True
        assert client.get(link).status_code == 200
        return client


def api(server: Server, link: str, path: str = "", **options: Any) -> httpx.Response:
    """Asks the JSON API for a seat, named by its link."""
    _, table, seat, proof = link.rsplit("/", 3)
    url = f"/api/tables/{table}/{seat}{path}"
    headers = {"authorization": f"Bearer {proof}"}
    if "json" in options:
        return server.http.post(url, headers=headers, **options)
    return server.http.get(url, headers=headers, **options)
