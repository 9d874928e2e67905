"""The catalog as a whole: its size, a builder and a weight for every clause, fields that exist."""

import re
from pathlib import Path

from forebear.records.collections import RECORD_TYPES
from forebear.search.expansion.catalog import load_catalog
from forebear.search.expansion.expand import builder_of
from forebear.search.model import default_model


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

    clauses = {row.clause for rows in load_catalog().values() for row in rows}
    assert (len(RECORD_TYPES), len(clauses)) == (19, 437)
    assert sum(map(len, load_catalog().values())) == 3196


def test_every_clause_has_a_weight_of_its_own_sign() -> None:
    model = default_model()
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

    added = {"self.surname.initial"}  # first letters separate bad readings from strangers
    # Two surnames are compared one by one, and as one word.
    added |= {"self.surname.joined", "self.surname2"}
    added |= {f"self.surname2.{key}" for key in ("dm", "sound", "shape", "initial")}
    assert fields == {field for field in designed if "." in field} | added
