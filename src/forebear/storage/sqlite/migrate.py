"""How is an archive file opened, brought up to date, and its index rewritten?

Records are what an archive keeps; terms, postings and vocabulary follow from them.  A file whose
index has another form gets a new one when it is opened.  One whose terms were written by older
rules works as it is until ``forebear reindex`` rewrites them.  Either is one transaction: whoever
is interrupted finds the archive as it was, and searches go on meanwhile.
"""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from forebear.errors import ArchiveError
from forebear.records.privacy import PRIVACY_RULES_VERSION
from forebear.search.store import source_position
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.storage.sqlite.checksums import guard_new_tables, write_checksums
from forebear.storage.sqlite.columns import ArchiveColumns, forget_columns
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.disk import check_header
from forebear.storage.sqlite.postings import Postings
from forebear.storage.sqlite.schema import FORMAT_VERSION, has_address
from forebear.storage.sqlite.write import SqliteWriter

# Files up to this format do not say in which order a collection is browsed, and may have a
# password among the hosts of their cluster.  Their rows have no checksums.
LAST_WITHOUT_ORDER = 3
LAST_WITH_BLOCKS = 5  # of personas, in the postings
# Terms keep their numbers, which programs that have the archive open remember.
INDEX_TABLES = ("postings", "personas", "place_names")
# From each older format version, the statements that bring a file to the next.
# Version 1 did not note which file a record came from, but its source says FILE:LINE.
# Version 2 did not note by which rules terms were written: they were the first.
# Version 3 did not note by which rules it was decided what the public may see: they were the first.
# It logged every search whole, and did not note where a judgment came from.
# It had no checksums either.
# Version 4 had neither name variants nor trials.
# Version 5 had postings by term and block of 65,536 personas; they become one segment.
# A migration is history: it says again what a table was then, and stays when TABLES changes.
MIGRATIONS: dict[int, str] = {
    1: """
DROP TABLE name_folds;
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    shelf TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (shelf, name)
);
ALTER TABLE record_groups ADD COLUMN file INTEGER REFERENCES files (id);
CREATE INDEX record_groups_by_file ON record_groups (file);
CREATE TABLE imports (
    file INTEGER PRIMARY KEY REFERENCES files (id),
    content TEXT NOT NULL,
    mapping TEXT NOT NULL,
    started_at TEXT NOT NULL
);
CREATE TABLE import_ids (
    file INTEGER NOT NULL REFERENCES imports (file),
    line INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (file, line)
) WITHOUT ROWID;
CREATE TABLE lists (
    name TEXT PRIMARY KEY,
    collections TEXT NOT NULL
);
CREATE TABLE place_aliases (
    name TEXT NOT NULL,
    place TEXT NOT NULL,
    PRIMARY KEY (name, place)
) WITHOUT ROWID;
CREATE TABLE place_points (
    place TEXT PRIMARY KEY,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL
);
CREATE INDEX actions_by_record ON actions (record);
CREATE TABLE search_notes (
    search TEXT PRIMARY KEY REFERENCES searches (id),
    searcher TEXT NOT NULL,
    options TEXT NOT NULL,
    relaxed TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
);
INSERT INTO files (shelf, name)
    SELECT DISTINCT collection,
        rtrim(rtrim(json_extract(value, '$.source'), '0123456789'), ':')
    FROM records WHERE json_extract(value, '$.source') GLOB '*:[0-9]*';
UPDATE record_groups SET file = (
    SELECT f.id FROM records r JOIN files f ON f.shelf = r.collection
        AND f.name = rtrim(rtrim(json_extract(r.value, '$.source'), '0123456789'), ':')
    WHERE r.record_group = record_groups.id LIMIT 1
);
""",
    2: """
CREATE TABLE metadata (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO metadata VALUES ('terms', '1');
ALTER TABLE search_lists ADD COLUMN collections TEXT NOT NULL DEFAULT '[]';
ALTER TABLE search_lists ADD COLUMN hashes BLOB NOT NULL DEFAULT x''
""",
    3: """
INSERT INTO metadata VALUES ('privacy', '1');
CREATE TABLE links (
    name TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    revoked_at TEXT,
    last_used TEXT
);
ALTER TABLE searches ADD COLUMN entry TEXT NOT NULL DEFAULT 'whole';
ALTER TABLE searches ADD COLUMN change INTEGER;
ALTER TABLE searches ADD COLUMN catalog TEXT NOT NULL DEFAULT '';
ALTER TABLE searches ADD COLUMN types TEXT NOT NULL DEFAULT '[]';
ALTER TABLE searches ADD COLUMN total INTEGER;
ALTER TABLE searches ADD COLUMN none REAL;
ALTER TABLE searches ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
UPDATE searches SET size = length(query) + length(shown) + (
    SELECT coalesce(sum(length(clauses) + length(records) + length(scores) + length(bits)
        + length(hashes)), 0)
    FROM search_lists WHERE search = searches.id
);
CREATE INDEX searches_by_time ON searches (at, size);
ALTER TABLE actions ADD COLUMN source TEXT NOT NULL DEFAULT 'use';
ALTER TABLE search_lists ADD COLUMN gated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE search_lists ADD COLUMN years TEXT NOT NULL DEFAULT '[]';
CREATE TABLE probability_offsets (
    viewer TEXT NOT NULL,
    model TEXT NOT NULL,
    bits REAL NOT NULL,
    searches INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (viewer, model)
) WITHOUT ROWID;
CREATE TABLE votes (
    searcher TEXT NOT NULL,
    record TEXT NOT NULL,
    search TEXT NOT NULL REFERENCES searches (id),
    kind TEXT NOT NULL,
    rank INTEGER,
    at TEXT NOT NULL,
    PRIMARY KEY (searcher, record)
) WITHOUT ROWID;
CREATE INDEX votes_by_search ON votes (search);
ALTER TABLE record_groups ADD COLUMN full_year INTEGER NOT NULL DEFAULT 0;
UPDATE record_groups SET full_year = public_year;
ALTER TABLE personas ADD COLUMN masked INTEGER NOT NULL DEFAULT 0;
DROP TABLE IF EXISTS answers;
CREATE TABLE tombstones (
    hash BLOB PRIMARY KEY
) WITHOUT ROWID;
ALTER TABLE record_groups ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE records ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE personas ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE terms ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE postings ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
CREATE TABLE checksums (
    name TEXT NOT NULL,
    row BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (name, row)
) WITHOUT ROWID;
ALTER TABLE records ADD COLUMN position TEXT NOT NULL DEFAULT '';
ALTER TABLE records ADD COLUMN public_year INTEGER NOT NULL DEFAULT 0;
CREATE TABLE record_counts (
    collection TEXT NOT NULL,
    public_year INTEGER NOT NULL,
    records INTEGER NOT NULL,
    PRIMARY KEY (collection, public_year)
) WITHOUT ROWID
""",
    4: """
CREATE TABLE name_variants (
    kind TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    persons INTEGER NOT NULL,
    searchers INTEGER NOT NULL,
    expected REAL NOT NULL,
    chance REAL NOT NULL,
    learned_at TEXT NOT NULL,
    revoked_at TEXT,
    PRIMARY KEY (kind, first, second)
) WITHOUT ROWID;
CREATE TABLE trials (
    id INTEGER PRIMARY KEY,
    challenger TEXT NOT NULL,
    incumbent TEXT NOT NULL,
    share REAL NOT NULL,
    started_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'running',
    ended_at TEXT,
    reason TEXT NOT NULL DEFAULT ''
);
CREATE TABLE trial_searches (
    search TEXT PRIMARY KEY,
    trial INTEGER NOT NULL REFERENCES trials (id),
    teams TEXT NOT NULL,
    sign INTEGER,
    incumbent INTEGER,
    challenger INTEGER,
    place INTEGER
) WITHOUT ROWID;
CREATE INDEX trial_searches_by_trial ON trial_searches (trial, place)
""",
    5: """
ALTER TABLE postings RENAME TO postings_by_block;
CREATE TABLE postings (
    segment INTEGER NOT NULL,
    term INTEGER NOT NULL REFERENCES terms (id),
    personas BLOB NOT NULL,
    checksum INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (segment, term)
) WITHOUT ROWID
""",
}

