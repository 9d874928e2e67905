"""Tests for `forebear_lab.experiments.first_pages`."""

from pathlib import Path
from shutil import copy

import pytest

import forebear
from forebear_lab.experiments.first_pages import (
    FirstPage,
    measure_engagement,
    read_first_pages,
    simulate_first_pages,
)
from forebear_lab.experiments.worlds import World, search_world
from forebear_lab.simulation.behavior import CAREFUL
from forebear_lab.simulation.users import Visit

PAGES = [
    *[FirstPage(types=("census",) * 4, attached=0)] * 6,
    *[FirstPage(types=("census", "census", "birth", "birth"), attached=1)] * 6,
    *[FirstPage(types=("census", "birth", "census", "birth"), attached=2)] * 6,
    FirstPage(types=("census",), attached=1),
    FirstPage(types=(), attached=0),
]


def test_attachments_are_counted_by_thirds_of_nce() -> None:
    engagement = measure_engagement(PAGES, type_count=2, seed=1)

    assert [third.name for third in engagement.thirds] == ["lowest", "middle", "highest"]
    assert [third.attachments for third in engagement.thirds] == [0, 1, 2]
    assert [third.searches for third in engagement.thirds] == [6, 6, 6]
    assert engagement.thirds[-1].nce_to == pytest.approx(1.0)
    assert engagement.too_short == 2


def test_searches_of_equal_variety_stay_in_one_third() -> None:
    engagement = measure_engagement(PAGES[:6], type_count=2, seed=1)

    assert [third.searches for third in engagement.thirds] == [6]


def test_a_log_without_pages_has_no_thirds() -> None:
    assert measure_engagement([], type_count=2, seed=1).thirds == ()


def test_the_interval_holds_the_mean() -> None:
    mixed = [
        FirstPage(types=("census", "birth", *("census",) * (number % 5)), attached=number % 4)
        for number in range(60)
    ]

    for third in measure_engagement(mixed, type_count=3, seed=1).thirds:
        assert third.low <= third.attachments <= third.high
        assert third.low < third.high


def test_pages_come_from_whole_and_from_compact_entries(searched: Path, tmp_path: Path) -> None:
    path = Path(copy(searched, tmp_path / "log.forebear"))
    with forebear.open(path) as archive:
        result = archive.search("Mary Cornell", log=False)
        archive.log(result, searcher="192.0.2.7", compact=True)

        pages = read_first_pages(archive)

    assert len(pages) == 26  # 24 people, one who is absent, and the visitor's search
    assert pages[-1].types == tuple(hit.record_type for hit in result[:20])
    assert pages[-1].attached == 0
    assert pages[1].attached == 4
    assert {"birth", "census", "residence"} <= set(pages[1].types)


def visit(query: str, user: str) -> Visit:
    return Visit(day=1, user=user, family="f1", query_id=query, person=1, stage=0, in_archive=True)


def test_simulated_users_attach_once_what_is_right(world: World, imported: Path) -> None:
    with forebear.open(imported) as archive:
        searches = search_world(
            archive, world, lists=None, searches=2, model=None, progress=lambda _: None
        )
    twice = [*searches, searches[1]]
    visits = {"q0": visit("q0", "u1"), "q1": visit("q1", "u2")}

    pages = simulate_first_pages(twice, visits, seed=1, behavior=CAREFUL)

    assert [page.attached for page in pages] == [3, 4, 0]  # the user has those of q1 already
    assert len(pages[0].types) > 2
    assert simulate_first_pages(searches, {}, seed=1) == []


def test_the_caveat_names_simulated_users() -> None:
    real = measure_engagement(PAGES, type_count=2, seed=1)
    simulated = measure_engagement(PAGES, type_count=2, seed=1, simulated=True)

    assert "users are simulated" not in real.caveat
    assert "users are simulated" in simulated.caveat
