"""How does an archive come to be served?  Opened, listened for, closed again.

The web framework is an extra, so this module imports without it and says what to install.
"""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from forebear.archive import open_archive
from forebear.errors import ServerError

NEEDED = ("fastapi", "jinja2", "python_multipart", "uvicorn")  # the extra `server`


def run_server(path: Path, *, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve an archive until stopped; ``ready`` is told the URL once requests are answered."""
    _check_extra()
    from forebear.server.app import make_app
    from forebear.server.listen import listen

    with open_archive(path) as archive:
        listen(make_app(archive), host=host, port=port, ready=ready)


def _check_extra() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ServerError(
            f"the page needs the extra 'server': {', '.join(missing)} is not installed",
            hint='pip install "forebear[server]"',
        )
