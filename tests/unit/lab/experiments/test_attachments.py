"""Tests for `forebear_lab.experiments.attachments`."""

from pathlib import Path
from shutil import copy

import pytest

import forebear
from forebear.interactions.events import JudgedSearch
from forebear_lab.experiments.attachments import engagement_of_log, engagement_of_users
from forebear_lab.experiments.worlds import World, search_world
from forebear_lab.simulation.behavior import CAREFUL
from forebear_lab.simulation.users import Visit


def visit(query: str, user: str) -> Visit:
    return Visit(day=1, user=user, family="f1", query_id=query, person=1, stage=0, in_archive=True)


@pytest.fixture(scope="module")
def searches(world: World, imported: Path) -> list[JudgedSearch]:
    with forebear.open(imported) as archive:
        return search_world(
            archive, world, lists=None, searches=100, model=None, progress=lambda _: None
        )


def test_the_attachments_of_a_log_are_counted(searched: Path, tmp_path: Path) -> None:
    path = Path(copy(searched, tmp_path / "log.forebear"))
    with forebear.open(path) as archive:
        for _ in range(10):
            result = archive.search("Mary Cornell", log=False)
            archive.log(result, searcher="192.0.2.7", compact=True)

        engagement = engagement_of_log(archive, seed=1)

    assert engagement.searches == 34  # 24 people and the visitor's; the absent one has no page
    total = sum(third.attachments * third.searches for third in engagement.terciles)
    assert total == pytest.approx(8 * 3 + 16 * 4)


def test_simulated_users_attach_what_is_right(searches: list[JudgedSearch], imported: Path) -> None:
    # Two users search for everybody, each for the half of them twice.
    repeated = [*searches[:24], *searches[:12]]
    visits = {f"q{number}": visit(f"q{number}", f"u{number % 2}") for number in range(24)}

    with forebear.open(imported) as archive:
        engagement = engagement_of_users(archive, repeated, visits, seed=1, behavior=CAREFUL)
        nobody = engagement_of_users(archive, repeated, {}, seed=1)

    assert engagement.searches == 36
    assert nobody.searches == 0
    assert {third.searchers for third in engagement.terciles} == {2}


def test_a_user_passes_over_what_was_attached_before(
    searches: list[JudgedSearch], imported: Path
) -> None:
    again = [searches[1]] * 40
    visits = {"q1": visit("q1", "u1")}

    with forebear.open(imported) as archive:
        engagement = engagement_of_users(archive, again, visits, seed=1, behavior=CAREFUL)

    # All pages are of one search: four attachments in all, counted with it.
    assert [third.attachments for third in engagement.terciles] == [4.0]
