"""Laws of clauses, on random records and queries: ladders, conflicts, gaps, and the fast score.

Making an archive and a query costs more than any law, so each case is held to all of them.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from forebear.errors import QueryError
from forebear.normalize.place_levels import ids_by_level
from forebear.records.privacy import OWNER
from forebear.records.record import Record
from forebear.search.expansion.catalog import PRINCIPAL, Clause, load_catalog
from forebear.search.expansion.clauses.lifetimes import PARENT
from forebear.search.expansion.expand import build_clauses
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.query_facts import Facts
from forebear.search.query.person_query import query_from_json
from forebear.search.record_search.score import clause_bits, compile_clauses
from forebear.search.terms.term import HAS, PersonaTerms, field_of, value_of
from forebear.search.terms.write import write_terms
from forebear.storage.memory import MemoryStorage
from strategies import COLLECTIONS, collections, groups, query_values

Group = tuple[Record, ...]

LADDERS = (
    ("exact", "folded", "variant"),
    ("exact", "edit1"),
    ("exact", "similar", "similar85", "similar80"),
    ("rare10000", "rare1000", "rare100"),
    ("within1", "within2", "within5", "within10"),
    ("from_age1", "from_age2", "from_age5"),
)
PLACE_RUNGS = ("exact", "town", "county", "state", "country")
# What says that a fact agrees, and so can never be true together with its conflict.
AGREEING = {
    "surname": (
        *("exact", "folded", "variant", "phonetic", "rare_exact", "alias", "both"),
        *("soundalike", "misread", "similar", "edit1", "edit2", "particle", "part", "gendered"),
        *("from_father", "from_mother", "patronymic", "anglicized"),
    ),
    "given": (
        *("exact", "variant", "abbreviated", "initial", "phonetic", "as_middle"),
        *("similar", "edit1", "misread", "prefix", "translated", "anglicized"),
    ),
    "middle": ("exact", "initial", "as_given"),
    "maiden": ("exact", "variant", "phonetic"),
    "year": ("exact", "within1", "within2", "within5", "within10"),
    "place": PLACE_RUNGS,
    "sex": ("match",),
    "suffix": ("match",),
    "marital": ("match",),
    "religion": ("match",),
    "occupation": ("match",),
    "nationality": ("match",),
    "identifier": ("match",),
}
TELLING = ("term", "conflict")  # kinds that say the record has their first field
OPPOSED = (
    *(("self.surname.conflict", f"self.name.{level}") for level in ("full_exact", "full_variant")),
    *(("self.given.conflict", f"self.name.{level}") for level in ("full_exact", "full_variant")),
    *(
        ("self.surname.conflict", f"self.{fact}.{level}")
        for fact in ("maiden", "married")
        for level in ("exact", "variant", "phonetic", "by_date")
    ),
    ("self.surname.conflict", "self.surname.inferred"),
    ("event.year.before_birth", "event.year.in_lifespan"),
    ("event.year.after_death", "event.year.in_lifespan"),
    ("event.year.before_birth", "event.year.after_death"),
    ("event.year.unusual", "event.year.usual"),
    ("event.year.after_children", "event.year.before_children"),
    # A record that may be of either side of the wedding fires both "before" and "still single".
    ("self.marital.still_single", "self.marital.after_wedding"),
)

CATALOG = load_catalog()
ROWS = {name: {row.clause: row for row in rows} for name, rows in CATALOG.items()}
group_lists = st.lists(groups(), min_size=1, max_size=6)
quiet = [HealthCheck.too_slow, HealthCheck.filter_too_much]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A persona of some record type, and the clauses that fire on it."""

    record_type: str
    terms: PersonaTerms
    fired: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A random query, put to every persona of a random archive."""

    facts: Facts
    clauses: dict[str, dict[str, Clause]]  # by record type and name
    people: list[Seen]


def stored(written: list[Group]) -> tuple[MemoryStorage, list[tuple[str, PersonaTerms]]]:
    """Return an archive of groups, none replacing another, and its personas by record type."""
    storage = MemoryStorage()
    for collection in collections():
        storage.put_collection(collection)
    by_name = {collection.name: collection for collection in collections()}
    seen: set[str] = set()
    personas = []
    for group in written:
        keys = {record.key for record in group}
        if keys & seen:
            continue
        seen |= keys
        storage.write([group])
        personas += [
            (group[0].record_type, persona.terms)
            for persona in write_terms(group, by_name[group[0].collection])
        ]
    return storage, personas


def case_of(written: list[Group], query: dict[str, Any]) -> Case:
    storage, personas = stored(written)
    try:
        facts = gather_facts(query_from_json(query), storage.knowledge(OWNER))
    except QueryError:  # a random query may say nothing
        assume(False)
        raise
    clauses = {record_type: clauses_of(facts, record_type) for record_type in CATALOG}
    people = [
        Seen(
            record_type=record_type,
            terms=persona,
            fired=frozenset(
                name for name, clause in clauses[record_type].items() if clause.fires_on(persona)
            ),
        )
        for record_type, persona in personas
    ]
    return Case(facts=facts, clauses=clauses, people=people)


def clauses_of(facts: Facts, record_type: str) -> dict[str, Clause]:
    return {clause.name: clause for clause in build_clauses(facts, record_type)}


def a_closer_rung_asks_for_no_more_than_a_wider_one(case: Case) -> None:
    for by_name in case.clauses.values():
        for name, clause in by_name.items():
            fact, _, level = name.rpartition(".")
            for ladder in LADDERS:
                for rung in ladder[ladder.index(level) + 1 :] if level in ladder else ():
                    wide = by_name.get(f"{fact}.{rung}")
                    if wide is not None:
                        assert clause.any_of[0] <= wide.any_of[0], (name, rung)


def a_closer_rung_fires_every_wider_one(case: Case) -> None:
    for seen in case.people:
        names = case.clauses[seen.record_type].keys()
        for name in seen.fired:
            fact, _, level = name.rpartition(".")
            if fact.endswith(".year") and level == "exact":
                for years in (1, 2, 5, 10):
                    assert {f"{fact}.within{years}"} & names <= seen.fired, name
            if fact.endswith(".place") and level in PLACE_RUNGS:
                for rung in PLACE_RUNGS[PLACE_RUNGS.index(level) + 1 :]:
                    if _every_place_has(rung, fact, seen.record_type, case.facts):
                        assert {f"{fact}.{rung}"} & names <= seen.fired, (name, rung)


def _every_place_has(level: str, fact: str, record_type: str, facts: Facts) -> bool:
    """Say whether the ladder is whole: a query for a county has no rung of towns."""
    words = facts.needed(ROWS[record_type][f"{fact}.exact"]) or ()
    places = facts.places[words[0].removesuffix(".place")] if words else ()
    return all(level in ids_by_level(place) for place in places)


def a_conflict_never_fires_together_with_what_agrees(case: Case) -> None:
    for seen in case.people:
        for name in seen.fired:
            fact, _, level = name.rpartition(".")
            if level == "conflict":
                agreeing = AGREEING[fact.rpartition(".")[2]]
                assert seen.fired.isdisjoint(f"{fact}.{clause}" for clause in agreeing), seen
        for one, other in OPPOSED:
            assert not {one, other} <= seen.fired, seen


def a_fact_is_not_missing_where_it_conflicts_or_agrees(case: Case) -> None:
    for seen in case.people:
        rows = ROWS[seen.record_type]
        fields = {rows[name].fields[0] for name in seen.fired if rows[name].kind in TELLING}
        for name in seen.fired:
            if rows[name].kind == "absent":
                assert fields.isdisjoint(rows[name].fields[:-1]), name


def a_fact_is_missing_only_where_most_of_the_part_has_it(case: Case) -> None:
    size: Counter[str] = Counter()
    having: Counter[tuple[str, str]] = Counter()
    for seen in case.people:
        (part,) = (value_of(term) for term in seen.terms if field_of(term) == "record.part")
        size[part] += 1
        having.update((part, value_of(term)) for term in seen.terms if field_of(term) == "has")
    for record_type, by_name in case.clauses.items():
        for row in CATALOG[record_type]:
            if row.kind == "absent" and row.clause in by_name:
                assert {value_of(term) for term in by_name[row.clause].any_of[0]} == {
                    part
                    for part in size
                    if any(2 * having[part, field] > size[part] for field in row.fields[:-1])
                }


def a_clause_is_of_its_kind_and_reads_only_its_fields(case: Case) -> None:
    for record_type, by_name in case.clauses.items():
        for name, clause in by_name.items():
            row = ROWS[record_type][name]
            assert clause.kind == row.kind
            wanted = {field_of(term) for condition in clause.any_of for term in condition}
            if clause.kind == "absent":
                assert wanted == {"record.part"}
                assert {value_of(term) for term in clause.none_of} == set(row.fields[:-1])
            elif clause.kind == "conflict":
                assert clause.any_of[0] == frozenset({f"has={row.fields[0]}"})
                assert clause.any_of[1:] in ((), (PRINCIPAL,), (PARENT,))
            else:
                assert wanted <= {*row.fields, HAS}, name
                assert {field_of(term) for term in clause.none_of} <= set(row.fields), name


def the_fast_score_fires_what_the_clauses_themselves_do(case: Case) -> None:
    names = sorted({term for seen in case.people for term in seen.terms})
    numbers = {term: number for number, term in enumerate(names)}
    for record_type, by_name in case.clauses.items():
        listed = [seen for seen in case.people if seen.record_type == record_type]
        rows = [sorted(numbers[term] for term in seen.terms) for seen in listed]
        held = np.array([number for row in rows for number in row], np.int64)
        bounds = np.cumsum([0, *map(len, rows)])

        bits = clause_bits(compile_clauses(list(by_name.values()), numbers), held, bounds)

        assert bits.tolist() == [[name in seen.fired for name in by_name] for seen in listed]


LAWS = (
    a_closer_rung_asks_for_no_more_than_a_wider_one,
    a_closer_rung_fires_every_wider_one,
    a_conflict_never_fires_together_with_what_agrees,
    a_fact_is_not_missing_where_it_conflicts_or_agrees,
    a_fact_is_missing_only_where_most_of_the_part_has_it,
    a_clause_is_of_its_kind_and_reads_only_its_fields,
    the_fast_score_fires_what_the_clauses_themselves_do,
)


@settings(max_examples=40, deadline=None, suppress_health_check=quiet)
@given(group_lists, query_values)
def test_every_law_of_clauses_holds(written: list[Group], query: dict[str, Any]) -> None:
    case = case_of(written, query)

    for law in LAWS:
        law(case)


@settings(max_examples=15, deadline=None, suppress_health_check=quiet)
@given(groups())
def test_nobody_contradicts_themselves(group: Group) -> None:
    """Asked with the names, the sex and the birthplace of a persona, that persona agrees."""
    storage, _ = stored([group])
    collection = next(c for c in collections() if c.name == group[0].collection)
    records = {record.key: record for record in group}
    for written in write_terms(group, collection):
        persona = records[written.record_key].personas[written.position]
        born = persona.event("birth")
        query = {
            "names": [{"given": name.given, "surname": name.surname} for name in persona.names],
            "sex": persona.sex,
            "events": [{"kind": "birth", "place": born.place.text if born and born.place else ""}],
        }
        facts = gather_facts(query_from_json(query), storage.knowledge(OWNER))
        own = {
            name: clause
            for name, clause in clauses_of(facts, group[0].record_type).items()
            if name.startswith(("self.", "birth.place.")) and clause.kind == "conflict"
        }

        assert not [name for name, clause in own.items() if clause.fires_on(written.terms)]


def test_the_random_records_are_of_many_types() -> None:
    assert len(set(COLLECTIONS.values())) == 7
    assert set(COLLECTIONS.values()) < set(CATALOG)
