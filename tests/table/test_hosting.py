"""What `docs/hosting.md` says is true: its proxy, its service and its commands, taken from the page as they stand there."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
import websockets

from .postgres import Postgres, missing
from .server import Server, api

pytestmark = pytest.mark.long

PAGE = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
NAME = "table.example"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/sbin:/bin")
ANALYZE = shutil.which("systemd-analyze")
COMMAND = [sys.executable, "-m", "referee"]


def block(kind: str, holding: str) -> str:
    """The block of the page in that language which holds these words."""
    return next(each for each in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL) if holding in each)


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def unit() -> str:
    return block("ini", "[Service]")


def option(command: str, name: str, value: str) -> str:
    """A command with another value of an option, which must stand in it."""
    changed, count = re.subn(rf"--{name} \S+", f"--{name} {value}", command)
    assert count == 1, command
    return changed


class Proxied:
    """The server of the page's service on PostgreSQL, behind the proxy of the page; both on ports of their own."""

    def __init__(self, folder: Path, database: Postgres) -> None:
        self.folder = folder
        self.port = free_port()
        inner = free_port()
        started = re.search(r"^ExecStart=/opt/referee/bin/referee (.*)$", unit(), re.M)
        assert started is not None
        command = option(option(started[1], "database", database.url), "secret", str(folder / "secret"))
        with (folder / "server.log").open("wb") as log:
            self.server = subprocess.Popen([*COMMAND, *command.split(), "--port", str(inner)], stdout=log, stderr=log)
        self._certificate()
        config = block("nginx", "server {")
        for there, here in (
            ("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"),
            ("/etc/ssl/certs/table.example.pem", str(folder / "certificate.pem")),
            ("/etc/ssl/private/table.example.key", str(folder / "key.pem")),
            ("127.0.0.1:8642", f"127.0.0.1:{inner}"),
        ):
            assert there in config
            config = config.replace(there, here)
        main = f"""
pid {folder}/nginx.pid; error_log {folder}/nginx.log; worker_processes 1; daemon off; user root;
events {{ worker_connections 256; }}
http {{
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  {config}
}}
"""
        (folder / "nginx.conf").write_text(main, encoding="utf-8")
        assert NGINX is not None
        self.proxy = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL)

    def _certificate(self) -> None:
        words = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={NAME} -addext subjectAltName=DNS:{NAME}"
        command = ["openssl", *words.split(), "-keyout", "key.pem", "-out", "certificate.pem"]
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True)

    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))

    def client(self, host: str = NAME) -> httpx.Client:
        """A browser that found the proxy under the name of the page; the port is not told, as it is the usual one there."""
        headers = {"host": host, "origin": f"https://{host}"}
        made = httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}", headers=headers, verify=self.trust(), trust_env=False, timeout=10
        )
        made.event_hooks["request"] = [lambda request: request.extensions.update(sni_hostname=NAME)]
        return made

    def wait(self) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                with self.client() as client:
                    if client.get("/healthz").status_code == 200:
                        return
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        raise AssertionError((self.folder / "nginx.log").read_text() + (self.folder / "server.log").read_text())

    def stop(self) -> None:
        for process in (self.proxy, self.server):
            process.terminate()
        for process in (self.proxy, self.server):
            process.wait(timeout=20)


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    if NGINX is None:
        pytest.skip("nginx is missing: apt-get install nginx-light")
    if why := missing():
        pytest.skip(why)
    database = Postgres()
    try:
        running = Proxied(tmp_path_factory.mktemp("hosted"), database.start())
        try:
            running.wait()
            yield running
        finally:
            running.stop()
        database.stop()
    finally:
        database.remove()


def set_table(hosted: Proxied) -> dict[str, str]:
    with hosted.client() as client:
        made = client.post("/tables", data={"scenario": "morphyry/broken_stair"})
        assert made.status_code == 303, made.text
        taken = client.get(made.headers["location"])
        proof = made.headers["location"].rsplit("/", 1)[1]
        lobby = client.get(taken.headers["location"], headers={"cookie": f"seat={proof}"})
    links = re.findall(r'class="link" readonly value="([^"]+)"', lobby.text)
    return {link.split("/")[-2]: link for link in links}


def test_a_seat_is_taken_and_played_through_the_proxy(hosted: Proxied) -> None:
    links = set_table(hosted)
    assert all(link.startswith(f"https://{NAME}/s/") for link in links.values()), "scheme and name are those that people typed"
    with hosted.client() as client:
        path = links["sable"].removeprefix(f"https://{NAME}")
        taken = client.get(path)
        assert taken.status_code == 303
        cookies = taken.headers.get_list("set-cookie")
        assert len(cookies) == 2
        assert all("Secure" in each and "HttpOnly" in each and "SameSite=lax" in each for each in cookies)
        where, cookie = taken.headers["location"], {"cookie": f"seat={path.rsplit('/', 1)[1]}"}
        page = client.get(where, headers=cookie)
        assert page.status_code == 200
        assert "content-security-policy" in page.headers
        style = re.search(r'href="(/static/table.css[^"]*)"', page.text)
        assert style is not None
        assert "immutable" in client.get(style[1]).headers["cache-control"]


