"""Tests for `forebear.search.expansion.expand`: from one query to the clauses of a type."""

from collections.abc import Callable
from typing import Any

import pytest

from forebear.errors import QueryError
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import Record
from forebear.search.expansion.catalog import Clause, load_catalog
from forebear.search.expansion.expand import Expansion, expand
from forebear.search.expansion.query_facts import Facts

Ask = Callable[..., Facts]
Expanded = Callable[..., Expansion]
Clauses = Callable[..., dict[str, Clause]]

LAYHAM = "Layham, Suffolk, England"
HADLEIGH = "Hadleigh, Suffolk, England"
BOSTON = "Boston, Suffolk County, Massachusetts, USA"
EVENTS = ("birth", "marriage", "baptism", "residence", "death", "burial")

# Everything a searcher with a good tree may know of Mary Ann Brown.
RICH: dict[str, Any] = {
    "names": [
        {"given": "Mary Ann", "surname": "Brown", "suffix": "Jr"},
        {"given": "Polly", "surname": "Braun", "kind": "alias"},
    ],
    "sex": "female",
    "events": [
        {"kind": "birth", "date": "12 Mar 1851", "place": LAYHAM},
        {"kind": "baptism", "date": "30 Mar 1851", "place": LAYHAM},
        {"kind": "marriage", "date": "2 Jun 1875", "place": HADLEIGH},
        {"kind": "residence", "date": "1881", "place": HADLEIGH},
        {"kind": "death", "date": "30 Jan 1911", "place": HADLEIGH},
        {"kind": "burial", "date": "3 Feb 1911", "place": HADLEIGH},
    ],
    "relatives": [
        {"kind": "spouse", "given": "Thomas", "surname": "Green"},
        {
            "kind": "father",
            "given": "John",
            "surname": "Brown",
            "occupation": "weaver",
            "birthplace": LAYHAM,
            "events": [{"kind": "birth", "date": "1820"}],
        },
        {"kind": "mother", "given": "Ann", "surname": "Hall", "birthplace": LAYHAM},
        {"kind": "child", "given": "William", "events": [{"kind": "birth", "date": "1876"}]},
        {"kind": "child", "given": "Ann"},
        {"kind": "child", "given": "George"},
        {"kind": "sibling", "given": "James"},
        {"kind": "sibling", "given": "Eliza"},
        {"kind": "spouse_father", "given": "James", "surname": "Green"},
        {"kind": "spouse_mother", "given": "Ruth", "surname": "Day"},
    ],
    "occupation": "dressmaker",
    "religion": "quaker",
    "keywords": "twin weaver",
}


@pytest.mark.parametrize(
    ("record_type", "least"),
    [("baptism", 120), ("marriage", 115), ("death", 115), ("census", 125), ("family_tree", 120)],
)
def test_one_rich_query_makes_many_clauses_of_the_big_types(
    expanded: Expanded, record_type: str, least: int
) -> None:
    assert len(expanded(record_type, **RICH).clauses) >= least


@pytest.mark.parametrize("record_type", RECORD_TYPES)
def test_clauses_stand_in_the_order_and_have_the_kind_of_the_catalog(
    expanded: Expanded, record_type: str
) -> None:
    kinds = {row.clause: row.kind for row in load_catalog()[record_type]}

    built = [(clause.name, clause.kind) for clause in expanded(record_type, **RICH).clauses]

    assert built == [pair for pair in kinds.items() if pair[0] in dict(built)]


@pytest.mark.parametrize("record_type", RECORD_TYPES)
def test_a_query_that_says_little_asks_little(clauses: Clauses, record_type: str) -> None:
    by_name = clauses(record_type, given="Mary")

    flags = {row.clause for row in load_catalog()[record_type] if row.kind == "flag"}
    assert {name.split(".")[1] for name in by_name.keys() - flags} == {"given", "middle", "sex"}


