"""Tests for `forebear.search.results.verdict`: a comparison in words."""

from collections.abc import Sequence

import pytest

from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.search.expansion.catalog import CatalogRow, load_catalog
from forebear.search.results.fact import fact_of
from forebear.search.results.stated import Statement, Value
from forebear.search.results.verdict import verdict
from forebear.search.terms.values import allowed_years

CATALOG = {row.clause: row for row in load_catalog()["census"]}


def judged(clauses: Sequence[str], stated: Value, recorded: Value | None) -> str:
    rows = [CATALOG[clause] for clause in clauses]
    statement = Statement((stated,), (recorded,) if recorded else ())
    fact = fact_of(clauses[0])
    return verdict(fact, [(row, row.polarity) for row in rows], statement)


def dated(text: str) -> Value:
    return Value(text, years=allowed_years(read_date(text)))


def placed(text: str) -> Value:
    return Value(text, place=read_place(text).place)


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ("variant exact similar phonetic edit1", "same name"),
        ("variant abbreviated", "a short form of the same name"),
        ("variant", "a form of the same name"),
        ("phonetic similar edit1", "one letter differs"),
        ("phonetic", "sounds alike"),
        ("missing", "not stated in the record"),
        ("conflict", "conflicts"),
    ],
)
def test_the_most_specific_level_of_a_name_gives_the_words(levels: str, words: str) -> None:
    clauses = [f"self.given.{level}" for level in levels.split()]

    assert judged(clauses, Value("William"), Value("Wm")) == words


@pytest.mark.parametrize(
    ("recorded", "levels", "words"),
    [
        ("1812", "exact within1 within2 within5", "same year"),
        ("1813", "within1 within2 within5", "1 year apart"),
        ("1814", "within2 within5", "2 years apart"),
        ("abt 1813", "within1 within2", "the years fit"),
        ("1840", "conflict", "conflicts: 28 years apart"),
    ],
)
def test_years_are_counted(recorded: str, levels: str, words: str) -> None:
    clauses = [f"birth.year.{level}" for level in levels.split()]

    assert judged(clauses, dated("1812"), dated(recorded)) == words


@pytest.mark.parametrize(
    ("recorded", "levels", "words"),
    [
        ("Layham, Suffolk, England", "exact town county country", "same place"),
        ("Raydon, Suffolk, England", "county country", "same county, other town"),
        ("Suffolk, England", "county country", "same county, no town stated"),
        ("Norwich, Norfolk, England", "country", "same country, other region"),
        ("Paris, France", "conflict", "conflicts"),
    ],
)
def test_places_agree_as_far_as_they_do(recorded: str, levels: str, words: str) -> None:
    clauses = [f"birth.place.{level}" for level in levels.split()]

    assert judged(clauses, placed("Layham, Suffolk, England"), placed(recorded)) == words


def test_the_parts_of_a_relatives_name_are_judged_apart_unless_they_agree() -> None:
    stated, recorded = Value("Maria Aldous"), Value("Maria Aldis")
    same = ["spouse.given.exact", "spouse.given.variant"]

    assert judged(same, stated, recorded) == "same name"
    assert judged([*same, "spouse.given.conflict"], stated, recorded) == "same name; conflicts"
    fathers = ["father.given.exact", "father.surname.conflict"]
    assert judged(fathers, stated, recorded) == "given name: same name; surname: conflicts"


def test_what_fires_no_clause_is_not_stated_or_does_not_agree() -> None:
    fact = fact_of("self.occupation.match")
    stated = (Value("smith"),)

    assert verdict(fact, [], Statement(stated, ())) == "not stated in the record"
    other = Statement(stated, (Value("baker"),))
    assert verdict(fact, [], other) == "does not agree"


def test_a_sex_that_the_given_name_implies_agrees_without_a_clause() -> None:
    fact = fact_of("self.sex.match")
    stated = (Value("male"),)

    words = verdict(fact, [], Statement(stated, (Value("male"),)))
    assert words == "agrees, but the given name implies it"


def test_a_level_that_nobody_listed_speaks_by_the_words_of_its_clause() -> None:
    row = CatalogRow(
        "census", "self.surname.new", 1, "term", (), (), "", "begins with the same letters"
    )

    words = verdict(fact_of(row.clause), [(row, 5)], Statement((), ()))

    assert words == "begins with the same letters"
