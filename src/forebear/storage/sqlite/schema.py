"""Which tables has an archive file, and what does it say of itself?

Postings are roaring bitmaps, one for each term and segment; what is added in one transaction is
a segment, and segments are merged as the archive grows.  A persona's own terms are stored with it
as numbers: the gate reads postings, the score reads those.

The public may see a group without its living people from ``public_year`` on, and all of it from
``full_year`` on.  A group with years in between has a second set of personas, ``masked`` ones,
whose terms are those of the group without the living.

Records of a collection are browsed in the order of their source.  The index of that order has one
run for all records that are public since long, and one for each later year, so that a page is read
from the runs that a viewer may see and never passes over hidden records.

An archive whose records are in a cluster has a table that says where; it never holds a password or
a key.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from forebear.errors import ArchiveError
from forebear.records.privacy import PRIVACY_RULES_VERSION
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.storage.sqlite.checksums import (
    guard_table,
    require_table,
    write_checksums,
)
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.disk import APPLICATION_ID, create_private, sync_folder

if TYPE_CHECKING:
    from forebear.storage.port import ClusterAddress

FORMAT_VERSION = 6

TABLES = """
CREATE TABLE collections (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE headings (
    id INTEGER PRIMARY KEY,
    columns TEXT NOT NULL UNIQUE
);
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    shelf TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (shelf, name)
);
CREATE TABLE record_groups (
    id INTEGER PRIMARY KEY,
    public_year INTEGER NOT NULL,
    file INTEGER REFERENCES files (id),
    full_year INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX record_groups_by_file ON record_groups (file);
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    collection TEXT NOT NULL,
    record_group INTEGER NOT NULL REFERENCES record_groups (id),
    headings INTEGER NOT NULL REFERENCES headings (id),
    value TEXT NOT NULL,
    checksum INTEGER NOT NULL DEFAULT 0,
    position TEXT NOT NULL DEFAULT '',
    public_year INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX records_by_group ON records (record_group);
CREATE INDEX records_by_collection ON records (collection);
CREATE INDEX records_in_order ON records
    (collection, max(public_year, 2025), position, key, public_year);
CREATE TABLE record_counts (
    collection TEXT NOT NULL,
    public_year INTEGER NOT NULL,
    records INTEGER NOT NULL,
    PRIMARY KEY (collection, public_year)
) WITHOUT ROWID;
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
CREATE TABLE takedowns (
    record TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    at TEXT NOT NULL
);
CREATE TABLE personas (
    id INTEGER PRIMARY KEY,
    record INTEGER NOT NULL REFERENCES records (id),
    position INTEGER NOT NULL,
    tie INTEGER NOT NULL,
    terms BLOB NOT NULL,
    masked INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX personas_by_record ON personas (record);
CREATE TABLE terms (
    id INTEGER PRIMARY KEY,
    term TEXT NOT NULL UNIQUE,
    checksum INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE postings (
    segment INTEGER NOT NULL,
    term INTEGER NOT NULL REFERENCES terms (id),
    personas BLOB NOT NULL,
    checksum INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (segment, term)
) WITHOUT ROWID;
CREATE TABLE place_names (
    name TEXT NOT NULL,
    place TEXT NOT NULL,
    PRIMARY KEY (name, place)
) WITHOUT ROWID;
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
CREATE TABLE searches (
    id TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    query TEXT NOT NULL,
    model TEXT NOT NULL,
    viewer TEXT NOT NULL,
    shown TEXT NOT NULL,
    entry TEXT NOT NULL DEFAULT 'whole',
    change INTEGER,
    catalog TEXT NOT NULL DEFAULT '',
    types TEXT NOT NULL DEFAULT '[]',
    total INTEGER,
    none REAL,
    size INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX searches_by_time ON searches (at, size);
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
CREATE TABLE search_lists (
    search TEXT NOT NULL REFERENCES searches (id),
    list TEXT NOT NULL,
    record_type TEXT NOT NULL,
    state TEXT NOT NULL,
    clauses TEXT NOT NULL,
    records TEXT NOT NULL,
    scores TEXT NOT NULL,
    bits BLOB NOT NULL,
    collections TEXT NOT NULL DEFAULT '[]',
    hashes BLOB NOT NULL DEFAULT x'',
    gated INTEGER NOT NULL DEFAULT 0,
    years TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (search, list)
) WITHOUT ROWID;
CREATE TABLE actions (
    id INTEGER PRIMARY KEY,
    search TEXT NOT NULL REFERENCES searches (id),
    record TEXT NOT NULL,
    kind TEXT NOT NULL,
    rank INTEGER,
    at TEXT NOT NULL,
    reason TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT 'use'
);
CREATE INDEX actions_by_search ON actions (search);
CREATE INDEX actions_by_record ON actions (record);
CREATE TABLE links (
    name TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    revoked_at TEXT,
    last_used TEXT
);
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
CREATE TABLE models (
    version TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    note TEXT NOT NULL,
    at TEXT NOT NULL
);
CREATE TABLE promotions (
    id INTEGER PRIMARY KEY,
    version TEXT NOT NULL REFERENCES models (version),
    at TEXT NOT NULL
);
CREATE TABLE probability_offsets (
    viewer TEXT NOT NULL,
    model TEXT NOT NULL,
    bits REAL NOT NULL,
    searches INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (viewer, model)
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
CREATE INDEX trial_searches_by_trial ON trial_searches (trial, place);
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
CREATE TABLE changes (
    counter INTEGER NOT NULL
);
INSERT INTO changes VALUES (0);
CREATE TABLE metadata (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE tombstones (
    hash BLOB PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE checksums (
    name TEXT NOT NULL,
    row BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (name, row)
) WITHOUT ROWID;
"""


def create_file(path: Path) -> Connection:
    """Create a new archive file."""
    if not path.parent.is_dir():
        raise ArchiveError(f"the folder {str(path.parent)!r} does not exist")
    create_private(path, is_new=True)
    connection = Connection(path)
    try:
        with connection.transaction():
            for statement in TABLES.split(";"):
                connection.execute(statement)
            versions = {"terms": TERM_RULES_VERSION, "privacy": PRIVACY_RULES_VERSION}
            connection.execute_many(
                "INSERT INTO metadata VALUES (?, ?)",
                [(name, str(version)) for name, version in versions.items()],
            )
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
            write_checksums(connection)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # its header says what the file is
    except BaseException:
        connection.close()
        raise
    sync_folder(path)
    return connection


def terms_version(connection: Connection) -> int:
    """Return the version of the rules by which the terms in a file were written."""
    return read_number(connection, "terms", missing=1)


def privacy_version(connection: Connection) -> int:
    """Return the version of the rules by which a file says what the public may see."""
    return read_number(connection, "privacy", missing=1)


def read_number(connection: Connection, name: str, *, missing: int) -> int:
    """Return a number that the file notes of itself; another if it notes none."""
    require_table(connection, "metadata")
    rows = connection.rows("SELECT value FROM metadata WHERE name = ?", (name,))
    return int(rows[0][0]) if rows else missing


def read_address(connection: Connection) -> "ClusterAddress | None":
    """Return the cluster that holds an archive's records; None if its file does."""
    if not has_address(connection):
        return None
    from forebear.storage.port import ClusterAccess, ClusterAddress

    require_table(connection, "cluster")
    # Archives of earlier programs do not say how to sign in.
    ((hosts, prefix, shards, replicas, *access),) = connection.rows("SELECT * FROM cluster")
    return ClusterAddress(
        hosts=tuple(json.loads(hosts)),
        prefix=prefix,
        shards=shards,
        replicas=replicas,
        access=ClusterAccess(**json.loads(access[0])) if access else ClusterAccess(),
    )


def write_address(connection: Connection, address: "ClusterAddress") -> None:
    """Store the address of the cluster that holds an archive's records."""
    with connection.transaction():
        connection.execute(
            "CREATE TABLE cluster (hosts TEXT NOT NULL, prefix TEXT NOT NULL,"
            " shards INTEGER NOT NULL, replicas INTEGER NOT NULL, access TEXT NOT NULL)"
        )
        guard_table(connection, "cluster")
        access = json.dumps(asdict(address.access))
        connection.execute(
            "INSERT INTO cluster VALUES (?, ?, ?, ?, ?)",
            (json.dumps(address.hosts), address.prefix, address.shards, address.replicas, access),
        )


def has_address(connection: Connection) -> bool:
    """Return whether the records of an archive are in a cluster."""
    return bool(connection.rows("SELECT 1 FROM sqlite_master WHERE name = 'cluster'"))