def test_what_changes_is_pushed_through_the_proxy(hosted: Proxied) -> None:
    links = set_table(hosted)
    path, proof = links["gm"].removeprefix(f"https://{NAME}/s").rsplit("/", 1)

    async def run() -> tuple[str, str]:
        with closing(socket.create_connection(("127.0.0.1", hosted.port))) as connected:
            async with websockets.connect(
                f"wss://{NAME}/t{path}/live?n=0", sock=connected, ssl=hosted.trust(), origin=f"https://{NAME}",  # type: ignore[arg-type]
                additional_headers={"cookie": f"seat={proof}"}, proxy=None,
            ) as wire:  # fmt: skip
                first = str(await asyncio.wait_for(wire.recv(), 10))
                await asyncio.to_thread(answer, hosted, links)
                return first, str(await asyncio.wait_for(wire.recv(), 10))

    first, second = asyncio.run(run())
    assert "hx-partial" in first
    assert first != second


def answer(hosted: Proxied, links: dict[str, str]) -> None:
    with hosted.client() as client:
        for seat in ("sable", "garrick"):
            path, proof = links[seat].removeprefix(f"https://{NAME}/s").rsplit("/", 1)
            headers = {"authorization": f"Bearer {proof}"}
            question = client.get(f"/api/tables{path}", headers=headers).json()["question"]
            if question:
                sent = {"ticket": question["ticket"], "value": question["offers"][0]["value"]}
                assert client.post(f"/api/tables{path}/answer", json=sent, headers=headers).json() == {"again": False}
                return
    raise AssertionError("nobody is asked")


def test_other_names_and_other_pages_are_refused_behind_the_proxy(hosted: Proxied) -> None:
    with hosted.client("elsewhere.example") as client:
        assert client.get("/").status_code == 403
    with hosted.client() as client:
        for origin in ("https://elsewhere.example", f"https://{NAME}:8443", "null"):
            assert (
                client.post("/tables", data={"scenario": "morphyry/broken_stair"}, headers={"origin": origin}).status_code == 403
            )


def test_the_proxy_tells_who_asks(hosted: Proxied) -> None:
    """Who is counted is the address that the proxy saw, whatever the client writes; here that is this machine: never limited."""
    with hosted.client() as client:
        for _ in range(40):
            told = client.get("/s/none/sable/x", headers={"x-forwarded-for": "203.0.113.7"})
            assert told.status_code == 404


def test_a_large_body_is_told_by_the_server_itself(hosted: Proxied) -> None:
    links = set_table(hosted)
    path, proof = links["sable"].removeprefix(f"https://{NAME}/s").rsplit("/", 1)
    with hosted.client() as client:
        headers = {"cookie": f"seat={proof}", "content-type": "application/x-www-form-urlencoded"}
        told = client.post(f"/t{path}/answer", content=b"x" * 1_100_000, headers=headers)
        assert told.status_code == 413
        assert "What you sent is too large" in told.text


def test_the_service_is_sound(tmp_path: Path) -> None:
    if ANALYZE is None:
        pytest.skip("systemd-analyze is missing: apt-get install systemd")
    file = tmp_path / "referee.service"
    command = shutil.which("true")
    file.write_text(
        unit().replace("/opt/referee/bin/referee", str(command)).replace("User=referee", "User=root"), encoding="utf-8"
    )
    told = subprocess.run([ANALYZE, "verify", "--man=no", str(file)], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert str(file.name) not in told.stderr, told.stderr


def test_the_commands_of_the_page_are_understood() -> None:
    options: set[str] = set(re.findall(r"--([a-z-]+)", block("sh", "referee serve") + unit()))
    told = subprocess.run(
        [*COMMAND, "serve", "--help"], capture_output=True, text=True, check=True, env={"COLUMNS": "200", "TERM": "dumb"}
    )
    assert sorted(each for each in options if f"--{each}" not in told.stdout) == []


def test_a_database_is_reached_through_its_socket(tmp_path: Path) -> None:
    """As the page names it: no password, and the role of whoever runs the service."""
    if why := missing():
        pytest.skip(why)
    assert "postgresql:///referee?host=/run/postgresql" in PAGE
    database = Postgres()
    try:
        database.start()
        port = database.url.rsplit(":", 1)[1].partition("/")[0]
        server = Server(tmp_path, f"postgresql://referee@/postgres?host={database.folder}&port={port}").start()
        other = Server(tmp_path, server.database).start()
        try:
            links = server.set_table()
            assert api(other, links["gm"].replace(server.address, other.address)).status_code == 200
        finally:
            server.stop()
            other.stop()
        database.stop()
    finally:
        database.remove()
