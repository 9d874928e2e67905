"""Linked pairs of records: real ones, those of simulated archives, and those of make_records.py.

A pair is two mentions of one person that were written independently: a soldier's paper and a row of
a census, or a removal order and the settlement examination of the same case.
"""

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.london_data import read_table
from forebear.normalize.similarity import jaro_winkler
from forebear_lab.simulation.archives import read_rows

YEAR = re.compile(r"\b(1[789]\d\d)\b")
FIRST_CENSUS = 1851  # the ages of 1841 are rounded down on purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """What one record says of a person; empty where it says nothing."""

    given: str
    surname: str
    year: int | None = None  # of birth
    sex: str = ""
    area: str = ""  # of birth: a state or a county


Pair = tuple[Mention, Mention]


def _name(given: str, surname: str) -> dict[str, str]:
    first, *_ = [*given.upper().split(), ""]
    return {"given": first.strip("."), "surname": surname.upper()}


def _born(date: str, age: str) -> int | None:
    year = YEAR.search(date)
    return int(year[1]) - int(age) if year and age.isdigit() else None


def _area(place: str) -> str:
    return place.rpartition(", ")[2].upper()


def union_army_pairs(records: Path) -> list[Pair]:
    """Return Union Army soldiers with their rows in the census of 1900."""
    folder = records / "union_army"
    soldiers = {row["id"]: row for row in read_rows(folder / "soldiers.csv")}
    census = {row["id"]: row for row in read_rows(folder / "census_1900.csv")}
    pairs = []
    for link in read_rows(folder / "links.csv"):
        soldier, row = soldiers[link["soldier_id"]], census[link["census_id"]]
        stated = soldier["birth_date"][:4]
        year = int(stated) if stated.isdigit() else _enlisted(soldier)
        left = Mention(
            **_name(soldier["first_name"], soldier["last_name"]), year=year, sex="M",
            area=soldier["birth_place"],
        )  # fmt: skip
        right = Mention(
            **_name(row["first_name"], row["last_name"]),
            year=int(row["birth_year"]) if row["birth_year"].isdigit() else None,
            sex=row["gender"],
            area=row["birth_place"],
        )
        pairs.append((left, right))
    return pairs


def _enlisted(soldier: dict[str, str]) -> int | None:
    year, age = soldier["enlist_date"][:4], soldier["enlist_age"]
    return int(year) - int(age) if year.isdigit() and age.isdigit() else None


def london_pairs(records: Path) -> list[Pair]:
    """Return the first person of removal orders with the most similar person examined."""
    folder = records / "london_poor_law"
    orders: dict[str, dict[str, str]] = {}
    for row in read_table(folder / "removal_order_names.tsv"):
        orders.setdefault(row["order_id"], row)
    examined = {
        row["exam_id"]: row["examinants"] for row in read_table(folder / "examinations.tsv")
    }
    pairs = []
    for link in read_rows(folder / "links.csv"):
        order, names = orders.get(link["order_id"]), examined.get(link["target_id"])
        if link["target_type"] == "examination" and order and names:
            mention = Mention(**_name(order["given"], order["surname"]))
            pairs.append((mention, _most_similar(mention, names)))
    return pairs


def _most_similar(mention: Mention, names: str) -> Mention:
    people = []
    for name in names.split(","):
        given, _, surname = name.strip().rpartition(" ")
        people.append(Mention(**_name(given, surname)))
    return max(people, key=lambda person: _similarity(mention, person))


def _similarity(first: Mention, second: Mention) -> float:
    return jaro_winkler(first.given, second.given) + jaro_winkler(first.surname, second.surname)


def simulated_soldiers(world: Path) -> list[Pair]:
    """Return attestations of a simulated archive with the latest census row of the soldier."""
    records = world / "records"
    soldiers = {row["ref"]: row for row in read_rows(records / "attestations.csv")}
    census = {
        (table, row["ref"]): row
        for table in ("census_1851_1901", "census_1911_1921")
        for row in read_rows(records / f"{table}.csv")
    }
    rows_of: dict[str, dict[str, str]] = {}
    papers: list[tuple[str, dict[str, str]]] = []
    for link in read_rows(world / "truth" / "links.csv"):
        key = link["collection"], link["ref"]
        if key in census:
            rows_of[link["person_id"]] = census[key]
        elif key[0] == "attestations" and link["role"] == "soldier":
            papers.append((link["person_id"], soldiers[link["ref"]]))
    return [
        (_attested(paper), _counted(rows_of[person]))
        for person, paper in papers
        if person in rows_of
    ]


