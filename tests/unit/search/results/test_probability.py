"""Tests for `forebear.search.results.probability`."""

from dataclasses import replace
from math import log2
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hits import make_list

from forebear.search.hits import Hits, join_hits
from forebear.search.model import UNITS_PER_BIT, ProbabilityConstants
from forebear.search.query.person_query import query_from_json
from forebear.search.record_search.ranked_list import RankedList
from forebear.search.results.probability import (
    PRINCIPAL,
    UNLIKELY,
    Probabilities,
    less_likely_from,
    nothing_found,
    pool,
    probabilities,
    probability_words,
    rival_group,
    shown_probability,
    suggestion,
    to_probability,
)

CONSTANTS = ProbabilityConstants(
    scale=0.8, gate=0.75, levels={"birth": 8.0, "birth.kin": 6.0, "census": 5.0, "marriage": 7.0}
)
odds_lists = st.lists(st.floats(-60, 60), max_size=40)


def hit_of(record_type: str, number: int, bits: float, *, is_own: bool, year: int | None) -> Hits:
    key = f"{record_type}:{number}"
    return make_list(
        record_type,
        {key: round(bits * UNITS_PER_BIT)},
        clauses=(PRINCIPAL,),
        fired={key: (PRINCIPAL,)} if is_own else {},
        years={} if year is None else {key: year},
    ).hits


def chances_of(*hits: Hits, records: int = 7, offset: float = 0.0) -> Probabilities:
    names = {part.lists[0].name for part in hits}
    lists = [RankedList(name=name, record_type=name, records=records) for name in names]
    return probabilities(join_hits(hits), lists, CONSTANTS, offset=offset)


def births(*bits: float, is_own: bool = True) -> list[Hits]:
    return [hit_of("birth", n, value, is_own=is_own, year=None) for n, value in enumerate(bits)]


def test_a_hit_alone_is_weighed_against_no_hit_being_right() -> None:
    chances = chances_of(*births(20.0))

    none = 2 ** (8.0 + 0.75 * log2(8))
    assert chances["birth:0"] == pytest.approx(2**16 / (2**16 + none))


def test_births_of_the_person_exclude_each_other() -> None:
    chances = chances_of(*births(20.0, 20.0, 15.0))

    none = 2 ** (8.0 + 0.75 * log2(8))
    rivals = 2 * 2**16 + 2**12
    assert chances.values == pytest.approx(
        [2**16 / (rivals + none), 2**16 / (rivals + none), 2**12 / (rivals + none)]
    )


def test_births_of_children_do_not_exclude_each_other() -> None:
    one, both = (
        chances_of(*births(20.0, is_own=False)),
        chances_of(*births(20.0, 20.0, is_own=False)),
    )

    assert both.values == [one.values[0]] * 2


def test_only_rows_of_one_census_exclude_each_other() -> None:
    def census(*years: int | None) -> float:
        hits = [hit_of("census", n, 15.0, is_own=True, year=year) for n, year in enumerate(years)]
        return chances_of(*hits).best

    assert census(1851, 1861) == census(1851) == census(None, None)
    assert census(1851, 1851) < census(1851)


def test_more_records_that_pass_the_gate_make_each_less_likely() -> None:
    few, many = (chances_of(*births(18.0), records=count).best for count in (3, 300))

    assert many < few


def test_an_offset_raises_or_lowers_every_hit() -> None:
    low, plain, high = (
        chances_of(*births(18.0, 17.0), offset=bits).values for bits in (-1.0, 0.0, 1.0)
    )

    assert all(a < b < c for a, b, c in zip(low, plain, high, strict=True))


@given(odds_lists)
def test_pooled_odds_never_rise_and_keep_the_sum_of_the_probabilities(odds: list[float]) -> None:
    pooled = pool(np.array(odds))

    assert (np.diff(pooled) <= 1e-9).all()
    total = to_probability(np.array(odds)).sum()
    assert to_probability(pooled).sum() == pytest.approx(total, abs=1e-9)


@given(odds_lists)
def test_odds_that_never_rise_stay_as_they_are(odds: list[float]) -> None:
    falling = np.array(sorted(odds, reverse=True))

    assert (pool(falling) == falling).all()


@given(st.lists(st.floats(-20, 60), min_size=1, max_size=25), st.randoms())
def test_another_order_has_the_same_odds_pooled_down_it(bits: list[float], random: Random) -> None:
    by_bits = join_hits(
        [hit_of("birth", n, one, is_own=n % 2 == 0, year=None) for n, one in enumerate(bits)]
    )
    lists = [RankedList(name="birth", record_type="birth", records=7)]
    chances = probabilities(by_bits, lists, CONSTANTS)
    shuffled = by_bits.take(random.sample(range(len(by_bits)), len(by_bits)))

    again = chances.in_order(shuffled)

    assert list(again.places) == shuffled.tie.tolist()
    assert (np.diff(again.values) <= 1e-12).all()
    assert sum(again.values) == pytest.approx(sum(chances.values))
    assert again.values == pytest.approx(probabilities(shuffled, lists, CONSTANTS).values)
    for tie in shuffled.tie.tolist():
        before, after = chances.steps(tie), again.steps(tie)
        assert replace(after, pooling=before.pooling) == before
        value = again.values[again.places[tie]]
        assert to_probability(after.log_odds) == pytest.approx(value, abs=1e-9)


