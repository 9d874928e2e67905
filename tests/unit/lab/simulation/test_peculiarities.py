"""Tests for `forebear_lab.simulation.peculiarities`."""

from pathlib import Path

import numpy as np
import pytest

from forebear_lab.simulation.archives import read_rows, write_archive
from forebear_lab.simulation.peculiarities import make_peculiar

Rows = dict[str, list[dict[str, str]]]


def read_all(folder: Path) -> Rows:
    return {path.stem: read_rows(path) for path in sorted((folder / "records").glob("*.csv"))}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rows, Rows]:
    """The tables of an archive before and after."""
    folder = tmp_path_factory.mktemp("peculiar") / "world"
    write_archive(folder, personas=6000, seed=4, queries=10)
    usual = read_all(folder)
    make_peculiar(folder, seed=4)
    return usual, read_all(folder)


def test_no_record_is_lost_and_other_tables_stay(tables: tuple[Rows, Rows]) -> None:
    usual, peculiar = tables

    for name, rows in usual.items():
        assert [row["ref"] for row in peculiar[name]] == [row["ref"] for row in rows]
    assert peculiar["probate_calendars"] == usual["probate_calendars"]


def test_ages_are_off_by_at_most_a_fifth_and_often_round(tables: tuple[Rows, Rows]) -> None:
    usual, peculiar = (
        np.array([int(row["age"]) for row in of["census_1851_1901"] if row["age"].isdigit()])
        for of in tables
    )

    assert usual.size == peculiar.size
    assert (np.abs(peculiar - usual) <= 0.2 * usual + 3 + 5 + 0.5).all()
    assert np.abs(peculiar - usual).mean() > 2
    assert np.mean(peculiar[usual > 15] % 10 == 0) > 0.45


def test_parish_registers_give_years(tables: tuple[Rows, Rows]) -> None:
    usual, peculiar = tables

    for before, after in zip(usual["parish_baptisms"], peculiar["parish_baptisms"], strict=True):
        assert after["baptized"] == before["baptized"][-4:]
        assert after["when_born"] == ""


def test_given_names_of_parishes_are_latin(tables: tuple[Rows, Rows]) -> None:
    usual, peculiar = tables

    pairs = zip(usual["parish_baptisms"], peculiar["parish_baptisms"], strict=True)
    of_william = {after["child"] for before, after in pairs if before["child"] == "William"}
    assert of_william == {"Guilielmus"}


def test_half_of_the_directories_reverse_the_names(tables: tuple[Rows, Rows]) -> None:
    usual, peculiar = tables

    reversed_rows = [
        after["dir_surname"] == before["dir_forenames"]
        and after["dir_forenames"] == before["dir_surname"]
        for before, after in zip(usual["directories"], peculiar["directories"], strict=True)
        if before["dir_surname"] != before["dir_forenames"]
    ]
    assert np.mean(reversed_rows) == pytest.approx(0.5, abs=0.1)


def test_a_seed_gives_the_same_archive_again(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_archive(tmp_path / name, personas=1500, seed=2, queries=5)
        make_peculiar(tmp_path / name, seed=2)

    assert read_all(tmp_path / "one") == read_all(tmp_path / "two")
