"""Tests for `forebear.search.results.fact`: which fact does a clause belong to?"""

import pytest

from forebear.search.expansion.catalog import load_catalog
from forebear.search.results.fact import Fact, fact_of, fact_of_field

CLAUSES = sorted({row.clause for rows in load_catalog().values() for row in rows})
FIELDS = sorted({field for rows in load_catalog().values() for row in rows for field in row.fields})


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_of_the_catalog_has_a_fact_with_a_title(clause: str) -> None:
    fact = fact_of(clause)

    assert fact.title
    assert "." not in fact.title
    assert "_" not in fact.title


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_of_the_catalog_has_a_fact(field: str) -> None:
    assert fact_of_field(field).title


def test_clauses_of_one_fact_stand_together() -> None:
    names = [clause for clause in CLAUSES if clause.startswith("spouse.") and "name" in clause]
    dates = [clause for clause in CLAUSES if clause.startswith(("birth.year.", "birth.date."))]

    assert {fact_of(clause) for clause in names} == {Fact("spouse", "name")}
    assert {fact_of(clause) for clause in dates} == {Fact("birth", "date")}
    assert len({fact_of(clause) for clause in CLAUSES}) < len(CLAUSES) / 5


@pytest.mark.parametrize(
    ("clause", "title"),
    [
        ("self.maiden.exact", "surname"),
        ("self.given.conflict", "given name"),
        ("mother.maiden.exact", "mother's name"),
        ("spouse_father.given.exact", "spouse's father's name"),
        ("couple.both_exact", "spouse's name"),
        ("birth.place.county", "birth place"),
        ("father.birthplace.exact", "father's birthplace"),
        ("registration.quarter.match", "record date"),
        ("keyword.any", "keywords"),
        ("record.role.principal", "role on the record"),
    ],
)
def test_a_fact_has_a_title_that_people_use(clause: str, title: str) -> None:
    assert fact_of(clause).title == title


@pytest.mark.parametrize(
    ("clause", "title"),
    [
        ("self.surname.first_letters", "surname"),
        ("self.second_surname.exact", "second surname"),
        ("birth.place.other_state", "birth place"),
        ("godparent.given.exact", "godparent's name"),
        ("pension.year.exact", "pension date"),
        ("weather", "weather"),
    ],
)
def test_a_clause_that_nobody_listed_has_a_fact_too(clause: str, title: str) -> None:
    assert fact_of(clause).title == title
