"""Is the index of an archive file what its records say, and do two files say the same?

Row numbers depend on the order in which records came; the digest does not.  It is taken of every
record with its household, file and public years, every persona with its terms by name, the
postings by the personas they name, and the vocabulary.  Records are decoded first, since the same
record may be written as JSON in several ways.
"""

import array
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, islice

from pyroaring import BitMap

from forebear.errors import StorageError
from forebear.records.codec import decode_collection, decode_record
from forebear.records.privacy import (
    HIDDEN,
    OWNER,
    PRIVACY_RULES_VERSION,
    PublicYears,
    mask,
    public_years,
)
from forebear.search.expansion.knowledge import NameField
from forebear.search.store import source_position
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.search.terms.write import write_terms
from forebear.storage.port import MAX_FAULTS, CheckReport
from forebear.storage.sqlite.batches import markers_of
from forebear.storage.sqlite.checksums import checked_tables, damaged_rows
from forebear.storage.sqlite.columns import TABLE as OUTDATED
from forebear.storage.sqlite.columns import columns_faults, forget_columns
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.erase import remove_orphans, rewrite_pages
from forebear.storage.sqlite.knowledge import SqliteKnowledge
from forebear.storage.sqlite.postings import Postings
from forebear.storage.sqlite.records import read_groups
from forebear.storage.sqlite.schema import privacy_version, terms_version

# Tables that hold records or what follows from them; a copy writes them itself.
RECORD_TABLES = (
    *("postings", "personas", "terms", "place_names", "records", "record_groups", "headings"),
    *("import_ids", "imports", "files", "takedowns", "collections", "answers", "record_counts"),
)
# Tables without row numbers, as they are.
PLAIN = (
    "SELECT 'takedown', record, reason FROM takedowns ORDER BY record",
    "SELECT 'list', name, collections FROM lists ORDER BY name",
    "SELECT 'place', name, place FROM place_names ORDER BY name, place",
    "SELECT 'alias', name, place FROM place_aliases ORDER BY name, place",
    "SELECT 'point', place, latitude, longitude FROM place_points ORDER BY place",
    "SELECT 'import', f.shelf, f.name FROM imports i JOIN files f ON f.id = i.file ORDER BY 2, 3",
)
COUNTS = "SELECT collection, public_year, count(*) FROM records GROUP BY 1, 2"
COLLECTIONS = "SELECT value FROM collections ORDER BY name"
RECORDS = (
    "SELECT r.key, r.value, h.columns, g.public_year, g.full_year, f.shelf, f.name,"
    " (SELECT min(o.key) FROM records o WHERE o.record_group = g.id)"
    " FROM records r JOIN headings h ON h.id = r.headings JOIN record_groups g"
    " ON g.id = r.record_group LEFT JOIN files f ON f.id = g.file ORDER BY r.key"
)
PERSONAS = (
    "SELECT r.key, p.position, p.masked, p.id, p.terms FROM personas p"
    " JOIN records r ON r.id = p.record ORDER BY r.key, p.position, p.masked"
)
POSTINGS = (
    "SELECT t.term, p.personas FROM postings p JOIN terms t ON t.id = p.term"
    " ORDER BY t.term, p.segment"
)


def check_file(connection: Connection) -> CheckReport:
    """Compare the index with what the records say, and return the faults."""
    with connection.snapshot():
        records = _count(connection, "records")
        personas = _count(connection, "personas WHERE masked = 0")
        faults = tuple(islice(_faults(connection), MAX_FAULTS))
    return CheckReport(records=records, personas=personas, faults=faults)


def _count(connection: Connection, table: str) -> int:
    """Return how many rows a table has; none if it cannot be read, which is a fault."""
    try:
        return int(connection.rows(f"SELECT count(*) FROM {table}")[0][0])
    except StorageError:
        return 0


def compact_file(connection: Connection) -> None:
    """Remove what deleted records left behind, and give back its space."""
    with connection.transaction():
        Postings(connection).merge_all()
    remove_orphans(connection)
    rewrite_pages(connection)


def _faults(connection: Connection) -> Iterator[str]:
    """Yield damaged pages and rows; if there are none, where index and records differ."""
    damage = 0
    for fault in chain(_page_faults(connection), _row_faults(connection)):
        damage += 1
        yield fault
    if not damage:
        yield from _index_faults(connection)


def _page_faults(connection: Connection) -> Iterator[str]:
    for (answer,) in connection.rows("PRAGMA integrity_check"):
        if answer != "ok":
            yield f"SQLite: {answer}"


def _row_faults(connection: Connection) -> Iterator[str]:
    for table in checked_tables(connection):
        try:
            rows = damaged_rows(connection, table)
        except StorageError as error:
            yield f"{table} cannot be read: {error.message}"
        else:
            yield from (f"{row} is not what was written" for row in rows)


def _index_faults(connection: Connection) -> Iterator[str]:
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
    yield from _order_faults(connection)
    yield from columns_faults(connection)


def _order_faults(connection: Connection) -> Iterator[str]:
    """Yield what is wrong with what a collection is browsed and counted by."""
    for key, position, source in connection.rows(
        "SELECT r.key, r.position, json_extract(r.value, '$.source') FROM records r"
    ):
        if position != source_position(source or ""):
            yield f"{key}: its position is not that of its source"
    for (key,) in connection.rows(
        "SELECT r.key FROM records r JOIN record_groups g ON g.id = r.record_group"
        " WHERE r.public_year != g.public_year"
    ):
        yield f"{key}: its first public year is not that of its household"
    stored = set(connection.rows("SELECT * FROM record_counts"))
    counted = set(connection.rows(COUNTS))
    for collection, year, _ in sorted(stored ^ counted, key=str):
        yield f"the records of {collection!r} that are public from {year} are miscounted"


