"""What does the browser, or the program, hear of an error?

People get a page that says what was wrong and what to do.  Whoever asks for JSON gets one
shape: ``{"error": {"code": ..., "message": ..., "hint": ...}}``.
"""

import re

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from forebear.errors import (
    ArchiveError,
    ForebearError,
    InputError,
    NotFoundError,
    StorageError,
)
from forebear.server.headers import SECURITY_HEADERS
from forebear.server.render import render

# The first that fits counts.
STATUSES: tuple[tuple[type[ForebearError], int], ...] = (
    (NotFoundError, 404),
    (InputError, 400),
    (ArchiveError, 503),
    (StorageError, 503),
    (ForebearError, 500),
)
TITLES = {
    400: "That was not understood",
    403: "Refused",
    404: "Not found",
    405: "Not possible here",
    503: "Not available just now",
}
HTTP_CODES = {403: "cross-site", 404: "not-found", 405: "method"}
FAULT = "something went wrong in the program that serves this page"
_FOLDER = re.compile(r"(?<=')[^']*[/\\](?=[^'/\\]+')")


def add_error_answers(app: FastAPI) -> None:
    """Let every error of an application be answered here."""

    @app.exception_handler(ForebearError)
    def answer_ours(request: Request, error: ForebearError) -> Response:
        return error_answer(request, status_of(error), error.code, told(error), error.hint or "")

    @app.exception_handler(HTTPException)
    def answer_http(request: Request, error: HTTPException) -> Response:
        code = HTTP_CODES.get(error.status_code, "http")
        message = f"{request.method} {request.url.path}: {error.detail.lower()}"
        return error_answer(request, error.status_code, code, message)

    @app.exception_handler(RequestValidationError)
    def answer_validation(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        return error_answer(request, 400, "input", f"{first['loc'][-1]}: {first['msg']}".lower())

    @app.exception_handler(Exception)
    def answer_fault(request: Request, _: Exception) -> Response:
        answer = error_answer(request, 500, "fault", FAULT, "please tell whoever runs the archive")
        answer.headers.update(SECURITY_HEADERS)  # the middleware that adds them stands inside
        return answer


def status_of(error: ForebearError) -> int:
    """Return the HTTP status of an error."""
    return next(status for kind, status in STATUSES if isinstance(error, kind))


def wants_json(request: Request) -> bool:
    """Say whether a program is asking, not a person."""
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted


def error_answer(
    request: Request, status: int, code: str, message: str, hint: str = ""
) -> Response:
    """Return the answer that tells of an error."""
    if wants_json(request):
        shape = {"error": {"code": code, "message": message, "hint": hint or None}}
        return JSONResponse(shape, status_code=status)
    title = TITLES.get(status, "Something went wrong")
    return render("error.html", status=status, title=title, message=message, hint=hint)


def public_message(message: str) -> str:
    """Return a message without the folders of the machine it came from.

    >>> public_message("SQLite failed on '/srv/archives/county.forebear': disk full")
    "SQLite failed on 'county.forebear': disk full"
    """
    return _FOLDER.sub("", message)


def told(error: ForebearError) -> str:
    """Return what the public is told of an error."""
    return error.message if isinstance(error, InputError) else public_message(error.message)
