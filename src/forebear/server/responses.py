"""How does a template or an error become a response, and what may a browser do with it?

People get a page that says what is wrong and what to do.  Programs get problem details (RFC 9457)
under ``/api/``, and elsewhere if they accept JSON and no HTML.
"""

import re
from functools import cache
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException

from forebear import __version__
from forebear.errors import (
    AccessError,
    ArchiveError,
    ForebearError,
    InputError,
    NotFoundError,
    StorageError,
)
from forebear.server.visitors import ANONYMOUS, Visitor

# A page depends on who is signed in and on what has been attached since.
CACHING = {"Cache-Control": "private, no-cache"}


# Nothing from other sites, no scripts, no frames, and no referrer for other sites; without any
# referrer, browsers would send the page's forms with `Origin: null`.
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
# The first that fits counts.
STATUSES: tuple[tuple[type[ForebearError], int], ...] = (
    (NotFoundError, 404),
    (InputError, 400),
    (AccessError, 403),
    (ArchiveError, 503),
    (StorageError, 503),
    (ForebearError, 500),
)
TITLES = {
    400: "Bad request",
    403: "Refused",
    404: "Not found",
    405: "Method not allowed",
    408: "Too slow",
    413: "Too large",
    414: "Address too long",
    421: "Wrong host",
    429: "Too many requests",
    503: "Not available",
}
HTTP_CODES = {404: "not-found", 405: "method"}
PROBLEM = "application/problem+json"
FAULT = "something went wrong in the program that serves this page"
_FOLDER = re.compile(r"(?<=')[^']*[/\\](?=[^'/\\]+')")


def render(
    template: str, *, visitor: Visitor = ANONYMOUS, status: int = 200, **values: Any
) -> HTMLResponse:
    """Return a rendered template as a response."""
    text = _environment().get_template(template).render(visitor=visitor, **values)
    return HTMLResponse(text, status_code=status, headers=CACHING)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["version"] = __version__
    return environment


def add_error_responses(app: FastAPI) -> None:
    """Handle every error of an application."""

    @app.exception_handler(ForebearError)
    def handle_forebear_error(request: Request, error: ForebearError) -> Response:
        message = message_for_public(error)
        return error_response(request, status_of(error), error.code, message, error.hint or "")

    @app.exception_handler(HTTPException)
    def handle_http_error(request: Request, error: HTTPException) -> Response:
        code = HTTP_CODES.get(error.status_code, "http")
        message = f"{request.method} {request.url.path}: {error.detail.lower()}"
        return error_response(request, error.status_code, code, message)

    @app.exception_handler(RequestValidationError)
    def handle_validation_error(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        return error_response(request, 400, "input", f"{first['loc'][-1]}: {first['msg']}".lower())

    @app.exception_handler(Exception)
    def handle_fault(request: Request, _: Exception) -> Response:
        response = error_response(
            request, 500, "fault", FAULT, "please report it to whoever runs the archive"
        )
        response.headers.update(SECURITY_HEADERS)  # the middleware that adds them is inside
        return response


def status_of(error: ForebearError) -> int:
    """Return the HTTP status of an error."""
    return next(status for kind, status in STATUSES if isinstance(error, kind))


def wants_json(request: Request) -> bool:
    """Return whether a program sent the request, not a person's browser."""
    accepted = request.headers.get("accept", "")
    is_api = request.url.path.startswith("/api/")
    return is_api or ("application/json" in accepted and "text/html" not in accepted)


def error_response(
    request: Request, status: int, code: str, message: str, hint: str = ""
) -> Response:
    """Return the response that reports an error."""
    title = TITLES.get(status, "Something went wrong")
    if wants_json(request):
        problem = {
            "type": "about:blank",
            "title": title,
            "status": status,
            "detail": message,
            "code": code,
            "hint": hint or None,
        }
        return JSONResponse(problem, status_code=status, media_type=PROBLEM)
    return render("error.html", status=status, title=title, message=message, hint=hint)


def public_message(message: str) -> str:
    """Return a message without the folders of the machine it came from.

    >>> public_message("SQLite failed on '/srv/archives/county.forebear': disk full")
    "SQLite failed on 'county.forebear': disk full"
    """
    return _FOLDER.sub("", message)


def message_for_public(error: ForebearError) -> str:
    """Return the message of an error as the public may read it."""
    return error.message if isinstance(error, InputError) else public_message(error.message)
