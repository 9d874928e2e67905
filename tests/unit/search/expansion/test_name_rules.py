"""Tests for `forebear.search.expansion.name_rules`: the names of wives, parents and children."""

import pytest

from forebear.search.expansion.name_rules import (
    Custom,
    Surnames,
    father_named_by,
    parents_surnames,
    patronymics,
    surnames_of,
    tolerated_surnames,
)
from forebear.search.query.person_query import query_from_json


def surnames_in(
    *names: tuple[str, str], husbands: tuple[str, ...] = (), sex: str = "female"
) -> Surnames:
    """Return the surnames of a person of these names, as kind and surname, married to these."""
    return surnames_of(
        query_from_json(
            {
                "names": [
                    {"given": "Mary", "surname": surname, "kind": kind} for kind, surname in names
                ],
                "sex": sex,
                "relatives": [{"kind": "spouse", "surname": husband} for husband in husbands],
            }
        )
    )


def test_a_wife_may_stand_under_her_husbands_surname() -> None:
    surnames = surnames_in(("birth", "Brown"), husbands=("Green",))

    assert surnames.birth == ("brown",)
    assert surnames.married == ("green",)
    assert surnames.borne == ("brown", "green")
    assert surnames.note == "married name green taken from the husband"


def test_each_husband_gives_a_surname() -> None:
    surnames = surnames_in(("birth", "Brown"), husbands=("Green", "Hall", "Green"))

    assert surnames.married == ("green", "hall")


def test_a_husband_takes_no_surname_from_his_wife() -> None:
    surnames = surnames_in(("birth", "Green"), husbands=("Brown",), sex="male")

    assert surnames == Surnames(birth=("green",))


def test_a_person_of_unknown_sex_takes_no_surname() -> None:
    assert surnames_in(("birth", "Green"), husbands=("Brown",), sex="").married == ()


def test_a_surname_that_is_the_husbands_own_is_the_married_name() -> None:
    surnames = surnames_in(("birth", "Green"), husbands=("GREEN",))

    assert surnames.birth == ()
    assert surnames.married == ("green",)
    assert "taken for the married name" in surnames.note


def test_where_the_married_name_is_stated_the_birth_name_stays_what_it_is() -> None:
    """A cousin marries a cousin: she was born a Green and became one."""
    surnames = surnames_in(("birth", "Green"), ("married", "Green"), husbands=("Green",))

    assert surnames.birth == ("green",)
    assert surnames.married == ("green",)
    assert surnames.note == ""


def test_a_stated_married_name_needs_no_husband() -> None:
    surnames = surnames_in(("birth", "Brown"), ("married", "Green"))

    assert (surnames.birth, surnames.married, surnames.note) == (("brown",), ("green",), "")


def test_an_alias_is_a_surname_but_not_one_that_is_borne() -> None:
    surnames = surnames_in(("birth", "Brown"), ("alias", "Braun"), husbands=("Green",))

    assert surnames.alias == ("braun",)
    assert surnames.borne == ("brown", "green")
    assert surnames.every == ("brown", "green", "braun")


@pytest.mark.parametrize("placeholder", ["", "unknown", "-", "N.N."])
def test_a_husband_without_a_surname_gives_none(placeholder: str) -> None:
    assert surnames_in(("birth", "Brown"), husbands=(placeholder,)) == Surnames(birth=("brown",))


def test_where_wives_keep_their_name_a_husbands_is_not_theirs() -> None:
    query = {
        "names": [{"given": "Maria", "surname": "Jansen"}],
        "sex": "female",
        "relatives": [{"kind": "spouse", "surname": "de Boer"}],
    }
    dutch = {**query, "events": [{"kind": "birth", "place": "Utrecht, Netherlands"}]}

    assert surnames_of(query_from_json(query)).married == ("de boer",)
    assert surnames_of(query_from_json(dutch)).married == ()


def test_the_last_husbands_name_is_the_married_one_and_an_earlier_one_an_alias() -> None:
    def husband(surname: str, wedding: str) -> dict[str, object]:
        events = [{"kind": "marriage", "date": wedding}]
        return {"kind": "spouse", "surname": surname, "events": events}

    surnames = surnames_of(
        query_from_json(
            {
                "names": [{"given": "Mary", "surname": "Brown"}],
                "sex": "female",
                "relatives": [husband("Hall", "1890"), husband("Green", "1875")],
            }
        )
    )

    assert (surnames.married, surnames.earlier) == (("hall",), ("green",))
    assert surnames.other == ("green",)
    assert set(surnames.borne) == {"brown", "hall", "green"}


def test_a_wife_known_by_her_husbands_name_was_born_under_her_fathers() -> None:
    kin = [
        {"kind": "spouse", "given": "Thomas", "surname": "Green"},
        {"kind": "father", "given": "John", "surname": "Brown"},
    ]
    query = {"given": "Mary", "surname": "Green", "sex": "female", "relatives": kin}

    surnames = surnames_of(query_from_json(query))

    assert (surnames.birth, surnames.married) == (("brown",), ("green",))


SWEDEN = Custom("keeps", 1900)
PARENTS = (("stone", "brown"), ("hall",))


@pytest.mark.parametrize(
    ("father", "sex", "customs", "year", "surname", "is_made"),
    [
        ("jan", "m", [], None, "jansz", True),
        ("jan", "f", [], None, "jansz", False),
        ("jan", "f", [], None, "jansdr", True),
        ("jens", "f", [], None, "jensdatter", True),
        ("anders", "m", [SWEDEN], 1850, "andersson", True),
        ("anders", "m", [SWEDEN], 1910, "andersson", False),
        ("john", "m", [], 1850, "johnson", False),
        ("rhys", "m", [Custom("takes", 1800)], 1700, "ap rhys", True),
    ],
)
def test_a_father_gives_his_name_where_that_is_the_custom(
    father: str, sex: str, customs: list[Custom], year: int | None, surname: str, is_made: bool
) -> None:
    surnames = patronymics(father, sex=sex, customs=customs, year=year)  # type: ignore[arg-type]

    assert (surname in surnames) == is_made


def test_a_patronymic_tells_the_father() -> None:
    assert father_named_by(["jensdatter", "hall"], customs=[], year=None) == ("jens",)
    assert father_named_by(["andersson"], customs=[], year=1850) == ()
    assert father_named_by(["andersson"], customs=[SWEDEN], year=1850) == ("anders",)


def test_a_child_may_bear_a_parents_name_that_is_not_its_own() -> None:
    assert parents_surnames(PARENTS[0], ("brown",)) == ("stone",)
    assert parents_surnames(PARENTS[1], ("brown",)) == ("hall",)
    assert parents_surnames((), ("brown",)) == ()


def test_where_a_record_is_of_a_child_no_parents_name_contradicts() -> None:
    assert tolerated_surnames(*PARENTS, ("brown",), "baptism") == ("stone", "hall")
    assert tolerated_surnames(*PARENTS, ("brown",), "census") == ()
