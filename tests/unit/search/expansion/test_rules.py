"""Each of the twelve rules, on people and records in plain words: what fires, and what does not.

The facts are those of a handbook of genealogy, not of the catalog: no person here is built from
the conditions of a clause.  Rules 10 and 11, and the table that numbers all twelve, come last.
"""

from collections.abc import Callable
from typing import Any

import pytest

from forebear.normalize.ages import read_age
from forebear.normalize.dates import read_date
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import Event, Name, Persona, Record
from forebear.search.expansion.catalog import Clause, load_catalog, rule_titles
from forebear.search.expansion.expand import NEVER_NAMED, is_compared

Fired = Callable[..., frozenset[str]]


def person(name: str, role: str = "person", kin: str = "self", **facts: Any) -> Persona:
    given, _, surname = name.partition(" ")
    names = (Name(given=given, surname=surname),)
    return Persona(role=role, kin=kin, names=names, is_principal=kin == "self", **facts)  # type: ignore[arg-type]


def entry(record_type: str, date: str, *people: Persona) -> list[Record]:
    """Return a record of a type and date with these people on it."""
    event = Event(kind=RECORD_TYPES[record_type].event, date=read_date(date))
    return [
        Record(
            collection=record_type, id="1", record_type=record_type, event=event, personas=people
        )
    ]


def census(name: str, date: str, age: str = "") -> list[Record]:
    stated = read_age(age, at=read_date(date), source="census") if age else None
    return entry("census", date, person(name, age=stated))


def baptism(child: str, date: str, father: str = "", mother: str = "") -> list[Record]:
    parents = [
        person(name, role, "parent", sex=sex)
        for name, role, sex in ((father, "father", "m"), (mother, "mother", "f"))
        if name
    ]
    return entry("baptism", date, person(child, "child"), *parents)


def dated(**events: str) -> list[dict[str, str]]:
    return [{"kind": kind, "date": date} for kind, date in events.items()]


def relative(kind: str, given: str, surname: str = "", **events: str) -> dict[str, Any]:
    return {"kind": kind, "given": given, "surname": surname, "events": dated(**events)}


def test_1_a_wife_stands_under_her_husbands_surname_from_the_wedding_on(fired: Fired) -> None:
    mary = {
        **{"given": "Mary", "surname": "Brown", "sex": "female", "events": dated(marriage="1875")},
        "relatives": [relative("spouse", "Thomas", "Green")],
    }

    assert "self.married.by_date" in fired(census("Mary Green", "1881"), "person", **mary)
    assert "self.married.by_date" not in fired(census("Mary Green", "1871"), "person", **mary)
    assert "self.maiden.by_date" in fired(census("Mary Brown", "1871"), "person", **mary)
    assert "self.maiden.by_date" not in fired(census("Mary Brown", "1881"), "person", **mary)


def test_2_under_her_birth_name_a_wife_known_by_marriage_only_is_no_other(fired: Fired) -> None:
    child = baptism("Mary Brown", "1851", father="John Brown")
    mary = {"given": "Mary", "surname": "Green", "sex": "female"}
    wife = {**mary, "relatives": [relative("spouse", "Thomas", "Green")]}

    assert "self.surname.conflict" in fired(child, "child", **mary)
    assert "self.surname.conflict" not in fired(child, "child", **wife)


def test_3_a_father_bears_the_childs_surname_where_nobody_says_otherwise(fired: Fired) -> None:
    john = {"given": "John", "surname": "Brown", "relatives": [relative("father", "James")]}
    his, another = (baptism("John Brown", "1851", f"James {name}") for name in ("Brown", "Hall"))

    assert "father.surname.exact" in fired(his, "child", **john)
    assert "father.surname.exact" not in fired(another, "child", **john)


def test_3_where_children_are_called_after_their_father_his_name_makes_theirs(fired: Fired) -> None:
    jan = {
        **{"given": "Jan", "surname": "Visser", "sex": "male"},
        "events": [{"kind": "birth", "date": "1790", "place": "Utrecht, Netherlands"}],
        "relatives": [relative("father", "Pieter")],
    }

    called, not_called = baptism("Jan Pietersz", "1790"), baptism("Jan Bakker", "1790")

    assert "self.surname.patronymic" in fired(called, "child", **jan)
    assert "self.surname.patronymic" not in fired(not_called, "child", **jan)


def test_4_a_child_may_stand_under_its_mothers_surname(fired: Fired) -> None:
    john = {"given": "John", "surname": "Brown", "relatives": [relative("mother", "Ann", "Hall")]}

    assert "self.surname.from_mother" in fired(baptism("John Hall", "1851"), "child", **john)
    assert "self.surname.from_mother" not in fired(baptism("John Green", "1851"), "child", **john)


@pytest.mark.parametrize(
    ("born", "day", "age", "clause", "fires"),
    [
        ("1850", "3 Apr 1881", "30", "birth.year.within1", True),
        ("1850", "3 Apr 1881", "33", "birth.year.within1", False),
        ("1817", "6 Jun 1841", "20", "birth.year.age_band", True),  # 20 to 24: rounded down
        ("1812", "6 Jun 1841", "20", "birth.year.age_band", False),
    ],
)
def test_5_an_age_at_a_date_gives_the_birth(
    fired: Fired, born: str, day: str, age: str, clause: str, fires: bool
) -> None:
    fired_clauses = fired(
        census("John Brown", day, age), "person", given="John", events=dated(birth=born)
    )

    assert (clause in fired_clauses) == fires


