"""Tests for `forebear.search.expansion.clauses.people`: relatives counted and elsewhere."""

from collections.abc import Callable
from typing import Any

import pytest

from forebear.normalize.name_keys import daitch_mokotoff
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import Record
from forebear.search.expansion.catalog import Clause
from forebear.search.terms.term import terms

Clauses = Callable[..., dict[str, Clause]]


def family(kind: str, *names: str) -> dict[str, Any]:
    return {
        "given": "Mary",
        "surname": "Brown",
        "relatives": [
            {"kind": kind, "given": name.split()[0], "surname": " ".join(name.split()[1:])}
            for name in names
        ],
    }


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (["ann"], set()),
        (["ann", "wm"], {"child.given.two_or_more"}),
        (["ann", "nancy"], set()),
        (["ann", "bill", "geo"], {"child.given.two_or_more", "child.given.three_or_more"}),
        (["ann", "henry"], set()),
    ],
)
def test_several_children_of_the_right_names(
    clauses: Clauses, written: list[str], expected: set[str]
) -> None:
    by_name = clauses("census", **family("child", "Ann", "William", "George"))

    fired = {
        name
        for name, clause in by_name.items()
        if clause.kind == "count" and clause.fires_on(terms("child.given", written))
    }

    assert fired == expected


@pytest.mark.parametrize("record_type", RECORD_TYPES)
def test_a_spouse_is_compared_in_every_type(clauses: Clauses, record_type: str) -> None:
    by_name = clauses(record_type, **family("spouse", "Thomas Green"))

    def fired(given: str, surname: str) -> set[str]:
        named = {
            f"spouse.given={given}",
            f"spouse.given.initial={given[0]}",
            *(f"spouse.given.dm={code}" for code in daitch_mokotoff(given)),
            f"spouse.surname={surname}",
            *(f"spouse.surname.dm={code}" for code in daitch_mokotoff(surname)),
        }
        spouse = frozenset({"has=spouse.given", "has=spouse.surname", *named})
        levels = ("given.variant", "given.conflict", "surname.phonetic", "surname.conflict")
        return {
            level
            for level in (*levels, "name.full_exact")
            if by_name[f"spouse.{level}"].fires_on(spouse)
        }

    assert fired("thomas", "green") == {"given.variant", "surname.phonetic", "name.full_exact"}
    assert fired("thos", "greene") == {"given.variant", "surname.phonetic"}
    assert fired("henry", "hall") == {"given.conflict", "surname.conflict"}
    assert not by_name["spouse.given.conflict"].fires_on(frozenset())


def test_one_child_is_not_several(clauses: Clauses) -> None:
    by_name = clauses("census", **family("child", "Ann", "ann"))

    assert not [name for name in by_name if name.startswith("child.given.two")]


@pytest.mark.parametrize("count", range(6))
def test_members_of_the_family_are_counted(clauses: Clauses, count: int) -> None:
    names = ["ann", "william", "george", "thomas", "eliza"]
    by_name = clauses("census", **family("sibling", *names))

    fired = {
        name.removeprefix("family.")
        for name, clause in by_name.items()
        if name.startswith("family.") and clause.fires_on(terms("other.given", names[:count]))
    }

    words = {2: "two_members", 3: "three_members", 4: "four_members"}
    assert fired == {word for number, word in words.items() if number <= count}


def test_a_relative_elsewhere_on_the_record(clauses: Clauses) -> None:
    by_name = clauses("baptism", **family("other", "William Hall"))

    exact, variant = (by_name[f"other.name.{level}"] for level in ("exact", "variant"))

    assert exact.fires_on(terms("other.name", ["william hall"]))
    assert not exact.fires_on(terms("other.name", ["wm hall"]))
    assert variant.fires_on(terms("other.name", ["wm hall"]))
    assert not variant.fires_on(terms("other.name", ["wm brown"]))


def test_a_relative_without_a_surname_is_no_full_name(clauses: Clauses) -> None:
    by_name = clauses("baptism", **family("child", "William"))

    assert "other.name.exact" not in by_name
    assert "other.surname.exact" not in by_name


def test_the_persons_own_surname_is_no_news_of_the_family(clauses: Clauses) -> None:
    by_name = clauses("baptism", **family("father", "John Brown", "Henry Nunn"))

    assert by_name["other.surname.exact"].any_of == (frozenset({"other.surname=nunn"}),)


def test_a_relative_is_named_in_the_notes(
    fired: Callable[..., frozenset[str]], burial: Record
) -> None:
    named = family("mother", "Grave")

    assert "record.text.relative" in fired((burial,), "deceased", **named)
    assert "record.text.relative" not in fired((burial,), "deceased", **family("mother", "Ann"))
