"""The London poor law records as questions with answers made by a historian.

A removal order names people who were sent away; a historian linked orders to the settlement
examinations they rest on.  The first person of each linked order is a query, the linked
examinations are right.  Orders, their names and the links stay out of the archive, and no
``link_*`` or standardized column is read here.
"""

import csv
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ORDER_COLUMNS = ("order_id", "doc_date", "given", "surname")
EXAMINATIONS = "london_examinations"
KINDS = ("names", "names and year", "names and day")
SEED = 7
YEARS_OFF = 2
# Files that are not imported: the queries, the answers, and names that other files repeat.
NOT_RECORDS = ("removal_orders.tsv", "removal_order_names.tsv", "links.csv", "petitioners.csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The first person of a removal order, and the examinations linked to it."""

    id: str
    given: str
    surname: str
    date: str  # 1788-10-08; 00 for a month or day that is not known
    shifted_year: int
    right: frozenset[str]


def record_files(records: Path) -> list[Path]:
    """Return every file of records, without those that pose or answer the questions."""
    files = (path for path in records.glob("*/*.*") if path.suffix in (".csv", ".tsv", ".xlsx"))
    return sorted(path for path in files if path.name not in NOT_RECORDS)


def read_orders(records: Path) -> list[Order]:
    """Return the linked orders."""
    folder = records / "london_poor_law"
    right: dict[str, set[str]] = {}
    with (folder / "links.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["target_type"] == "examination":
                right.setdefault(row["order_id"], set()).add(row["target_id"])
    first: dict[str, dict[str, str]] = {}
    for row in read_table(folder / "removal_order_names.tsv"):
        first.setdefault(row["order_id"], {name: row[name] for name in ORDER_COLUMNS})
    return [_order(row, right[name]) for name, row in first.items() if name in right]


def _order(row: dict[str, str], right: set[str]) -> Order:
    shift = random.Random(f"{SEED}/{row['order_id']}").randint(-YEARS_OFF, YEARS_OFF)
    return Order(
        id=row["order_id"],
        given=row["given"],
        surname=row["surname"],
        date=row["doc_date"],
        shifted_year=int(row["doc_date"][:4]) + shift,
        right=frozenset(right),
    )


def read_table(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a London Lives file."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", escapechar="\\")


def our_query(order: Order, kind: str) -> dict[str, object]:
    """Return an order as a query of ours."""
    query: dict[str, object] = {"id": order.id, "given": order.given, "surname": order.surname}
    if kind != "names":
        year = str(order.shifted_year)
        date = year if kind == "names and year" else order.date.replace("-00", "")
        query["events"] = [{"kind": "court", "date": date}]
    return query


def peer_query(order: Order, kind: str) -> dict[str, object]:
    """Return the same facts for the peers."""
    query: dict[str, object] = {"id": order.id, "given": order.given, "surname": order.surname}
    if kind == "names and year":
        query["year"] = order.shifted_year
    elif kind == "names and day":
        query |= {"year": int(order.date[:4]), "date": order.date}
    return query


def peer_people(records: Path) -> Iterator[dict[str, object]]:
    """Yield everybody examined, a line each: peers have no reader of cells with many names."""
    for row in read_table(records / "london_poor_law" / "examinations.tsv"):
        for name in row["examinants"].split(","):
            given, _, surname = name.strip().rpartition(" ")
            person: dict[str, object] = {
                "record": row["exam_id"],
                "given": given,
                "surname": surname,
                "date": row["exam_date"],
                "place": row["parish_code"],
            }
            if row["exam_date"][:4].isdigit():
                person["year"] = int(row["exam_date"][:4])
            yield person
