"""A query as it can be typed: JSON, a file of JSON, FamilySearch's terms, or a line of text."""

import re
from pathlib import Path

from forebear.errors import InputError
from forebear.search.query.from_familysearch import query_from_familysearch
from forebear.search.query.from_json import parse_query
from forebear.search.query.from_text import query_from_text
from forebear.search.query.person_query import PersonQuery

FAMILYSEARCH = re.compile(r"(?:^|[?&])[qf]\.[A-Za-z]+[^=]*=")


def read_query(text: str) -> PersonQuery:
    """Return the query that a text describes, whichever form it has."""
    if text.lstrip().startswith("{"):
        return parse_query(text)
    if FAMILYSEARCH.search(text):
        return query_from_familysearch(text)
    if text.endswith((".json", ".jsonl")):
        return _read_file(Path(text))
    return query_from_text(text)


def _read_file(path: Path) -> PersonQuery:
    try:
        return parse_query(path.read_text("utf-8"), where=path.name)
    except (OSError, UnicodeDecodeError):
        raise InputError(
            f"there is no query file {str(path)!r}", hint="give JSON or a path to it"
        ) from None
