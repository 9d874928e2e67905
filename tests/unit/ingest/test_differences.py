"""Tests for `forebear.ingest.differences`: which row is which. What is written: `test_reimport`."""

import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from forebear.ingest.differences import pack_row, pair_rows

tables = st.lists(st.sampled_from("abcdef"), max_size=30)


def row(*cells: str) -> bytes:
    return pack_row((f"column {number}", cell) for number, cell in enumerate(cells))


def pack(text: str) -> list[bytes]:
    return [row(letter) for letter in text]


def test_a_row_put_in_moves_nobody() -> None:
    assert pair_rows(pack("abcd"), pack("axbcd")) == {0: 0, 2: 1, 3: 2, 4: 3}


def test_of_equal_rows_the_one_in_its_place_stays() -> None:
    assert pair_rows(pack("axbxc"), pack("abxc")) == {0: 0, 1: 2, 2: 3, 3: 4}


def test_rows_in_another_order_are_known_again() -> None:
    assert pair_rows(pack("abcd"), pack("dbca")) == {0: 3, 1: 1, 2: 2, 3: 0}


def test_a_corrected_row_is_known_by_the_cells_it_kept() -> None:
    old = [row("Ann", "Green", "1851"), row("Job", "Brown", "1852"), row("Eve", "Hill", "1853")]
    new = [row("Ann", "Green", "1851"), row("Job", "Browne", "1852"), row("Eve", "Hill", "1853")]

    assert pair_rows(old, new) == {0: 0, 1: 1, 2: 2}


def test_a_new_row_that_shares_little_is_nobody() -> None:
    old = [row("Ann", "Green", "1851"), row("Job", "Brown", "1852")]
    new = [row("Ann", "Green", "1851"), row("Ida", "Wood", "1852")]

    assert pair_rows(old, new) == {0: 0}


def test_a_column_more_in_every_row_changes_nobodys_name() -> None:
    old = [row(f"given {n % 7}", f"surname {n}", "1851") for n in range(500)]
    new = [row(f"given {n % 7}", f"surname {n}", "1851", f"note {n % 3}") for n in range(500)]

    assert pair_rows(old, new) == {n: n for n in range(500)}


@given(tables, tables)
def test_no_row_is_two(old: list[str], new: list[str]) -> None:
    pairs = pair_rows(pack("".join(old)), pack("".join(new)))

    assert len(set(pairs.values())) == len(pairs)
    assert all(0 <= there < len(old) and 0 <= here < len(new) for here, there in pairs.items())


@given(tables)
def test_a_table_that_did_not_change_is_itself(rows: list[str]) -> None:
    assert pair_rows(pack("".join(rows)), pack("".join(rows))) == {n: n for n in range(len(rows))}


@given(tables, tables)
def test_equal_rows_are_paired_as_far_as_they_go(old: list[str], new: list[str]) -> None:
    pairs = pair_rows(pack("".join(old)), pack("".join(new)))

    equal = sum(min(old.count(letter), new.count(letter)) for letter in "abcdef")
    assert sum(old[there] == new[here] for here, there in pairs.items()) == equal


def test_a_large_table_takes_moments() -> None:
    old = [row(f"given {n % 50}", f"surname {n % 9000}", str(n)) for n in range(60_000)]
    new = [*old[:20_000], row("Ida", "Wood", "new"), *old[20_010:]]

    started = time.process_time()
    pairs = pair_rows(old, new)

    assert time.process_time() - started < 5
    assert len(pairs) == 59_990
    assert all(here < there for here, there in pairwise(pairs[n] for n in sorted(pairs)))
