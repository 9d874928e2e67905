"""Tests for `forebear.ingest.run`."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from forebear.errors import InputError, MappingError
from forebear.ingest import pipeline
from forebear.ingest.find_mapping import load_mapping
from forebear.ingest.mapping import Mapping
from forebear.ingest.report import Progress
from forebear.ingest.run import import_file
from forebear.ingest.store import Group, RecordStore, SourceFile
from forebear.records.collections import Collection
from forebear.records.record import Event, Record

CENSUS_HEAD = (
    "record_id,year,parish,county,household_id,surname,forenames,relation_to_head,condition,sex,"
    "age,occupation,where_born"
)


class ListWriter(RecordStore):
    """Keeps everything in the order it was written."""

    def __init__(self) -> None:
        self.collections: list[Collection] = []
        self.batches: list[list[tuple[Record, ...]]] = []

    def put_collection(self, collection: Collection) -> None:
        self.collections.append(collection)

    def write(self, groups: Sequence[Group], *, file: SourceFile | None = None) -> None:
        del file  # not asked for here
        self.batches.append(list(groups))

    @property
    def groups(self) -> list[tuple[Record, ...]]:
        return [group for batch in self.batches for group in batch]

    @property
    def records(self) -> list[Record]:
        return [record for group in self.groups for record in group]


@pytest.fixture
def writer() -> ListWriter:
    return ListWriter()


@pytest.fixture
def census() -> Mapping:
    return load_mapping("made_census")


def person(number: int, household: str, given: str = "Ann", surname: str = "Green") -> str:
    return f"C{number},1851,Layham,Suffolk,{household},{surname},{given},head,,F,30,weaver,Raydon"


def write(folder: Path, *rows: str, head: str = CENSUS_HEAD) -> Path:
    path = folder / "census.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def test_a_file_becomes_records_of_its_collection(
    tmp_path: Path, writer: ListWriter, census: Mapping
) -> None:
    path = write(tmp_path, person(1, "h1"), person(2, "h1", "John"))

    report = import_file(path, census, writer)

    assert [collection.name for collection in writer.collections] == ["census"]
    assert [record.key for record in writer.records] == ["census:C1", "census:C2"]
    assert (report.read, report.accepted, report.refused, report.warned) == (2, 2, 0, 0)
    assert report.personas == 2
    assert report.seconds > 0


def test_a_household_is_whole_even_if_its_rows_are_apart(
    tmp_path: Path, writer: ListWriter, census: Mapping
) -> None:
    path = write(tmp_path, person(1, "h1"), person(2, "h2"), person(3, "h1"), person(4, ""))

    import_file(path, census, writer)

    assert [[record.id for record in group] for group in writer.groups] == [
        ["C2"],
        ["C4"],
        ["C1", "C3"],
    ]


def test_batches_hold_whole_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "BATCH_RECORDS", 4)
    record = Record(
        collection="c", id="1", record_type="census", event=Event(kind="residence"), personas=()
    )
    groups = [(record,) * size for size in (3, 1, 1, 5, 1)]

    batches = [[len(group) for group in batch] for batch in pipeline.batch_groups(groups)]

    assert batches == [[3, 1], [1, 5], [1]]


def test_many_records_are_written_in_batches(
    tmp_path: Path, writer: ListWriter, census: Mapping
) -> None:
    path = write(tmp_path, *(person(number, f"h{number // 4}") for number in range(22_500)))

    import_file(path, census, writer)

    assert [sum(map(len, batch)) for batch in writer.batches] == [10_000, 10_000, 2_500]


def test_the_second_of_two_equal_ids_is_refused_with_both_lines(
    tmp_path: Path, writer: ListWriter, census: Mapping
) -> None:
    path = write(tmp_path, person(1, "h1"), person(2, "h1"), person(1, "h2", "Mary"))

    report = import_file(path, census, writer)

    assert [record.id for record in writer.records] == ["C1", "C2"]
    assert [str(issue) for issue in report.refusals] == [
        "line 4: same id twice: id 'C1' stands on line 2 and on line 4"
    ]


def test_rows_without_a_name_are_refused_and_faulty_ones_warned_of(
    tmp_path: Path, writer: ListWriter, census: Mapping
) -> None:
    rows = [person(1, "h1", "", ""), person(2, "h1").replace(",30,", ",old,"), "C3,1851"]
    path = write(tmp_path, *rows, person(4, "h1") + ",more")

    report = import_file(path, census, writer)

    assert [str(issue) for issue in report.refusals] == [
        "line 2: no name at all",
        "line 4: no name at all",
    ]
    assert [str(issue) for issue in report.warnings] == [
        "line 3: age not understood: 'old'",
        "line 5: cells and headings differ: 14 cells under 13 headings",
    ]
    assert dict(writer.records[1].row)["column 14"] == "more"


def test_a_dry_run_reports_the_same_and_writes_nothing(
    tmp_path: Path, writer: ListWriter, census: Mapping
) -> None:
    path = write(tmp_path, person(1, "h1"), person(2, "h1", "", ""))

    report = import_file(path, census, writer, dry_run=True)

    assert writer.collections == []
    assert writer.batches == []
    assert report.dry_run
    assert (report.read, report.accepted, report.refused) == (2, 1, 1)


@pytest.mark.parametrize(
    "text",
    ["", "Dear Sir\n", "a,b\n1,2\n", CENSUS_HEAD + '\n1,1851,"Layham\n', CENSUS_HEAD[10:] + "\n"],
    ids=["empty", "prose", "other headings", "unclosed quote", "a column short"],
)
def test_a_file_that_is_no_such_table_leaves_no_trace(
    tmp_path: Path, writer: ListWriter, census: Mapping, text: str
) -> None:
    path = tmp_path / "census.csv"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=r"census\.csv:\d"):
        import_file(path, census, writer)

    assert writer.collections == []
    assert writer.batches == []


def test_the_collection_can_be_named_when_importing(
    tmp_path: Path, writer: ListWriter, census: Mapping
) -> None:
    path = write(tmp_path, person(1, "h1"))

    report = import_file(path, census, writer, collection="layham")

    assert report.collection == "layham"
    assert writer.collections[0].name == "layham"
    assert writer.records[0].key == "layham:C1"


def test_a_collection_cannot_be_given_a_name_that_breaks_keys(
    tmp_path: Path, writer: ListWriter, census: Mapping
) -> None:
    with pytest.raises(MappingError, match="'my census'"):
        import_file(write(tmp_path, person(1, "h1")), census, writer, collection="my census")


def test_progress_is_told_from_start_to_end(
    tmp_path: Path, writer: ListWriter, census: Mapping
) -> None:
    steps: list[Progress] = []
    path = write(tmp_path, *(person(number, f"h{number}") for number in range(3500)))

    import_file(path, census, writer, progress=steps.append)

    assert steps[0].rows_read == 1000
    assert [step.share for step in steps] == sorted(step.share for step in steps)
    assert (steps[-1].rows_read, steps[-1].accepted, steps[-1].written) == (3500, 3500, 3500)
    assert steps[-1].bytes_done == steps[-1].bytes_total == path.stat().st_size
    assert steps[-1].seconds_left == 0


def test_a_name_as_long_as_a_book_is_a_refused_row(
    tmp_path: Path, census: Mapping, writer: ListWriter
) -> None:
    path = write(tmp_path, person(1, "a", given="Ann " * 50_000), person(2, "b"))

    report = import_file(path, census, writer)

    assert [record.id for record in writer.records] == ["C2"]
    assert [issue.reason for issue in report.refusals] == [
        "more than 10,000 characters in 'forenames', which is no text"
    ]
