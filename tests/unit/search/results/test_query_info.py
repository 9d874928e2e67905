"""Tests for `forebear.search.results.query_info`: how a query was understood."""

import pytest

from forebear.errors import QueryError
from forebear.records.collections import RECORD_TYPES
from forebear.records.privacy import OWNER
from forebear.search.model import hand_set_model
from forebear.search.query.person_query import query_from_json
from forebear.search.results.query_info import explain_query
from forebear.storage.memory import MemoryStorage

QUERY = {
    "given": "Mary",
    "surname": "Brown",
    "sex": "female",
    "relatives": [{"kind": "spouse", "given": "Thomas", "surname": "Green"}],
}


def test_every_record_type_is_told_unless_some_are_asked_for(archive: MemoryStorage) -> None:
    model = hand_set_model()

    types = explain_query(query_from_json(QUERY), archive.knowledge(OWNER), model)
    selected = explain_query(query_from_json(QUERY), archive.knowledge(OWNER), model, ["death"])

    assert [type_.record_type for type_ in types] == list(RECORD_TYPES)
    assert [type_.record_type for type_ in selected] == ["death"]


def test_a_clause_is_told_with_its_rule_its_bits_and_its_terms(archive: MemoryStorage) -> None:
    (death,) = explain_query(
        query_from_json(QUERY), archive.knowledge(OWNER), hand_set_model(), ["death"]
    )

    (exact,) = (clause for clause in death.clauses if clause.clause == "self.surname.exact")
    assert exact.rules == ("the surname that the kind of record and its date lead to expect",)
    assert exact.note == "married name green taken from the husband"
    assert exact.examples == ("self.surname=green",)
    assert exact.bits > 0
    assert death.branches[0] == "surname and given"


def test_a_type_that_cannot_answer_says_so(archive: MemoryStorage) -> None:
    query = {**QUERY, "events": [{"kind": "baptism", "date": "1851"}], "exact": ["baptism.year"]}

    (census,) = explain_query(
        query_from_json(query), archive.knowledge(OWNER), hand_set_model(), ["census"]
    )

    assert not census.can_answer


def test_a_type_that_is_none_is_refused(archive: MemoryStorage) -> None:
    with pytest.raises(QueryError, match="unknown record type 'shoe'"):
        explain_query(query_from_json(QUERY), archive.knowledge(OWNER), hand_set_model(), ["shoe"])
