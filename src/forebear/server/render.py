"""How does a template become a response, and what may a browser do with it?"""

from functools import cache
from typing import Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from forebear import __version__
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
