"""Tests for `forebear.search.expansion.clauses.names`: each level of a name, and against it."""

from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from forebear.normalize.gazetteer import Gazetteer
from forebear.records.privacy import OWNER
from forebear.records.record import Name, Record
from forebear.search.expansion.catalog import Clause
from forebear.search.expansion.clauses.forms import rare, variant
from forebear.search.expansion.clauses.names import RARE_STEPS
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.query_facts import Facts
from forebear.search.query.person_query import query_from_json
from forebear.storage.memory_knowledge import MemoryKnowledge

Clauses = Callable[..., dict[str, Clause]]
Fired = Callable[..., frozenset[str]]
Ask = Callable[..., Facts]

NEAR = {"similar", "similar85", "similar80", "edit1", "edit2", "letter"}
KEYS = {"phonetic", "soundalike", "misread"}
SAME = {"exact", "folded", "variant", *NEAR, *KEYS}
GIVEN_NEAR = {"similar", "similar85", "similar80", "edit1", "misread", "letter"}
HUSBAND: dict[str, Any] = {"kind": "spouse", "given": "Thomas", "surname": "Green"}


def called(record: Record, given: str, surname: str, *, position: int = 0) -> Record:
    """Return the record with another name of one of its personas."""
    personas = list(record.personas)
    name = Name(given=given, surname=surname)
    personas[position] = replace(personas[position], names=(name,))
    return replace(record, personas=tuple(personas))


def levels(names: frozenset[str], fact: str) -> set[str]:
    """Return at which levels of a fact clauses fired."""
    return {name.rpartition(".")[2] for name in names if name.rpartition(".")[0] == fact}


@pytest.mark.parametrize(
    ("written", "searched", "expected"),
    [
        ("Brown", "Brown", {"exact", "folded", "variant", *NEAR, *KEYS}),
        ("O'Brien", "OBrien", {"folded", "variant", *NEAR, *KEYS}),
        ("O'Brien", "o’brien", {"exact", "folded", "variant", *NEAR, *KEYS}),
        ("Smith", "Smyth", {"phonetic", "soundalike", "letter"}),
        ("Smith-Jones", "Jones", {"part"}),
        ("Brown Jones", "Brown", {"exact", "folded", "variant", *NEAR, *KEYS}),
        ("Green Wood", "Greenwood", {"joined", "similar", "similar85", "similar80", "letter"}),
        ("Greenwood", "Green Wood", {"joined", "letter"}),
        ("Brown", "Bruun", {"soundalike", "letter"}),
        ("Brown", "Crown", {"similar80", "similar85", "edit1"}),
        ("Brown", "Browning", {"similar", "similar85", "similar80", "letter"}),
        ("Brown", "Hall", {"conflict"}),
        ("", "Hall", {"missing", "inferred"}),
    ],
)
def test_the_levels_of_a_surname(
    baptism: Record, fired: Fired, written: str, searched: str, expected: set[str]
) -> None:
    record = called(baptism, "Mary", written)

    fired_levels = levels(fired((record,), "child", given="Mary", surname=searched), "self.surname")

    assert fired_levels == expected


@pytest.mark.parametrize(
    ("written", "first", "second"),
    [
        ("Green Brown", {*SAME}, {*SAME}),
        ("Green y Brown", {*SAME}, {*SAME}),
        ("Green-Brown", {*SAME}, {*SAME}),
        ("Green Hall", {*SAME}, {"conflict"}),
        ("Hall Brown", {"conflict"}, {*SAME}),
        ("Brown Green", {"part", "exchanged"}, set()),
        ("Brown Hall", {"part"}, {"conflict"}),
        ("Hall Green", {"part", "conflict"}, set()),
        ("Green", {*SAME}, set()),
        ("Brown", {"part"}, set()),
        ("Hall", {"conflict"}, set()),
    ],
)
def test_each_of_two_surnames_is_compared_with_its_own_counterpart(
    baptism: Record, fired: Fired, written: str, first: set[str], second: set[str]
) -> None:
    record = called(baptism, "Mary", written)

    fired_clauses = fired((record,), "child", given="Mary", surname="Green Brown")

    assert levels(fired_clauses, "self.surname") == first
    assert levels(fired_clauses, "self.surname2") == second
    assert ("self.name.full_exact" in fired_clauses) == (first == second == {*SAME})


