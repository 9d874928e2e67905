"""How does a template become an answer?"""

from functools import cache
from typing import Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from forebear import __version__

# What is shown depends on who looks and on what has been attached since.
CACHING = {"Cache-Control": "private, no-cache"}


def render(template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a template, filled in, as an answer."""
    text = _environment().get_template(template).render(**values)
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
