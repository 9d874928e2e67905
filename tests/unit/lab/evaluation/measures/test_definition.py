"""Tests for ties: a measure of equal scores is its mean over every order that they allow."""

from itertools import permutations, product
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear_lab.evaluation.measures.definition import (
    Aspects,
    JudgedRanking,
    averaged,
    draw_chance,
    tie_groups,
)
from forebear_lab.evaluation.measures.measure import MEASURES, parse_measure

TEXTS = [
    *(f"{name}{cutoff}" for name in MEASURES for cutoff in ("", "@1", "@3")),
    *("ndcg@3(gain=exponential)", "ap(rel=2)", "nce@3(ideal=hits)", "nce@3(ideal=supply)"),
    *("alpha_ndcg@3(ideal=declared)", "alpha_dcg@4(alpha=0.9)"),
    *(f"{name}@3(positions=sublist)" for name in ("ndcg_ia", "mrr_ia", "map_ia")),
]
documents = st.tuples(st.integers(0, 2), st.sampled_from("ABC"))
groups_of_documents = st.lists(st.lists(documents, min_size=1, max_size=4), max_size=3).filter(
    lambda groups: 0 < sum(map(len, groups)) <= 6
)


def judged(records: list[tuple[int, str]], tied: tuple[int, ...] | None) -> JudgedRanking:
    aspects = tuple({name: grade} for grade, name in records)
    missing = {"A": 1}
    return JudgedRanking(
        grades=tuple(grade for grade, _ in records),
        judged=(*(grade for grade, _ in sorted(records)), 1),
        tied=tied,
        types=tuple(name for _, name in records),
        type_count=3,
        supply={name: sum(n == name for _, n in records) for name in "ABC"},
        aspects=Aspects(ranked=aspects, judged=(*aspects, missing), by_type=True),
    )


@pytest.mark.parametrize("text", TEXTS)
@given(groups=groups_of_documents)
@settings(max_examples=8, deadline=None)
def test_a_tied_measure_is_its_mean_over_the_orders_allowed(
    text: str, groups: list[list[tuple[int, str]]]
) -> None:
    measure = parse_measure(text)
    records = [record for group in groups for record in group]
    orders = product(*(permutations(group) for group in groups))
    values = [measure.of(judged([r for part in order for r in part], None)) for order in orders]

    value = measure.of(judged(records, tuple(map(len, groups))))

    assert value == pytest.approx(mean(values))


@pytest.mark.parametrize("text", TEXTS)
@given(records=st.lists(documents, min_size=1, max_size=8))
@settings(max_examples=5, deadline=None)
def test_groups_of_one_are_no_ties(text: str, records: list[tuple[int, str]]) -> None:
    measure = parse_measure(text)

    tied = measure.of(judged(records, (1,) * len(records)))

    assert tied == pytest.approx(measure.of(judged(records, None)))


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
def test_the_chances_of_all_draws_sum_to_one(marked: int, others: int, draws: int) -> None:
    total = marked + others
    draws = min(draws, total)

    chances = [
        draw_chance(hits, marked=marked, total=total, draws=draws) for hits in range(draws + 1)
    ]

    assert sum(chances) == pytest.approx(1.0)


def test_tied_places_share_their_gain() -> None:
    assert averaged([3, 1, 0, 2], tied=[1, 2, 1]) == [3.0, 0.5, 0.5, 2.0]


def test_groups_that_do_not_fit_the_list_are_a_mistake() -> None:
    with pytest.raises(InputError, match="groups of 3 equal scores do not add up to a list of 2"):
        list(tie_groups(2, [1, 2]))
