"""Tests for `forebear.ingest.households`: no commit of a re-import splits a household."""

import random
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from forebear.ingest import pipeline
from forebear.ingest.mapping import parse_mapping
from forebear.ingest.run import import_file
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.schema import create_file
from forebear.storage.sqlite.storage import SqliteStorage
from forebear.storage.sqlite.upkeep import check_file

MAPPING = """
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
"""
HEAD = "id,household,year,given,surname"
Household = frozenset[tuple[str, str]]  # the ids and given names of its members
Rows = list[tuple[str, str, str]]  # id, household, given name

READ_HOUSEHOLDS = (
    "SELECT record_group, key, json_extract(value, '$.personas[0].names[0].given') FROM records"
)


@pytest.fixture
def commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[set[Household]]:
    """The households in the file after each transaction."""
    transaction = Connection.transaction
    seen: list[set[Household]] = []

    @contextmanager
    def observed(self: Connection, *, durable: bool = False) -> Iterator[None]:
        with transaction(self, durable=durable):
            yield
        seen.append(stored_households(tmp_path / "archive.forebear"))

    monkeypatch.setattr(Connection, "transaction", observed)
    monkeypatch.setattr(pipeline, "BATCH_RECORDS", 3)
    return seen


def stored_households(path: Path) -> set[Household]:
    reader = sqlite3.connect(path)
    try:
        rows = reader.execute(READ_HOUSEHOLDS).fetchall()
    finally:
        reader.close()
    return households((key.partition(":")[2], str(group), given) for group, key, given in rows)


def households(rows: Iterator[tuple[str, str, str]] | Rows) -> set[Household]:
    members: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for number, household, given in rows:
        members[household].add((number, given))
    return {frozenset(household) for household in members.values()}


def people(groups: set[Household]) -> set[str]:
    return {number for household in groups for number, _ in household}


def write_table(folder: Path, rows: Rows) -> Path:
    path = folder / "census.csv"
    lines = [f"{number},{household},1851,{given},Green" for number, household, given in rows]
    path.write_text("\n".join([HEAD, *lines]) + "\n", encoding="utf-8")
    return path


def bring_in(storage: SqliteStorage, folder: Path, rows: Rows) -> None:
    import_file(write_table(folder, rows), parse_mapping(MAPPING), storage, may_replace=True)


OLD: Rows = [
    *(("1", "a", "Ann"), ("2", "a", "Bob"), ("3", "a", "Cid")),
    *(("4", "b", "Dan"), ("5", "b", "Eve")),
    *(("6", "c", "Fay"), ("7", "c", "Gus"), ("8", "c", "Hal")),
    *(("9", "d", "Ida"), ("10", "e", "Jim")),
]
CHANGES: dict[str, Rows] = {
    "a member is gone": [row for row in OLD if row[0] not in ("2", "8")],
    "a member moves to a later household": [row for row in OLD if row[0] != "1"]
    + [("1", "d", "Ann")],
    "two households become one": [
        (number, "a" if household == "c" else household, given) for number, household, given in OLD
    ],
    "a household falls apart": [
        (number, f"{household}{number}" if household == "a" else household, given)
        for number, household, given in OLD
    ],
    "a chain of moves": [
        (number, {"3": "b", "5": "c", "8": "d"}.get(number, household), given)
        for number, household, given in OLD
    ],
    "a member is added, one is renamed": [
        (number, household, "Zoe" if number == "7" else given) for number, household, given in OLD
    ]
    + [("11", "a", "Kit")],
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_commit_has_each_household_as_before_or_as_after(
    change: str, tmp_path: Path, commits: list[set[Household]]
) -> None:
    connection = create_file(tmp_path / "archive.forebear")
    storage = SqliteStorage(connection)
    bring_in(storage, tmp_path, OLD)
    commits.clear()

    bring_in(storage, tmp_path, CHANGES[change])

    before, after = households(OLD), households(CHANGES[change])
    assert commits[-1] == after
    for commit in commits:
        assert commit - before - after == set()
        assert people(commit) >= people(before) & people(after)
    assert check_file(connection).faults == ()
    connection.close()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("is_encoded", [False, True])
def test_households_shuffled_at_random_are_never_split(
    seed: int,
    is_encoded: bool,
    tmp_path: Path,
    commits: list[set[Household]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if is_encoded:
        monkeypatch.setattr(pipeline, "WORTHWHILE_BYTES", 0)
        monkeypatch.setattr(pipeline, "STORED_PERSONAS", 3)
    draw = random.Random(seed)
    old = [(str(n), f"h{draw.randrange(12)}", f"Name{n}") for n in range(40)]
    new = [row for row in old if draw.random() < 0.9]
    new = [
        (n, f"h{draw.randrange(14)}" if draw.random() < 0.2 else household, given)
        for n, household, given in new
    ]
    new += [(str(n), f"h{draw.randrange(16)}", f"Name{n}") for n in range(40, 48)]
    draw.shuffle(new)
    connection = create_file(tmp_path / "archive.forebear")
    storage = SqliteStorage(connection)
    bring_in(storage, tmp_path, old)
    commits.clear()

    bring_in(storage, tmp_path, new)

    before, after = households(old), households(new)
    assert commits[-1] == after
    for commit in commits:
        assert commit - before - after == set()
        assert people(commit) >= people(before) & people(after)
    assert check_file(connection).faults == ()
    connection.close()
