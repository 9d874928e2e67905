"""Tests for rules 9, 10 and 11, and for the table that numbers all twelve."""

from collections.abc import Callable
from importlib import import_module

import pytest

from forebear.normalize.dates import read_date
from forebear.search.expansion.catalog import Clause, load_catalog
from forebear.search.expansion.rules.not_asked import NEVER_NAMED, is_asked
from forebear.search.expansion.rules.numbered import rule_modules, rule_titles
from forebear.search.expansion.rules.quarter_indexes import quarters_of

Clauses = Callable[..., dict[str, Clause]]


@pytest.mark.parametrize(
    ("date", "quarter", "following"),
    [
        ("1 Jan 1851", "1851-q1", "1851-q2"),
        ("31 Mar 1851", "1851-q1", "1851-q2"),
        ("Apr 1851", "1851-q2", "1851-q3"),
        ("31 Dec 1851", "1851-q4", "1852-q1"),
    ],
)
def test_an_event_is_registered_in_its_quarter_or_the_next(
    date: str, quarter: str, following: str
) -> None:
    assert quarters_of([read_date(date)]) == {quarter}
    assert quarters_of([read_date(date)], and_next=True) == {quarter, following}


def test_a_year_alone_has_no_quarter() -> None:
    assert quarters_of([read_date("1851")]) == frozenset()


def test_a_gap_counts_only_where_records_of_the_part_have_the_fact(clauses: Clauses) -> None:
    asked = clauses("baptism", given="Mary", relatives=[{"kind": "father", "given": "John"}])
    missing = asked["father.name.missing"]

    assert missing.rule == "10"
    assert "record.part=baptism/1850/child" in missing.any_of[0]
    assert missing.any_of[0].isdisjoint({"record.part=baptism/1850/father"})


def test_no_gap_speaks_against_a_record_by_what_it_never_tells() -> None:
    for record_type, subjects in NEVER_NAMED.items():
        rows = [row for row in load_catalog()[record_type] if row.subject in subjects]
        assert all(map(is_asked, rows))
        assert not any(is_asked(row._replace(kind="absent")) for row in rows)


def test_every_rule_has_its_module_and_every_number_of_the_catalog_its_rule() -> None:
    numbers = {
        number for rows in load_catalog().values() for row in rows for number in row.rule.split()
    }

    assert numbers == set(rule_titles()) == {str(number) for number in range(1, 13)}
    for module in rule_modules().values():
        assert import_module(f"forebear.search.expansion.rules.{module}").__doc__


def test_each_clause_says_which_rule_made_it(clauses: Clauses) -> None:
    made = clauses(
        "birth",
        given="Mary",
        surname="Brown",
        events=[{"kind": "birth", "date": "12 Mar 1851", "place": "Layham, Suffolk, England"}],
    )

    assert made["self.surname.exact"].rule == "1"
    assert made["registration.quarter.next"].rule == "9"
    assert made["event.year.before_birth"].rule == "12"
    assert made["self.given.exact"].rule == ""
