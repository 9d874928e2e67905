"""Tests for `forebear_lab.simulation.behavior`."""

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.interactions.trials import Credit, capital, weigh
from forebear_lab.simulation.behavior import (
    CAREFUL,
    Actions,
    Behavior,
    act,
    capitals,
    interleaving_credits,
    trial_rates,
)

HITS = [f"c:{number}" for number in range(100)]
SEARCHES = 3000
RECORDS = [f"c:{number}" for number in range(100)]
BEST, WORST = RECORDS, RECORDS[::-1]
RIGHT = {"c:0", "c:1", "c:2"}
FIRST_PAGE = Behavior(eta=0.0, pages=1, attach_right=0.9, mistaken=0.0)


def search(number: int, behavior: Behavior, right: frozenset[str], hits: list[str]) -> Actions:
    return act(hits, right, user="u1", query_id=f"q{number}", seed=4, behavior=behavior)


@pytest.mark.parametrize("eta", [0.5, 1.0])
def test_hits_are_examined_with_the_stated_propensity_and_never_beyond_the_pages(
    eta: float,
) -> None:
    behavior = Behavior(eta=eta, page_size=10, pages=2)
    counts = np.zeros(len(HITS))
    for number in range(SEARCHES):
        for document in search(number, behavior, frozenset(), HITS).examined:
            counts[HITS.index(document)] += 1

    expected = np.array([behavior.propensity(rank) for rank in range(1, 101)])

    np.testing.assert_allclose(counts / SEARCHES, expected, atol=0.04)
    assert counts[20:].sum() == 0


def test_actions_have_the_stated_rates() -> None:
    behavior = Behavior(eta=0.0, attach_wrong=0.03, mistaken=0.0)
    right = frozenset(HITS[:20])
    sums = np.zeros((2, 4))
    for number in range(SEARCHES // 10):
        actions = search(number, behavior, right, HITS)
        groups = (actions.examined, actions.clicked, actions.attached, actions.rejected)
        for place, group in enumerate(groups):
            is_right = sum(document in right for document in group)
            sums[:, place] += is_right, len(group) - is_right

    rates = sums[:, 1:] / sums[:, :1]

    np.testing.assert_allclose(rates, [[0.95, 0.85, 0.01], [0.35, 0.03, 0.15]], atol=0.02)


def test_a_record_is_judged_alike_at_any_rank() -> None:
    everything = Behavior(eta=0.0, page_size=100, pages=1, mistaken=0.0)
    right = frozenset(HITS[::7])

    forward = search(1, everything, right, HITS)
    backward = search(1, everything, right, HITS[::-1])

    assert set(forward.attached) == set(backward.attached)
    assert set(forward.rejected) == set(backward.rejected)
    assert forward == search(1, everything, right, HITS)


def test_what_was_attached_earlier_is_passed_over() -> None:
    actions = act(
        HITS, {"c:3"}, user="u1", query_id="q1", seed=1, behavior=CAREFUL, already={"c:3"}
    )

    assert actions.attached == ()
    assert "c:3" not in actions.examined


def test_rates_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="rates of right records"):
        Behavior(attach_right=0.9, reject_right=0.2)


def test_the_stated_share_of_attachments_goes_to_the_nearest_wrong_hit() -> None:
    behavior = Behavior(eta=0.0, attach_wrong=0.0, mistaken=0.1)
    right = frozenset(HITS[:40:8])
    attached = [
        document
        for number in range(SEARCHES // 3)
        for document in search(number, behavior, right, HITS).attached
    ]

    assert all(
        set(actions.attached) <= set(actions.clicked)
        for actions in (search(number, behavior, right, HITS) for number in range(50))
    )
    wrong = [document for document in attached if document not in right]

    assert abs(len(wrong) / len(attached) - 0.1) < 0.02
    assert {HITS.index(document) % 8 for document in wrong} == {1, 7}


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
