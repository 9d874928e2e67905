"""``forebear serve``: the search page and the JSON API in a browser."""

from importlib.util import find_spec
from typing import Annotated

import typer

from forebear.cli.options import ArchiveOption, archive_path, print_message
from forebear.errors import ServerError

NEEDED = ("fastapi", "jinja2", "python_multipart", "uvicorn")  # the extra `server`


def serve(
    path: ArchiveOption = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8000,
) -> None:
    """Serve the search page and the JSON API."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ServerError(
            f"the server needs the extra 'server': {', '.join(missing)} is not installed",
            hint='pip install "forebear[server]"',
        )
    from forebear.server.app import run_server

    run_server(archive_path(path), host=host, port=port, ready=print_message)
