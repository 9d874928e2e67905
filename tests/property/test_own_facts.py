"""Terms and expansion are twins: a persona asked with its own facts fires every exact clause."""

from hypothesis import HealthCheck, given, settings

from forebear.records.privacy import OWNER
from forebear.records.record import Record
from forebear.search.expansion.expand import build_clauses
from forebear.search.expansion.facts import gather_facts
from forebear.search.query.from_persona import query_from_persona
from forebear.search.terms.term import field_of
from forebear.search.terms.write import write_terms
from forebear.storage.memory import MemoryStorage
from strategies import collections, groups

EXACT = ("exact", "match", "day", "month", "full_exact")
# What a query says of a person may stand elsewhere on the record than where a clause looks, and a
# sex counts only where the given name does not imply it:
# no query states a marital status, and a birth inferred from an age names two years.
ELSEWHERE = (
    "self.sex.",
    "self.marital.",
    "record.",
    "other.",
    "registration.",
    "departure.",
    "destination.",
    "couple.",
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(groups())
def test_a_persona_asked_with_its_own_facts_fires_every_exact_clause_it_can(
    group: tuple[Record, ...],
) -> None:
    record = group[0]
    collection = next(c for c in collections() if c.name == record.collection)
    storage = MemoryStorage()
    storage.put_collection(collection)
    storage.write([(record,)])
    for written in write_terms((record,), collection):
        persona = record.personas[written.position]
        if not any(name.given or name.surname for name in persona.names):
            continue
        facts = gather_facts(query_from_persona(record, written.position), storage.knowledge(OWNER))
        fields = {field_of(term) for term in written.terms}
        for clause in build_clauses(facts, record.record_type):
            subject, _, level = clause.name.rpartition(".")
            is_own = subject in fields and not clause.name.startswith(ELSEWHERE)
            if level in EXACT and is_own and not clause.note:  # a note: a rule changed the fact
                assert clause.fires_on(written.terms), (clause.name, clause.any_of)
