"""The paper's table of diversity metrics: S-recall, alpha-NDCG and the intent-aware measures.

Three lists of eight records, the same labels for each (`TOY`).  The intent-aware rows are
reproduced by taking the records of a type as a separate list; Agrawal's definition, with
places in the whole list, gives other values.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear_lab.evaluation.measures.aspects import (
    alpha_dcg,
    alpha_ndcg,
    greedy_order,
    round_robin,
    srecall,
)
from forebear_lab.evaluation.measures.definition import Aspects, JudgedRanking
from forebear_lab.evaluation.measures.intents import map_ia, mrr_ia, ndcg_ia
from forebear_lab.evaluation.measures.measure import parse_measure

TOY = ("AABBBCCC", "ABCDABCD", "AABBCCDD")
LABELS = (1, 0, 0, 1, 1, 0, 1, 0)


def by_type(types: str) -> Aspects:
    records = tuple({name: label} for name, label in zip(types, LABELS, strict=True))
    return Aspects(ranked=records, judged=records, by_type=True)


def ranking(types: str) -> JudgedRanking:
    return JudgedRanking(
        grades=LABELS,
        judged=LABELS,
        types=tuple(types),
        type_count=4,
        supply={name: types.count(name) for name in set(types)},
        aspects=by_type(types),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ndcg_ia@8(positions=sublist)", (0.775, 0.658, 0.908)),
        ("mrr_ia@8(positions=sublist)", (0.667, 0.625, 0.875)),
        ("map_ia@8(positions=sublist)", (0.694, 0.625, 0.875)),
        ("ndcg_ia@8", (0.612, 0.404, 0.538)),
        ("mrr_ia@8", (0.464, 0.348, 0.398)),
        ("map_ia@8", (0.489, 0.273, 0.398)),
        ("srecall@8", (0.750, 1.000, 1.000)),
        ("nce@8", (0.603, 1.000, 0.725)),
        ("alpha_dcg@8", (2.7293, 3.2575, 3.0868)),
        ("alpha_ndcg@8(ideal=declared)", (0.838, 1.000, 0.948)),
        ("alpha_ndcg@8", (0.948, 1.000, 0.948)),
    ],
)
def test_the_toy_lists_have_the_known_values(text: str, expected: tuple[float, ...]) -> None:
    measure = parse_measure(text)

    assert [measure.of(ranking(types)) for types in TOY] == pytest.approx(expected, abs=5.5e-4)


@given(st.permutations(range(8)))
def test_sublists_do_not_see_how_types_alternate(order: list[int]) -> None:
    aspects = by_type(TOY[1])
    together = sorted(range(8), key=lambda place: TOY[1][place])
    sorted_by_type = Aspects(
        ranked=tuple(aspects.ranked[place] for place in together),
        judged=tuple(aspects.judged[place] for place in order),
        by_type=True,
    )

    for measure in (ndcg_ia, mrr_ia, map_ia):
        assert measure(sorted_by_type, positions="sublist") == pytest.approx(
            measure(aspects, positions="sublist")
        )


def test_by_subtopic_the_intents_are_those_that_could_be_served() -> None:
    judged = ({"1": 1, "2": 0}, {"2": 1}, {"3": 0})
    aspects = Aspects(ranked=({"1": 1, "2": 0}, {"3": 0}), judged=judged, by_type=False)

    assert aspects.names() == ("1", "2")
    assert mrr_ia(aspects) == pytest.approx(1 / 2)
    assert map_ia(aspects, rel=2) == 0.0


def test_a_record_covers_a_subtopic_only_if_it_is_relevant_to_it() -> None:
    judged = ({"1": 1, "2": 0}, {"2": 2})
    query = JudgedRanking(
        grades=(1, 2),
        judged=(1, 2),
        aspects=Aspects(ranked=judged, judged=judged, by_type=False),
    )

    assert parse_measure("srecall@1").of(query) == 0.5
    assert parse_measure("srecall(rel=2)").of(query) == 1.0
    assert parse_measure("alpha_ndcg").of(query) == pytest.approx(1.0)


def test_a_record_that_covers_two_subtopics_comes_first_in_the_ideal() -> None:
    assert greedy_order([{"a"}, {"a", "b"}, {"c"}]) == [{"a", "b"}, {"c"}, {"a"}]


def test_seen_again_an_aspect_earns_less() -> None:
    assert alpha_dcg("AA", alpha=0.5) == pytest.approx(1 + 0.5 / 1.5849625)
    assert alpha_dcg("AA", alpha=1.0) == 1.0
    assert alpha_dcg("AA", alpha=0.0) == pytest.approx(1 + 1 / 1.5849625)


@given(st.lists(st.sampled_from("ABC"), min_size=1, max_size=12))
def test_with_one_type_a_record_no_order_beats_the_greedy_one(types: list[str]) -> None:
    ideal = greedy_order(types)

    assert alpha_ndcg(types, ideal=ideal) <= 1 + 1e-12
    assert alpha_ndcg(ideal, ideal=ideal) == pytest.approx(1.0)
    assert alpha_ndcg(types, ideal=round_robin(len(types), type_count=3)) <= 1 + 1e-12


def test_s_recall_counts_an_aspect_once() -> None:
    assert srecall(["A", "A", "AB"], aspect_count=4) == 0.5


def test_more_aspects_than_could_appear_is_a_mistake() -> None:
    with pytest.raises(InputError, match="3 aspects in the list, but only 2"):
        srecall("ABC", aspect_count=2)


def test_an_alpha_that_is_no_share_is_a_mistake() -> None:
    with pytest.raises(InputError, match="alpha lies between 0 and 1"):
        alpha_dcg("A", alpha=1.5)


def test_the_declared_ideal_is_about_types_only() -> None:
    query = JudgedRanking(
        grades=(1,), judged=(1,), aspects=Aspects(ranked=({"1": 1},), judged=(), by_type=False)
    )

    with pytest.raises(InputError, match="by subtopic"):
        parse_measure("alpha_ndcg(ideal=declared)").of(query)
