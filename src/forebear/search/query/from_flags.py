"""A query from single facts, as a command line or a form gives them.

Each fact is a word with a value (``birth=1851``, ``birth_place=Layham``, ``spouse=Thomas
Green``); together they become the JSON form, so that there is one way to understand a query.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from forebear.search.query.from_json import query_from_json
from forebear.search.query.person_query import PersonQuery

EVENTS = ("birth", "baptism", "marriage", "residence", "death", "burial")
RELATIVES = ("spouse", "father", "mother", "child", "sibling")


def query_from_flags(
    facts: Mapping[str, str],
    *,
    relatives: Mapping[str, Iterable[str]] = {},
    lists: Mapping[str, Iterable[str]] = {},
) -> PersonQuery:
    """Return the query that single facts make; empty ones were not given.

    ``facts`` holds ``given``, ``surname``, ``married_surname``, ``sex``, ``keywords``,
    ``occupation`` and, for each event, its date and ``EVENT_place``.  ``relatives`` holds
    full names by kind; ``lists`` holds ``exact``, ``require`` and ``record_types``.
    """
    value: dict[str, Any] = {"names": list(_names(facts)), "events": list(_events(facts))}
    value["relatives"] = [
        {"kind": kind, **split_name(name)}
        for kind, names in relatives.items()
        for name in names
        if name.strip()
    ]
    for key in ("id", "sex", "keywords", "occupation"):
        if facts.get(key):
            value[key] = facts[key]
    value.update({key: list(words) for key, words in lists.items()})
    return query_from_json({key: item for key, item in value.items() if item})


def split_name(text: str) -> dict[str, str]:
    """Return given name and surname of a name written as one.

    The last word is the surname, unless slashes mark it.

    >>> split_name("Thomas Green"), split_name("Jan /van der Berg/"), split_name("Ann")
    ({'given': 'Thomas', 'surname': 'Green'}, {'given': 'Jan', 'surname': 'van der Berg'}, \
{'given': 'Ann'})
    """
    before, slash, rest = text.partition("/")
    if slash:
        parts = {"given": before.strip(), "surname": rest.partition("/")[0].strip()}
    else:
        *given, last = text.split()
        parts = {"given": " ".join(given), "surname": last} if given else {"given": last}
    return {key: part for key, part in parts.items() if part}


def _names(facts: Mapping[str, str]) -> Iterable[dict[str, str]]:
    given, surname = facts.get("given", ""), facts.get("surname", "")
    if given or surname:
        yield {"given": given, "surname": surname, "kind": "birth"}
    if facts.get("married_surname"):
        yield {"given": given, "surname": facts["married_surname"], "kind": "married"}


def _events(facts: Mapping[str, str]) -> Iterable[dict[str, str]]:
    for kind in EVENTS:
        date, place = facts.get(kind, ""), facts.get(f"{kind}_place", "")
        if date or place:
            yield {"kind": kind, "date": date, "place": place}
