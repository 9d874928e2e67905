"""Tests for `forebear_lab.evaluation.compare`."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from forebear.errors import InputError
from forebear_lab.evaluation.compare import compare_runs, holm, randomization_test
from forebear_lab.evaluation.evaluate import Evaluation
from forebear_lab.evaluation.measures.measure import parse_measure

NDCG, MRR = parse_measure("ndcg@10"), parse_measure("mrr")
p_values = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def named(values: list[float]) -> dict[str, float]:
    return {f"q{number:04d}": value for number, value in enumerate(values)}


def nothing(values: dict[str, float]) -> dict[str, float]:
    return dict.fromkeys(values, 0.0)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=7))
def test_with_few_queries_every_pattern_of_signs_is_counted(values: list[int]) -> None:
    after = named([float(value) for value in values])
    patterns = list(product([-1, 1], repeat=len(values)))
    observed = abs(sum(values))
    extreme = sum(
        abs(sum(s * v for s, v in zip(signs, values, strict=True))) >= observed
        for signs in patterns
    )

    p_value = randomization_test(nothing(after), after, seed=1)

    assert p_value == extreme / len(patterns)


def test_with_many_queries_the_p_value_is_that_of_the_t_test() -> None:
    values = 0.1 * np.random.default_rng(4).standard_normal(300) + 0.012
    after = named(values.tolist())

    p_value = randomization_test(nothing(after), after, seed=1, resamples=20_000)

    assert p_value == pytest.approx(stats.ttest_1samp(values, 0).pvalue, abs=0.01)


def test_queries_that_belong_together_change_sign_together() -> None:
    after = named([1.0] * 12)
    groups = {query: str(number // 4) for number, query in enumerate(after)}

    assert randomization_test(nothing(after), after, seed=1, groups=groups) == 2 / 2**3


def test_rankings_that_do_not_differ_have_a_p_value_of_one() -> None:
    after = named([0.0] * 100)

    assert randomization_test(after, after, seed=1) == 1.0


def test_no_p_value_is_below_what_the_resamples_can_show() -> None:
    after = named([1.0] * 200)

    assert randomization_test(nothing(after), after, seed=1, resamples=99) == 1 / 100


def test_no_resamples_are_refused() -> None:
    with pytest.raises(InputError, match="0 resamples"):
        randomization_test({"q": 0.0}, {"q": 1.0}, seed=1, resamples=0)


def test_holm_gives_the_textbook_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@given(p_values)
def test_holm_keeps_the_order_and_never_lowers(values: list[float]) -> None:
    adjusted = holm(values)

    order = np.argsort(values, kind="stable")
    assert all(one <= another for one, another in zip(values, adjusted, strict=True))
    assert list(np.array(adjusted)[order]) == sorted(adjusted)
    assert max(adjusted) <= 1.0


def test_what_is_no_p_value_is_refused() -> None:
    with pytest.raises(InputError, match=r"is not 1\.5"):
        holm([1.5])


def evaluations() -> dict[str, Evaluation]:
    random = np.random.default_rng(2)
    noise = 0.01 * random.standard_normal((3, 60))
    ndcg = {"a": noise[0], "b": noise[1] + 0.1, "c": noise[2]}
    return {
        name: Evaluation(values={NDCG: named(values.tolist()), MRR: named([0.5] * 60)})
        for name, values in ndcg.items()
    }


def test_each_run_is_compared_with_the_first_on_each_measure() -> None:
    results = compare_runs(evaluations(), [NDCG, MRR], seed=1, resamples=2000)

    assert [(str(result.measure), result.before, result.after) for result in results] == [
        ("ndcg@10", "a", "b"),
        ("ndcg@10", "a", "c"),
        ("mrr", "a", "b"),
        ("mrr", "a", "c"),
    ]
    assert [result.decided for result in results] == [True, False, False, False]
    assert results[0].comparison.difference == pytest.approx(
        results[0].mean_after - results[0].mean_before
    )
    assert [result.adjusted_p_value for result in results] == holm(
        [result.p_value for result in results]
    )


def test_all_pairs_are_one_family() -> None:
    results = compare_runs(evaluations(), [NDCG], seed=1, resamples=2000, pairs="all")

    assert [(result.before, result.after) for result in results] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    assert [result.decided for result in results] == [True, False, True]


def test_progress_is_reported() -> None:
    calls: list[tuple[int, int]] = []

    compare_runs(
        evaluations(),
        [NDCG],
        seed=1,
        resamples=10,
        progress=lambda done, of: calls.append((done, of)),
    )

    assert calls == [(0, 2), (1, 2)]


def test_one_run_alone_is_refused() -> None:
    with pytest.raises(InputError, match="1 runs cannot be compared"):
        compare_runs({"a": evaluations()["a"]}, [NDCG], seed=1)
