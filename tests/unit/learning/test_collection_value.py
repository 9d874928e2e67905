"""Tests for `forebear.learning.collection_value`."""

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.collection_value import (
    Part,
    PartValue,
    RankedSearch,
    measure_searches,
    value_part,
)

TYPE_OF = {"c1881": "census", "c1891": "census", "burials": "burial"}


def ranked(id_: str, attached: set[str], *records: str) -> RankedSearch:
    return RankedSearch(id=id_, records=records, attached=frozenset(attached))


def value(
    part: Part,
    whole: list[RankedSearch],
    without: list[RankedSearch],
    years: dict[str, int | None] | None = None,
) -> PartValue:
    groups = {search.id: search.id for search in whole}
    return value_part(
        part, whole, without, type_of=TYPE_OF, years=years or {}, groups=groups, seed=1
    )


CENSUS_1881 = Part(name="c1881", record_type="census", collections=("c1881",), records=500)


def test_measures_count_attached_records_that_were_not_found() -> None:
    searches = [ranked("s1", {"c1881:1", "burials:9"}, "c1881:1"), ranked("s2", {"c1881:1"})]

    measures = measure_searches(searches, TYPE_OF)

    best = 1 + 1 / np.log2(3)
    assert measures.ndcg == pytest.approx({"s1": 1 / best, "s2": 0.0})
    assert measures.nce == {"s1": 1.0, "s2": 0.0}  # nothing shown is not varied


def test_losing_the_only_attached_records_loses_everything() -> None:
    whole = [
        ranked("s1", {"c1881:1"}, "c1881:1", "burials:1"),
        ranked("s2", {"c1881:2"}, "c1881:2"),
    ]
    without = [ranked("s1", {"c1881:1"}, "burials:1"), ranked("s2", {"c1881:2"})]

    result = value(CENSUS_1881, whole, without)

    assert (result.attached, result.only_here, result.left_empty) == (2, 2, 2)
    assert (result.ndcg_lost.value, result.ndcg_lost.low, result.ndcg_lost.high) == (1, 1, 1)
    assert result.ndcg_lost_per_1000.value == 2.0
    # s1 alternates two types perfectly (1.0), then has one record (1.0); s2 has nothing left.
    assert result.nce_lost.value == pytest.approx(0.5)


def test_a_collection_that_stands_in_the_way_has_a_negative_loss() -> None:
    whole = [ranked("s1", {"burials:1"}, "c1881:1", "burials:1")]
    without = [ranked("s1", {"burials:1"}, "burials:1")]

    result = value(CENSUS_1881, whole, without)

    assert result.ndcg_lost.value == pytest.approx(1 / np.log2(3) - 1)
    assert (result.attached, result.left_empty) == (0, 0)


@pytest.mark.parametrize(
    ("other", "years", "only_here"),
    [
        ("c1891:1", {"c1881:1": 1881, "c1891:1": 1891}, 1),  # another census of the same person
        ("c1891:1", {"c1881:1": 1881, "c1891:1": 1881}, 0),  # the same, transcribed twice
        ("c1891:1", {"c1881:1": 1881, "c1891:1": None}, 0),
        ("burials:1", {"c1881:1": 1881, "burials:1": 1881}, 1),
    ],
)
def test_a_record_is_only_here_unless_another_collection_has_its_event(
    other: str, years: dict[str, int | None], only_here: int
) -> None:
    searches = [ranked("s1", {"c1881:1", other}, "c1881:1", other)]

    assert value(CENSUS_1881, searches, searches, years).only_here == only_here


def test_the_interval_contains_the_loss_and_families_are_sampled_together() -> None:
    whole = [ranked(f"s{n}", {f"c1881:{n}"}, f"c1881:{n}") for n in range(20)]
    without = [ranked(f"s{n}", {f"c1881:{n}"}, *([f"c1881:{n}"] * (n % 2))) for n in range(20)]
    alone = {search.id: search.id for search in whole}
    families = {f"s{n}": f"family {n % 2}" for n in range(20)}

    losses = [
        value_part(
            CENSUS_1881, whole, without, type_of=TYPE_OF, years={}, groups=groups, seed=1
        ).ndcg_lost
        for groups in (alone, families)
    ]

    assert losses[0].value == losses[1].value == pytest.approx(0.5)
    assert 0.2 < losses[0].low < 0.5 < losses[0].high < 0.8
    assert (losses[1].low, losses[1].high) == (0.0, 1.0)


def test_nothing_to_measure_is_refused() -> None:
    with pytest.raises(InputError, match="no search"):
        measure_searches([], TYPE_OF)
