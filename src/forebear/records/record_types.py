"""The record types: what kinds of record there are, and what each is called.

Nineteen types take in every kind of record that genealogy knows; the finer kind is a
record's *subtype*.
"""

import csv
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordType:
    """A kind of record, ranked by its own weights."""

    name: str
    title: str  # for people
    event: str  # the kind of the record's own event
    # Is the person the record is about dead by then?
    ends_life: bool = False
    subtypes: tuple[str, ...] = ()  # the usual ones; a source may have others


def _read_types() -> dict[str, RecordType]:
    file = resources.files("forebear.records") / "tables" / "record_types.csv"
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    return {
        row["name"]: RecordType(
            name=row["name"],
            title=row["title"],
            event=row["event"],
            ends_life=row["ends_life"] == "yes",
            subtypes=tuple(row["subtypes"].split(";")),
        )
        for row in rows
    }


RECORD_TYPES: dict[str, RecordType] = _read_types()
