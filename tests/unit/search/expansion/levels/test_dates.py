"""Tests for `forebear.search.expansion.levels.dates`: days, years apart, times of life."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from forebear.search.expansion.catalog import Clause

Clauses = Callable[..., dict[str, Clause]]

PRINCIPAL = {"record.role=principal"}
RUNGS = ("exact", "within1", "within2", "within5", "within10")


def events(**dates: str) -> dict[str, Any]:
    return {"events": [{"kind": kind, "date": date} for kind, date in dates.items()]}


def dated(field: str, named: Iterable[object], years: Iterable[object]) -> frozenset[str]:
    """Return the terms of a date that names and allows these."""
    named, years = list(named), list(years)
    found = {f"{field}.date={value}" for value in named}
    found |= {f"{field}.year={year}" for year in years}
    found |= {f"has={field}.date"} if named else set()
    return frozenset(found | ({f"has={field}.year"} if years else set()))


def in_year(year: int, field: str = "event") -> frozenset[str]:
    return dated(field, [year], [year])


def levels(asked: dict[str, Clause], fact: str, persona: frozenset[str]) -> set[str]:
    return {
        name.rpartition(".")[2]
        for name, clause in asked.items()
        if name.rpartition(".")[0] == fact and clause.fires_on(persona)
    }


@pytest.mark.parametrize(
    ("off", "expected"),
    [
        (0, set(RUNGS)),
        (1, set(RUNGS[1:])),
        (2, set(RUNGS[2:])),
        (3, set(RUNGS[3:])),
        (5, set(RUNGS[3:])),
        (6, set(RUNGS[4:])),
        (10, set(RUNGS[4:])),
        (11, {"conflict"}),
    ],
)
@pytest.mark.parametrize("side", [-1, 1])
def test_years_apart(clauses: Clauses, off: int, expected: set[str], side: int) -> None:
    asked = clauses("census", **events(birth="1851"))

    found = levels(asked, "birth.year", in_year(1851 + side * off, "birth"))

    assert found - {"age_band"} == expected


@pytest.mark.parametrize(
    ("query", "named", "years", "expected"),
    [
        # A closed span gives `exact` all its years.
        ("bet 1850 and 1853", [1853], [1853], set(RUNGS)),
        ("abt 1850", [1850], [1850], set(RUNGS)),
        ("abt 1850", [1852], [1852], set(RUNGS[1:])),
        ("abt 1850", [1862], [1862], set(RUNGS[4:])),
        ("abt 1850", [1863], [1863], {"conflict"}),
        # An open date names no year, allows ten, and contradicts nothing on its open side.
        ("bef 1850", [1850], [1850], set(RUNGS[1:])),
        ("bef 1850", [1840], [1840], set(RUNGS[1:])),
        ("bef 1850", [1830], [1830], {"within10"}),
        ("bef 1850", [1829], [1829], set()),
        ("bef 1850", [1740], [1740], set()),
        ("bef 1850", [1861], [1861], {"conflict"}),
        ("aft 1850", [1900], [1900], set()),
        ("aft 1850", [1839], [1839], {"conflict"}),
        # On a record neither.
        ("1850", [], range(1840, 1851), set(RUNGS[1:])),
        ("1900", [], range(1840, 1851), set()),
        ("1850", ["185x"], range(1850, 1860), set(RUNGS[1:])),
        ("1830", ["185x"], range(1850, 1860), {"conflict"}),
    ],
)
def test_dates_that_are_no_single_year(
    clauses: Clauses, query: str, named: list[object], years: Iterable[int], expected: set[str]
) -> None:
    asked = clauses("baptism", **events(birth=query))

    assert levels(asked, "birth.year", dated("birth", named, years)) == expected


def test_a_missing_date_is_one_that_allows_nothing(clauses: Clauses) -> None:
    asked = clauses("marriage", **events(marriage="1875"))
    part = "record.part=marriage/1870/groom"

    undated = frozenset({part})
    open_date = frozenset({part, *dated("marriage", [], range(1840, 1851))})

    assert levels(asked, "marriage.year", undated) == {"missing"}
    assert levels(asked, "marriage.year", open_date) == set()


@pytest.mark.parametrize(
    ("query", "named", "expected"),
    [
        (
            "12 Mar 1851",
            ["1851", "1851-03", "1851-03-12", "--03-12"],
            {"day", "month", "day_month"},
        ),
        ("12 Mar 1851", ["1851", "1851-03", "1851-03-13", "--03-13"], {"month"}),
        ("12 Mar 1851", ["1815", "1815-03", "1815-03-12", "--03-12"], {"day_month"}),
        ("12 Mar 1851", ["1851"], set()),
        ("Mar 1851", ["1851", "1851-03", "1851-03-12", "--03-12"], {"month"}),
        ("11 Feb 1731/32", ["1731", "1731-02", "1731-02-11"], {"day", "month"}),
        ("12 Mar 950", ["950", "0950-03", "0950-03-12"], {"day", "month"}),
        ("15 Mar 44 BC", ["-43", "-0043-03", "-0043-03-15"], {"day", "month"}),
        ("Mar q 1851", ["1851", "1851-q1"], set()),
    ],
)
def test_the_same_day_and_month(
    clauses: Clauses, query: str, named: list[str], expected: set[str]
) -> None:
    asked = clauses("baptism", **events(birth=query))

    assert levels(asked, "birth.date", dated("birth", named, [])) == expected


@pytest.mark.parametrize("vague", ["1851", "abt 12 Mar 1851", "aft 12 Mar 1851", "bef 1851"])
def test_a_vague_date_has_no_day(clauses: Clauses, vague: str) -> None:
    asked = clauses("baptism", **events(birth=vague))

    assert not {name for name in asked if name.startswith("birth.date.")}
    assert "event.delay.days90" not in asked


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("1851-03-11", {"years1"}),
        ("1851-03-12", {"days90", "years1"}),
        ("1851-06-10", {"days90", "years1"}),
        ("1851-06-11", {"years1"}),
        ("1852-06-11", {"years1"}),
        ("1853-01-01", set()),
    ],
)
def test_a_baptism_follows_the_birth(clauses: Clauses, day: str, expected: set[str]) -> None:
    asked = clauses("baptism", **events(birth="12 Mar 1851"))
    year = day[:4]

    child = dated("event", [day, year], [year]) | PRINCIPAL
    assert levels(asked, "event.delay", child) == expected


def test_the_day_of_a_baptism_is_not_compared_with_the_birth_of_the_parents(
    clauses: Clauses,
) -> None:
    asked = clauses("baptism", **events(birth="12 Mar 1851", baptism="30 Mar 1851"))
    mother = dated("event", ["1851-03-30", "1851-03", 1851], [1851]) | {"record.role=parent"}

    assert levels(asked, "event.delay", mother | PRINCIPAL)
    assert levels(asked, "baptism.year", mother | PRINCIPAL)
    assert levels(asked, "baptism.date", mother | PRINCIPAL)
    for fact in ("event.delay", "baptism.year", "baptism.date"):
        assert not levels(asked, fact, mother)


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


def test_a_burial_follows_the_death_within_two_weeks(clauses: Clauses) -> None:
    asked = clauses("burial", **events(death="25 Dec 1910"))

    assert levels(asked, "event.delay", dated("event", ["1911-01-08"], [1911])) == {
        "days14",
        "years1",
    }
    assert levels(asked, "event.delay", dated("event", ["1911-01-09"], [1911])) == {"years1"}


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
    asked = clauses("marriage", **events(birth="1851"))

    assert levels(asked, "event.year", in_year(year)) == expected


def test_the_dead_do_not_marry_but_their_children_do(clauses: Clauses) -> None:
    asked = clauses("marriage", **events(birth="1851"))
    long_after = in_year(1953)

    assert "after_death" not in levels(asked, "event.year", long_after)
    assert "after_death" in levels(asked, "event.year", long_after | {"record.role=principal"})


def test_no_age_is_unusual_for_a_birth_that_is_open(clauses: Clauses) -> None:
    asked = clauses("marriage", **events(birth="bef 1850"))

    assert levels(asked, "event.year", in_year(1800)) == {"in_lifespan"}


@pytest.mark.parametrize(
    ("year", "expected"),
    [(1846, set()), (1847, {"before_children"}), (1877, {"before_children"}), (1878, set())],
)
def test_a_wedding_comes_before_the_children(
    clauses: Clauses, year: int, expected: set[str]
) -> None:
    children = [{"kind": "child", **events(birth=born)} for born in ("1876", "1884")]
    asked = clauses("marriage", given="Mary", relatives=children)

    found = levels(asked, "event.year", in_year(year))

    assert found & {"before_children", "after_children"} == expected


def test_a_wedding_after_the_last_child_is_another_wedding(clauses: Clauses) -> None:
    def after(born: str, year: int) -> bool:
        children = [{"kind": "child", **events(birth=born)}]
        asked = clauses("marriage", given="Mary", relatives=children)
        return "after_children" in levels(asked, "event.year", in_year(year))

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
    known = [{"kind": parent, **events(birth="1820")}]
    clause = clauses("baptism", given="Mary", relatives=known)["parents.ages_plausible"]

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
    asked = clauses("census", **events(marriage="1875"))

    assert levels(asked, "self.marital", in_year(year) | {f"self.marital={status}"}) == expected


def test_nobody_is_single_too_long_before_a_wedding_that_is_open(clauses: Clauses) -> None:
    asked = clauses("census", **events(marriage="aft 1850"))

    assert levels(asked, "self.marital", in_year(1871) | {"self.marital=single"}) == set()


def test_a_census_between_two_known_events(clauses: Clauses) -> None:
    asked = clauses("census", **events(birth="1851", residence="1881"))
    one = clauses("census", **events(birth="1851"))

    assert "known_span" in levels(asked, "event.year", in_year(1861))
    assert "known_span" not in levels(asked, "event.year", in_year(1891))
    assert "event.year.known_span" not in one


@pytest.mark.parametrize(
    ("record_type", "clause", "query", "year", "note"),
    [
        ("burial", "birth.year.inferred", events(marriage="1875"), 1850, "the marriage"),
        ("burial", "death.year.inferred", events(birth="1851"), 1911, "the last known event"),
        ("marriage", "marriage.year.inferred", events(birth="1851"), 1875, "birth and children"),
    ],
)
def test_what_the_rules_work_out_is_asked_and_told(
    clauses: Clauses, record_type: str, clause: str, query: dict[str, Any], year: int, note: str
) -> None:
    asked = clauses(record_type, given="Mary", **query)[clause]

    assert asked.fires_on(in_year(year, clause.split(".")[0]))
    assert asked.note.endswith(f"worked out from {note}")


def test_an_age_is_compared_with_the_age(clauses: Clauses) -> None:
    asked = clauses("marriage", **events(birth="1851"))
    aged = frozenset({"birth.year.age=1849", "birth.year.age=1850"})

    assert levels(asked, "birth.year", aged) == {"from_age1", "from_age2", "from_age5"}
    assert levels(asked, "birth.year", frozenset({"birth.year.age=1853"})) == {
        "from_age2",
        "from_age5",
    }


def test_a_birth_worked_out_from_an_age_says_so(clauses: Clauses) -> None:
    asked = clauses("census", age={"at": "1881", "years": 30})

    assert asked["birth.year.exact"].any_of == (frozenset({"birth.date=1850", "birth.date=1851"}),)
    assert asked["birth.year.exact"].note == "birth worked out from age 30 in 1881"
