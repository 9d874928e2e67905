"""The catalog: which clauses each record type has, and what they are called for people.

The catalog is data (``catalog.csv``), one clause of one record type a line.  Its hash is
part of every model, because weights learned for other clauses mean nothing here.
"""

import csv
import hashlib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal, cast

# What a clause means differs from type to type: each type has its own windows of years.
VARYING = frozenset(
    f"event.year.{level}" for level in ("usual", "unusual", "in_lifespan", "after_death")
) | {"self.marital.match", "self.marital.conflict"}
# On these a child may stand under a parent's surname (rule 4).
CHILD_TYPES = frozenset({"birth", "baptism", "court"})

RowKind = Literal["term", "all", "count", "absent", "conflict", "flag"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogRow:
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
    for line in csv.DictReader(_text().splitlines()):
        row = _read_row(line)
        recipe = recipes.setdefault(_recipe(row), len(recipes))
        need = needs.setdefault((row.needs, _own_event(row)), len(needs))
        rows.setdefault(row.record_type, []).append(replace(row, recipe=recipe, need=need))
    return {record_type: tuple(found) for record_type, found in rows.items()}


def _read_row(line: dict[str, str]) -> CatalogRow:
    return CatalogRow(
        record_type=line["record_type"],
        clause=line["clause"],
        polarity=1 if line["polarity"] == "+" else -1,
        kind=cast(RowKind, line["kind"]),
        fields=tuple(line["fields"].split()),
        needs=tuple(tuple(need.split("|")) for need in line["needs"].split()),
        rule=line["rule"],
        basis=line["basis"],
    )


def _recipe(row: CatalogRow) -> tuple[object, ...]:
    """Return what tells how a clause is built, whatever the record type."""
    own: object = _own_event(row)
    if row.clause in VARYING:
        own = row.record_type
    elif row.clause == "self.surname.conflict":
        own = row.record_type in CHILD_TYPES
    return (row.clause, row.fields, row.needs, row.rule, own)


def _own_event(row: CatalogRow) -> tuple[object, ...]:
    """Return on what it depends which events of a query belong to the record type."""
    is_asked = any(word.startswith("event.") for need in row.needs for word in need)
    return (row.record_type, row.polarity) if is_asked else ()


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
