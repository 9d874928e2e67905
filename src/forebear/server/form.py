"""What does the search form hold?  From an address and back, and the query it describes.

A search is an address, so that it can be saved, sent and paged.  Besides the facts, the address
may hold the id under which the search was logged.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from forebear.errors import InputError, QueryError
from forebear.normalize.dates import read_date
from forebear.search.fusion import Order
from forebear.search.query.describe import QueryFact, describe_query
from forebear.search.query.person_query import SEX_WORDS, PersonQuery
from forebear.search.query.read import Fact, read_query

# Every fact of the form, in its order, with its label.
LABELS = {
    "given": "Given names",
    "surname": "Surname",
    "sex": "Sex",
    "birth": "Date of birth",
    "birth_place": "Place of birth",
    "death": "Date of death",
    "death_place": "Place of death",
    "spouse": "Husband or wife",
    "father": "Father",
    "mother": "Mother",
    "married_surname": "Married surname",
    "child": "Child",
    "marriage": "Date of marriage",
    "marriage_place": "Place of marriage",
    "residence_place": "Place of residence",
}
DATES = ("birth", "death", "marriage")
MORE_FACTS = ("married_surname", "child", "marriage", "marriage_place", "residence_place")
DATE_HINT = "write it like 1851, abt 1851, bef 1851 or 12 Mar 1851"
FILTER = "only."  # before the facet's name, in an address
MAX_TEXT_LENGTH = 1_000  # characters of a line
MAX_FACT_LENGTH = 200  # characters; no name, date or place needs more
_PAGE = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchForm:
    """The content of the form, without empty fields."""

    facts: Mapping[str, str]
    text: str = ""  # a line of text instead of single facts
    record_types: tuple[str, ...] = ()
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # values by facet
    show_impossible: bool = False
    order: Order = "score"
    search_id: str = ""  # as the address has it, not to be trusted
    page: int = 1
    after: str = ""  # a cursor, where the page follows another
    is_submitted: bool = False  # was a fact sent at all, even an empty one?

    @property
    def person(self) -> str:
        """Return the name of the person, as far as it was given, or the line of text."""
        if self.text:
            return self.text
        surname = self.facts.get("surname") or self.facts.get("married_surname", "")
        return f"{self.facts.get('given', '')} {surname}".strip()

    @property
    def has_more_facts(self) -> bool:
        """Return whether a fact of the folded part of the form is filled in."""
        return any(name in self.facts for name in MORE_FACTS)

    def mistakes(self) -> dict[str, str]:
        """Return what is wrong with single facts, by name."""
        mistakes = {
            name: f"{self.facts[name]!r} is not understood as a date; {DATE_HINT}"
            for name in DATES
            if name in self.facts and not read_date(self.facts[name]).is_known
        }
        for name, value in self.facts.items():
            if len(value) > MAX_FACT_LENGTH:
                mistakes[name] = (
                    f"{len(value)} characters are too many; {MAX_FACT_LENGTH} are allowed"
                )
        return mistakes

    def query(self) -> PersonQuery:
        """Return the query that the form describes."""
        if len(self.text) > MAX_TEXT_LENGTH:
            raise QueryError(
                f"the line has {len(self.text)} characters; {MAX_TEXT_LENGTH} are allowed"
            )
        for name, mistake in self.mistakes().items():
            raise QueryError(f"{LABELS[name].lower()}: {mistake}")
        facts: dict[str, Fact] = {
            **self.facts,
            "record_types": self.record_types,
            "filters": {facet: list(values) for facet, values in self.filters.items()},
        }
        return read_query(self.text, facts)

    def with_fields(self, query: PersonQuery) -> "SearchForm":
        """Return the form with the facts of a query in its fields, as far as they fit."""
        facts = {"sex": SEX_WORDS.get(query.sex or "", "")}
        for name in reversed(query.names):  # the first of several is shown
            if name.kind == "birth":
                facts |= {"given": name.given, "surname": name.surname}
            elif name.kind == "married":
                facts |= {"given": name.given, "married_surname": name.surname}
        for event in reversed(query.events):
            facts[event.kind] = event.date.text if event.date else ""
            facts[f"{event.kind}_place"] = event.place.text if event.place else ""
        for relative in reversed(query.relatives):
            facts[relative.kind] = f"{relative.given} {relative.surname}".strip()
        fields = {name: facts[name] for name in LABELS if facts.get(name)}
        return replace(self, text="", facts=fields)

    def not_in_fields(self, query: PersonQuery) -> tuple[QueryFact, ...]:
        """Return the facts of a query that the fields cannot hold."""
        fields = self.with_fields(query)
        held = describe_query(fields.query()) if fields.facts else ()
        return tuple(fact for fact in describe_query(query) if fact not in held)

    def address(
        self, path: str = "/", *, search_id: str = "", page: int = 1, after: str = ""
    ) -> str:
        """Return the address of this search, under a logged id and at a page."""
        pairs = self.pairs(search_id=search_id, page=page, after=after)
        return f"{path}?{urlencode(pairs)}" if pairs else path

    def pairs(
        self, *, search_id: str = "", page: int = 1, after: str = ""
    ) -> list[tuple[str, str]]:
        """Return this search as names and values, for an address or hidden fields."""
        pairs = [("text", self.text)] if self.text else []
        pairs += [*self.facts.items(), *(("type", name) for name in self.record_types)]
        pairs += [
            (f"{FILTER}{facet}", value)
            for facet, values in self.filters.items()
            for value in values
        ]
        if self.show_impossible:
            pairs.append(("impossible", "1"))
        if self.order != "score":
            pairs.append(("order", self.order))
        if search_id:
            pairs.append(("search", search_id))
        if page > 1:
            pairs.append(("page", str(page)))
        if after:
            pairs.append(("after", after))
        return pairs

    def filtered(self, facet: str, value: str) -> "SearchForm":
        """Return the same search filtered by one value of a facet, or without that filter."""
        others = {name: values for name, values in self.filters.items() if name != facet}
        return replace(self, filters={**others, facet: (value,)} if value else others)

    def ordered(self, order: Order) -> "SearchForm":
        """Return the same search in another order."""
        return replace(self, order=order)


def read_form(pairs: Iterable[tuple[str, str]]) -> SearchForm:
    """Return the form that an address's parameters fill in."""
    sent = [(name, value.strip()) for name, value in pairs]
    last = dict(sent)
    filters: dict[str, tuple[str, ...]] = {}
    for name, value in sent:
        if name.startswith(FILTER) and value:
            facet = name.removeprefix(FILTER)
            filters[facet] = (*filters.get(facet, ()), value)
    return SearchForm(
        facts={name: last[name] for name in LABELS if last.get(name)},
        text=last.get("text", ""),
        record_types=tuple(dict.fromkeys(value for name, value in sent if name == "type")),
        filters=filters,
        show_impossible=last.get("impossible") == "1",
        order="types" if last.get("order") == "types" else "score",
        search_id=last.get("search", ""),
        page=_page(last.get("page", "1")),
        after=last.get("after", ""),
        is_submitted=not last.keys().isdisjoint({*LABELS, "text", "type"}),
    )


def _page(text: str) -> int:
    if not _PAGE.fullmatch(text):
        raise InputError(f"page: found {text[:20]!r}, expected a whole number from 1")
    return int(text)
