"""The tables of an archive file, and how an older file becomes a newer one.

Postings are roaring bitmaps, one for each term and segment; what is added in one transaction is
a segment, and segments are merged as the archive grows.  A persona's own terms are stored with it
as numbers: the gate reads postings, the score reads those.

The public may see a group without its living people from ``public_year`` on, and all of it from
``full_year`` on.  A group with years in between has a second set of personas, ``masked`` ones,
whose terms are those of the group without the living.

Records of a collection are browsed in the order of their source.  The index of that order has one
run for all records that are public since long, and one for each later year, so that a page is read
from the runs that a viewer may see and never passes over hidden records.
"""

FORMAT_VERSION = 6
APPLICATION_ID = 0x466F7262  # "Forb", so that tools can tell an archive from another file

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