@pytest.mark.parametrize(
    ("written", "searched", "expected"),
    [
        ("William", "William", {"exact", "variant", "phonetic", *GIVEN_NEAR}),
        ("Wm", "William", {"variant", "abbreviated", "letter"}),
        ("William", "Wm.", {"variant", "abbreviated", "letter"}),
        ("Bill", "William", {"variant"}),
        ("Gulielmus", "William", {"variant", "translated"}),
        ("W", "William", {"initial", "letter"}),
        ("William", "W.", {"initial", "letter"}),
        ("John W", "William John", {"crossed", "conflict"}),
        ("William J", "William John", {"exact", "variant", "phonetic", *GIVEN_NEAR}),
        ("W.", "W", {"exact", "variant", "initial", "phonetic", *GIVEN_NEAR}),
        ("John William", "William", {"as_middle"}),
        ("John Wm", "William", {"as_middle"}),
        (
            "John",
            "Jon",
            {"variant", "abbreviated", "translated", "phonetic", *GIVEN_NEAR} - {"misread"},
        ),
        ("John", "William", {"conflict"}),
    ],
)
def test_the_levels_of_a_given_name(
    baptism: Record, fired: Fired, written: str, searched: str, expected: set[str]
) -> None:
    record = called(baptism, written, "Brown")

    fired_levels = levels(fired((record,), "child", given=searched, surname="Brown"), "self.given")

    assert fired_levels == expected


@pytest.mark.parametrize(
    ("written", "searched", "expected"),
    [
        ("Mary Ann", "Mary Ann", {"exact"}),
        ("Mary A", "Mary Ann", {"initial"}),
        ("Mary Ann", "Mary A.", {"initial"}),
        ("Ann", "Mary Ann", {"as_given", "missing"}),
        ("Mary Nancy", "Mary Ann", set()),
        ("Mary Jane", "Mary Ann", {"conflict"}),
        ("Ann Mary", "Mary Ann", {"as_given", "crossed"}),
        ("Jane M", "Mary Ann", {"crossed", "conflict"}),
        ("Jane Ann", "Jane", {"extra"}),
        ("Jane", "Jane", set()),
        ("Mary", "Mary Ann", {"missing"}),
    ],
)
def test_the_levels_of_a_middle_name(
    baptism: Record, fired: Fired, written: str, searched: str, expected: set[str]
) -> None:
    record = called(baptism, written, "Brown")

    fired_levels = levels(fired((record,), "child", given=searched, surname="Brown"), "self.middle")

    assert fired_levels == expected


def test_the_variants_of_many_relatives_are_all_kept(ask: Ask) -> None:
    family = ["ann", "elizabeth", "george", "henry", "james", "john", "margaret", "william"]
    facts = ask(given="Mary")

    together = variant(family, "other.given", facts)

    for name in family:
        assert variant([name], "other.given", facts) <= together, name
    assert {"william", "wm", "bill"} <= together


def test_a_rare_surname_says_more(clauses: Clauses) -> None:
    common = clauses("census", surname="Green")
    rare = clauses("census", surname="Quux")

    assert "self.surname.rare_exact" not in common
    assert rare["self.surname.rare_exact"].any_of == rare["self.surname.exact"].any_of


class LargeArchive(MemoryKnowledge):
    """An archive in which these surnames have these shares."""

    SHARES: ClassVar[dict[str, float]] = {"green": 0.02, "greene": 0.005, "greem": 0.00005}

    def __init__(self) -> None:
        personas = [frozenset({f"self.surname={name}"}) for name in self.SHARES]
        super().__init__(personas, Gazetteer(()), OWNER)

    def share(self, field: str, value: str) -> float:
        del field
        return self.SHARES.get(value, 0)


def test_a_near_form_says_more_the_fewer_people_have_it() -> None:
    facts = gather_facts(query_from_json({"surname": "Green"}), LargeArchive())

    def steps(name: str) -> list[int]:
        return [n for n in RARE_STEPS if name in rare(n)(("green",), "self.surname", facts)]

    assert steps("green") == []
    assert steps("greene") == [100]
    assert steps("greem") == [100, 1_000, 10_000]
    assert steps("hall") == []


