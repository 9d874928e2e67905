"""Keeping an archive file in order: is the index what the records say?"""

import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from pyroaring import BitMap

from forebear.records.codec import decode_collection
from forebear.records.privacy import NEVER, OWNER, public_year
from forebear.search.expansion.knowledge import NameField
from forebear.search.terms.write import write_terms
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.groups import read_groups
from forebear.storage.sqlite.knowledge import KnownInFile
from forebear.storage.sqlite.postings import Postings
from forebear.storage.sqlite.records import PUBLIC


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What a check found: how much there is, and every fault."""

    records: int
    personas: int
    faults: tuple[str, ...]


def check_file(connection: Connection, *, most: int = 100) -> CheckReport:
    """Compare the index with what the records say, and return at most so many faults."""
    with connection.snapshot():
        (records,) = connection.rows("SELECT count(*) FROM records")[0]
        (personas,) = connection.rows("SELECT count(*) FROM personas")[0]
        faults = tuple(islice(_faults(connection), most))
    return CheckReport(records=records, personas=personas, faults=faults)


def compact_file(connection: Connection) -> None:
    """Give back the space that deletions left."""
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _faults(connection: Connection) -> Iterator[str]:
    for (told,) in connection.rows("PRAGMA quick_check"):
        if told != "ok":
            yield f"SQLite: {told}"
    indexed: defaultdict[str, BitMap] = defaultdict(BitMap)  # personas by term, as they say
    yield from _persona_faults(connection, indexed)
    stored: defaultdict[str, BitMap] = defaultdict(BitMap)  # the same, as the postings say
    for term, personas in connection.rows(
        "SELECT t.term, p.personas FROM postings p JOIN terms t ON t.id = p.term"
    ):
        stored[term] |= BitMap.deserialize(personas)
    for term in sorted(indexed.keys() | stored.keys()):
        if indexed.get(term) != stored.get(term):
            yield f"the postings of {term!r} are not what the personas say"
    yield from _answer_faults(connection)


def _answer_faults(connection: Connection) -> Iterator[str]:
    """Yield what is wrong with the names that were left in the file for the owner."""
    postings = Postings(connection)
    left = KnownInFile(connection, postings, OWNER)
    counted = KnownInFile(connection, postings, OWNER, trusted=False)
    kinds: tuple[NameField, ...] = ("surname", "given")
    for kind in kinds:
        if left.vocabulary(kind).names != counted.vocabulary(kind).names:
            yield f"the names left in the file ({kind}) are not those that the personas have"


def _persona_faults(connection: Connection, indexed: defaultdict[str, BitMap]) -> Iterator[str]:
    """Yield what is wrong with groups and personas; note in ``indexed`` who has which term."""
    names = dict(connection.rows("SELECT id, term FROM terms"))
    hidden = {key for (key,) in connection.rows("SELECT record FROM takedowns")}
    collections = {
        name: decode_collection(value)
        for name, value in connection.rows("SELECT name, value FROM collections")
    }
    for group_id, year in connection.rows("SELECT id, public_year FROM record_groups"):
        stored = _stored_terms(connection, group_id, names)
        for number, terms in stored.values():
            for term in (*terms, f"{PUBLIC}={year}"):
                indexed[term].add(number)
        group = next(iter(read_groups(connection, [group_id])), ())
        collection = collections.get(group[0].collection) if group else None
        if collection is None:
            yield f"group {group_id} has no records, or they are of no collection"
            continue
        is_hidden = any(record.key in hidden for record in group)
        if year != (NEVER if is_hidden else public_year(group, collection)):
            yield f"{group[0].key}: the first public year is not {year}"
        expected = {
            (persona.record_key, persona.position): persona.terms
            for persona in write_terms(group, collection)
        }
        for key, position in sorted(expected.keys() | stored.keys()):
            _, terms = stored.get((key, position), (0, set()))
            if terms != expected.get((key, position), set()):
                yield f"{key}: persona {position} has other terms than the record gives it"


def _stored_terms(
    connection: Connection, group: int, names: dict[int, str]
) -> dict[tuple[str, int], tuple[int, set[str]]]:
    """Return the number and the terms of each persona of a group."""
    rows = connection.rows(
        "SELECT r.key, p.position, p.id, p.terms FROM personas p"
        " JOIN records r ON r.id = p.record WHERE r.record_group = ?",
        (group,),
    )
    return {
        (key, position): (number, {names.get(term, "") for term in array.array("i", terms)})
        for key, position, number, terms in rows
    }
