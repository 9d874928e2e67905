"""The catalog against the design's own: the same rows, to the letter, but for stated changes."""

import csv
import re
from importlib.resources import files
from pathlib import Path

from forebear.records.collections import RECORD_TYPES
from forebear.search.expansion.catalog import load_catalog
from forebear.search.expansion.expand import builder_of
from forebear.search.model import hand_set_model


def rows_of(text: str) -> list[tuple[str, ...]]:
    return [tuple(row) for row in csv.reader(text.splitlines())]


# Changed on purpose, each with its reason in docs/decisions.
CHANGED = {("baptism", "baptism.year.conflict")}


def test_every_row_of_the_design_is_a_row_of_the_catalog(shared_design: Path) -> None:
    ours = rows_of(files("forebear.search.expansion").joinpath("catalog.csv").read_text("utf-8"))
    designed = rows_of((shared_design / "clauses.csv").read_text("utf-8"))

    assert [row[:2] for row in ours] == [row[:2] for row in designed]
    differing = {a[:2] for a, b in zip(ours, designed, strict=True) if a != b}
    assert differing == CHANGED


def test_every_row_has_a_builder() -> None:
    unbuilt = []
    for rows in load_catalog().values():
        for row in rows:
            try:
                builder_of(row)
            except KeyError:
                unbuilt.append(row.clause)

    assert unbuilt == []


def test_the_catalog_has_every_record_type_and_no_other() -> None:
    assert set(load_catalog()) == set(RECORD_TYPES)
    assert sum(map(len, load_catalog().values())) == 2396


def test_every_clause_has_a_weight_of_its_own_sign() -> None:
    model = hand_set_model()
    wrong = [
        (record_type, row.clause)
        for record_type, rows in load_catalog().items()
        for row in rows
        if model.weight(record_type, row.clause) * row.polarity <= 0
    ]

    assert wrong == []
    assert set(model.shifts) == set(RECORD_TYPES)


def test_every_field_of_the_catalog_is_one_of_the_design(shared_design: Path) -> None:
    page = (shared_design / "FIELDS.md").read_text("utf-8")
    designed = set(re.findall(r"^\| `([a-z_.]+)` \|", page, re.MULTILINE))

    fields = {field for rows in load_catalog().values() for row in rows for field in row.fields}

    assert fields == {field for field in designed if "." in field}