def test_6_a_bride_was_born_some_twenty_three_years_before_her_wedding(fired: Fired) -> None:
    ann = {"given": "Ann", "sex": "female", "events": dated(marriage="1875")}
    likely, too_early = (entry("birth", year, person("Ann Brown")) for year in ("1852", "1831"))

    assert "birth.year.inferred" in fired(likely, "person", **ann)
    assert "birth.year.inferred" not in fired(too_early, "person", **ann)


def test_7_whoever_was_counted_in_1881_died_afterwards(fired: Fired) -> None:
    john = {"given": "John", "events": dated(birth="1850", residence="1881")}
    later, before = (entry("death", year, person("John Brown")) for year in ("1900", "1870"))

    assert "death.year.inferred" in fired(later, "person", **john)
    assert "death.year.inferred" not in fired(before, "person", **john)
    assert "death.year.before_known" in fired(before, "person", **john)
    assert "death.year.before_known" not in fired(later, "person", **john)


def test_8_a_wedding_is_no_later_than_a_year_after_the_first_child(fired: Fired) -> None:
    john = {
        **{"given": "John", "events": dated(birth="1850")},
        "relatives": [relative("child", "Ann", birth="1876")],
    }
    in_time, too_late = (entry("marriage", year, person("John Brown")) for year in ("1874", "1880"))

    assert "marriage.year.inferred" in fired(in_time, "person", **john)
    assert "marriage.year.inferred" not in fired(too_late, "person", **john)


def test_9_a_child_born_in_december_may_be_registered_in_the_march_quarter(fired: Fired) -> None:
    john = {"given": "John", "events": dated(birth="12 Dec 1851")}
    march, june = (
        entry("birth", f"1852 {quarter}", person("John Brown")) for quarter in ("Q1", "Q2")
    )

    assert "registration.quarter.next" in fired(march, "person", **john)
    assert "registration.quarter.next" not in fired(june, "person", **john)


def test_10_a_father_is_missed_only_where_such_records_name_fathers(fired: Fired) -> None:
    """The archive has a baptism of 1851, with a father, and none of the century before."""
    john = {"given": "John", "surname": "Brown", "relatives": [relative("father", "James")]}

    assert "father.name.missing" in fired(baptism("John Brown", "1853"), "child", **john)
    assert "father.name.missing" not in fired(baptism("John Brown", "1753"), "child", **john)


def test_11_a_baptism_names_no_spouse_of_the_child_but_of_the_mother(fired: Fired) -> None:
    mary = {"given": "Mary", "surname": "Brown", "relatives": [relative("spouse", "Thomas")]}
    her_own = baptism("Mary Brown", "1851", father="John Brown", mother="Ann Hall")
    her_childs = baptism("Ann Green", "1876", father="Thomas Green", mother="Mary Brown")

    as_child, as_mother = fired(her_own, "child", **mary), fired(her_childs, "mother", **mary)

    assert [name for name in as_child if name.startswith(("spouse.", "couple."))] == []
    assert "spouse.given.exact" in as_mother


def test_12_nobody_is_counted_before_birth_or_after_death(fired: Fired) -> None:
    john = {"given": "John", "events": dated(birth="1851", death="1911")}

    def found(year: str) -> frozenset[str]:
        levels_stated = {
            "event.year.before_birth",
            "event.year.in_lifespan",
            "event.year.after_death",
        }
        return fired(census("John Brown", year), "person", **john) & levels_stated

    assert found("1841") == {"event.year.before_birth"}
    assert found("1881") == {"event.year.in_lifespan"}
    assert found("1921") == {"event.year.after_death"}


Clauses = Callable[..., dict[str, Clause]]


def test_a_gap_counts_only_where_records_of_the_part_have_the_fact(clauses: Clauses) -> None:
    by_name = clauses("baptism", given="Mary", relatives=[{"kind": "father", "given": "John"}])
    missing = by_name["father.name.missing"]

    assert missing.rule == "10"
    assert "record.part=baptism/1850/child" in missing.any_of[0]
    assert missing.any_of[0].isdisjoint({"record.part=baptism/1850/father"})


def test_no_gap_speaks_against_a_record_by_what_it_never_tells() -> None:
    for record_type, subjects in NEVER_NAMED.items():
        rows = [row for row in load_catalog()[record_type] if row.subject in subjects]
        assert all(map(is_compared, rows))
        assert not any(is_compared(row._replace(kind="absent")) for row in rows)


def test_every_number_of_the_catalog_has_its_rule() -> None:
    numbers = {
        number for rows in load_catalog().values() for row in rows for number in row.rule.split()
    }

    assert numbers == set(rule_titles()) == {str(number) for number in range(1, 13)}


def test_each_clause_says_which_rule_made_it(clauses: Clauses) -> None:
    by_name = clauses(
        "birth",
        given="Mary",
        surname="Brown",
        events=[{"kind": "birth", "date": "12 Mar 1851", "place": "Layham, Suffolk, England"}],
    )

    assert by_name["self.surname.exact"].rule == "1"
    assert by_name["registration.quarter.next"].rule == "9"
    assert by_name["event.year.before_birth"].rule == "12"
    assert by_name["self.given.exact"].rule == ""
