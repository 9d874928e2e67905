"""Which ids have the rows of a corrected file that give none?

Such a record is known as FILE:LINE of its first import.  When the file comes again its rows
are paired with the stored ones, and a row keeps the id of the one it is.  A new row whose line
is already the name of another gets that name with a number: ``register.csv:7~2``.
"""

import re
from collections.abc import Iterable, Sequence

from forebear.ingest.pair_rows import Cells, pack_row, pair_rows
from forebear.ingest.readers.source import Source
from forebear.records.record import Record


def is_named_by_line(record: Record) -> bool:
    """Return whether a record has no id in its source, as it comes from its reader."""
    return record.id == _without_blanks(record.source)


def line_of(record: Record) -> int:
    """Return the line on which a record stood when its file was last read."""
    line = record.source.rpartition(":")[2]
    return int(line) if line.isdecimal() else 0


def keys_named_by_line(keys: Iterable[str], file_name: str) -> list[str]:
    """Return those keys of records of a file that an earlier import made of the line."""
    pattern = re.compile(rf"[^:]*:{re.escape(_without_blanks(file_name))}:[0-9]+(~[0-9]+)?")
    return [key for key in keys if pattern.fullmatch(key)]


def ids_by_line(stored: Iterable[Record], source: Source) -> dict[int, str]:
    """Return the ids of the rows of a file, where they are not simply FILE:LINE."""
    before = sorted(stored, key=line_of)
    lines, rows = _rows_of(source)
    pairs = pair_rows([row_of(record) for record in before], rows)
    name, taken = _without_blanks(source.path.name), {record.id for record in before}
    ids = {}
    for index, line in enumerate(lines):
        if index in pairs:
            record_id = before[pairs[index]].id
        else:
            record_id = _free(f"{name}:{line}", taken)
            taken.add(record_id)
        if record_id != f"{name}:{line}":
            ids[line] = record_id
    return ids


def row_of(record: Record) -> Cells:
    """Return what a record is known by: its row, or its people where it has none."""
    facts = ((str(at), str(hash(persona))) for at, persona in enumerate(record.personas))
    return pack_row(record.row or facts)


def _rows_of(source: Source) -> tuple[Sequence[int], Sequence[Cells]]:
    lines, rows = [], []
    for entry in source.entries():
        for record in entry.records:
            if is_named_by_line(record):
                lines.append(entry.line)
                rows.append(row_of(record))
    return lines, rows


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}~{number}"
    return free


def _without_blanks(text: str) -> str:
    return "_".join(text.split())
