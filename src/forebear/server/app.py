"""The application: routes, errors, protection and the files the page needs."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from forebear.archive import Archive
from forebear.server.error_answers import add_error_answers
from forebear.server.protection import Protection
from forebear.server.routes import make_routes

STATIC = Path(__file__).parent / "static"


def make_app(archive: Archive) -> FastAPI:
    """Return the application that serves an open archive to the public."""
    app = FastAPI(title="Forebear", docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(make_routes(archive))
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    add_error_answers(app)
    app.add_middleware(Protection)
    return app