def _answer_faults(connection: Connection) -> Iterator[str]:
    """Yield what is wrong with the names and years that were saved in the file for the owner."""
    postings = Postings(connection)
    left = SqliteKnowledge(connection, postings, OWNER)
    counted = SqliteKnowledge(connection, postings, OWNER, trusted=False)
    kinds: tuple[NameField, ...] = ("surname", "given")
    for kind in kinds:
        if left.vocabulary(kind).names != counted.vocabulary(kind).names:
            yield f"the names left in the file ({kind}) are not those that the personas have"
    if left.year_range() != counted.year_range():
        yield "the years left in the file are not those that the personas have"


def _persona_faults(connection: Connection, indexed: defaultdict[str, BitMap]) -> Iterator[str]:
    """Yield what is wrong with groups and personas; note in ``indexed`` who has which term."""
    names = dict(connection.rows("SELECT id, term FROM terms"))
    hidden = {key for (key,) in connection.rows("SELECT record FROM takedowns")}
    collections = {
        name: decode_collection(value)
        for name, value in connection.rows("SELECT name, value FROM collections")
    }
    # Terms of older rules differ from those the records would get now: `reindex` rewrites them.
    are_older = terms_version(connection) < TERM_RULES_VERSION
    hide_less = privacy_version(connection) < PRIVACY_RULES_VERSION
    for group_id, *both in connection.rows("SELECT id, public_year, full_year FROM record_groups"):
        years = PublicYears(*both)
        stored = _stored_terms(connection, group_id, names)
        for (_, _, is_masked), (number, terms) in stored.items():
            for term in (*terms, *markers_of(years, is_masked)):
                indexed[term].add(number)
        group = next(iter(read_groups(connection, [group_id])), ())
        collection = collections.get(group[0].collection) if group else None
        if collection is None:
            yield f"group {group_id} has no records, or they are of no collection"
            continue
        is_hidden = any(record.key in hidden for record in group)
        expected_years = public_years(group, collection)
        if hide_less:
            continue
        if years != (HIDDEN if is_hidden else expected_years):
            yield f"{group[0].key}: the first public year is not {years.masked} ({years.full})"
        if are_older:
            continue
        versions = {False: group}
        if expected_years.has_masks:
            versions[True] = mask(group, collection)
        expected = {
            (persona.record_key, persona.position, is_masked): persona.terms
            for is_masked, records in versions.items()
            for persona in write_terms(records, collection)
        }
        for who in sorted(expected.keys() | stored.keys()):
            _, terms = stored.get(who, (0, set()))
            if terms != expected.get(who, set()):
                yield f"{who[0]}: persona {who[1]} has other terms than the record gives it"


def _stored_terms(
    connection: Connection, group: int, names: dict[int, str]
) -> dict[tuple[str, int, bool], tuple[int, set[str]]]:
    """Return the number and the terms of each persona of a group."""
    rows = connection.rows(
        "SELECT r.key, p.position, p.masked, p.id, p.terms FROM personas p"
        " JOIN records r ON r.id = p.record WHERE r.record_group = ?",
        (group,),
    )
    return {
        (key, position, bool(masked)): (
            number,
            {names.get(term, "") for term in array.array("i", terms)},
        )
        for key, position, masked, number, terms in rows
    }


def digest_file(connection: Connection) -> str:
    """Return a hash of what an archive says, whatever its row numbers are."""
    digest = hashlib.sha256()
    with connection.snapshot():
        for line in _lines(connection):
            digest.update(repr(line).encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def _lines(connection: Connection) -> Iterator[object]:
    for sql in PLAIN:
        yield from connection.rows(sql)
    yield from (decode_collection(value) for (value,) in connection.rows(COLLECTIONS))
    for key, value, columns, *rest in connection.rows(RECORDS):
        yield key, decode_record(value, columns), rest
    names = dict(connection.rows("SELECT id, term FROM terms"))
    places: dict[int, int] = {}  # a persona's number in this file, its place in every file
    for place, (key, position, masked, number, terms) in enumerate(connection.rows(PERSONAS)):
        places[number] = place
        yield key, position, masked, sorted(names[term] for term in array.array("i", terms))
    postings: dict[str, list[int]] = {}
    for term, personas in connection.rows(POSTINGS):
        postings.setdefault(term, []).extend(places[n] for n in BitMap.deserialize(personas))
    yield from ((term, sorted(personas)) for term, personas in postings.items())


def delete_records(connection: Connection) -> None:
    """Delete all records, with everything that follows from them."""
    with connection.transaction():
        forget_columns(connection)
        tables = {name for (name,) in connection.rows("SELECT name FROM sqlite_master")}
        for table in RECORD_TABLES:
            if table in tables:
                connection.execute(f"DELETE FROM {table}")
        connection.execute("UPDATE changes SET counter = counter + 1")


def copy_tables(source: Connection, target: Connection) -> None:
    """Copy all that is not about records: searches, actions, models, trees, places."""
    with source.snapshot(), target.transaction():
        for (table,) in source.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ):
            if table in (*RECORD_TABLES, "changes", "checksums", "cluster", "metadata", OUTDATED):
                continue
            if rows := source.rows(f'SELECT * FROM "{table}"'):
                marks = ",".join("?" * len(rows[0]))
                target.execute_many(f'REPLACE INTO "{table}" VALUES ({marks})', rows)