def test_which_surname_is_expected_depends_on_the_record_type(clauses: Clauses) -> None:
    query = {"given": "Mary", "surname": "Brown", "sex": "f", "relatives": [HUSBAND]}

    def surnames(record_type: str, clause: str) -> set[str]:
        (condition,) = clauses(record_type, **query)[clause].any_of
        return {term.removeprefix("self.surname=") for term in condition}

    assert surnames("baptism", "self.surname.exact") == {"brown"}
    assert surnames("marriage", "self.surname.exact") == {"brown"}
    assert surnames("burial", "self.surname.exact") == {"green"}
    assert surnames("census", "self.surname.exact") == {"brown", "green"}
    assert surnames("burial", "self.maiden.exact") == {"brown"}
    assert surnames("census", "self.maiden.exact") == {"brown"}
    assert surnames("census", "self.married.exact") == {"green"}
    assert surnames("marriage", "self.married.exact") == {"green"}


@pytest.mark.parametrize("record_type", ["burial", "census"])
def test_a_maiden_name_is_asked_apart_only_beside_a_married_one(
    clauses: Clauses, record_type: str
) -> None:
    assert not [name for name in clauses(record_type, surname="Brown") if ".maiden." in name]


@pytest.mark.parametrize("record_type", ["baptism", "marriage", "burial", "census"])
def test_no_surname_of_the_person_is_a_conflict(clauses: Clauses, record_type: str) -> None:
    names = [
        {"given": "Mary", "surname": "Brown"},
        {"surname": "Green", "kind": "married"},
        {"surname": "Nunn", "kind": "alias"},
    ]

    conflict = clauses(record_type, names=names)["self.surname.conflict"]

    for surname in ("brown", "green", "nunn"):
        assert not conflict.fires_on(frozenset({"has=self.surname", f"self.surname={surname}"}))
    assert conflict.fires_on(frozenset({"has=self.surname", "self.surname=hall"}))


@pytest.mark.parametrize("record_type", ["baptism", "marriage", "burial", "census"])
def test_another_surname_speaks_against_a_woman_whose_husband_is_unknown_too(
    clauses: Clauses, record_type: str
) -> None:
    woman = clauses(record_type, given="Mary", surname="Brown", sex="f")
    man = clauses(record_type, given="John", surname="Brown", sex="m")
    hall = frozenset({"has=self.surname", "self.surname=hall"})

    assert woman["self.surname.conflict"].fires_on(hall)
    assert man["self.surname.conflict"].fires_on(hall)


def test_the_husbands_name_alone_leaves_the_birth_name_open(clauses: Clauses) -> None:
    query = {"given": "Mary", "surname": "Green", "sex": "f", "relatives": [HUSBAND]}

    baptism = clauses("baptism", **query)
    burial = clauses("burial", **query)

    assert not [name for name in baptism if name.startswith("self.surname.")]
    assert "self.surname.conflict" in burial
    assert burial["self.surname.exact"].note == (
        "the surname given is the husband's, so it is taken for the married name"
    )


def test_a_married_name_worked_out_is_told_in_the_note(clauses: Clauses) -> None:
    by_name = clauses("census", given="Mary", surname="Brown", sex="f", relatives=[HUSBAND])

    assert by_name["self.married.exact"].note == "married name green taken from the husband"
    assert by_name["self.given.exact"].note == ""


def test_a_gap_counts_only_where_the_part_normally_has_the_fact(
    clauses: Clauses, fired: Fired, burial: Record, wedding: Record
) -> None:
    query = {"given": "Mary", "surname": "Brown"}
    nameless = called(wedding, "Mary", "", position=1)

    assert "self.surname.missing" in fired((nameless,), "bride", **query)
    assert "self.surname.missing" not in fired((wedding,), "bride", **query)
    # In our archive nobody buried has a surname of their own, so that is no gap.
    assert "self.surname.missing" not in fired((burial,), "deceased", **query)
    parts = clauses("burial", **query)["self.surname.missing"].any_of[0]
    assert "record.part=burial/1910/deceased" not in parts


def test_a_father_is_missing_only_to_those_who_should_have_one(
    fired: Fired, baptism: Record
) -> None:
    query = {"given": "Mary", "relatives": [{"kind": "father", "given": "John"}]}
    fatherless = replace(baptism, personas=(baptism.personas[0], baptism.personas[2]))

    assert "father.name.missing" in fired((fatherless,), "child", **query)
    assert "father.name.missing" not in fired((fatherless,), "mother", **query)


