"""The real FreeREG and FreeCEN files, and the made archive, go in by their mappings alone."""

import csv
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from forebear.ingest.find_mapping import builtin_mappings, load_mapping, recognize
from forebear.ingest.report import count_reasons
from forebear.ingest.run import import_file
from forebear.records.record import Record
from list_writer import ListWriter

pytestmark = pytest.mark.shared

PREFIX = "made_"  # of the mappings that read the tables of `make_records.py` (simulated)
MADE = [name.removeprefix(PREFIX) for name in builtin_mappings() if name.startswith(PREFIX)]
# A guardian is no kin, and the text of an obituary is damaged on purpose.
WARNED = {"court": {"other_role not understood"}, "obituary": {"died not understood"}}


@pytest.fixture(scope="session")
def made_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("made")


@pytest.fixture
def made_world(shared_data: Path, made_folder: Path) -> Path:
    """Return a small world, made once."""
    if not any(made_folder.iterdir()):
        tool = shared_data.parent / "tools" / "make_records.py"
        words = ["--personas", "3000", "--seed", "3", "--queries", "5", "--out", made_folder]
        subprocess.run([sys.executable, tool, *words], check=True, capture_output=True)
    return made_folder


def test_each_of_the_fourteen_made_tables_has_a_mapping() -> None:
    assert len(MADE) == 14


@pytest.mark.parametrize(
    ("file", "mapping", "rows", "refused"),
    [
        ("freereg/freereg_baptisms.csv", "freereg_baptisms", 11134, {"no name at all": 18}),
        ("freereg/freereg_marriages.csv", "freereg_marriages", 2813, {"no name at all": 6}),
        ("freereg/freereg_burials.csv", "freereg_burials", 7713, {"no name at all": 12}),
        (
            "freecen/census.csv",
            "freecen",
            39525,
            {
                "uninhabited": 513,
                "nobody at home or schedule not used": 7,
                "no name at all": 14,
            },
        ),
    ],
)
def test_a_real_file_goes_in_by_its_own_mapping(
    shared_data: Path, file: str, mapping: str, rows: int, refused: dict[str, int]
) -> None:
    path = shared_data / "records" / file
    writer = ListWriter()

    report = import_file(path, load_mapping(mapping), writer)

    print(report.to_text(shown=0))
    assert recognize(path) == load_mapping(mapping)
    assert report.read == rows
    assert count_reasons(report.refusals) == refused
    assert report.accepted == len(writer.records) == rows - sum(refused.values())
    assert report.personas == sum(len(record.personas) for record in writer.records)
    assert report.warned < 0.01 * rows


@pytest.mark.parametrize("table", MADE)
def test_a_made_table_goes_in_whole_by_its_own_mapping(made_world: Path, table: str) -> None:
    path = made_world / f"{table}.csv"
    writer = ListWriter()

    mapping = recognize(path)
    assert mapping == load_mapping(f"made_{table}")
    report = import_file(path, mapping, writer)

    assert report.refused == 0, report.to_text()
    assert count_reasons(report.warnings).keys() <= WARNED.get(table, set()), report.to_text()
    with path.open(encoding="utf-8", newline="") as file:
        assert [dict(record.row) for record in writer.records] == list(csv.DictReader(file))
    if table != "obituary":  # whom a text names is read from its words, and those are damaged
        people = {record.id: len(record.personas) for record in writer.records}
        assert people == count_mentioned(made_world, table)


@pytest.mark.parametrize("table", MADE)
def test_every_column_of_a_made_table_says_something(
    made_world: Path, table: str, tmp_path: Path
) -> None:
    with (made_world / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    unheard = [column for column in rows[0] if not is_heard(column, rows, table, tmp_path)]

    assert unheard == []


def is_heard(column: str, rows: list[dict[str, str]], table: str, folder: Path) -> bool:
    """Say whether records that have something in a column differ from the same without it."""
    telling = [row for row in rows if row[column]][:10]
    without = [{**row, column: ""} for row in telling]
    assert telling, f"no row of {table} has anything in {column}: make a larger world"
    return understood(telling, table, folder) != understood(without, table, folder)


def understood(rows: list[dict[str, str]], table: str, folder: Path) -> list[Record]:
    path = folder / f"{table}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    kept = ListWriter()
    import_file(path, load_mapping(f"made_{table}"), kept)
    return [replace(record, row=()) for record in kept.records]


def count_mentioned(world: Path, table: str) -> dict[str, int]:
    """Return how many people each record of a table names, as the world knows it."""
    with (world / "truth.csv").open(encoding="utf-8", newline="") as file:
        return Counter(row["record_id"] for row in csv.DictReader(file) if row["type"] == table)
