"""A PostgreSQL of the tests' own, in a folder that is deleted with it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

BINARIES = next((each for each in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


def missing() -> str:
    """Why there can be no PostgreSQL; empty if there can."""
    return "" if BINARIES and (BINARIES / "initdb").exists() else "PostgreSQL is missing: apt-get install postgresql"


class Postgres:
    """Starts on a free port; can be stopped and started again as it was."""

    def __init__(self, *, safe: bool = False) -> None:
        assert BINARIES is not None
        self._binaries = BINARIES
        self.folder = Path(tempfile.mkdtemp(prefix="referee-postgres-"))
        self.folder.chmod(0o700)
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"postgresql://referee@127.0.0.1:{port}/postgres"
        self._options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        if not safe:
            self._options += " -c fsync=off"
        self._run("initdb", "-U", "referee", "--auth=trust", "--no-sync")

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._binaries / program), "-D", str(self.folder / "data"), *words]
        # PostgreSQL refuses to be run by root.
        owner = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        subprocess.run([*owner, *command], check=True, capture_output=True, cwd=self.folder)

    def start(self) -> Postgres:
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", self._options, "start")
        return self

    def stop(self, mode: str = "fast") -> None:
        """`immediate` is a crash."""
        self._run("pg_ctl", "-w", "-m", mode, "stop")

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
