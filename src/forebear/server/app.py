"""What does the server answer?  The application: pages, API and files behind their protection."""

import gc
from contextlib import suppress
from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from forebear import __version__
from forebear.archive import Archive
from forebear.errors import ForebearError
from forebear.server.api import describe_api, make_api
from forebear.server.errors import add_error_responses
from forebear.server.limits import Counters
from forebear.server.options import DEFAULT_OPTIONS, ServerOptions
from forebear.server.protection import Protection
from forebear.server.routes import make_routes
from forebear.server.turns import Turns

TYPICAL_SEARCH = {"given": "Mary", "surname": "Smith"}
STATIC = Path(__file__).parent / "static"


def warm_up(archive: Archive) -> None:
    """Count what searches need of the archive, so that the first visitor does not wait for it."""
    with suppress(ForebearError):  # visitors get the message of what is wrong
        archive.compile_searches()
        result = archive.search(TYPICAL_SEARCH, viewer="public", log=False)
        result.facets()
        result.page(size=20).to_dict()
    gc.collect()
    gc.freeze()  # what is loaded now stays; collections need not look at it again


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
    turns = Turns(archive)
    app.include_router(make_routes(archive, options, turns))
    app.include_router(make_api(archive, turns))
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    add_error_responses(app)
    app.add_middleware(Protection, options=options, counters=counters or Counters(options.limits))
    describe_api(app)
    return app
