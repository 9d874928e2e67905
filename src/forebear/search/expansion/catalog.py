"""The catalog: which clauses each record type has, and what they are called for people.

The catalog is data (``catalog.csv``), one clause of one record type a line.  Its hash is
part of every model, because weights learned for other clauses mean nothing here.
"""

import csv
import hashlib
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple, cast

# What a clause means differs from type to type: each type has its own windows of years.
VARYING = frozenset(
    f"event.year.{level}" for level in ("usual", "unusual", "in_lifespan", "after_death")
) | {"self.marital.match", "self.marital.conflict"}
# On these a child may stand under a parent's surname (rule 4).
CHILD_TYPES = frozenset({"birth", "baptism", "court"})

HEADINGS = ("record_type", "clause", "polarity", "kind", "fields", "needs", "rule", "basis")

RowKind = Literal["term", "all", "count", "absent", "conflict", "flag"]


class CatalogRow(NamedTuple):
    """A clause as the catalog declares it for one record type."""

    record_type: str
    clause: str
    polarity: int  # +1 speaks for the record, -1 against it
    kind: RowKind
    fields: tuple[str, ...]
    needs: tuple[tuple[str, ...], ...]  # each: alternatives, the first the query has
    rule: str  # numbers of the transformation rules that shape it
    basis: str  # what it says, in words shown to people
    recipe: int = 0  # a number that rows share which are built alike
    need: int = 0  # a number that rows share whose needs the same facts answer

    @property
    def subject(self) -> str:
        """Return whom or what the clause is about: self, father, birth, event, family."""
        return self.clause.partition(".")[0]

    @property
    def level(self) -> str:
        """Return the fact and level that decide how the clause is built."""
        return ".".join(self.clause.split(".")[-2:])


@cache
def load_catalog() -> dict[str, tuple[CatalogRow, ...]]:
    """Return the rows of the catalog by record type.

    Record types share most clauses, so rows that are built alike have one number: each is
    built once a query.
    """
    rows: dict[str, list[CatalogRow]] = {}
    recipes: dict[tuple[object, ...], int] = {}
    needs: dict[tuple[object, ...], int] = {}
    lines = csv.reader(_text().splitlines())
    if tuple(next(lines)) != HEADINGS:
        raise ValueError(f"catalog.csv: wanted the columns {', '.join(HEADINGS)}")
    # Every search begins with these 2,396 lines, so they are read without detours.
    for record_type, clause, sign, kind, fields, words, rule, basis in lines:
        polarity = 1 if sign == "+" else -1
        # Which events of a query belong to a record type depends on it.
        own: object = (record_type, polarity) if _asks_for_event(words) else ()
        need = needs.setdefault((words, own), len(needs))
        if clause in VARYING:
            own = record_type
        elif clause == "self.surname.conflict":
            own = record_type in CHILD_TYPES
        # What tells how a clause is built, whatever the record type.
        recipe = recipes.setdefault((clause, fields, words, rule, own), len(recipes))
        row = CatalogRow(
            record_type,
            clause,
            polarity,
            cast(RowKind, kind),
            _words(fields),
            _alternatives(words),
            rule,
            basis,
            recipe,
            need,
        )
        rows.setdefault(record_type, []).append(row)
    return {record_type: tuple(found) for record_type, found in rows.items()}


@cache
def _asks_for_event(needs: str) -> bool:
    return any(word.startswith("event.") for need in _alternatives(needs) for word in need)


@cache
def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@cache
def _alternatives(needs: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(need.split("|")) for need in needs.split())


@cache
def catalog_hash() -> str:
    """Return the name by which models know this catalog."""
    return hashlib.sha256(_text().encode()).hexdigest()[:12]


@cache
def basis_of(record_type: str, clause: str) -> str:
    """Return what a clause says, in words."""
    rows = load_catalog()[record_type]
    return next(row.basis for row in rows if row.clause == clause)


def _text() -> str:
    return files(__package__).joinpath("catalog.csv").read_text("utf-8")
