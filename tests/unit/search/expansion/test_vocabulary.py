"""Tests for `forebear.search.expansion.vocabulary`, and for names with wildcards."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.surnames import without_particle
from forebear.search.expansion.catalog import Clause
from forebear.search.expansion.facts import is_pattern
from forebear.search.expansion.query_facts import Facts
from forebear.search.expansion.vocabulary import MAX_TERMS, NameVocabulary

NAMES = NameVocabulary(
    ["smith", "smyth", "smithers", "van der berg", "vandenberg", "berg", "smith-jones", "müller"]
)


def test_names_are_kept_once_and_in_order() -> None:
    assert NameVocabulary(["b", "a", "b"]).names == ("a", "b")


def test_a_fold_finds_the_names_that_are_written_so() -> None:
    assert NAMES.folding_to("muller") == ("müller",)
    assert NAMES.folding_to("mueller") == ("müller",)
    assert NAMES.folding_to("smith") == ("smith",)
    assert NAMES.folding_to("jones") == ()


def test_neighbors_come_nearest_first() -> None:
    assert NAMES.near("smith", 1) == ("smith", "smyth")
    assert NAMES.similar("smith")[0] == "smith"


def test_particles_do_not_tell_names_apart() -> None:
    assert set(NAMES.sharing_core("berg")) >= {"berg", "van der berg", "vandenberg"}


def test_a_part_of_a_compound_leads_to_it_and_back() -> None:
    assert NAMES.sharing_part("jones") == ("smith-jones",)
    assert NAMES.sharing_part("smith-jones") == ("smith",)


def test_a_beginning_leads_both_ways() -> None:
    given = NameVocabulary(["fred", "frederick", "fr", "frank"])

    assert given.sharing_beginning("fred") == ("frederick",)
    assert given.sharing_beginning("frederick") == ("fred",)
    assert given.sharing_beginning("fr") == ()


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("sm?th", ("smith", "smyth")),
        ("sm?th*", ("smith", "smith-jones", "smithers", "smyth")),
        ("*berg", ("berg", "van der berg", "vandenberg")),
        ("x*", ()),
    ],
)
def test_a_pattern_finds_the_names_it_fits(pattern: str, expected: tuple[str, ...]) -> None:
    assert NAMES.matching(pattern) == expected


def test_no_set_is_larger_than_a_search_can_bear() -> None:
    many = NameVocabulary(f"smith{number}" for number in range(1000))

    assert len(many.matching("smith*")) == MAX_TERMS


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Sm?th*", True), ("Smith?", False), ("*", False), ("Smi*", True), ("O'Brien", False)],
)
def test_a_mark_of_doubt_is_no_pattern(text: str, expected: bool) -> None:
    assert is_pattern(text) == expected


def test_a_pattern_stands_for_the_names_of_the_archive_as_they_are(
    ask: Callable[..., Facts], clauses: Callable[..., dict[str, Clause]]
) -> None:
    assert ask(given="Mary", surname="Gr?e*").names["surname"] == ("green",)

    by_name = clauses("birth", given="Mary", surname="Gr?e*")

    assert by_name["self.surname.exact"].any_of == (frozenset({"self.surname=green"}),)
    assert by_name["self.surname.similar"].any_of == (frozenset({"self.surname=green"}),)
    assert "self.surname.phonetic" not in by_name


PARTICLES = ("", "van ", "van der ", "vander", "von ", "de la ", "dela", "o'", "mac", "mc", "m'")
STEMS = ("berg", "bergen", "donald", "conor", "cruz", "artagnan", "smith", "smith-jones", "ray")


@given(
    st.lists(st.builds(str.__add__, st.sampled_from(PARTICLES), st.sampled_from(STEMS))),
    st.builds(str.__add__, st.sampled_from(PARTICLES), st.sampled_from(STEMS)),
)
def test_names_that_share_a_core_are_all_found(names: list[str], name: str) -> None:
    sharing = NameVocabulary(names).sharing_core(name)

    assert set(sharing) == {
        other for other in names if without_particle(name) & without_particle(other)
    }
