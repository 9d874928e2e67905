"""Tests for `forebear explain-query`: what a query asks, in lines."""

from forebear.cli.explain import query_text
from forebear.search.results.query_info import ClauseInfo, TypeInfo

CLAUSE = ClauseInfo(
    clause="birth.year.exact",
    words="birth year is the same",
    rules=("an age at a date gives a year of birth",),
    note="birth inferred from age 30 in 1881",
    bits=0.5,
    terms=2,
    examples=("birth.date=1850", "birth.date=1851"),
)
GIVEN = ClauseInfo(
    clause="self.given.exact",
    words="given name is the same",
    rules=(),
    note="",
    bits=0.875,
    terms=1,
    examples=("self.given=mary",),
)


def test_clauses_stand_under_the_rule_that_made_them() -> None:
    census = TypeInfo(
        record_type="census",
        can_answer=True,
        clauses=(GIVEN, CLAUSE),
        branches=("surname and given",),
    )

    assert query_text((census,)).splitlines() == [
        "census: 2 clauses",
        "  candidates by: surname and given",
        "  an age at a date gives a year of birth",
        "    +0.500  birth.year.exact: birth year is the same"
        " (birth inferred from age 30 in 1881); 2 terms",
        "  as given",
        "    +0.875  self.given.exact: given name is the same; 1 terms",
    ]


def test_a_type_that_cannot_answer_says_so() -> None:
    text = query_text((TypeInfo(record_type="census", can_answer=False),))

    assert text == "census: records of this type lack a fact that you require"
