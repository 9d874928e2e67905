"""What does the server answer?  The application: pages, API and files behind their protection."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from forebear import __version__
from forebear.archive import Archive
from forebear.server.api import describe_api, make_api
from forebear.server.errors import add_error_responses
from forebear.server.limits import Counters
from forebear.server.options import DEFAULT_OPTIONS, ServerOptions
from forebear.server.protection import Protection
from forebear.server.routes import make_routes

STATIC = Path(__file__).parent / "static"


def make_app(
    archive: Archive,
    *,
    options: ServerOptions = DEFAULT_OPTIONS,
    counters: Counters | None = None,
) -> FastAPI:
    """Return the application that serves an open archive to the public."""
    app = FastAPI(
        title="Forebear",
        summary="Search historical records for a person.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # it would redirect to what the Host header says
    )
    app.include_router(make_routes(archive, options))
    app.include_router(make_api(archive))
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    add_error_responses(app)
    app.add_middleware(Protection, options=options, counters=counters or Counters(options.limits))
    describe_api(app)
    return app
