"""How is a group of records read from the file, by its number?"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from msgspec import MsgspecError

from forebear.records.codec import decode_record
from forebear.records.record import Record
from forebear.storage.sqlite.checksums import raise_damaged, require_sound
from forebear.storage.sqlite.connection import Connection

# A record as it was written, its checksum last.
RECORD = (
    "SELECT r.id, r.key, r.collection, r.record_group, r.headings, r.value, r.position,"
    " r.public_year, r.checksum"
)
# The same with its headings, and with its group and the checksum of that.
STORED_RECORDS = (
    f"{RECORD}, h.columns, g.id, g.public_year, g.full_year, g.file, g.checksum"
    " FROM records r LEFT JOIN headings h ON h.id = r.headings"
    " LEFT JOIN record_groups g ON g.id = r.record_group"
)


def read_record(connection: Connection, row: Sequence[Any]) -> Record:
    """Return the record of a row of `STORED_RECORDS`, refused if it is damaged."""
    require_sound(connection, "records", row[:9])
    require_sound(connection, "record_groups", row[10:15])
    try:
        return decode_record(row[5], row[9])
    except (TypeError, ValueError, MsgspecError):
        raise_damaged(connection, f"the heading of {row[1]!r}")


def read_groups(connection: Connection, numbers: Sequence[int]) -> list[tuple[Record, ...]]:
    """Return the groups with these numbers, in their order; records in that of the source."""
    rows = connection.rows_in(f"{STORED_RECORDS} WHERE r.record_group IN", list(numbers))
    groups: defaultdict[int, list[Record]] = defaultdict(list)
    for row in sorted(rows):
        groups[row[3]].append(read_record(connection, row))
    return [tuple(groups[number]) for number in numbers if number in groups]