def test_a_fact_taken_exactly_is_a_condition_of_every_candidate(expanded: Expanded) -> None:
    gate = expanded("census", **RICH, exact=["surname", "birth.place", "sex"]).gate

    assert gate.required == (
        frozenset({"self.surname=brown", "self.surname=green"}),
        frozenset({"birth.place=p:layham,suffolk,england"}),
        frozenset({"self.sex=f"}),
    )


def test_both_of_two_surnames_are_taken_exactly(expanded: Expanded) -> None:
    expansion = expanded("census", given="Diego", surname="Barroso Lopez", exact=["surname"])
    names = {clause.name for clause in expansion.clauses}

    assert expansion.gate.required == (
        frozenset({"self.surname=barroso"}),
        frozenset({"self.surname2=lopez"}),
    )
    assert {name for name in names if name.startswith("self.surname")} == {
        "self.surname.exact",
        "self.surname2.exact",
    }


def test_an_exact_date_is_the_day(expanded: Expanded) -> None:
    gate = expanded("baptism", **RICH, exact=["birth.date"]).gate

    assert gate.required == (frozenset({"birth.date=1851-03-12"}),)


def test_a_required_fact_may_agree_in_any_tolerant_form(expanded: Expanded) -> None:
    (given,) = expanded("census", **RICH, require=["given"]).gate.required

    assert {"self.given=mary", "self.given=polly", "self.given.initial=m."} <= given
    assert "self.given.dm=690000" in given


@pytest.mark.parametrize(
    ("record_type", "fact", "accepted", "refused"),
    [
        ("census", "birth.year", "birth.year=1861", "birth.year=1862"),
        ("marriage", "birth.year", "birth.year.age=1856", "birth.year.age=1857"),
        ("census", "residence.year", "event.year=1886", "event.year=1887"),
        ("census", "marriage.year", "marriage.year=1877", "marriage.year=1878"),
        ("burial", "death.year", "death.year=1916", "death.year=1917"),
        ("baptism", "birth.date", "birth.date=1851-03", "birth.date=1851-04"),
        ("census", "birth.place", "birth.place=p:suffolk,england", "birth.place=p:england"),
        (
            "burial",
            "residence.place",
            "residence.place=p:hadleigh,suffolk,england",
            "residence.place=p:england",
        ),
        ("burial", "sibling.given", "sibling.given=james", "sibling.given=john"),
        ("census", "occupation", "self.occupation=dressmaker", "self.occupation=weaver"),
    ],
)
def test_a_required_fact_reaches_as_far_as_the_record_type_can(
    expanded: Expanded, record_type: str, fact: str, accepted: str, refused: str
) -> None:
    (condition,) = expanded(record_type, **RICH, require=[fact]).gate.required

    assert accepted in condition
    assert refused not in condition


def test_a_required_place_without_a_county_is_that_place(expanded: Expanded) -> None:
    born = {"events": [{"kind": "birth", "place": "Ireland"}], "require": ["birth.place"]}

    (condition,) = expanded("census", given="Geo", **born).gate.required

    assert condition == {"birth.place=p:ireland"}


def test_a_type_without_the_fact_that_is_insisted_on_cannot_answer(ask: Ask) -> None:
    facts = ask(**RICH, exact=["baptism.year"])

    assert expand(facts, "baptism") is not None
    assert expand(facts, "census") is None


@pytest.mark.parametrize(
    "query",
    [
        {"exact": ["shoe"]},
        {"require": ["birth.weight"]},
        {"require": ["self.name"]},
        {"exact": ["family"]},
        {"exact": ["couple"]},
    ],
)
def test_nobody_can_insist_on_what_no_record_type_has(
    ask: Ask, query: dict[str, list[str]]
) -> None:
    (fact,) = next(iter(query.values()))

    with pytest.raises(QueryError, match=f"cannot insist on '{fact}'") as refused:
        expand(ask(**RICH, **query), "census")
    assert refused.value.hint
    assert "surname" in refused.value.hint


def test_nobody_can_insist_on_what_the_query_does_not_say(ask: Ask) -> None:
    with pytest.raises(QueryError, match="the query does not say it"):
        expand(ask(given="Mary", require=["birth.place"]), "census")


