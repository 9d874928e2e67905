"""A query in FamilySearch's terms: ``q.givenName=Mary&q.birthLikeDate.from=1849``.

A term is ``category.term[.modifier][.number]=value``.  Category ``q`` ranks, ``f`` filters: its
value must agree to the letter.  Modifiers are ``exact`` and ``require`` (``on`` or ``true``),
and ``from`` and ``to`` of dates; the number distinguishes several spouses or names.  A link of
the site's search page works, for only its query string is read.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from forebear.errors import QueryError
from forebear.search.query.person_query import RELATIVE_KINDS, PersonQuery, query_from_json
from forebear.tables import read_table

TERM = re.compile(r"([qf])\.([A-Za-z]+)(?:\.(exact|require|from|to))?(?:\.(\d+))?")
PAGING = ("offset", "count", "start")  # how many results, not which
YES = ("on", "true", "1", "yes")
FACTS = {"date": "year"}  # what exact and require call it


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of the query string."""

    category: str
    target: str  # name, person, lists, an event or a relative
    part: str
    modifier: str
    number: int
    value: str

    @property
    def fact(self) -> str:
        """Return the name by which exact and require know it."""
        part = FACTS.get(self.part, self.part)
        return part if self.target in ("name", "person") else f"{self.target}.{part}"


def query_from_familysearch(text: str) -> PersonQuery:
    """Return the query that a query string, or a link with one, has."""
    query_string = urlsplit(text).query if "://" in text else text.lstrip("?")
    parameters = [
        _understand(key, value.strip())
        for key, value in parse_qsl(query_string, keep_blank_values=False)
        if key not in PAGING and not key.startswith(("c.", "m."))
    ]
    return query_from_json(_as_json(parameters), where="query")


def _understand(key: str, value: str) -> Parameter:
    matched = TERM.fullmatch(key)
    terms = _terms()
    if matched is None or matched[2] not in terms:
        raise QueryError(
            f"query: unknown term {key!r}",
            hint=f"terms are q.TERM or f.TERM, TERM one of {', '.join(sorted(terms))}",
        )
    target, part = terms[matched[2]]
    return Parameter(
        category=matched[1],
        target=target,
        part=part,
        modifier=matched[3] or "",
        number=int(matched[4] or 0),
        value=value,
    )


def _as_json(parameters: list[Parameter]) -> dict[str, Any]:
    groups: defaultdict[tuple[str, int], dict[str, str]] = defaultdict(dict)
    query: dict[str, Any] = defaultdict(list)
    for one in parameters:
        if one.modifier in ("exact", "require"):
            if one.value.lower() in YES:
                query[one.modifier].append(one.fact)
        elif one.target == "lists":
            query[one.part].append(one.value)
        elif one.target == "person":
            query[one.part] = one.value.lower() if one.part == "sex" else one.value
        else:
            groups[one.target, one.number][one.part + one.modifier] = one.value
            if one.category == "f":
                query["exact"].append(one.fact)
    for (target, _), parts in sorted(groups.items()):
        query[_key(target)].append(dict(_object(target, parts)))
    return {key: _distinct(item) for key, item in query.items()}


def _key(target: str) -> str:
    if target == "name":
        return "names"
    return "relatives" if target in RELATIVE_KINDS else "events"


def _object(target: str, parts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if target != "name":
        yield "kind", target
    first, last = parts.get("datefrom", ""), parts.get("dateto", "")
    if first and first == last:
        yield "date", first
    elif first and last:
        yield "date", f"bet {first} and {last}"
    elif first or last:
        yield "date", f"aft {first}" if first else f"bef {last}"
    yield from ((part, value) for part, value in parts.items() if not part.startswith("date"))
    if "date" in parts:
        yield "date", parts["date"]


def _distinct(item: Any) -> Any:
    if isinstance(item, list) and all(isinstance(one, str) for one in item):
        return list(dict.fromkeys(item))
    return item


@cache
def _terms() -> dict[str, tuple[str, str]]:
    rows = read_table("search/familysearch_terms")
    return {row["term"]: (row["target"], row["part"]) for row in rows}