def test_a_child_may_stand_under_its_fathers_or_mothers_other_surname(
    fired: Fired, baptism: Record
) -> None:
    parents = [
        {"kind": "father", "given": "Henry", "surname": "Nunn"},
        {"kind": "mother", "given": "Ann", "surname": "Hall"},
    ]
    query = {"given": "Mary", "surname": "Brown", "relatives": parents}

    under = {
        surname: levels(
            fired((called(baptism, "Mary", surname),), "child", **query), "self.surname"
        )
        for surname in ("Nunn", "Hall", "Brown")
    }

    assert "from_father" in under["Nunn"]
    assert "from_mother" in under["Hall"]
    assert not under["Brown"] & {"from_father", "from_mother"}


def test_a_fathers_unknown_surname_is_the_persons_own(clauses: Clauses) -> None:
    by_name = clauses("baptism", given="Mary", surname="Brown")
    with_father = clauses(
        "baptism", surname="Brown", relatives=[{"kind": "father", "surname": "Nunn"}]
    )

    assert by_name["father.surname.exact"].any_of == (frozenset({"father.surname=brown"}),)
    assert with_father["father.surname.exact"].any_of == (frozenset({"father.surname=nunn"}),)


def test_both_surnames_on_one_burial(fired: Fired, burial: Record) -> None:
    names = (Name(given="Mary", surname="Green"), Name(given="Mary", surname="Brown"))
    deceased = replace(burial.personas[0], names=names)
    both = replace(burial, personas=(deceased, burial.personas[1]))
    query = {"given": "Mary", "surname": "Brown", "sex": "f", "relatives": [HUSBAND]}

    assert "self.surname.both" in fired((both,), "deceased", **query)
    assert "self.surname.both" not in fired((called(burial, "Mary", "Green"),), "deceased", **query)


@pytest.mark.parametrize(
    ("year", "surname", "expected"),
    [
        ("1871", "Brown", {"self.maiden.by_date"}),
        ("1875", "Brown", {"self.maiden.by_date"}),
        ("1881", "Brown", set()),
        ("1871", "Green", set()),
        ("1875", "Green", {"self.married.by_date"}),
        ("1881", "Green", {"self.married.by_date"}),
    ],
)
def test_a_surname_suits_the_date(
    clauses: Clauses, year: str, surname: str, expected: set[str]
) -> None:
    by_name = clauses(
        "census",
        given="Mary",
        surname="Brown",
        sex="f",
        relatives=[HUSBAND],
        events=[{"kind": "marriage", "date": "1875"}],
    )
    persona = frozenset({f"self.surname={surname.lower()}", f"event.year={year}"})

    fired = {
        name for name in by_name if name.endswith("by_date") and by_name[name].fires_on(persona)
    }

    assert fired == expected


@pytest.mark.parametrize(
    ("given", "surname", "expected"),
    [
        ("Mary Ann", "Brown", {"full_exact", "full_variant"}),
        ("Polly Ann", "Brown", {"full_variant"}),
        ("Mary", "Brown", set()),
        ("Brown", "Mary", {"swapped"}),
    ],
)
def test_names_together(
    fired: Fired, baptism: Record, given: str, surname: str, expected: set[str]
) -> None:
    record = called(baptism, given, surname)

    fired_levels = levels(fired((record,), "child", given="Mary Ann", surname="Brown"), "self.name")

    assert fired_levels == expected


def test_a_middle_name_that_was_not_asked_is_not_needed(fired: Fired, baptism: Record) -> None:
    fired_clauses = fired((baptism,), "child", given="Mary", surname="Brown")

    assert {"self.name.full_exact", "self.name.full_variant"} <= fired_clauses


def test_a_name_that_is_its_own_exchange_is_not_asked_exchanged(clauses: Clauses) -> None:
    assert "self.name.swapped" not in clauses("census", given="James", surname="James")


def test_the_widow_of_the_right_man(fired: Fired, burial: Record) -> None:
    query = {"given": "Mary", "surname": "Brown", "sex": "f", "relatives": [HUSBAND]}
    wife = called(burial, "Mary", "Green")
    widow = replace(wife, personas=(replace(wife.personas[0], marital="widowed"), wife.personas[1]))

    assert "couple.widow_of" in fired((widow,), "deceased", **query)
    assert "couple.widow_of" not in fired((wife,), "deceased", **query)


def test_a_couple_is_found_by_sound(fired: Fired, wedding: Record) -> None:
    query = {
        "given": "Thos",
        "surname": "Greene",
        "relatives": [{"kind": "spouse", "given": "Mary", "surname": "Browne"}],
    }

    fired_clauses = fired((wedding,), "groom", **query)

    assert "couple.both_phonetic" in fired_clauses
    assert "couple.both_exact" not in fired_clauses
