"""Tests for `forebear.ingest.register_words`."""

import pytest

from forebear.ingest.register_words import (
    Relation,
    find_marital,
    find_relation,
    find_sex,
    is_known,
    reverse_relation,
    word_key,
)
from forebear.tables import read_table

# Every relation that occurs in the FreeCEN files, but for the codes "U" and "W".
FREECEN = (
    "Son Dau Head Wife Crew Servnt Lodger Visitr Boardr Grndau Pauper Grnson Sister Niece Nephew"
    " Brothr Mother Mtrlaw Sonlaw Daulaw Pssngr Father Sislaw Brolaw Ftrlaw Appren Aunt Nurse"
    " Hsekpr Asstnt Reltiv Wifmtr Grnchd Stpdau Offcer Gvrnss Cousin Stpson Nrschd Uncle Orphan"
    " Grnmtr Ldgson Stpmum Wifson Master Husbnd Jnyman Child Butler Labour Agent Widow Neplaw"
    " Ldgwif Stpftr Grnftr Wifsis Boy Neice Ma-Law Nrs-Ch Fa-Law"
)


@pytest.mark.parametrize("word", FREECEN.split())
def test_the_words_of_the_census_are_known(word: str) -> None:
    assert find_relation(word) is not None


@pytest.mark.parametrize(
    ("word", "kin", "sex"),
    [
        ("Head", "self", None),
        ("wife", "spouse", "f"),
        ("Dau.", "child", "f"),
        ("stepson", "child", "m"),
        ("Mother-in-law", "parent_in_law", "f"),
        ("MOTHER IN LAW", "parent_in_law", "f"),
        ("Brothr", "sibling", "m"),
        ("Grndau", "grandchild", "f"),
        ("wife's mother", "parent_in_law", "f"),
        ("Sislaw", "other", "f"),
        ("lodger", "other", None),
        ("guardian", "other", None),
    ],
)
def test_a_relation_says_where_in_the_family_and_which_sex(
    word: str, kin: str, sex: str | None
) -> None:
    relation = find_relation(word)

    assert relation is not None
    assert (relation.kin, relation.sex) == (kin, sex)


@pytest.mark.parametrize(
    ("word", "sex", "expected"),
    [
        ("son of", "m", ("father", "parent", "m")),
        ("dau of", "f", ("mother", "parent", "f")),
        ("daughter of", None, ("parent", "parent", None)),
        ("wife of", None, ("husband", "spouse", "m")),
        ("relict of", "m", ("husband", "spouse", "m")),
        ("husband of", None, ("wife", "spouse", "f")),
        ("father of", "m", ("son", "child", "m")),
        ("sister of", "m", ("brother", "sibling", "m")),
        ("grandson of", "m", ("relative", "other", "m")),
        ("servant of", "m", ("relative", "other", "m")),
    ],
)
def test_a_relation_can_be_read_from_the_other_end(
    word: str, sex: str | None, expected: tuple[str, str, str | None]
) -> None:
    relation = find_relation(word)
    assert relation is not None

    reversed_relation = reverse_relation(relation, sex=sex, role="relative")  # type: ignore[arg-type]

    assert reversed_relation == Relation(role=expected[0], kin=expected[1], sex=expected[2])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "sex"),
    [("M", "m"), ("f", "f"), ("Female", "f"), ("son of", "m"), ("widow", "f"), ("child of", None)],
)
def test_sex_is_read_from_letters_and_relations(text: str, sex: str | None) -> None:
    assert find_sex(text) == sex


@pytest.mark.parametrize(
    ("text", "marital"),
    [
        ("Batchelor", "single"),
        ("bachelor", "single"),
        ("Spinster", "single"),
        ("wdr", "widowed"),
        ("wd", "widowed"),
        ("widower [sic]", "widowed"),
        ("widow of Dr", "widowed"),
        ("wife of", "married"),
        ("son of", ""),
        ("Sojourner", ""),
    ],
)
def test_marital_status_is_read_from_conditions_and_relations(text: str, marital: str) -> None:
    assert find_marital(text) == marital


def test_a_word_without_letters_is_nothing_to_complain_of() -> None:
    assert is_known("of")
    assert is_known("?")
    assert not is_known("wifw of")


def test_a_word_is_known_only_where_it_means_something() -> None:
    assert is_known("W", table="marital")
    assert is_known("widow of", table="marital")
    assert not is_known("W", table="sexes")
    assert not is_known("W")


@pytest.mark.parametrize("table", ["relations", "sexes", "marital"])
def test_no_word_stands_twice_in_a_table(table: str) -> None:
    keys = [word_key(row["word"]) for row in read_table(f"ingest/{table}")]

    assert len(keys) == len(set(keys))
