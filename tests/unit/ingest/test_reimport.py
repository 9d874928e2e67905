"""Tests for `forebear.ingest.run`: a file that comes again."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.ingest.mapping import parse_mapping
from forebear.ingest.report import ImportReport, RefusedRow
from forebear.ingest.run import import_file
from forebear.ingest.store import Group, SourceFile
from forebear.records.privacy import Viewer
from forebear.storage.memory import MemoryStorage
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.schema import create_file
from forebear.storage.sqlite.storage import SqliteStorage
from forebear.storage.sqlite.upkeep import check_file
from storages import get, group_of

Storage = MemoryStorage | SqliteStorage
Import = Callable[..., ImportReport]
OWNER = Viewer(year=2026, is_owner=True)
FILE = SourceFile(collection="census", name="census.csv")

NAMED = """
[collection]
name = "census"
title = "Census"
record_type = "census"
[record]
id = "id"
group = "household"
date = "year"
[[persona]]
role = "person"
principal = true
given = "given"
surname = "surname"
relation = "relation"
"""
UNNAMED = NAMED.replace('id = "id"\n', "").replace('group = "household"\n', "")
HEAD = "id,household,year,given,surname,relation"
ROWS = (
    "1,h1,1851,Ann,Green,Head",
    "2,h1,1851,Job,Green,Son",
    "3,h2,1851,Eve,Hill,Head",
    "4,h3,1851,Ida,Wood,Head",
)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    connection = create_file(tmp_path / "archive.forebear")
    yield connection
    connection.close()


@pytest.fixture(params=["memory", "sqlite"])
def storage(request: pytest.FixtureRequest, connection: Connection) -> Storage:
    return MemoryStorage() if request.param == "memory" else SqliteStorage(connection)


@pytest.fixture
def bring_in(tmp_path: Path, storage: Storage, connection: Connection) -> Import:
    def run(*rows: str, mapping: str = NAMED, head: str = HEAD, **more: object) -> ImportReport:
        path = tmp_path / "census.csv"
        path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        report = import_file(path, parse_mapping(mapping), storage, **more)  # type: ignore[arg-type]
        assert check_file(connection).faults == ()
        return report

    return run


def attach(storage: Storage, connection: Connection, key: str) -> None:
    if isinstance(storage, MemoryStorage):
        storage.attach(key)
    else:
        connection.execute(
            "INSERT INTO searches (id, at, query, model, viewer, shown)"
            " VALUES ('s', '', '{}', '', '', '[]')"
        )
        connection.execute(
            "INSERT INTO actions (search, record, kind, at, reason)"
            " VALUES ('s', ?, 'attach', '', '')",
            (key,),
        )


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    counts = report.counts
    return counts.added, counts.changed, counts.unchanged, counts.removed


def givens(storage: Storage) -> dict[str, str]:
    names = {}
    for key in storage.keys_from(FILE):
        record = get(storage, key, viewer=OWNER)
        assert record
        names[record.id] = record.personas[0].names[0].given
    return names


def test_a_first_import_adds(bring_in: Import) -> None:
    assert counts(bring_in(*ROWS)) == (4, 0, 0, 0)


def test_the_same_file_again_writes_nothing(
    bring_in: Import, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring_in(*ROWS)
    monkeypatch.setattr(storage, "write", None)

    assert counts(bring_in(*ROWS)) == (0, 0, 4, 0)


def test_only_what_changed_is_written(
    bring_in: Import, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring_in(*ROWS)
    written: list[Group] = []
    write = storage.write

    def note(groups: list[Group], *, file: SourceFile | None = None) -> None:
        written.extend(groups)
        write(groups, file=file)

    monkeypatch.setattr(storage, "write", note)
    report = bring_in(*ROWS[:2], "3,h2,1851,Eva,Hill,Head", ROWS[3], "5,h9,1851,May,Reed,Head")

    assert counts(report) == (1, 1, 3, 0)
    assert [record.id for group in written for record in group] == ["3", "5"]


def test_a_row_on_another_line_is_unchanged_and_says_its_line(
    bring_in: Import, storage: Storage
) -> None:
    bring_in(*ROWS)

    report = bring_in("0,h0,1851,May,Reed,Head", *ROWS)

    assert counts(report) == (1, 0, 4, 0)
    moved = get(storage, "census:4", viewer=OWNER)
    assert moved
    assert moved.source == "census.csv:6"


def test_a_record_that_the_file_no_longer_has_is_removed(
    bring_in: Import, storage: Storage
) -> None:
    bring_in(*ROWS)

    assert counts(bring_in(*ROWS[:3])) == (0, 0, 3, 1)
    assert get(storage, "census:4", viewer=OWNER) is None


def test_a_household_that_loses_somebody_is_written_anew(
    bring_in: Import, storage: Storage
) -> None:
    bring_in(*ROWS)

    assert counts(bring_in(ROWS[0], *ROWS[2:])) == (0, 1, 2, 1)
    assert len(group_of(storage, "census:1", viewer=OWNER)) == 1


def test_somebody_who_moves_to_another_household_is_not_gone(
    bring_in: Import, storage: Storage
) -> None:
    bring_in(*ROWS)

    report = bring_in(ROWS[0], *ROWS[2:], "2,h3,1851,Job,Green,Lodger")

    assert counts(report)[3] == 0
    assert [r.id for r in group_of(storage, "census:2", viewer=OWNER)] == ["4", "2"]


def test_a_record_that_is_attached_is_kept_and_named(
    bring_in: Import, storage: Storage, connection: Connection
) -> None:
    bring_in(*ROWS)
    attach(storage, connection, "census:2")

    for _ in range(2):  # and again, when the file comes once more
        report = bring_in(ROWS[0], *ROWS[2:])

        assert report.counts.attached == ("census:2",)
        assert report.counts.removed == 0
        assert get(storage, "census:2", viewer=OWNER)
    assert "kept because attached: census:2" in report.to_text()


def test_of_a_household_that_is_gone_the_attached_one_stays(
    bring_in: Import, storage: Storage, connection: Connection
) -> None:
    bring_in(*ROWS)
    attach(storage, connection, "census:2")

    report = bring_in(*ROWS[2:])

    assert (report.counts.removed, report.counts.attached) == (1, ("census:2",))
    assert sorted(storage.keys_from(FILE)) == ["census:2", "census:3", "census:4"]


def test_another_file_of_the_same_name_is_refused_before_anything_is_written(
    bring_in: Import, storage: Storage
) -> None:
    bring_in(*ROWS)

    with pytest.raises(InputError, match="3 of the 4 records") as error:
        bring_in(ROWS[0], "7,h7,1861,May,Reed,Head")

    assert "--replace" in str(error.value.hint)
    assert len(storage.keys_from(FILE)) == 4
    assert counts(bring_in(ROWS[0], "7,h7,1861,May,Reed,Head", may_replace=True))[3] == 3


def test_records_of_other_files_of_the_collection_stay(
    bring_in: Import, storage: Storage, tmp_path: Path
) -> None:
    bring_in(*ROWS)
    other = tmp_path / "other.csv"
    other.write_text(f"{HEAD}\n8,h8,1851,Amy,Reed,Head\n", encoding="utf-8")
    import_file(other, parse_mapping(NAMED), storage)

    bring_in(*ROWS[:3])

    assert get(storage, "census:8", viewer=OWNER)


def test_a_dry_run_reports_the_difference_and_writes_nothing(
    bring_in: Import, storage: Storage
) -> None:
    bring_in(*ROWS)

    report = bring_in(*ROWS[:3], "5,h9,1851,May,Reed,Head", dry_run=True)

    assert counts(report) == (1, 0, 3, 1)
    assert len(storage.keys_from(FILE)) == 4


def test_rows_without_an_id_keep_the_name_of_their_first_line(
    bring_in: Import, storage: Storage
) -> None:
    bring_in(*ROWS, mapping=UNNAMED)

    report = bring_in(
        "9,h9,1851,May,Reed,Head", ROWS[0], "2,h1,1851,Joby,Green,Son", ROWS[3], mapping=UNNAMED
    )

    assert givens(storage) == {
        "census.csv:2": "Ann",
        "census.csv:3": "Joby",
        "census.csv:5": "Ida",
        "census.csv:2~2": "May",
    }
    assert counts(report) == (1, 1, 2, 1)


def test_an_import_that_is_interrupted_goes_on(
    bring_in: Import, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring_in(*ROWS, mapping=UNNAMED)
    corrected = ("9,h9,1851,May,Reed,Head", *ROWS[:3])

    with monkeypatch.context() as patch:
        patch.setattr(storage, "restate", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            bring_in(*corrected, mapping=UNNAMED)
    begun = storage.unfinished(FILE)
    report = bring_in(*corrected, mapping=UNNAMED)

    assert begun
    assert report.resumed
    assert counts(report) == (0, 0, 4, 1)
    assert storage.unfinished(FILE) is None
    assert givens(storage) == {
        "census.csv:2": "Ann",
        "census.csv:3": "Job",
        "census.csv:4": "Eve",
        "census.csv:2~2": "May",
    }


def test_a_refused_row_is_told_with_its_cells(bring_in: Import) -> None:
    refused: list[RefusedRow] = []

    bring_in(ROWS[0], "6,h6,1851,,,Head", refused=refused.append)

    assert [(row.issue.line, row.issue.reason) for row in refused] == [(3, "no name at all")]
    assert dict(refused[0].cells)["household"] == "h6"


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
