"""Every clause of every record type fires on some persona, and not on another.

The test is generic.  Each clause is built from a query that has the facts it needs; a persona
that fires it is made of the clause's own conditions, and one that does not by taking one of
them away.  Both must be such as the writer of terms could write: no field but the catalog's.
That the clauses mean what a genealogist would is tested with people in plain words:
``test_rules.py`` of the expansion and the tests of the clauses.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from forebear.normalize.gazetteer import Coordinates, GazetteerEntry
from forebear.normalize.places import read_place
from forebear.records.collections import RECORD_TYPES, Collection
from forebear.records.privacy import OWNER
from forebear.records.record import Day, Event, HistoricalDate, Name, Persona, Record
from forebear.search.expansion.catalog import CatalogRow, Clause, load_catalog
from forebear.search.expansion.expand import build_clauses
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.query_facts import Facts
from forebear.search.query.person_query import query_from_json
from forebear.search.terms.term import HAS, PersonaTerms, field_of, value_of
from forebear.storage.memory import MemoryStorage

LAYHAM = "Layham, Suffolk, England"
DANZIG = "Danzig, Prussia"
BOSTON = "Boston, Suffolk County, Massachusetts, USA"
DATES = {
    **{"birth": "12 Mar 1851", "baptism": "30 Mar 1851", "marriage": "2 Jun 1875"},
    **{"residence": "1881", "arrival": "9 May 1882", "service": "1870"},
    **{"death": "30 Jan 1911", "burial": "3 Feb 1911"},
    **{"divorce": "5 May 1890", "obituary": "2 Feb 1911", "naturalization": "4 Jul 1890"},
    **{
        "probate": "9 Apr 1911",
        "court": "1 Oct 1880",
        "land": "3 Apr 1885",
        "church": "1 May 1865",
    },
    **{"admission": "4 Sep 1858", "publication": "1 Feb 1911"},
}


def relative(kind: str, given: str, surname: str = "", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "given": given, "surname": surname, **more}


def born(year: str) -> dict[str, Any]:
    return {"events": [{"kind": "birth", "date": year}]}


def rich(place: str, **more: Any) -> dict[str, Any]:
    """A query that says everything anybody may know of a woman."""
    events = [{"kind": kind, "date": date, "place": place} for kind, date in DATES.items()]
    events[3]["address"] = "12 High Street"
    events[4]["ship"] = "S.S. Etruria"
    wedding = {"events": [{"kind": "marriage", "date": "1848"}, {"kind": "birth", "date": "1825"}]}
    return {
        "names": [
            {"given": "Johanna Ann", "surname": "van der Berg-Kowalski", "suffix": "Jr"},
            {"given": "Johanna", "surname": "Smith", "title": "Mrs"},
            {"given": "Johanna", "surname": "Vogel", "kind": "alias"},
        ],
        "sex": "female",
        "events": events,
        "relatives": [
            relative("spouse", "Thomas", "van Buren"),
            relative("spouse", "William", "Green"),
            relative("father", "Jan", "Stone", occupation="weaver", birthplace=place, **wedding),
            relative("mother", "Elizabeth", "Hall", birthplace=place, **born("1827")),
            relative("child", "Mary", "Green", **born("1876")),
            relative("child", "George", "Green", **born("1878")),
            relative("child", "Alice", "Green", **born("1880")),
            relative("sibling", "James"),
            relative("sibling", "Eliza"),
            relative("spouse_father", "David", "Green"),
            relative("spouse_mother", "Ruth", "Day"),
        ],
        "occupation": "dressmaker",
        "religion": "quaker",
        "organization": "21st Fusiliers",
        "identifier": "10345",
        "keywords": "twin drowned",
        **more,
    }


QUERIES: tuple[dict[str, Any], ...] = (
    rich(LAYHAM),
    rich(BOSTON),
    rich(DANZIG),
    # What a stated birth, death or wedding forestalls.
    {
        **rich(LAYHAM, events=[{"kind": "residence", "date": "1881"}]),
        "relatives": [relative("child", "Mary", "Green", **born("1876"))],
    },
    # A man: no married name, so that the birth surname is expected everywhere.
    rich(LAYHAM, sex="male", names=[{"given": "William John", "surname": "Kowalski"}]),
    rich(LAYHAM, sex="male", names=[{"given": "Jan", "surname": "Berg"}]),
    # A sex that only the given name says, and no middle name.
    {
        word: value
        for word, value in rich(LAYHAM, names=[{"given": "Johanna", "surname": "Berg"}]).items()
        if word != "sex"
    },
    # Two surnames.
    rich(LAYHAM, sex="male", names=[{"given": "Jan", "surname": "Nunn van der Berg"}]),
    # Surnames that nobody in the archive bears.
    rich(LAYHAM, sex="male", names=[{"given": "Jan", "surname": "Xylander Zweig"}]),
)

# Names that the forms of the query's names can be looked up among.
SURNAMES = (
    *("smith", "smyth", "smithe", "schmidt", "kowalska", "kowalski", "berg", "vandenberg"),
    *(
        "van der berg-kowalski",
        "van der berg",
        "van buren",
        "buren",
        "green",
        "greene",
        "vogel",
        "stone",
        "jansdr",
    ),
    *("hall", "halle", "day", "jones"),
)
GIVEN = (
    *("johanna", "johana", "joanna", "joan", "jane", "ann", "wm", "william", "gulielmus"),
    *("will", "willia", "thos", "thomas", "guilelmus", "tho", "jan", "johann", "bill", "joh"),
)


@cache
def archive() -> MemoryStorage:
    storage = MemoryStorage()
    for record_type in RECORD_TYPES:
        storage.put_collection(
            Collection(name=record_type, title=record_type, record_type=record_type)
        )
    storage.write([(record,) for record in _records()])
    near = GazetteerEntry(place_id="p:layham,suffolk,england", coordinates=Coordinates(52.0, 1.0))
    storage.add_to_gazetteer([near])
    return storage


def _records() -> Iterator[Record]:
    """Yield a record of each type on which somebody stands with every fact, and strangers."""
    day = HistoricalDate(text="", start=Day(1851, 3, 1), end=Day(1851, 3, 1), precision="day")
    place = read_place("Gdansk, Poland").place
    event = Event(kind="any", date=day, place=place)
    own = tuple(Event(kind=kind, date=day, place=place) for kind in ("birth", "death", "marriage"))
    others = tuple(Event(kind=kind, date=day, place=place) for kind in ("residence", "arrival"))
    for record_type in RECORD_TYPES:
        kin = ("self", "spouse", "parent", "child")
        people = tuple(
            Persona(
                role=relation,
                kin=relation,  # type: ignore[arg-type]
                names=(Name(given="Amos Ezra", surname="Nunn Oakes"),),
                sex="m" if relation == "parent" else "f",
                events=own + others,
            )
            for relation in kin
        )
        mother = Persona(role="m", kin="parent", names=(Name(given="Eve", surname="Oak"),), sex="f")
        yield Record(
            collection=record_type,
            id="1",
            record_type=record_type,
            event=event,
            personas=(*people, mother),
        )
    names = tuple(Name(surname=surname) for surname in SURNAMES)
    names += tuple(Name(given=given) for given in GIVEN)
    old = HistoricalDate(text="", start=Day(1650, 1, 1), end=Day(2020, 1, 1), qualifier="period")
    yield Record(
        collection="newspaper",
        id="names",
        record_type="newspaper",
        event=Event(kind="publication", date=old),
        personas=(Persona(role="name", names=names),),
    )
    for number in range(60):  # so that no word is common by accident
        yield Record(
            collection="newspaper",
            id=f"other{number}",
            record_type="newspaper",
            event=Event(kind="publication", place=read_place(f"Elsewhere{number}, Norfolk").place),
            personas=(Persona(role="name", names=(Name(given="Zeb", surname="Quux"),)),),
        )
    for year in (1650, 2020):
        at = HistoricalDate(text="", start=Day(year, 1, 1), end=Day(year, 1, 1), precision="day")
        yield Record(
            collection="newspaper",
            id=f"year{year}",
            record_type="newspaper",
            event=Event(kind="publication", date=at),
            personas=(Persona(role="name", names=(Name(given="Zeb", surname="Quux"),)),),
        )


@cache
def built_clauses() -> dict[str, dict[str, Clause]]:
    """Return each clause that some query makes, by record type and name."""
    clauses: dict[str, dict[str, Clause]] = {name: {} for name in RECORD_TYPES}
    for query in QUERIES:
        facts: Facts = gather_facts(query_from_json(query), archive().knowledge(OWNER))
        for record_type in RECORD_TYPES:
            for clause in build_clauses(facts, record_type):
                clauses[record_type].setdefault(clause.name, clause)
    return clauses


def firing(clause: Clause) -> PersonaTerms:
    """Return a persona that has one term of each condition the clause needs."""
    terms = {sorted(condition - clause.none_of)[0] for condition in clause.any_of[: clause.least]}
    if clause.kind == "conflict":
        field = value_of(sorted(clause.any_of[0])[0])
        terms.add(f"{field}=something else")
    markers = {f"{HAS}={field_of(term)}" for term in terms if field_of(term) != HAS}
    return frozenset(terms | (markers - clause.none_of))


def silent(clause: Clause, persona: PersonaTerms) -> PersonaTerms:
    """Return a persona that differs in what the clause asks for, and in nothing else."""
    if clause.none_of:
        return persona | {sorted(clause.none_of)[0]}
    return persona - (
        frozenset().union(*clause.any_of) if clause.kind == "count" else clause.any_of[0]
    )


ROWS = [row for rows in load_catalog().values() for row in rows]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.record_type}-{row.clause}")
def test_a_clause_fires_on_one_persona_and_not_on_another(row: CatalogRow) -> None:
    clause = built_clauses()[row.record_type].get(row.clause)

    assert clause is not None, "no query makes this clause"
    fires = firing(clause)
    assert clause.fires_on(fires)
    assert not clause.fires_on(silent(clause, fires))
    assert not clause.fires_on(frozenset())
    wanted = {field_of(term) for term in fires} - {HAS}
    assert wanted <= {*row.fields, "record.role"}
