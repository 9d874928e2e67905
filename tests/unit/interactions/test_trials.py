"""Tests for `forebear.interactions.trials`: the evidence."""

from itertools import product
from math import isclose, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.interactions.trials import MAX_SEARCHES, STAKES, capital, weigh

signs = st.lists(st.sampled_from([-1, 0, 1]), max_size=12)


@given(signs)
def test_the_capital_is_the_mean_of_the_products(of_searches: list[int]) -> None:
    products = [prod(1 + stake * sign for sign in of_searches) for stake in STAKES]

    value = capital(of_searches.count(1), of_searches.count(-1))

    assert isclose(value, sum(products) / len(STAKES))


@pytest.mark.parametrize("length", [1, 4, 8])
def test_the_capital_of_a_fair_game_is_one_on_average(length: int) -> None:
    games = [capital(game.count(1), game.count(-1)) for game in product([-1, 1], repeat=length)]

    assert isclose(sum(games) / len(games), 1.0)


def test_the_first_crossing_decides_whatever_comes_after() -> None:
    wins = weigh([1] * 200)

    assert wins.decision == "promote"
    assert wins.searches < 20
    assert weigh([1] * wins.searches + [-1] * 500) == wins
    assert weigh([1] * (wins.searches - 1)).decision == "continue"


def test_a_trial_without_a_difference_ends_after_a_thousand_searches() -> None:
    evidence = weigh([1, -1] * MAX_SEARCHES)

    assert evidence.decision == "stop"
    assert evidence.searches <= MAX_SEARCHES
    assert weigh([0] * (MAX_SEARCHES - 1)).decision == "continue"
    assert (weigh([0] * MAX_SEARCHES).decision, weigh([0] * 5000).searches) == ("stop", 1000)


def test_at_most_one_fair_game_in_twenty_promotes() -> None:
    random = np.random.default_rng(7)
    games = random.choice([-1, 0, 1], size=(1000, MAX_SEARCHES), p=[0.3, 0.4, 0.3])

    promoted = sum(weigh(game).decision == "promote" for game in games.tolist())

    assert promoted / len(games) < 0.05
