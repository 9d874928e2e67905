"""The golden dates, ages, names, name pairs and places are understood."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from forebear.cli.app import app
from forebear.cli.normalize import READERS, RowResult

FRESH = Path(__file__).parent / "fresh_cells"
# How many fresh cells were right when each file was first read.
FIRST_RIGHT = {
    "dates": 53,
    "ages": 31,
    "names": 77,
    "places": 76,
    "places_region_alone": 100,
    "places_no_place": 94,
    "places_ambiguous": 95,
    "places_region_alone_2": 97,
    "places_no_place_2": 98,
    "places_ambiguous_2": 87,
    "places_ambiguous_3": 49,  # of 50, after states counted as countries do
}
BARS = {"dates": 0.98, "ages": 0.98, "names": 0.95, "name_pairs": 0.95, "places": 0.95}


def plain(value: str) -> str:
    return " ".join(value.lower().replace(".", " ").replace(",", " ").split())


def is_right(kind: str, answer: RowResult, row: dict[str, str]) -> bool:
    if kind == "name_pairs":
        return answer["joined"] == (row["relation"] != "different")
    if kind == "names":
        parts = {key: str(value) for key, value in answer.items() if key != "flags"}
        same_flags = set(str(answer["flags"]).split(";")) == set(row["flags"].split(";"))
        return same_flags and all(plain(v) == plain(row[k]) for k, v in parts.items())
    return all(value == row[key] for key, value in answer.items() if key in row)


@pytest.mark.shared
@pytest.mark.parametrize("kind", BARS)
def test_the_command_answers_the_golden_rows_rightly(kind: str, shared_data: Path) -> None:
    path = shared_data / "golden" / f"{kind}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    result = CliRunner().invoke(app, ["normalize", kind, str(path), "--json"])
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    right = sum(is_right(kind, *pair) for pair in zip(answers, rows, strict=True))

    assert result.exit_code == 0
    assert right / len(rows) >= BARS[kind]


@pytest.mark.shared
@pytest.mark.parametrize("kind", ["dates", "ages", "names", "places"])
def test_an_answer_has_the_other_columns_of_the_golden_file(kind: str, shared_data: Path) -> None:
    with (shared_data / "golden" / f"{kind}.csv").open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file))
    given, answer_row = READERS[kind]

    columns = [key for key in row if key not in (*given, "note")]
    assert list(answer_row(row))[: len(columns)] == columns


@pytest.mark.parametrize("name", FIRST_RIGHT)
def test_fresh_cells_are_read_no_worse_than_at_first(name: str) -> None:
    with (FRESH / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kind = name.partition("_")[0]
    _, answer_row = READERS[kind]

    assert sum(is_right(kind, answer_row(row), row) for row in rows) >= FIRST_RIGHT[name]