# Files up to this format have another index, so it is written again when they are opened.
LAST_OTHER_INDEX = 1


def open_file(path: Path) -> Connection:
    """Open an archive file, bringing an older format up to date."""
    if not path.is_file():
        raise ArchiveError(
            f"there is no archive at {str(path)!r}", hint=f"make one: forebear init {path}"
        )
    check_header(path)
    connection = Connection(path)
    try:
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def migrate(connection: Connection) -> None:
    """Bring an archive up to date; refuse one of a newer format."""
    if _version(connection) == FORMAT_VERSION:
        return
    with connection.transaction():
        version = _version(connection)  # another program may have been faster
        if version > FORMAT_VERSION:
            raise ArchiveError(
                f"{str(connection.path)!r} has format version {version}, this program knows "
                f"{FORMAT_VERSION}",
                hint="install a newer forebear",
            )
        for older in range(version, FORMAT_VERSION):
            for statement in MIGRATIONS[older].split(";"):
                connection.execute(statement)
        if version <= LAST_WITH_BLOCKS:
            Postings(connection).take_blocks(has_checksums=version > LAST_WITHOUT_ORDER)
        if version <= LAST_WITHOUT_ORDER:
            _forget_passwords(connection)
            _put_in_order(connection)
            write_checksums(connection)
        guard_new_tables(connection)
        if version <= LAST_OTHER_INDEX:
            _rewrite_index(connection, lambda *_: None)
        connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")