def test_of_a_fact_taken_exactly_only_the_exact_clauses_count(expanded: Expanded) -> None:
    names = {clause.name for clause in expanded("census", **RICH, exact=["surname"]).clauses}

    assert {name for name in names if name.startswith("self.surname.")} == {"self.surname.exact"}
    assert "self.given.variant" in names


def test_each_clause_is_built_once_a_query_and_shared_by_the_types(ask: Ask) -> None:
    facts = ask(**RICH)
    birth, church = (expand(facts, name) for name in ("birth", "church"))

    assert birth is not None
    assert church is not None
    shared = {id(clause) for clause in birth.clauses} & {id(clause) for clause in church.clauses}
    assert len(shared) > 60


def test_a_search_of_some_collections_asks_for_their_parts(ask: Ask) -> None:
    facts = ask(given="Mary", collections=["baptism", "burial"])

    expansion = expand(facts, "baptism")
    nowhere = expand(ask(given="Mary", collections=["nowhere"]), "baptism")

    assert expansion is not None
    (parts,) = expansion.gate.required
    assert parts == {
        *(f"record.part=baptism/1850/{role}" for role in ("child", "father", "mother")),
        *(f"record.part=burial/1910/{role}" for role in ("deceased", "husband")),
    }
    assert nowhere is None


def test_records_outside_the_lifetime_are_left_out_unless_asked_for(ask: Ask) -> None:
    hidden, shown = (expand(ask(**RICH), "burial", show_impossible=show) for show in (False, True))

    assert hidden is not None
    assert shown is not None
    assert [clause.name for clause in hidden.gate.excluded] == [
        "event.year.before_death",
        "event.year.before_birth",
    ]
    assert shown.gate.excluded == ()
    assert shown.clauses == hidden.clauses


@pytest.mark.parametrize(
    ("record_type", "life", "year", "excluded"),
    [
        ("census", {"birth": "1851", "death": "1911"}, 1881, False),
        ("census", {"birth": "1851", "death": "1911"}, 1848, False),
        ("census", {"birth": "1851", "death": "1911"}, 1847, True),
        ("census", {"birth": "1851", "death": "1911"}, 1912, False),
        ("census", {"birth": "1851", "death": "1911"}, 1913, True),
        ("census", {"birth": "1851"}, 1952, False),
        ("census", {"birth": "1851"}, 1953, True),
        ("baptism", {"birth": "bef 1850"}, 1800, False),
        ("baptism", {"birth": "bef 1850"}, 1952, True),
        ("census", {"death": "aft 1861"}, 1901, False),
        ("census", {"birth": "1851", "burial": "1890"}, 1892, True),
        ("burial", {"death": "1911"}, 1909, True),
        ("burial", {"death": "1911"}, 1910, False),
        ("burial", {"death": "bef 1911"}, 1880, False),
        ("burial", {"birth": "1851"}, 2000, False),
    ],
)
def test_only_what_is_impossible_is_left_out(
    expanded: Expanded, record_type: str, life: dict[str, str], year: int, excluded: bool
) -> None:
    events = [{"kind": kind, "date": date} for kind, date in life.items()]
    dated = {"has=event.date", f"event.date={year}", f"event.year={year}"}
    record = frozenset({*dated, "record.role=principal"})

    gate = expanded(record_type, given="Mary", events=events).gate

    assert any(clause.fires_on(record) for clause in gate.excluded) == excluded


