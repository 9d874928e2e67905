"""Tests for `forebear_lab.simulation.behavior`."""

import numpy as np
import pytest

from forebear.errors import InputError
from forebear_lab.simulation.behavior import CAREFUL, Actions, Behavior, act

HITS = [f"c:{number}" for number in range(100)]
SEARCHES = 3000


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
