"""Tests for `forebear_lab.experiments.loop_searches`."""

from pathlib import Path
from shutil import copy

import pytest

import forebear
from forebear.errors import InputError
from forebear_lab.experiments.loop_searches import KnownSearch, divide_searches, log_searches
from forebear_lab.experiments.worlds import World


@pytest.fixture(scope="module")
def archive_path(imported: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("loop") / "world.forebear"
    copy(imported, path)
    return path


@pytest.fixture(scope="module")
def known_searches(world: World, archive_path: Path) -> list[KnownSearch]:
    with forebear.open(archive_path) as archive:
        return log_searches(archive, world, count=100, progress=lambda _: None)


def test_searches_with_a_right_record_are_logged_whole(known_searches: list[KnownSearch]) -> None:
    assert len(known_searches) == 24
    assert all(one.search.entry == "whole" for one in known_searches)
    assert known_searches[3].right == {
        "birth:B3",
        "census:C1841.3",
        "census:C1851.3",
        "residence:lost",
    }
    assert known_searches[1].born == 1814


def test_a_logged_search_is_read_and_not_made_again(
    world: World, archive_path: Path, known_searches: list[KnownSearch]
) -> None:
    with forebear.open(archive_path) as archive:
        logged = archive.report_searches().searches
        again = log_searches(archive, world, count=100, progress=lambda _: None)

        assert archive.report_searches().searches == logged == 24
    assert [one.search.at for one in again] == [one.search.at for one in known_searches]


def test_no_person_is_on_both_sides(known_searches: list[KnownSearch]) -> None:
    twice = [*known_searches, *known_searches]

    searches = divide_searches(twice, seed=3, label="x")

    assert len(searches.pool) + len(searches.test) == 48
    assert searches.pool
    assert searches.test
    assert not {one.person for one in searches.pool} & {one.person for one in searches.test}


def test_too_few_searches_are_refused(known_searches: list[KnownSearch]) -> None:
    with pytest.raises(InputError, match="11 searches for 8 people have a right record"):
        divide_searches(known_searches[:11], seed=1, label="x")
