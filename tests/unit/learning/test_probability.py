"""Tests for `forebear.learning.probability`."""

import numpy as np
import pytest

from forebear.learning.probability import (
    JudgedHits,
    estimate_offset,
    fit_constants,
    none_of_groups,
)
from forebear.search.model import ProbabilityConstants
from forebear.search.results.probability import ScoredHits

RECORDS = 7
TRUE = ProbabilityConstants(
    scale=0.9, levels={"birth": 6.0, "marriage": 5.0}, present={"birth": 0.5}
)


def simulate(count: int, seed: int, *, present: float = 0.5) -> list[JudgedHits]:
    """Return searches of births and marriages whose odds are those of the true constants.

    Wrong hits have normal scores, and a right one has the scores that make the odds true:
    p(s | right) is proportional to p(s | wrong) 2^(b s).
    """
    random = np.random.default_rng(seed)
    none = {name: TRUE.level(name) + TRUE.gate * np.log2(RECORDS + 1) for name in TRUE.levels}
    tilt = TRUE.scale * np.log(2)
    searches = []
    for _ in range(count):
        scores, classes, labels = [], [], []
        for name in ("birth", "marriage"):
            # With these moments the prior odds present : absent are even.
            spread = 3.0
            center = (none[name] * np.log(2) - np.log(RECORDS)) / tilt - tilt * spread**2 / 2
            wrong = random.normal(center, spread, RECORDS)
            if random.random() < present:
                wrong[0] = random.normal(center + tilt * spread**2, spread)
                labels += [True, *([False] * (RECORDS - 1))]
            else:
                labels += [False] * RECORDS
            scores += wrong.tolist()
            classes += [name] * RECORDS
        groups = [("birth", None) if name == "birth" else None for name in classes]
        hits = ScoredHits(
            scores=np.array(scores),
            classes=classes,
            groups=groups,
            records=[RECORDS] * len(classes),
        )
        searches.append(JudgedHits(hits=hits, labels=np.array(labels, np.bool_)))
    return searches


def test_the_constants_that_made_the_searches_are_found_again() -> None:
    start = ProbabilityConstants(scale=0.7, levels={"birth": 7.0, "marriage": 4.0})

    fitted = fit_constants(simulate(3000, seed=1), start)

    assert fitted.scale == pytest.approx(TRUE.scale, abs=0.08)
    assert fitted.level("birth") == pytest.approx(TRUE.level("birth"), abs=0.5)
    assert fitted.present["birth"] == pytest.approx(0.5, abs=0.03)


def test_few_searches_hardly_move_the_constants() -> None:
    start = ProbabilityConstants(scale=0.7, levels={"birth": 7.0, "marriage": 4.0})

    fitted = fit_constants(simulate(3, seed=2), start)

    assert abs(fitted.scale - 0.7) < 0.2
    assert fit_constants([], start).levels == start.levels


def test_a_search_without_its_right_records_has_fewer_records_and_no_right_hit() -> None:
    search = next(search for search in simulate(20, seed=3) if search.labels.sum() == 2)

    copy = search.without_right()

    assert not copy.labels.any()
    assert len(copy.hits.scores) == len(search.hits.scores) - 2
    assert set(copy.hits.records) == {RECORDS - 1}


def test_fitted_probabilities_add_up_to_the_right_records() -> None:
    searches = simulate(1500, seed=4)
    fitted = fit_constants(searches, TRUE)

    expected = sum(
        1 - chance
        for search in searches
        for chance in none_of_groups(search.hits, search.hits.log_odds(fitted)).values()
    )
    right = sum(bool(search.labels[:RECORDS].any()) for search in searches)
    assert expected == pytest.approx(right, rel=0.05)


@pytest.mark.parametrize("present", [0.2, 0.5, 0.8])
def test_the_offset_tells_how_many_people_an_archive_has(present: float) -> None:
    searches = simulate(600, seed=5, present=present)

    offset = estimate_offset([search.hits for search in searches], TRUE)

    expected = np.log2(present / (1 - present))
    assert offset == pytest.approx(expected, abs=0.5)
    assert estimate_offset([], TRUE) == 0.0
