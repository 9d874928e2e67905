"""The catalog: which clauses each record type has, and what they are called for people.

The catalog is data (``catalog.csv``), one clause of one record type a line.  Its hash is
part of every model, because weights learned for other clauses mean nothing here.
"""

import csv
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogRow:
    """A clause as the catalog declares it for one record type."""

    record_type: str
    clause: str
    polarity: int  # +1 speaks for the record, -1 against it
    kind: str
    fields: tuple[str, ...]
    needs: tuple[tuple[str, ...], ...]  # each: alternatives, the first the query has
    rule: str  # numbers of the transformation rules that shape it
    basis: str  # what it says, in words shown to people

    @property
    def level(self) -> str:
        """Return the fact and level that decide how the clause is built."""
        return ".".join(self.clause.split(".")[-2:])


@cache
def load_catalog() -> dict[str, tuple[CatalogRow, ...]]:
    """Return the rows of the catalog by record type."""
    rows: dict[str, list[CatalogRow]] = {}
    for line in csv.DictReader(_text().splitlines()):
        row = CatalogRow(
            record_type=line["record_type"],
            clause=line["clause"],
            polarity=1 if line["polarity"] == "+" else -1,
            kind=line["kind"],
            fields=tuple(line["fields"].split()),
            needs=tuple(tuple(need.split("|")) for need in line["needs"].split()),
            rule=line["rule"],
            basis=line["basis"],
        )
        rows.setdefault(row.record_type, []).append(row)
    return {record_type: tuple(found) for record_type, found in rows.items()}


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
