"""Do two archives say the same?

Row numbers depend on the order in which records came; what an archive says does not.  The
digest is taken of that: every record with its household, its file and its first public year,
every persona with its terms by name, the postings by the personas they name, and the vocabulary.
Records are decoded first, since the same record may be written as JSON in several ways.
"""

import array
import hashlib
from collections.abc import Iterator

from pyroaring import BitMap

from forebear.records.codec import decode_collection, decode_record
from forebear.storage.sqlite.connection import Connection

# Tables without row numbers, as they are.
PLAIN = (
    "SELECT 'takedown', record, reason FROM takedowns ORDER BY record",
    "SELECT 'list', name, collections FROM lists ORDER BY name",
    "SELECT 'place', name, place FROM place_names ORDER BY name, place",
    "SELECT 'alias', name, place FROM place_aliases ORDER BY name, place",
    "SELECT 'point', place, latitude, longitude FROM place_points ORDER BY place",
    "SELECT 'import', f.shelf, f.name FROM imports i JOIN files f ON f.id = i.file ORDER BY 2, 3",
)
COLLECTIONS = "SELECT value FROM collections ORDER BY name"
RECORDS = (
    "SELECT r.key, r.value, h.columns, g.public_year, f.shelf, f.name,"
    " (SELECT min(o.key) FROM records o WHERE o.record_group = g.id)"
    " FROM records r JOIN headings h ON h.id = r.headings JOIN record_groups g"
    " ON g.id = r.record_group LEFT JOIN files f ON f.id = g.file ORDER BY r.key"
)
PERSONAS = (
    "SELECT r.key, p.position, p.id, p.terms FROM personas p JOIN records r ON r.id = p.record"
    " ORDER BY r.key, p.position"
)
POSTINGS = (
    "SELECT t.term, p.personas FROM postings p JOIN terms t ON t.id = p.term"
    " ORDER BY t.term, p.block"
)


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
    for place, (key, position, number, terms) in enumerate(connection.rows(PERSONAS)):
        places[number] = place
        yield key, position, sorted(names[term] for term in array.array("i", terms))
    found: dict[str, list[int]] = {}
    for term, personas in connection.rows(POSTINGS):
        found.setdefault(term, []).extend(places[n] for n in BitMap.deserialize(personas))
    yield from ((term, sorted(personas)) for term, personas in found.items())
