"""Union Army soldiers as queries, and their rows in the census of 1900 as answers made by experts.

A service record gives a name, a birth state or country, and the age at enlistment; the census a
name, the year and month of birth, and a birth state or country.  The links stay out of the archive.
The first digit of the SHA-256 of a soldier's id divides them: even digits tune, odd ones judge.
"""

import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

CENSUS = "census_1900"
MAPPING = """
[collection]
name = "census_1900"
title = "Census of 1900: soldiers and their families"
record_type = "census"
country = "United States"
first_year = 1900
last_year = 1900

[record]
id = "id"
date = "date"

[[persona]]
role = "person"
kin = "self"
principal = true
given = "given"
surname = "surname"
sex_column = "sex"
events.birth = { date = "birth", place = "birthplace" }
"""
# Codes of the source that are no codes of states.
ABROAD = {
    "AU": "Austria",
    "BE": "Belgium",
    "BN": "Baden, Germany",
    "BO": "Bohemia",
    "BV": "Bavaria, Germany",
    "CD": "Canada",
    "CU": "Cuba",
    "DK": "Denmark",
    "EN": "England",
    "FR": "France",
    "GE": "Germany",
    "HA": "Hanover, Germany",
    "HO": "Netherlands",
    "HU": "Hungary",
    "IR": "Ireland",
    "IT": "Italy",
    "MX": "Mexico",
    "NB": "New Brunswick, Canada",
    "NF": "Newfoundland",
    "NS": "Nova Scotia, Canada",
    "NW": "Norway",
    "ON": "Ontario, Canada",
    "PO": "Poland",
    "PU": "Prussia, Germany",
    "RU": "Russia",
    "SP": "Spain",
    "ST": "Scotland",
    "SW": "Sweden",
    "SZ": "Switzerland",
    "WL": "Wales",
    "WR": "Württemberg, Germany",
}
UNKNOWN = frozenset({"", "US", "EU"})

Half = Literal["tune", "judge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Soldier:
    """A soldier as a service record describes him, and his row of the census if it is linked."""

    id: str
    given: str
    surname: str
    birth: str  # "" where neither a date nor an age is stated
    birth_year: int | None
    birthplace: str
    right: frozenset[str]

    @property
    def half(self) -> Half:
        """Return whether the soldier tunes or judges."""
        digit = hashlib.sha256(self.id.encode()).hexdigest()[0]
        return "tune" if int(digit, 16) % 2 == 0 else "judge"


def read_soldiers(records: Path) -> list[Soldier]:
    """Return every soldier, linked or not."""
    folder = records / "union_army"
    links = {row["soldier_id"]: row["census_id"] for row in _rows(folder / "links.csv")}
    soldiers = []
    for row in _rows(folder / "soldiers.csv"):
        birth, year = _birth(row)
        soldiers.append(
            Soldier(
                id=row["id"],
                given=f"{row['first_name']} {row['middle_name']}".strip(),
                surname=row["last_name"],
                birth=birth,
                birth_year=year,
                birthplace=place_of(row["birth_place"]),
                right=frozenset({links[row["id"]]} if row["id"] in links else ()),
            )
        )
    return soldiers


def write_census(records: Path, folder: Path) -> tuple[Path, Path]:
    """Write the census as a table with whole names and places, and its mapping."""
    table, mapping = folder / f"{CENSUS}.csv", folder / f"{CENSUS}.toml"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("id", "given", "surname", "sex", "birth", "birthplace", "date"))
        for row in _rows(records / "union_army" / "census_1900.csv"):
            given = f"{row['first_name']} {row['middle_name']}".strip()
            year, month = row["birth_year"], row["birth_month"]
            is_month = month.isdigit() and 1 <= int(month) <= 12
            birth = f"{year}-{int(month):02d}" if is_month and year else year
            place = place_of(row["birth_place"])
            writer.writerow(
                (row["id"], given, row["last_name"], row["gender"], birth, place, "1900")
            )
    mapping.write_text(MAPPING, "utf-8")
    return table, mapping


def our_query(soldier: Soldier) -> dict[str, object]:
    """Return a soldier as a query of ours."""
    birth = {
        name: value
        for name, value in (("date", soldier.birth), ("place", soldier.birthplace))
        if value
    }
    query: dict[str, object] = {
        "id": soldier.id,
        "given": soldier.given,
        "surname": soldier.surname,
        "sex": "male",
    }
    return {**query, "events": [{"kind": "birth", **birth}]} if birth else query


def peer_query(soldier: Soldier) -> dict[str, object]:
    """Return the same facts for the peers."""
    return {
        "id": soldier.id,
        "given": soldier.given,
        "surname": soldier.surname,
        "birth": soldier.birth_year,
        "place": soldier.birthplace,
    }


def peer_people(records: Path) -> Iterator[dict[str, object]]:
    """Yield everybody of the census."""
    for row in _rows(records / "union_army" / "census_1900.csv"):
        yield {
            "record": row["id"],
            "given": f"{row['first_name']} {row['middle_name']}".strip(),
            "surname": row["last_name"],
            "birth": int(row["birth_year"]) if row["birth_year"].isdigit() else None,
            "place": place_of(row["birth_place"]),
        }


def place_of(code: str) -> str:
    """Return the place that a code of the source means."""
    if code in UNKNOWN:
        return ""
    return ABROAD.get(code) or f"{code}, United States"


def _birth(row: dict[str, str]) -> tuple[str, int | None]:
    date, enlisted, age = row["birth_date"], row["enlist_date"], row["enlist_age"]
    if date[:4].isdigit():
        return date[:4], int(date[:4])
    if not (enlisted[:4].isdigit() and age.isdigit()):
        return "", None
    year = int(enlisted[:4]) - int(age)
    return f"about {year}", year


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
