"""The real FreeREG and FreeCEN files, and the made archive, go in by their mappings alone."""

import csv
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from forebear.ingest.mapping import load_mapping, recognize
from forebear.ingest.report import count_reasons
from forebear.ingest.run import import_file
from forebear.ingest.writer import Group, RecordWriter, SourceFile
from forebear.records.collections import Collection
from forebear.records.record import Record

pytestmark = pytest.mark.shared

MADE = {"baptism", "burial", "census", "marriage"}  # of which every row is understood


class RecordList(RecordWriter):
    """Collects what is written."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def put_collection(self, collection: Collection) -> None:
        pass

    def write(self, groups: Sequence[Group], *, file: SourceFile | None = None) -> None:
        del file  # not asked for here
        self.records.extend(record for group in groups for record in group)


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
    writer = RecordList()

    report = import_file(path, load_mapping(mapping), writer)

    print(report.to_text(shown=0))
    assert recognize(path) == load_mapping(mapping)
    assert report.read == rows
    assert count_reasons(report.refusals) == refused
    assert report.kept == len(writer.records) == rows - sum(refused.values())
    assert report.personas == sum(len(record.personas) for record in writer.records)
    assert report.warned < 0.01 * rows


def test_the_made_archive_goes_in_whole(shared_data: Path, tmp_path: Path) -> None:
    tool = shared_data.parent / "tools" / "make_records.py"
    made = ["--personas", "3000", "--seed", "3", "--queries", "5", "--out", str(tmp_path)]
    subprocess.run([sys.executable, str(tool), *made], check=True, capture_output=True)
    writer = RecordList()

    for table in sorted(MADE):
        path = tmp_path / f"{table}.csv"
        mapping = recognize(path)
        assert mapping is not None
        assert mapping.collection.name == table
        report = import_file(path, mapping, writer)
        assert (report.refused, report.warned) == (0, 0), report.to_text()

    with (tmp_path / "truth.csv").open(encoding="utf-8", newline="") as file:
        mentioned = Counter(
            f"{row['type']}:{row['record_id']}"
            for row in csv.DictReader(file)
            if row["type"] in MADE
        )
    assert {record.key: len(record.personas) for record in writer.records} == mentioned
