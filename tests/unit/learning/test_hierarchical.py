"""Tests for `forebear.learning.hierarchical`."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.sparse import csr_array

from forebear.learning.hierarchical import (
    LEAST,
    JudgedRecords,
    Prior,
    _Problem,
    fit_weights,
)

TRUE_WEIGHTS = np.array([3.0, -2.0, 1.0])
QUERIES, SIZE = 400, 10


def judged(seed: int = 1, *, types: int = 1) -> JudgedRecords:
    """Return queries whose records are right with the odds of TRUE_WEIGHTS, in the first type."""
    random = np.random.default_rng(seed)
    count = QUERIES * SIZE
    fired = random.random((count, len(TRUE_WEIGHTS))) < 0.5
    odds = fired @ TRUE_WEIGHTS - 3
    columns = np.zeros((count, types * len(TRUE_WEIGHTS)), np.float64)
    columns[:, : len(TRUE_WEIGHTS)] = fired
    return JudgedRecords(
        fired=csr_array(columns),
        labels=random.random(count) < 1 / (1 + np.exp2(-odds)),
        lists=np.zeros(count, np.int64),
        shifted=csr_array(np.eye(types)),
        offsets=np.arange(0, count + 1, SIZE),
        sources=np.arange(QUERIES) % 2,
        weights=np.ones(count),
    )


def prior(*, types: int = 1, clause_sd: float = 1.0, weight_sd: float = 1.0) -> Prior:
    signs = np.sign(TRUE_WEIGHTS).astype(np.int64)
    return Prior(
        weights=np.tile(0.5 * signs, types),
        clauses=np.tile(np.arange(len(signs)), types),
        signs=np.tile(signs, types),
        shifts=np.full(types, -3.0),
        clause_sd=clause_sd,
        weight_sd=weight_sd,
    )


def test_weights_come_near_those_that_made_the_labels() -> None:
    fit = fit_weights(judged(), prior(clause_sd=3, weight_sd=3), listwise=0)

    np.testing.assert_allclose(fit.weights, TRUE_WEIGHTS, atol=0.3)


def test_a_narrow_prior_keeps_the_weights() -> None:
    narrow = prior(clause_sd=0.001, weight_sd=0.001)

    fit = fit_weights(judged(), narrow)

    np.testing.assert_allclose(fit.weights, narrow.weights, atol=0.01)


def test_a_type_without_records_takes_over_what_the_others_learned() -> None:
    both = prior(types=2)

    fit = fit_weights(judged(types=2), both)

    moved = fit.weights - both.weights
    assert (abs(moved[3:]) > 0.1).all()
    assert (abs(moved[3:]) < abs(moved[:3])).all()
    assert (moved[3:] * moved[:3] > 0).all()


def test_a_weight_keeps_the_sign_of_its_clause() -> None:
    records = judged()
    against = prior(clause_sd=3, weight_sd=3)
    turned = Prior(
        weights=-against.weights,
        clauses=against.clauses,
        signs=-against.signs,
        shifts=against.shifts,
        clause_sd=3,
        weight_sd=3,
    )

    fit = fit_weights(records, turned)

    np.testing.assert_allclose(fit.weights * turned.signs, LEAST)


@pytest.mark.parametrize("listwise", [0.0, 1.0, 3.0])
def test_the_slopes_are_those_of_the_loss(listwise: float) -> None:
    problem = _Problem(judged(types=2), prior(types=2), listwise)
    start = problem.start() + np.random.default_rng(2).normal(size=problem.start().size)

    _, slopes = problem.loss(start)

    expected = approx_fprime(start, lambda at: problem.loss(at)[0], 1e-6)
    np.testing.assert_allclose(slopes, expected, rtol=1e-3, atol=1e-2)


def test_a_query_that_only_has_right_or_wrong_records_has_no_listwise_loss() -> None:
    records = judged()
    all_right = JudgedRecords(
        fired=records.fired,
        labels=np.ones_like(records.labels),
        lists=records.lists,
        shifted=records.shifted,
        offsets=records.offsets,
        sources=records.sources,
        weights=records.weights,
    )
    with_list, without = (_Problem(all_right, prior(), listwise) for listwise in (1.0, 0.0))

    assert with_list.loss(with_list.start())[0] == pytest.approx(without.loss(without.start())[0])


def test_what_only_one_source_does_stays_with_it() -> None:
    records = judged()
    # In the other source nothing that fires has to do with the labels.
    other = np.repeat(records.sources, SIZE) == 1
    labels = np.where(other, np.random.default_rng(3).random(len(other)) < 0.2, records.labels)
    mixed = replace(records, labels=labels)

    pooled, apart = (
        fit_weights(mixed, replace(prior(), source_sd=source_sd)) for source_sd in (0.001, 3.0)
    )

    start = prior().weights
    assert (abs(apart.weights - start)[:2] < abs(pooled.weights - start)[:2]).all()
