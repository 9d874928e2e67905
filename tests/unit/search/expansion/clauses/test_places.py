"""Tests for `forebear.search.expansion.clauses.places`."""

from collections.abc import Callable
from typing import Any

import pytest

from forebear.normalize.place_levels import ancestor_ids, place_words
from forebear.normalize.places import read_place
from forebear.search.expansion.catalog import Clause

Clauses = Callable[..., dict[str, Clause]]

LAYHAM = "Layham, Suffolk, England"
BOSTON = "Boston, Suffolk County, Massachusetts, USA"


def events(**places: str) -> dict[str, Any]:
    return {"events": [{"kind": kind, "place": place} for kind, place in places.items()]}


def at(field: str, text: str) -> frozenset[str]:
    """Return the terms of a place that is known with its country."""
    place = read_place(text).place
    assert place is not None
    ids = {f"{field}={id_}" for id_ in ancestor_ids(place)}
    words = {f"{field}.word={word}" for word in place_words(text)}
    return frozenset(ids | words | {f"has={field}", f"has={field}.word"})


def levels(by_name: dict[str, Clause], fact: str, persona: frozenset[str]) -> set[str]:
    return {
        name.rpartition(".")[2]
        for name, clause in by_name.items()
        if name.rpartition(".")[0] == fact and clause.fires_on(persona)
    }


@pytest.mark.parametrize(
    ("query", "written", "expected"),
    [
        (LAYHAM, LAYHAM, {"exact", "town", "county", "country", "text"}),
        (LAYHAM, "St Andrew, Layham, Suffolk", {"exact", "town", "county", "country", "text"}),
        ("St Andrew, Layham, Suffolk", LAYHAM, {"town", "county", "country"}),
        (LAYHAM, "Hadleigh, Suffolk", {"county", "country"}),
        (LAYHAM, "Norwich, Norfolk", {"country", "other_county"}),
        (LAYHAM, "Cork, Ireland", {"conflict"}),
        (LAYHAM, "Layham, Ireland", {"conflict", "text"}),
        ("Suffolk", "Hadleigh, Suffolk", {"exact", "county", "country"}),
        ("England", "Hadleigh, Suffolk", {"exact", "country"}),
        (BOSTON, BOSTON, {"exact", "town", "county", "state", "country", "text"}),
        (BOSTON, "Salem, Massachusetts, USA", {"state", "country"}),
        (BOSTON, "Ohio, USA", {"country", "other_state"}),
        (BOSTON, "Maine, USA", {"country"}),  # part of Massachusetts until 1820
        ("USA", "Ohio, USA", {"exact", "country", "text"}),
        ("Leeds, West Riding of Yorkshire, England", "Yorkshire, England", {"county", "country"}),
        ("Atlantis", "Cork, Ireland", set()),
        ("Marby, Linmark, Austrey", "Marby, Linmark", {"town", "county", "text"}),
        ("Marby, Linmark, Austrey", "Selby, Linmark", {"county"}),
        ("Marby, Linmark, Austrey", "Selby, Linmark, Austrey", {"county"}),
        ("Linmark, Austrey", "Selby, Linmark", {"county", "text"}),
        ("Marby, Linmark, Austrey", "Selby, Austrey", set()),
    ],
)
def test_the_levels_of_a_place(
    clauses: Clauses, query: str, written: str, expected: set[str]
) -> None:
    by_name = clauses("census", **events(birth=query))

    fired_levels = levels(by_name, "birth.place", at("birth.place", written))

    assert fired_levels == expected


def test_an_unresolved_place_is_neither_missing_nor_in_conflict(clauses: Clauses) -> None:
    by_name = clauses("census", **events(birth=LAYHAM))
    part = "record.part=census/1880/head"
    bare = frozenset(
        {
            part,
            "birth.place=p:hadleigh",
            "birth.place=p:",
            "birth.place.word=hadleigh",
            "has=birth.place",
            "has=birth.place.word",
        }
    )

    assert levels(by_name, "birth.place", frozenset({part})) == {"missing"}
    assert levels(by_name, "birth.place", bare) == set()


def test_a_query_whose_country_is_unknown_contradicts_nothing(clauses: Clauses) -> None:
    several = {
        "events": [
            {"kind": "residence", "place": "Atlantis"},
            {"kind": "residence", "place": BOSTON},
        ]
    }

    assert "birth.place.conflict" not in clauses("census", **events(birth="Atlantis"))
    assert "residence.place.conflict" not in clauses("census", **several)


@pytest.mark.parametrize(
    ("record_type", "clause", "field", "tolerates"),
    [
        ("census", "birth.place.conflict", "birth.place", {"england"}),
        ("census", "residence.place.conflict", "residence.place", {"england", "ireland", "usa"}),
        ("baptism", "baptism.place.conflict", "event.place", {"england"}),
        ("marriage", "marriage.place.conflict", "marriage.place", {"ireland"}),
        ("burial", "burial.place.conflict", "event.place", {"usa"}),
    ],
)
def test_where_people_lived_tolerates_every_country_of_their_lives(
    clauses: Clauses, record_type: str, clause: str, field: str, tolerates: set[str]
) -> None:
    conflict = clauses(record_type, **events(birth=LAYHAM, marriage="Cork, Ireland", death=BOSTON))[
        clause
    ]
    countries = {"england": LAYHAM, "ireland": "Cork, Ireland", "usa": BOSTON, "fr": "France"}

    tolerated = {
        name for name, place in countries.items() if not conflict.fires_on(at(field, place))
    }

    assert tolerated == tolerates


def test_a_baptism_is_looked_for_at_the_birthplace(clauses: Clauses) -> None:
    by_name = clauses("baptism", **events(birth=LAYHAM))
    with_both = clauses("baptism", **events(birth=LAYHAM, baptism="Norwich, Norfolk"))
    mother = at("event.place", LAYHAM)
    child = mother | {"record.role=principal"}

    assert "exact" in levels(by_name, "baptism.place", child)
    assert "exact" not in levels(with_both, "baptism.place", child)
    assert not levels(by_name, "baptism.place", mother)


def test_a_place_that_may_lie_in_either_state_is_in_no_other(clauses: Clauses) -> None:
    by_name = clauses("census", **events(birth=BOSTON))
    either = at("birth.place", BOSTON) | at("birth.place", "Columbus, Ohio, USA")

    assert "other_state" not in levels(by_name, "birth.place", either)


def test_parents_come_from_somewhere(clauses: Clauses) -> None:
    by_name = clauses("census", given="Mary", relatives=[{"kind": "father", "birthplace": LAYHAM}])

    assert levels(by_name, "father.birthplace", at("father.birthplace", LAYHAM)) == {
        "exact",
        "country",
    }
    assert levels(by_name, "father.birthplace", at("father.birthplace", "Norwich, Norfolk")) == {
        "country"
    }
    assert not [name for name in by_name if name.startswith("mother.birthplace")]


@pytest.mark.parametrize(
    ("covered", "fires"),
    [("p:suffolk,england", True), ("p:england", True), ("p:norfolk,england", False)],
)
def test_a_collection_covers_a_place_of_the_life(
    clauses: Clauses, covered: str, fires: bool
) -> None:
    clause = clauses("census", **events(birth=LAYHAM))["record.coverage.match"]

    assert clause.fires_on(frozenset({f"record.coverage={covered}"})) == fires
