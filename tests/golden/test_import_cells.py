"""A cell means the same wherever it is read: imported, or given to ``forebear normalize``.

Every golden cell is imported through a mapping, and the record must have what the parser gives
for the cell alone.
"""

import csv
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from forebear.ingest.mapping import parse_mapping
from forebear.ingest.run import import_file
from forebear.normalize.ages import read_age
from forebear.normalize.dates import read_date
from forebear.normalize.names import read_name
from forebear.normalize.places import read_place
from forebear.records.record import Record, Sex
from list_writer import ListWriter

Case = dict[str, str]
MAPPING = """
[collection]
name = "cells"
title = "Golden cells"
record_type = "burial"
[record]
id = "number"
"""
PERSONA = """
[[persona]]
role = "deceased"
kin = "self"
principal = true
"""
SEXES: dict[str, Sex] = {"F": "f", "M": "m"}

pytestmark = pytest.mark.shared


def read_cases(shared_data: Path, kind: str) -> list[Case]:
    with (shared_data / "golden" / f"{kind}.csv").open(encoding="utf-8", newline="") as file:
        return [{"number": str(n), **row} for n, row in enumerate(csv.DictReader(file))]


def import_cases(
    folder: Path, cases: Iterable[Case], mapping: str, *, record_type: str = "burial"
) -> dict[str, Record]:
    """Return the records that a mapping makes of the cases, by their number."""
    path = folder / "cells.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = list(cases)
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    store = ListWriter()
    stated = MAPPING.replace("burial", record_type) + mapping
    import_file(path, parse_mapping(stated), store)
    return {record.id: record for record in store.records}


def test_a_place_cell_is_imported_as_it_is_understood(shared_data: Path, tmp_path: Path) -> None:
    cases = [{**case, "name": "Green"} for case in read_cases(shared_data, "places")]

    records = import_cases(tmp_path, cases, f'place = "text"{PERSONA}surname = "name"\n')

    assert len(records) == len(cases)
    differences = [
        f"{case['text']!r}: {place}, not {read_place(case['text']).place}"
        for case in cases
        if (place := records[case["number"]].event.place) != read_place(case["text"]).place
    ]
    assert not differences, "\n".join(differences)


def test_a_date_cell_is_imported_as_it_is_understood(shared_data: Path, tmp_path: Path) -> None:
    cases = [{**case, "name": "Green"} for case in read_cases(shared_data, "dates")]

    records = import_cases(tmp_path, cases, f'date = "text"{PERSONA}surname = "name"\n')

    assert len(records) == len(cases)
    differences = [
        f"{case['text']!r}: {date}, not {read_date(case['text'].strip())}"
        for case in cases
        if (date := records[case["number"]].event.date) != read_date(case["text"].strip())
    ]
    assert not differences, "\n".join(differences)


def test_an_age_cell_is_imported_as_it_is_understood(shared_data: Path, tmp_path: Path) -> None:
    by_type: defaultdict[str, list[Case]] = defaultdict(list)
    for case in read_cases(shared_data, "ages"):
        by_type[case["source"].split("_")[0]].append({**case, "name": "Green"})
    differences = []
    for record_type, cases in by_type.items():
        columns = f'date = "event_date"{PERSONA}surname = "name"\nage = "text"\n'
        records = import_cases(tmp_path, cases, columns, record_type=record_type)
        for case in cases:
            at = read_date(case["event_date"])
            expected = read_age(case["text"], at=at, source=case["source"])
            age = records[case["number"]].personas[0].age
            if age != (expected if case["text"] else None):
                differences.append(f"{case['text']!r}: {age}, not {expected}")

    assert not differences, "\n".join(differences)


def test_a_name_cell_is_imported_as_it_is_understood(shared_data: Path, tmp_path: Path) -> None:
    by_order: defaultdict[str, list[Case]] = defaultdict(list)
    for case in read_cases(shared_data, "names"):
        by_order[case["order"]].append(case)
    differences = []
    for order, cases in by_order.items():
        columns = f'name = "text"\norder = "{order}"\nsex_column = "sex"\n'
        records = import_cases(tmp_path, cases, PERSONA + columns)
        for case in cases:
            reading = read_name(case["text"], sex=SEXES.get(case["sex"]), order=order)
            names = (reading.name, *reading.others)
            expected = [name for name in names if name.given or name.surname]
            stated = [other for other in reading.relatives if other.relation != "patronymic"]
            expected += [relative.name for relative in stated]
            record = records.get(case["number"])
            personas = record.personas if record else ()
            imported = [name for persona in personas for name in persona.names]
            if imported != expected:
                differences.append(f"{case['text']!r}: {imported}, not {expected}")

    assert not differences, "\n".join(differences)
