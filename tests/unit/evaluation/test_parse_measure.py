"""Tests for `forebear.evaluation.parse_measure`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear.evaluation.measures.measure import Measure
from forebear.evaluation.measures.named import MEASURES, TYPED_MEASURES
from forebear.evaluation.parse_measure import parse_measure

positive = st.none() | st.integers(1, 1000)


@given(st.sampled_from(sorted(MEASURES)), positive, positive)
def test_the_text_form_of_a_measure_leads_back_to_it(
    name: str, cutoff: int | None, type_count: int | None
) -> None:
    types = type_count if name in TYPED_MEASURES else None
    measure = Measure(name=name, cutoff=cutoff, type_count=types)

    assert parse_measure(str(measure)) == measure


@pytest.mark.parametrize("text", ["ndcg@100", "nce@100", "nce@100(types=8)", "mrr"])
def test_the_text_form_is_the_one_that_was_read(text: str) -> None:
    assert str(parse_measure(text)) == text


def test_the_spelling_of_other_tools_is_understood() -> None:
    assert str(parse_measure("nDCG@10")) == "ndcg@10"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not of the form"),
        ("ndcg@", "not of the form"),
        ("ndcg@ten", "not of the form"),
        ("nce@5(types=8", "not of the form"),
        ("ndgc@10", "no measure is called 'ndgc'"),
        ("ndcg@0", "cutoff of measure 'ndcg' is 0"),
        ("nce@5(types=0)", "number of types of measure 'nce' is 0"),
        ("ndcg@5(types=3)", "does not look at types"),
    ],
)
def test_what_is_no_measure_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_measure(text)
