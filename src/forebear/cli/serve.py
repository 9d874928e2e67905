"""``forebear serve``: the page."""

from typing import Annotated

import typer

from forebear.cli.options import ArchiveOption, archive_path, talk


def serve(
    archive: ArchiveOption = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
) -> None:
    """Serve the search page until stopped."""
    from forebear.server.run import run_server  # the web framework is an extra

    run_server(archive_path(archive), host=host, port=port, ready=lambda url: talk.print(url))
