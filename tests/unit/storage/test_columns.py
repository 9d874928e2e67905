"""Tests for `forebear.storage.columns`: the file of columns itself."""

from pathlib import Path

import numpy as np
import pytest

from forebear.storage.columns import (
    UNIT,
    ColumnsFile,
    Personas,
    Segment,
    append_segment,
    create_columns,
    erase_rows,
    join_personas,
    run_sums,
)

TOKEN = "0123456789abcdef"


def personas(*numbers: int) -> Personas:
    """Return personas with terms that follow from their numbers."""
    terms = [list(range(number, number + number % 4)) for number in numbers]
    counts = np.array([len(one) for one in terms], np.int64)
    ids = np.array(numbers, np.int64)
    return Personas(
        numbers=ids,
        records=ids + 100,
        positions=ids % 3,
        ties=ids * 7919,
        terms=np.array([term for one in terms for term in one], np.int32),
        firsts=np.cumsum(counts) - counts,
        counts=counts,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "archive-columns"
    create_columns(path, TOKEN)
    return path


def write(path: Path, *batches: Personas) -> list[Segment]:
    segments: list[Segment] = []
    for batch in batches:
        unit = segments[-1].end if segments else 1
        segments.append(append_segment(path, batch, unit=unit))
    return segments


def values(personas: Personas) -> list[object]:
    gathered = personas.gathered()
    columns = ("numbers", "records", "positions", "ties", "counts", "terms")
    return [getattr(gathered, name).tolist() for name in columns]


@pytest.mark.parametrize("gather", [True, False])
def test_personas_are_read_as_they_were_written(path: Path, gather: bool) -> None:
    segments = write(path, personas(1, 2, 3, 7), personas(8, 9), personas(20, 21, 23))
    wanted = np.array([2, 7, 8, 21, 23])

    read, covered = ColumnsFile(path).read(segments, wanted, run_sums, gather=gather)

    assert covered.all()
    assert values(read) == values(personas(2, 7, 8, 21, 23))


def test_numbers_without_a_persona_are_not_covered(path: Path) -> None:
    segments = write(path, personas(2, 3, 7), personas(20))
    wanted = np.array([1, 2, 5, 8, 19, 20, 21])

    read, covered = ColumnsFile(path).read(segments, wanted, run_sums, gather=True)

    assert read.numbers.tolist() == wanted[covered].tolist() == [2, 20]


def test_a_reader_of_an_older_moment_reads_the_older_segments(path: Path) -> None:
    older = write(path, personas(1, 2))
    file = ColumnsFile(path)
    append_segment(path, personas(3, 4), unit=older[-1].end)

    read, covered = file.read(older, np.array([1, 2, 3]), run_sums, gather=True)

    assert covered.tolist() == [True, True, False]
    assert values(read) == values(personas(1, 2))


def test_what_an_interrupted_writer_left_is_overwritten(path: Path) -> None:
    first = append_segment(path, personas(1), unit=1)
    append_segment(path, personas(*range(2, 90)), unit=first.end)
    second = append_segment(path, personas(2), unit=first.end)

    read, covered = ColumnsFile(path).read(
        [first, second], np.array([1, 2, 3]), run_sums, gather=True
    )

    assert covered.tolist() == [True, True, False]
    assert values(read) == values(personas(1, 2))


def test_every_damaged_byte_of_a_segment_is_noticed(path: Path) -> None:
    """The persona is read from the archive then; others stay."""
    segments = write(path, personas(5, 6, 7))
    whole = path.read_bytes()
    padding = -(5 % 4 + 6 % 4 + 7 % 4) * 4 % UNIT
    for place in range(UNIT, len(whole) - padding):
        damaged = bytearray(whole)
        damaged[place] ^= 0x55
        path.with_name("damaged").write_bytes(damaged)
        file = ColumnsFile(path.with_name("damaged"))

        read, covered = file.read(segments, np.array([5, 6, 7]), run_sums, gather=True)

        assert covered.sum() == 2, place
        assert values(read) == values(personas(*np.array([5, 6, 7])[covered].tolist()))


def test_erased_personas_leave_nothing(path: Path) -> None:
    segments = write(path, personas(6, 7, 11))
    assert np.array(personas(7).terms, "<i4").tobytes() in path.read_bytes()

    erase_rows(path, segments, np.array([7, 400]))

    read, covered = ColumnsFile(path).read(segments, np.array([6, 7, 11]), run_sums, gather=True)
    assert covered.tolist() == [True, False, True]
    assert values(read) == values(personas(6, 11))
    assert np.array(personas(7).terms, "<i4").tobytes() not in path.read_bytes()


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"x" * 64)

    with pytest.raises(ValueError, match="not a file of columns"):
        ColumnsFile(tmp_path / "other")


def test_the_file_is_private(path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600


def test_parts_are_joined_in_the_order_of_numbers() -> None:
    joined = join_personas([personas(3, 9), personas(1, 5, 10)])

    assert values(joined) == values(personas(1, 3, 5, 9, 10))