hits = st.builds(
    lambda kind, bits, is_own, year: (kind, bits, is_own, year),
    st.sampled_from(["birth", "census", "marriage"]),
    st.floats(-100, 200),
    st.booleans(),
    st.sampled_from([None, 1851, 1861]),
)


@given(st.lists(hits, max_size=30), st.integers(0, 10_000), st.floats(-5, 5))
def test_probabilities_are_within_bounds_and_rivals_add_up_to_at_most_one(
    chosen: list[tuple[str, float, bool, int | None]], records: int, offset: float
) -> None:
    fused = [
        hit_of(kind, number, bits, is_own=is_own, year=year)
        for number, (kind, bits, is_own, year) in enumerate(sorted(chosen, key=lambda one: -one[1]))
    ]
    chances = chances_of(*fused, records=records, offset=offset)

    assert all(0 <= value <= 1 for value in chances.values)
    assert all(a >= b - 1e-12 for a, b in zip(chances.values, chances.values[1:], strict=False))
    sums: dict[object, float] = {}
    raw = to_probability(chances.raw)
    for group, chance in zip(chances.hits.groups, raw, strict=True):
        sums[group] = sums.get(group, 0.0) + float(chance)
    assert all(total <= 1 + 1e-9 for group, total in sums.items() if group is not None)
    for tie, place in chances.places.items():
        steps = chances.steps(tie)
        assert steps.log_odds == pytest.approx(float(chances.pooled[place]), abs=1e-9)


@pytest.mark.parametrize(
    ("record_type", "is_own", "group"),
    [
        ("baptism", True, ("baptism", None)),
        ("baptism", False, None),
        ("marriage", True, None),
        ("military", True, None),
        ("probate", True, ("probate", None)),
    ],
)
def test_records_of_which_a_person_has_one_are_rivals(
    record_type: str, is_own: bool, group: tuple[str, None] | None
) -> None:
    name = record_type if is_own else f"{record_type}.kin"

    assert rival_group(record_type, name, 1851) == group


@given(st.floats(0, 1))
def test_shown_numbers_are_steps_of_five_points_and_never_all_or_nothing(chance: float) -> None:
    shown = shown_probability(chance)

    assert (shown is None) == (chance < UNLIKELY)
    if shown is not None:
        assert 0.05 <= shown <= 0.95
        assert shown * 20 == pytest.approx(round(shown * 20))
        assert abs(shown - chance) <= 0.0501


def test_words_begin_where_they_were_measured() -> None:
    steps = (0.95, 0.8, 0.5, 0.2, 0.05, 0.0)

    assert [probability_words(chance) for chance in steps] == [
        "almost certain",
        "very likely",
        "likely",
        "possible",
        "unlikely",
        "very unlikely",
    ]


@given(st.floats(0, 1))
def test_words_are_those_of_the_number_that_is_shown(chance: float) -> None:
    shown = shown_probability(chance)

    assert probability_words(chance) == probability_words(0.0 if shown is None else shown)


def test_a_number_shown_as_80_is_very_likely() -> None:
    chances = (0.774, 0.776, 0.78, 0.799)

    assert [shown_probability(chance) for chance in chances] == [0.75, 0.8, 0.8, 0.8]
    assert [probability_words(chance) for chance in chances] == ["likely", *["very likely"] * 3]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"given": "Mary", "surname": "Brown"}, "Add a year, a place or a relative."),
        ({"given": "Mary"}, "Add a surname, a year, a place or a relative."),
        (
            {"given": "Mary", "surname": "Brown", "events": [{"kind": "birth", "date": "1851"}]},
            "Add a place or a relative.",
        ),
        (
            {
                "given": "Mary",
                "surname": "Brown",
                "events": [{"kind": "birth", "date": "1851", "place": "Layham"}],
                "relatives": [{"kind": "father", "given": "John"}],
            },
            "Add another year, place or relative.",
        ),
    ],
)
def test_a_suggestion_names_what_the_query_lacks(query: dict[str, object], words: str) -> None:
    assert suggestion(query_from_json(query), 1_200) == f"1,200 records match equally well. {words}"
    assert suggestion(query_from_json(query), 1) == f"No record matches well. {words}"


@pytest.mark.parametrize(
    ("chances", "line"),
    [
        ((0.9, 0.6, 0.06, 0.03), 4),
        ((0.9, 0.04, 0.3, 0.01), 4),  # an order by types
        ((0.04, 0.03), 1),
        ((0.9, 0.6), None),
        ((), None),
    ],
)
def test_the_line_is_chosen_where_nothing_likely_follows(
    chances: tuple[float, ...], line: int | None
) -> None:
    assert less_likely_from(chances) == line


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"surname": "Quixote"}, "Check the spelling of the names."),
        (
            {"surname": "Quixote", "record_types": ["census"]},
            "Check the spelling of the names or search all record types and collections.",
        ),
        (
            {"events": [{"kind": "birth", "date": "1851", "place": "Layham"}]},
            "Leave a fact out, widen a date (abt 1806) or give only the county of a place.",
        ),
        ({"keywords": "weaver"}, "Add a name."),
    ],
)
def test_where_nothing_matches_the_suggestion_names_what_to_change(
    query: dict[str, object], words: str
) -> None:
    assert nothing_found(query_from_json(query)) == f"No record matches. {words}"
