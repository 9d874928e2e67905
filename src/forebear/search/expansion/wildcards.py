"""Names with ``?`` and ``*``: which names of the archive does the searcher mean by Sm?th*?

A pattern is resolved through the archive's own names, and each name it fits is then taken as
it is: whoever writes a pattern has said how far a name may differ.
"""

from dataclasses import replace

from msgspec import structs

from forebear.records.record import Name
from forebear.search.expansion.knowledge import Knowledge, NameField
from forebear.search.query.person_query import PersonQuery, Relative

MOST_NAMES = 64


def resolve_names(query: PersonQuery, knowledge: Knowledge) -> tuple[PersonQuery, frozenset[str]]:
    """Return the query with its patterns resolved, and the names they stand for."""
    if not any(is_pattern(text) for text in _texts(query)):
        return query, frozenset()
    meant: set[str] = set()
    names = tuple(
        resolved for name in query.names for resolved in _resolve_name(name, knowledge, meant)
    )
    relatives = tuple(
        resolved
        for relative in query.relatives
        for resolved in _resolve_relative(relative, knowledge, meant)
    )
    return replace(query, names=names, relatives=relatives), frozenset(meant)


def is_pattern(text: str) -> bool:
    """Say whether a name is a pattern; a mark of doubt behind a whole name is none.

    >>> is_pattern("Sm?th*"), is_pattern("James?"), is_pattern("*")
    (True, False, False)
    """
    letters = sum(map(str.isalpha, text))
    return letters > 0 and ("*" in text or "?" in text.rstrip("?"))


def _texts(query: PersonQuery) -> list[str]:
    people: list[Name | Relative] = [*query.names, *query.relatives]
    return [text for person in people for text in (person.given, person.surname)]


def _resolve_name(name: Name, knowledge: Knowledge, meant: set[str]) -> list[Name]:
    return [
        structs.replace(name, given=given, surname=surname)
        for given in _fitting(name.given, "given", knowledge, meant)
        for surname in _fitting(name.surname, "surname", knowledge, meant)
    ][:MOST_NAMES]


def _resolve_relative(relative: Relative, knowledge: Knowledge, meant: set[str]) -> list[Relative]:
    return [
        replace(relative, given=given, surname=surname)
        for given in _fitting(relative.given, "given", knowledge, meant)
        for surname in _fitting(relative.surname, "surname", knowledge, meant)
    ][:MOST_NAMES]


def _fitting(text: str, kind: NameField, knowledge: Knowledge, meant: set[str]) -> tuple[str, ...]:
    """Return the names that a pattern fits, or the text itself where it is none or fits none."""
    if not is_pattern(text):
        return (text,)
    found = knowledge.vocabulary(kind).matching(text.lower().strip())[:MOST_NAMES]
    meant.update(found)
    return found or (text,)
