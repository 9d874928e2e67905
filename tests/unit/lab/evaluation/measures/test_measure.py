"""Tests for `forebear_lab.evaluation.measures.measure`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear_lab.evaluation.measures.definition import Choice, Count, Option, OptionValue, Share
from forebear_lab.evaluation.measures.measure import MEASURES, SPELLINGS, Measure, parse_measure


def values(option: Option) -> st.SearchStrategy[OptionValue]:
    match option:
        case Choice():
            return st.sampled_from(option.words)
        case Count():
            return st.integers(1, 999)
        case Share():
            return st.floats(0, 1)


@st.composite
def measures(draw: st.DrawFn) -> Measure:
    definition = MEASURES[draw(st.sampled_from(sorted(MEASURES)))]
    return Measure(
        name=definition.name,
        cutoff=draw(st.none() | st.integers(1, 1000)),
        options=tuple(
            (name, draw(values(option)))
            for name, option in definition.options.items()
            if draw(st.booleans())
        ),
    )


@given(measures())
def test_the_text_form_of_a_measure_leads_back_to_it(measure: Measure) -> None:
    assert parse_measure(str(measure)) == measure


@pytest.mark.parametrize(
    "text",
    [
        "ndcg@100",
        "ndcg@10(gain=exponential)",
        "nce@100",
        "nce@100(types=8)",
        "nce@100(types=8,ideal=supply)",
        "alpha_ndcg@20(alpha=0.9)",
        "ndcg_ia@10(positions=sublist)",
        "precision@5(rel=2)",
        "mrr",
    ],
)
def test_the_text_form_is_the_one_that_was_read(text: str) -> None:
    assert str(parse_measure(text)) == text


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("nDCG@100", "ndcg@100"),
        ("nDCG(dcg='exp-log2')@20", "ndcg@20(gain=exponential)"),
        ('nDCG(dcg="log2")@20', "ndcg@20"),
        ("P@10", "precision@10"),
        ("P(rel=2)@10", "precision@10(rel=2)"),
        ("AP", "ap"),
        ("MAP", "ap"),
        ("AP@100", "ap@100"),
        ("RR", "mrr"),
        ("MRR@10", "mrr@10"),
        ("R@100", "recall@100"),
        ("Success@5", "success@5"),
        ("alpha_nDCG@20", "alpha_ndcg@20"),
        ("alpha_nDCG(alpha=0.9)@20", "alpha_ndcg@20(alpha=0.9)"),
        ("α_nDCG@20", "alpha_ndcg@20"),
        ("StRecall@10", "srecall@10"),
        ("AP_IA", "map_ia"),
        ("S-recall@8", "srecall@8"),
        ("NDCG-IA@8", "ndcg_ia@8"),
    ],
)
def test_the_spellings_of_other_tools_are_understood(theirs: str, ours: str) -> None:
    assert str(parse_measure(theirs)) == ours


def test_an_option_at_its_default_is_not_written_and_makes_no_other_measure() -> None:
    measure = parse_measure("ndcg@10(gain=linear)")

    assert measure == parse_measure("ndcg@10")
    assert str(measure) == "ndcg@10"


def test_options_have_one_order() -> None:
    assert parse_measure("nce(ideal=hits,types=8)") == parse_measure("nce(types=8, ideal=hits)")


def test_every_spelling_means_one_measure() -> None:
    spellings = [
        spelling
        for definition in MEASURES.values()
        for spelling in (definition.name, *definition.spellings)
    ]

    assert len(spellings) == len(set(spellings)) == len(SPELLINGS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not of the form"),
        ("ndcg@", "not of the form"),
        ("ndcg@ten", "not of the form"),
        ("nce@5(types=8", "not of the form"),
        ("nce(types=8)@5(ideal=hits)", "not of the form"),
        ("ndgc@10", "no measure is called 'ndgc'"),
        ("ndcg@0", "cutoff of measure 'ndcg' is 0"),
        ("nce@5(types=0)", "'types' of measure 'nce': expected a whole number from 1, not '0'"),
        ("nce@5(ideal=best)", "expected paper or hits or supply, not 'best'"),
        ("alpha_ndcg(alpha=2)", "expected a number from 0 to 1, not '2'"),
        ("alpha_ndcg(alpha=nan)", "expected a number from 0 to 1, not 'nan'"),
        ("ndcg@5(types=3)", "measure 'ndcg' has no option 'types'"),
        ("nce@5(types=8,types=9)", "each option once as NAME=VALUE; found 'types=9'"),
        ("nce@5(types)", "each option once as NAME=VALUE; found 'types'"),
    ],
)
def test_what_is_no_measure_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_measure(text)


def test_a_measure_made_in_code_is_checked_too() -> None:
    with pytest.raises(InputError, match="no measure is called 'nDCG'"):
        Measure(name="nDCG")
