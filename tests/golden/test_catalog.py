"""The catalog against the design's own: every row we build stands there to the letter."""

import csv
from collections import Counter
from importlib.resources import files
from pathlib import Path

from forebear.search.expansion.catalog import load_catalog
from forebear.search.expansion.expand import builder_of


def rows_of(text: str) -> list[tuple[str, ...]]:
    return [tuple(row) for row in csv.reader(text.splitlines())]


def test_every_row_of_the_catalog_is_a_row_of_the_design(shared_design: Path) -> None:
    ours = rows_of(files("forebear.search.expansion").joinpath("catalog.csv").read_text("utf-8"))
    designed = rows_of((shared_design / "clauses.csv").read_text("utf-8"))

    assert ours[0] == designed[0]
    assert [row for row in ours if row not in set(designed)] == []


def test_the_rows_stand_in_the_order_of_the_design(shared_design: Path) -> None:
    designed = {
        row[:2]: place
        for place, row in enumerate(rows_of((shared_design / "clauses.csv").read_text("utf-8")))
    }

    for record_type, rows in load_catalog().items():
        places = [designed[record_type, row.clause] for row in rows]
        assert places == sorted(places)


def test_every_row_has_a_builder() -> None:
    unbuilt = []
    for rows in load_catalog().values():
        for row in rows:
            try:
                builder_of(row)
            except KeyError:
                unbuilt.append(row.clause)

    assert unbuilt == []


def test_most_of_each_types_clauses_are_built(shared_design: Path) -> None:
    designed = Counter(
        row[0] for row in rows_of((shared_design / "clauses.csv").read_text("utf-8"))
    )

    built = {record_type: len(rows) for record_type, rows in load_catalog().items()}

    assert built == {"baptism": 113, "marriage": 112, "burial": 113, "census": 118}
    assert all(count / designed[name] > 0.75 for name, count in built.items())
