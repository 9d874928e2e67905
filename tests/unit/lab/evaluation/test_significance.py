"""Tests for groups of queries, the randomization test, Holm's procedure and runs compared."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from forebear.errors import InputError
from forebear.learning.measures import compare, pair_differences
from forebear_lab.evaluation.compare import compare_runs, holm, randomization_test
from forebear_lab.evaluation.evaluate import Evaluation
from forebear_lab.evaluation.files import read_groups
from forebear_lab.evaluation.measures.measure import parse_measure

NDCG, MRR = parse_measure("ndcg@10"), parse_measure("mrr")
p_values = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def named(values: list[float]) -> dict[str, float]:
    return {f"q{number:04d}": value for number, value in enumerate(values)}


def nothing(values: dict[str, float]) -> dict[str, float]:
    return dict.fromkeys(values, 0.0)


def test_groups_are_read(tmp_path: Path) -> None:
    path = tmp_path / "groups.txt"
    path.write_text("q1 smith\nq2 smith\nq3 brown\n")

    assert read_groups(path) == {"q1": "smith", "q2": "smith", "q3": "brown"}


def test_a_query_of_two_groups_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "groups.txt"
    path.write_text("q1 smith\nq1 brown\n")

    with pytest.raises(
        InputError, match="line 2: expected one group for 'q1', which is in 'smith'"
    ):
        read_groups(path)


def test_a_query_without_a_group_is_refused() -> None:
    with pytest.raises(InputError, match="query 'q0001' has no group"):
        pair_differences(named([0, 0]), named([1, 1]), {"q0000": "smith"})


def test_the_mean_over_groups_is_that_over_queries() -> None:
    after = named([1.0, 0.0, 0.5])
    groups = {"q0000": "a", "q0001": "a", "q0002": "b"}

    assert pair_differences(nothing(after), after, groups).mean == pytest.approx(0.5)


def test_queries_that_belong_together_make_the_interval_wider() -> None:
    family = np.random.default_rng(1).standard_normal(40)
    after = named(np.repeat(family, 10).tolist())
    groups = {query: str(number // 10) for number, query in enumerate(after)}

    alone = compare(nothing(after), after, seed=1)
    grouped = compare(nothing(after), after, seed=1, groups=groups)

    assert grouped.difference == pytest.approx(alone.difference)
    ratio = (grouped.high - grouped.low) / (alone.high - alone.low)
    assert ratio == pytest.approx(np.sqrt(10), rel=0.1)
    assert (grouped.query_count, grouped.group_count) == (400, 40)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=7))
def test_with_few_queries_every_pattern_of_signs_is_counted(values: list[int]) -> None:
    after = named([float(value) for value in values])
    patterns = list(product([-1, 1], repeat=len(values)))
    found = abs(sum(values))
    extreme = sum(
        abs(sum(s * v for s, v in zip(signs, values, strict=True))) >= found for signs in patterns
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
    found = compare_runs(evaluations(), [NDCG, MRR], seed=1, resamples=2000)

    assert [(str(f.measure), f.before, f.after) for f in found] == [
        ("ndcg@10", "a", "b"),
        ("ndcg@10", "a", "c"),
        ("mrr", "a", "b"),
        ("mrr", "a", "c"),
    ]
    assert [f.decided for f in found] == [True, False, False, False]
    assert found[0].comparison.difference == pytest.approx(
        found[0].mean_after - found[0].mean_before
    )
    assert [f.adjusted_p_value for f in found] == holm([f.p_value for f in found])


def test_all_pairs_are_one_family() -> None:
    found = compare_runs(evaluations(), [NDCG], seed=1, resamples=2000, pairs="all")

    assert [(f.before, f.after) for f in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [f.decided for f in found] == [True, False, True]


def test_progress_is_told() -> None:
    heard: list[tuple[int, int]] = []

    compare_runs(
        evaluations(),
        [NDCG],
        seed=1,
        resamples=10,
        progress=lambda done, of: heard.append((done, of)),
    )

    assert heard == [(0, 2), (1, 2)]


def test_one_run_alone_is_refused() -> None:
    with pytest.raises(InputError, match="1 runs cannot be compared"):
        compare_runs({"a": evaluations()["a"]}, [NDCG], seed=1)
