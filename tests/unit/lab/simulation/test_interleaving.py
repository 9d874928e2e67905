"""Tests for `forebear_lab.simulation.interleaving`."""

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.interactions.trials import Credit, capital, weigh
from forebear_lab.simulation.behavior import CAREFUL, Behavior
from forebear_lab.simulation.interleaving import capitals, interleaving_credits, trial_rates

RECORDS = [f"c:{number}" for number in range(100)]
BEST, WORST = RECORDS, RECORDS[::-1]
RIGHT = {"c:0", "c:1", "c:2"}
FIRST_PAGE = Behavior(eta=0.0, pages=1, attach_right=0.9, mistaken=0.0)


def credits_of(first: list[str], second: list[str], behavior: Behavior = CAREFUL) -> list[Credit]:
    count = 300
    return interleaving_credits(
        [first] * count, [second] * count, [RIGHT] * count, behavior=behavior, seed=3
    )


def test_the_model_with_the_right_records_first_gets_their_attachments() -> None:
    better, worse = credits_of(WORST, BEST, FIRST_PAGE), credits_of(BEST, WORST, FIRST_PAGE)

    assert sum(credit.sign for credit in better) > 0.95 * len(better)
    assert sum(credit.sign for credit in worse) < -0.95 * len(worse)


def test_equal_lists_get_equal_credit_on_average() -> None:
    credits = credits_of(BEST, BEST)

    assert all(credit.incumbent + credit.challenger == 3 for credit in credits)
    assert abs(np.mean([credit.sign for credit in credits])) < 0.15


def test_the_same_seed_gives_the_same_credits() -> None:
    assert credits_of(BEST, WORST) == credits_of(BEST, WORST)


def test_the_evidence_in_arrays_is_that_of_the_product() -> None:
    signs = np.random.default_rng(2).choice([-1, 0, 1], size=200)

    expected = [
        capital(int((signs[:n] > 0).sum()), int((signs[:n] < 0).sum())) for n in range(1, 201)
    ]

    np.testing.assert_allclose(capitals(signs), expected)


def draws(wins: int, losses: int, ties: int) -> list[Credit]:
    return [
        Credit(search_id="s", incumbent=1 + (sign < 0), challenger=1 + (sign > 0))
        for sign, count in ((1, wins), (-1, losses), (0, ties))
        for _ in range(count)
    ]


def test_trials_end_as_the_product_ends_them() -> None:
    certain = trial_rates(draws(1, 0, 0), trials=5, seed=1)

    assert (certain.promoted, certain.stopped) == (1.0, 0.0)
    assert certain.median_searches == weigh([1] * 100).searches
    assert trial_rates(draws(0, 1, 0), trials=5, seed=1).promoted == 0.0
    assert trial_rates(draws(0, 0, 1), trials=5, seed=1).stopped == 1.0


def test_a_better_model_is_promoted_and_an_equal_one_rarely() -> None:
    better = trial_rates(draws(50, 30, 20), trials=400, seed=1)
    equal = trial_rates(draws(40, 40, 20), trials=400, seed=1)

    assert better.promoted > 0.9
    assert better.promoted_by[200] < better.promoted_by[1000] == better.promoted
    assert equal.promoted < 0.05


def test_what_cannot_be_simulated_is_refused() -> None:
    with pytest.raises(InputError, match="2, 1 and 1 searches"):
        interleaving_credits([BEST] * 2, [BEST], [RIGHT], behavior=CAREFUL, seed=1)
    with pytest.raises(InputError, match="nothing was attached"):
        trial_rates([Credit(search_id="s", incumbent=0, challenger=0)], trials=1, seed=1)
