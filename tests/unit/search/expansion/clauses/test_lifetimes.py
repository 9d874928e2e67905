"""Tests for `forebear.search.expansion.clauses.lifetimes`: times of life and ages."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from forebear.search.expansion.catalog import Clause

Clauses = Callable[..., dict[str, Clause]]

PRINCIPAL = {"record.role=principal"}


def events(**dates: str) -> dict[str, Any]:
    return {"events": [{"kind": kind, "date": date} for kind, date in dates.items()]}


def dated(field: str, named: Iterable[object], years: Iterable[object]) -> frozenset[str]:
    """Return the terms of a date that names and allows these."""
    named, years = list(named), list(years)
    of_date = {f"{field}.date={value}" for value in named}
    of_date |= {f"{field}.year={year}" for year in years}
    of_date |= {f"has={field}.date"} if named else set()
    return frozenset(of_date | ({f"has={field}.year"} if years else set()))


def in_year(year: int, field: str = "event") -> frozenset[str]:
    return dated(field, [year], [year])


def levels(by_name: dict[str, Clause], fact: str, persona: frozenset[str]) -> set[str]:
    return {
        name.rpartition(".")[2]
        for name, clause in by_name.items()
        if name.rpartition(".")[0] == fact and clause.fires_on(persona)
    }


@pytest.mark.parametrize(
    ("record_type", "sex", "year", "fires"),
    [
        ("baptism", "f", 1863, True),
        ("baptism", "f", 1864, False),
        ("baptism", "f", 1906, False),
        ("baptism", "f", 1907, True),
        ("baptism", "m", 1931, False),
        ("baptism", "m", 1932, True),
        ("birth", "f", 1907, True),
        ("census", "f", 1863, True),
        ("census", "f", 1907, False),
        ("burial", "f", 1864, False),
    ],
)
def test_a_parent_is_neither_too_young_nor_too_old(
    clauses: Clauses, record_type: str, sex: str, year: int, fires: bool
) -> None:
    clause = clauses(record_type, sex=sex, **events(birth="1851"))["event.age.not_parent"]

    assert clause.fires_on(in_year(year) | {"record.role=parent"}) == fires
    assert not clause.fires_on(in_year(year) | PRINCIPAL)


def test_a_parent_whose_child_is_dated_vaguely_may_be_of_age(clauses: Clauses) -> None:
    clause = clauses("baptism", **events(birth="1851"))["event.age.not_parent"]
    parent = frozenset({"record.role=parent"})

    assert not clause.fires_on(dated("event", [], range(1860, 1866)) | parent)
    assert not clause.fires_on(parent)


@pytest.mark.parametrize(
    ("year", "expected"),
    [
        (1862, {"in_lifespan", "unusual"}),
        (1863, {"in_lifespan"}),
        (1869, {"in_lifespan", "usual"}),
        (1891, {"in_lifespan", "usual"}),
        (1892, {"in_lifespan"}),
        (1848, {"unusual"}),
        (1847, {"unusual", "before_birth"}),
        (1952, {"unusual"}),
    ],
)
def test_a_wedding_at_each_time_of_life(clauses: Clauses, year: int, expected: set[str]) -> None:
    by_name = clauses("marriage", **events(birth="1851"))

    assert levels(by_name, "event.year", in_year(year)) == expected


def test_the_dead_do_not_marry_but_their_children_do(clauses: Clauses) -> None:
    by_name = clauses("marriage", **events(birth="1851"))
    long_after = in_year(1953)

    assert "after_death" not in levels(by_name, "event.year", long_after)
    assert "after_death" in levels(by_name, "event.year", long_after | {"record.role=principal"})


def test_no_age_is_unusual_for_a_birth_that_is_open(clauses: Clauses) -> None:
    by_name = clauses("marriage", **events(birth="bef 1850"))

    assert levels(by_name, "event.year", in_year(1800)) == {"in_lifespan"}


@pytest.mark.parametrize(
    ("year", "expected"),
    [(1846, set()), (1847, {"before_children"}), (1877, {"before_children"}), (1878, set())],
)
def test_a_wedding_comes_before_the_children(
    clauses: Clauses, year: int, expected: set[str]
) -> None:
    children = [{"kind": "child", **events(birth=born)} for born in ("1876", "1884")]
    by_name = clauses("marriage", given="Mary", relatives=children)

    fired_levels = levels(by_name, "event.year", in_year(year))

    assert fired_levels & {"before_children", "after_children"} == expected


def test_a_wedding_after_the_last_child_is_another_wedding(clauses: Clauses) -> None:
    def after(born: str, year: int) -> bool:
        children = [{"kind": "child", **events(birth=born)}]
        by_name = clauses("marriage", given="Mary", relatives=children)
        return "after_children" in levels(by_name, "event.year", in_year(year))

    assert after("1884", 1886)
    assert not after("1884", 1885)
    assert not after("aft 1884", 1900)


@pytest.mark.parametrize(
    ("sex", "year", "fires"),
    [
        ("f", 1865, False),
        ("f", 1866, True),
        ("f", 1901, True),
        ("f", 1902, False),
        ("m", 1921, True),
    ],
)
def test_a_parent_at_a_baptism_is_of_an_age_to_be_one(
    clauses: Clauses, sex: str, year: int, fires: bool
) -> None:
    clause = clauses("baptism", sex=sex, **events(birth="1851"))["event.age.parent"]

    assert clause.fires_on(in_year(year) | {"record.role=parent"}) == fires
    assert not clause.fires_on(in_year(year) | {"record.role=child"})


def test_an_adult_baptism_is_of_somebody_grown_up(clauses: Clauses) -> None:
    clause = clauses("baptism", **events(birth="1851"))["event.age.adult"]

    assert clause.fires_on(in_year(1865) | {"record.subtype=adult"})
    assert not clause.fires_on(in_year(1864) | {"record.subtype=adult"})
    assert not clause.fires_on(in_year(1865))


@pytest.mark.parametrize(
    ("parent", "year", "fires"),
    [
        ("mother", 1834, False),
        ("mother", 1835, True),
        ("mother", 1871, False),
        ("father", 1890, True),
    ],
)
def test_parents_are_of_an_age_to_have_the_child(
    clauses: Clauses, parent: str, year: int, fires: bool
) -> None:
    relatives = [{"kind": parent, **events(birth="1820")}]
    clause = clauses("baptism", given="Mary", relatives=relatives)["parents.ages_plausible"]

    assert clause.fires_on(in_year(year)) == fires


@pytest.mark.parametrize(
    ("status", "year", "expected"),
    [
        ("single", 1871, {"before_wedding"}),
        ("single", 1875, set()),
        ("single", 1881, {"still_single"}),
        ("married", 1881, {"after_wedding"}),
        ("widowed", 1881, {"after_wedding"}),
        ("married", 1871, set()),
    ],
)
def test_the_marital_status_changes_with_the_wedding(
    clauses: Clauses, status: str, year: int, expected: set[str]
) -> None:
    by_name = clauses("census", **events(marriage="1875"))

    assert levels(by_name, "self.marital", in_year(year) | {f"self.marital={status}"}) == expected


def test_nobody_is_single_too_long_before_a_wedding_that_is_open(clauses: Clauses) -> None:
    by_name = clauses("census", **events(marriage="aft 1850"))

    assert levels(by_name, "self.marital", in_year(1871) | {"self.marital=single"}) == set()


def test_a_census_between_two_known_events(clauses: Clauses) -> None:
    by_name = clauses("census", **events(birth="1851", residence="1881"))
    one = clauses("census", **events(birth="1851"))

    assert "known_span" in levels(by_name, "event.year", in_year(1861))
    assert "known_span" not in levels(by_name, "event.year", in_year(1891))
    assert "event.year.known_span" not in one
