"""How is a group of records read from the file, by its number?"""

from collections import defaultdict
from collections.abc import Sequence

from forebear.records.codec import decode_record
from forebear.records.record import Record
from forebear.storage.sqlite.connection import Connection


def read_groups(connection: Connection, numbers: Sequence[int]) -> list[tuple[Record, ...]]:
    """Return the groups with these numbers, in their order; records in that of the source."""
    rows = connection.rows_in(
        "SELECT r.record_group, r.id, r.value, h.columns FROM records r"
        " JOIN headings h ON h.id = r.headings WHERE r.record_group IN",
        list(numbers),
    )
    groups: defaultdict[int, list[Record]] = defaultdict(list)
    for number, _, value, columns in sorted(rows):
        groups[number].append(decode_record(value, columns))
    return [tuple(groups[number]) for number in numbers if number in groups]