# What fires on the records of one life, as fact and levels; worked through by hand.
FOUND = {
    "child": """
        self.surname: exact folded variant phonetic edit1 edit2 misread similar soundalike
        self.surname: similar85 similar80 letter
        self.given: exact variant phonetic edit1 misread similar similar85 similar80 letter
        self.middle: exact
        self.name: full_exact full_variant
        keyword: any
        record.role: principal
        record.coverage: match
        father.given: exact variant phonetic similar
        father.surname: exact variant phonetic edit1 similar
        father.name: full_exact
        mother.given: exact variant phonetic similar
        mother.maiden: exact variant phonetic edit1 similar
        mother.name: full_exact
        parents: both_exact both_variant ages_plausible
        father.occupation: match
        other.name: exact variant
        other.surname: exact variant
        baptism.date: day month
        baptism.year: exact within1 within2 within5 within10
        baptism.place: exact town county country
        event.delay: days90 years1
        birth.date: day month day_month
        birth.year: exact within1 within2 within5 within10
        residence.place: county
        event.year: in_lifespan
    """,
    "bride": """
        self.surname: exact folded variant phonetic edit1 edit2 misread similar soundalike
        self.surname: similar85 similar80 letter
        self.given: exact variant phonetic edit1 misread similar similar85 similar80 letter
        self.middle: exact
        self.name: full_exact full_variant
        record.role: principal
        record.coverage: match
        spouse.given: exact variant phonetic similar
        spouse.surname: exact variant phonetic edit1 misread similar
        spouse.name: full_exact
        couple: both_exact both_variant both_phonetic
        father.given: exact variant
        father.surname: exact
        mother.given: exact variant
        mother.maiden: exact variant
        parents: both_exact
        spouse_father.given: exact variant
        spouse_father.surname: exact
        other.name: exact variant
        other.surname: exact variant
        marriage.date: day month day_month
        marriage.year: exact within1 within2 within5 within10
        marriage.place: exact town county country
        birth.year: from_age1 from_age2 from_age5
        self.marital: match
        event.year: usual before_children in_lifespan
        registration.district: match
    """,
    "deceased": """
        self.surname: inferred
        self.given: exact variant phonetic edit1 misread similar similar85 similar80 letter
        self.middle: exact
        record.role: principal
        record.coverage: match
        spouse.given: exact variant phonetic similar
        spouse.surname: exact variant phonetic similar edit1
        spouse.name: full_exact
        other.name: exact variant
        burial.date: day month
        burial.year: exact within1 within2 within5 within10
        burial.place: exact town county country
        event.delay: days14 years1
        death.date: day month day_month
        death.year: exact within1 within2 within5
        death.place: county country
        birth.year: exact within1 within2 within5 within10 from_age2 from_age5
    """,
    "wife": """
        self.surname: exact folded variant phonetic edit1 edit2 misread similar soundalike
        self.surname: similar85 similar80 letter
        self.given: exact variant phonetic edit1 misread similar similar85 similar80 letter
        self.middle: initial
        record.role: principal
        record.coverage: match
        self.married: exact variant phonetic by_date similar
        spouse.given: exact variant phonetic similar
        spouse.surname: exact variant phonetic edit1 similar
        spouse.name: full_exact
        child.given: exact variant two_or_more
        family: two_members three_members four_members
        other.given: variant
        other.name: exact
        birth.year: exact within1 within2 within5 within10 age_band
        birth.place: text
        residence.year: exact within1 within5
        residence.place: exact town county country
        self.marital: after_wedding
        event.year: known_span in_lifespan
    """,
    "lodger": """
        self.surname: soundalike letter
        self.given: conflict
        self.sex: conflict
        record.role: principal
        record.coverage: match
        family: two_members three_members
        other.given: variant
        other.name: exact
        birth.year: within10
        birth.place: conflict
        residence.year: exact within1 within5
        residence.place: exact town county country
        event.year: known_span in_lifespan
    """,
}


def clauses_in(text: str) -> set[str]:
    lines = [line.split(": ") for line in text.strip().splitlines()]
    return {f"{fact.strip()}.{level}" for fact, levels in lines for level in levels.split()}


@pytest.mark.parametrize("role", FOUND)
def test_the_records_of_one_life_fire_what_they_show_of_it(
    fired: Callable[..., frozenset[str]],
    baptism: Record,
    wedding: Record,
    burial: Record,
    household: tuple[Record, ...],
    role: str,
) -> None:
    groups: dict[str, tuple[Record, ...]] = {
        "child": (baptism,),
        "bride": (wedding,),
        "deceased": (burial,),
    }

    fired_clauses = fired(groups.get(role, household), role, **RICH)

    assert fired_clauses == clauses_in(FOUND[role])