def _attested(row: dict[str, str]) -> Mention:
    return Mention(
        **_name(row["soldier_forenames"], row["soldier_surname"]),
        year=_born(row["attested"], row["apparent_age"]),
        sex="M",
        area=_area(row["birthplace"]),
    )


def _counted(row: dict[str, str]) -> Mention:
    return Mention(
        **_name(row["person_forenames"], row["person_surname"]),
        year=_born(row["census"], row["age"]),
        sex=row["sex"],
        area=_area(row["where_born_stated"]),
    )


def simulated_cases(world: Path) -> list[Pair]:
    """Return removal orders of a simulated archive with the examination of the same case."""
    orders = {row["ref"]: row for row in read_rows(world / "records" / "removal_orders.csv")}
    examined = {
        row["ref"]: row["examined_names"]
        for row in read_rows(world / "records" / "settlement_examinations.csv")
    }
    pairs = []
    for case in read_rows(world / "truth" / "cases.csv"):
        order = orders[case["order"]]
        mention = Mention(**_name(order["removed_forename"], order["removed_surname"]))
        pairs.append((mention, _most_similar(mention, examined[case["examination"]])))
    return pairs


def made_soldiers(world: Path) -> list[Pair]:
    """Return soldiers of ``make_records.py`` with their latest census row."""
    census = {
        row["record_id"]: row
        for row in read_rows(world / "census.csv")
        if int(row["year"]) >= FIRST_CENSUS
    }
    papers = {row["record_id"]: row for row in read_rows(world / "military.csv")}
    rows_of: dict[str, dict[str, str]] = {}
    soldiers: list[tuple[str, dict[str, str]]] = []
    for link in _links(world):
        if link["type"] == "census" and link["record_id"] in census:
            rows_of[link["person_id"]] = census[link["record_id"]]
        elif link["role"] == "soldier":
            soldiers.append((link["person_id"], papers[link["record_id"]]))
    return [
        (
            Mention(
                **_name(paper["christian_names"], paper["surname"]),
                year=_born(paper["enlisted"], paper["age_years"]),
                sex="M",
                area=_area(paper["born_at"]),
            ),
            Mention(
                **_name(row["forenames"], row["surname"]),
                year=_born(row["year"], row["age"]),
                sex=row["sex"],
                area=_area(row["where_born"]),
            ),
        )
        for person, paper in soldiers
        if (row := rows_of.get(person))
    ]


def _links(world: Path) -> Iterator[dict[str, str]]:
    with (world / "truth.csv").open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _are_equal(first: Mention, second: Mention, fact: str) -> bool | None:
    one, other = getattr(first, fact), getattr(second, fact)
    return None if not one or not other else bool(one == other)


def _years_apart(first: Mention, second: Mention, most: int) -> bool | None:
    if first.year is None or second.year is None:
        return None
    return abs(first.year - second.year) <= most


COMPARISONS: dict[str, Callable[[Mention, Mention], bool | None]] = {
    "given name": lambda a, b: _are_equal(a, b, "given"),
    "its initial": lambda a, b: a.given[0] == b.given[0] if a.given and b.given else None,
    "surname": lambda a, b: _are_equal(a, b, "surname"),
    "surname, Jaro-Winkler .9": lambda a, b: (
        jaro_winkler(a.surname, b.surname) >= 0.9 if a.surname and b.surname else None
    ),
    "birth year": lambda a, b: _years_apart(a, b, 0),
    "birth year within 2": lambda a, b: _years_apart(a, b, 2),
    "sex": lambda a, b: _are_equal(a, b, "sex"),
    "birthplace (state, county)": lambda a, b: _are_equal(a, b, "area"),
}


def agreement_rates(pairs: list[Pair]) -> dict[str, float]:
    """Return how many of the pairs that state a fact agree in it; without facts no rate."""
    rates = {}
    for name, compare in COMPARISONS.items():
        verdicts = [verdict for pair in pairs if (verdict := compare(*pair)) is not None]
        if verdicts:
            rates[name] = sum(verdicts) / len(verdicts)
    return rates
