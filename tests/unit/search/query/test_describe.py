"""Tests for `forebear.search.query.describe`."""

from forebear.search.query.describe import describe_query
from forebear.search.query.text import query_from_text


def test_every_fact_of_a_line_is_named() -> None:
    line = "Mary Brown née Hall, b. 1851 Layham, wife of Thomas Green, aged 30 in 1881"

    facts = [(fact.fact, fact.value) for fact in describe_query(query_from_text(line))]

    assert facts == [
        ("given names", "Mary"),
        ("married surname", "Brown"),
        ("surname", "Hall"),
        ("sex", "female"),
        ("date of birth", "1851"),
        ("place of birth", "Layham"),
        ("age", "30 in 1881"),
        ("husband or wife", "Thomas Green"),
    ]
