"""Tests for `forebear.search.expansion.clauses.words`."""

from collections.abc import Callable
from typing import Any

import pytest

from forebear.search.expansion.catalog import Clause
from forebear.search.terms.term import terms

Clauses = Callable[..., dict[str, Clause]]


def has(field: str, value: str) -> frozenset[str]:
    return frozenset({f"has={field}", f"{field}={value}"})


@pytest.mark.parametrize(
    ("query", "fact", "agrees", "differs"),
    [
        ({"sex": "female"}, "sex", "f", "m"),
        ({"names": [{"given": "John", "suffix": "Jr."}]}, "suffix", "jr", "sr"),
        ({"occupation": "Weaver"}, "occupation", "weaver", "farmer"),
        ({"religion": "Quaker"}, "religion", "quaker", "baptist"),
    ],
)
def test_a_word_agrees_or_not(
    clauses: Clauses, query: dict[str, Any], fact: str, agrees: str, differs: str
) -> None:
    by_name = clauses("census", **{"given": "John", **query})
    match, conflict = by_name[f"self.{fact}.match"], by_name.get(f"self.{fact}.conflict")

    assert match.fires_on(has(f"self.{fact}", agrees))
    assert not match.fires_on(has(f"self.{fact}", differs))
    if conflict is not None:
        assert conflict.fires_on(has(f"self.{fact}", differs))
        assert not conflict.fires_on(has(f"self.{fact}", agrees))
        assert not conflict.fires_on(frozenset())
    assert (conflict is not None) == (fact in ("sex", "suffix"))


@pytest.mark.parametrize(
    ("given", "same", "other"), [("Johanna", "f", "m"), ("Wm", "m", "f"), ("Thomas Mary", "m", "f")]
)
def test_a_given_name_implies_a_sex(clauses: Clauses, given: str, same: str, other: str) -> None:
    by_name = clauses("census", given=given)
    implied, conflict = by_name["self.sex.implied"], by_name["self.sex.implied_conflict"]

    assert implied.fires_on(has("self.sex", same))
    assert not implied.fires_on(has("self.sex", other))
    assert conflict.fires_on(has("self.sex", other))
    assert not conflict.fires_on(has("self.sex", same))
    assert not conflict.fires_on(frozenset())


@pytest.mark.parametrize(
    ("query", "clause"), [({}, "self.sex.implied"), ({"sex": "female"}, "self.sex.match")]
)
def test_a_sex_says_nothing_beside_the_given_name_that_implies_it(
    clauses: Clauses, query: dict[str, Any], clause: str
) -> None:
    built = clauses("census", given="Johanna", **query)[clause]
    sex = has("self.sex", "f")

    assert not built.fires_on(sex | has("self.given", "johanna"))
    assert built.fires_on(sex | has("self.given", "j"))
    assert built.fires_on(sex | has("self.given", "mary"))


@pytest.mark.parametrize("given", ["Christian", "Qwertz", "Thomas"])
def test_a_stated_sex_agrees_where_the_given_name_does_not_say_it(
    clauses: Clauses, given: str
) -> None:
    match = clauses("census", given=given, sex="female")["self.sex.match"]

    assert match.fires_on(has("self.sex", "f") | has("self.given", given.lower()))


@pytest.mark.parametrize(
    "query",
    [
        {"given": "Christian"},
        {"given": "Qwertz"},
        {"surname": "Brown"},
        {"given": "Johanna", "sex": "female"},
        {"names": [{"given": "Johanna"}, {"given": "Thomas", "kind": "alias"}]},
    ],
)
def test_no_sex_is_implied_where_it_is_stated_or_unsure(
    clauses: Clauses, query: dict[str, Any]
) -> None:
    assert not [name for name in clauses("census", **query) if "implied" in name]


def test_keywords_any_and_all(clauses: Clauses) -> None:
    by_name = clauses("census", given="John", keywords="weaver twin")
    any_word, all_words = by_name["keyword.any"], by_name["keyword.all"]

    assert any_word.fires_on(terms("record.text", ["twin"]))
    assert not all_words.fires_on(terms("record.text", ["twin"]))
    assert all_words.fires_on(terms("record.text", ["twin", "weaver", "drowned"]))
    assert not any_word.fires_on(terms("record.text", ["drowned"]))


def test_one_keyword_is_any_and_not_all(clauses: Clauses) -> None:
    by_name = clauses("census", given="John", keywords="weaver")

    assert "keyword.any" in by_name
    assert "keyword.all" not in by_name


@pytest.mark.parametrize(
    ("spouses", "status", "agrees"),
    [
        (["Ann"], "single", True),
        (["Ann"], "widowed", False),
        (["Ann", "Mary"], "widowed", True),
        (["Ann", "Mary"], "married", False),
    ],
)
def test_at_a_wedding_people_are_single_or_widowed_of_another(
    clauses: Clauses, spouses: list[str], status: str, agrees: bool
) -> None:
    relatives = [{"kind": "spouse", "given": given} for given in spouses]
    by_name = clauses("marriage", given="John", relatives=relatives)

    assert by_name["self.marital.match"].fires_on(has("self.marital", status)) == agrees
    assert by_name["self.marital.conflict"].fires_on(has("self.marital", status)) != agrees


def test_the_principal_is_whom_the_record_is_about(clauses: Clauses) -> None:
    principal = clauses("census", given="John")["record.role.principal"]

    assert principal.kind == "flag"
    assert principal.fires_on(terms("record.role", ["head", "principal"]))
    assert not principal.fires_on(terms("record.role", ["witness"]))
