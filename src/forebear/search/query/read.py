"""How is a query read, whichever form it has?

A query is a line of text, JSON, FamilySearch's terms, or single facts (``birth="1851"``,
``birth_place="Layham"``, ``spouse="Thomas Green"``) as a command line, a form or Python gives them.
All become the JSON form first, so a query is understood in one place, and facts can be added to
any of the other forms.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from forebear.errors import InputError, QueryError
from forebear.search.query.person_query import (
    LIST_KEYS,
    TEXT_KEYS,
    PersonQuery,
    parse_query,
    query_from_json,
)

EVENTS = ("birth", "baptism", "marriage", "residence", "death", "burial")
RELATIVES = ("spouse", "father", "mother", "child", "sibling")
NAMES = ("given", "surname", "married_surname")
# Every fact that can be given by itself.
FACTS = (
    *NAMES,
    *("sex", "filters"),
    *(name for event in EVENTS for name in (event, f"{event}_place")),
    *RELATIVES,
    *TEXT_KEYS,
    *LIST_KEYS,
)
FAMILYSEARCH = re.compile(r"(?:^|[?&])[qf]\.[A-Za-z]+[^=]*=")

Fact = str | Sequence[str] | Mapping[str, Any]


def read_query(
    source: str | Mapping[str, Any] | PersonQuery = "", facts: Mapping[str, Fact] | None = None
) -> PersonQuery:
    """Return the query that a source, single facts, or both together describe.

    Facts that are empty were not given; the others are added to the source, and record types and
    collections replace those of the source.  Names of relatives, ``exact``, ``require``,
    ``record_types`` and ``collections`` may be one text or several; ``filters`` is a mapping.

    >>> read_query("", {"surname": "Green", "spouse": "Ann Hall"}).relatives[0].surname
    'Hall'
    """
    query = _read_source(source)
    added = _from_facts({name: value for name, value in (facts or {}).items() if value})
    if query is not None and not added:
        return query
    value: dict[str, Any] = json.loads(query.source) if query else {}
    for key, item in added.items():
        if isinstance(item, list) and key not in ("record_types", "collections"):
            value[key] = [*value.get(key, ()), *item]
        elif isinstance(item, dict):
            value[key] = {**value.get(key, {}), **item}
        else:
            value[key] = item
    return query_from_json(value)


def read_argument(text: str) -> PersonQuery:
    """Return the query of one command line argument, which may be the path of a JSON file."""
    path = Path(text)
    if not text.endswith((".json", ".jsonl")) and not _is_file(path):
        return read_query(text)
    try:
        return parse_query(path.read_text("utf-8"), where=path.name)
    except (OSError, UnicodeDecodeError):
        raise InputError(
            f"there is no query file {text!r}", hint="give JSON or a path to it"
        ) from None


def _read_source(source: str | Mapping[str, Any] | PersonQuery) -> PersonQuery | None:
    if isinstance(source, PersonQuery):
        return source if source.source else _with_source(source)
    if isinstance(source, Mapping):
        return query_from_json(dict(source))
    if not source.strip():
        return None
    # Each form loads what it alone needs: a search must be quick to start.
    if source.lstrip().startswith("{"):
        return parse_query(source)
    if FAMILYSEARCH.search(source):
        from forebear.search.query.familysearch import query_from_familysearch

        return query_from_familysearch(source)
    from forebear.search.query.text import query_from_text

    return query_from_text(source)


def _with_source(query: PersonQuery) -> PersonQuery:
    from forebear.search.query.person_query import query_to_json

    return replace(query, source=json.dumps(query_to_json(query), ensure_ascii=False))


def _from_facts(facts: Mapping[str, Fact]) -> dict[str, Any]:
    """Return the facts in the JSON form of a query."""
    unknown = sorted(facts.keys() - set(FACTS))
    if unknown:
        raise QueryError(f"unknown fact {unknown[0]!r}", hint=f"known: {', '.join(FACTS)}")
    value: dict[str, Any] = {
        "names": list(_names(facts)),
        "events": list(_events(facts)),
        "relatives": [
            _relative(kind, text) for kind in RELATIVES for text in _texts(facts.get(kind))
        ],
    }
    value |= {key: facts[key] for key in ("sex", *TEXT_KEYS) if key in facts}
    value |= {key: _texts(facts.get(key)) for key in LIST_KEYS}
    value["filters"] = facts.get("filters", {})
    return {key: item for key, item in value.items() if item}


def _texts(fact: Fact | None) -> list[str]:
    texts = [fact] if isinstance(fact, str) else list(fact or ())
    return [text for text in texts if text.strip()]


def _relative(kind: str, text: str) -> dict[str, str]:
    # Names are read by large tables, which a search without relatives does not need.
    from forebear.normalize.names import read_name

    name = read_name(text).name
    return {"kind": kind, "given": name.given, "surname": name.surname}


def _names(facts: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    given, surname = facts.get("given", ""), facts.get("surname", "")
    if given or surname:
        yield {"given": given, "surname": surname, "kind": "birth"}
    if facts.get("married_surname"):
        yield {"given": given, "surname": facts["married_surname"], "kind": "married"}


def _events(facts: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for kind in EVENTS:
        date, place = facts.get(kind, ""), facts.get(f"{kind}_place", "")
        if date or place:
            yield {"kind": kind, "date": date, "place": place}


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a line of text is seldom a path that a system allows
        return False
