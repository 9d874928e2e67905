"""Tests for `forebear.learning.comparisons`."""

import numpy as np
import pytest

from forebear.learning.candidate_pairs import CandidatePairs
from forebear.learning.comparisons import compare_pairs, rule_of
from forebear.search.expansion.catalog import load_catalog


@pytest.mark.parametrize(
    ("clause", "comparison"),
    [
        ("self.surname.exact", "surname"),
        ("self.married.by_date", "surname"),
        ("self.middle.conflict", "given name"),
        ("birth.date.day", "dates"),
        ("event.delay.days14", "dates"),
        ("father.birthplace.country", "places"),
        ("father.given.exact", "parents"),
        ("spouse_father.given.exact", "spouse"),
        ("family.two_members", "family"),
        ("self.sex.match", "the rest"),
    ],
)
def test_a_clause_speaks_of_what_its_name_says(clause: str, comparison: str) -> None:
    assert rule_of(clause).comparison == comparison


def test_every_clause_of_the_catalog_falls_under_a_rule() -> None:
    clauses = {row.clause for rows in load_catalog().values() for row in rows}

    assert all(rule_of(clause).comparison for clause in clauses)


def test_an_outcome_is_how_many_bits_fire_together_where_it_is_asked() -> None:
    pairs = CandidatePairs(
        clauses=("self.given.exact", "self.given.variant", "birth.year.exact"),
        bits=np.array([[1, 1, 0], [0, 1, 1], [0, 0, 0]], bool),
        owners=np.array([0, 0, 1]),
        random_bits=np.array([[0, 0, 0], [0, 0, 1]], bool),
        random_owners=np.array([0, 0]),
        asked=np.array([[1, 1, 1], [1, 1, 0]], bool),
    )

    given, dates = compare_pairs(pairs, np.array([1.0, 2.0, 3.0]))

    assert given.known_bits[given.outcomes].tolist() == [3.0, 2.0, 0.0]
    assert given.random_counts is None
    assert dates.outcomes[2] == -1
    assert dates.known_bits[dates.outcomes[:2]].tolist() == [0.0, 3.0]
    assert dates.random_counts is not None
    assert dates.random_counts.tolist() == [1.0, 1.0]
