"""`referee serve`: the table server for many tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .browser import serving


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes any.")] = 8642,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME; else a file of your own.")
    ] = None,
    secret: Annotated[Path | None, typer.Option(metavar="FILE", help="The server's secret; it is made if it is missing.")] = None,
    name: Annotated[
        list[str] | None, typer.Option(metavar="HOST", help="A host name under which browsers may ask for this server.")
    ] = None,
    odds: Annotated[
        float, typer.Option(min=0, max=60, metavar="SECONDS", help="Work put into the odds of a question; 0 shows none.")
    ] = 0.5,
    odds_workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="Processes that work on odds; else one less than there are cores.")
    ] = None,
) -> None:
    """Serve the web table to many tables, until it is told to stop."""
    table = serving()
    url = table.database_url(database)
    file = secret if secret is not None else table.state_folder() / "secret"
    app, _ = table.build(url, file, (*(name or ()), host), odds_seconds=odds, odds_workers=odds_workers)
    listening = table.listen(host, port)
    shown = f"[{host}]" if ":" in host else host

    async def ready() -> None:
        print(f"http://{shown}:{listening.getsockname()[1]}", flush=True)

    table.run(app, listening, ready)