def _forget_passwords(connection: Connection) -> None:
    """Remove users and passwords from hosts, where earlier programs allowed them."""
    if not has_address(connection):
        return
    ((stored,),) = connection.rows("SELECT hosts FROM cluster")
    nodes = map(urlsplit, json.loads(stored))
    hosts = [node._replace(netloc=node.netloc.rpartition("@")[2]).geturl() for node in nodes]
    connection.execute("UPDATE cluster SET hosts = ?", (json.dumps(hosts),))


def _put_in_order(connection: Connection) -> None:
    """Note the position and public year of every record, and count them."""
    connection.execute(
        "UPDATE records SET public_year ="
        " (SELECT public_year FROM record_groups g WHERE g.id = record_group)"
    )
    sources = connection.rows("SELECT id, json_extract(value, '$.source') FROM records")
    connection.execute_many(
        "UPDATE records SET position = ? WHERE id = ?",
        [(source_position(source or ""), number) for number, source in sources],
    )
    connection.execute(
        "INSERT INTO record_counts SELECT collection, public_year, count(*) FROM records"
        " GROUP BY collection, public_year"
    )
    connection.execute(
        "CREATE INDEX records_in_order ON records"
        " (collection, max(public_year, 2025), position, key, public_year)"
    )


def _version(connection: Connection) -> int:
    return int(connection.rows("PRAGMA user_version")[0][0])


def reindex_file(connection: Connection, progress: Callable[[int, int], None]) -> None:
    """Rewrite the index of all records; ``progress`` gets the groups done and their number."""
    with connection.transaction():
        _rewrite_index(connection, progress)


def _rewrite_index(connection: Connection, progress: Callable[[int, int], None]) -> None:
    forget_columns(connection)
    for table in INDEX_TABLES:
        connection.execute(f"DELETE FROM {table}")
    writer = SqliteWriter(connection, Postings(connection), ArchiveColumns(connection))
    writer.rewrite(progress=progress)
    for name, version in (("terms", TERM_RULES_VERSION), ("privacy", PRIVACY_RULES_VERSION)):
        connection.execute("REPLACE INTO metadata VALUES (?, ?)", (name, str(version)))
    connection.execute("UPDATE changes SET counter = counter + 1")
