"""What was counted of an archive, left in its file for whoever opens it next.

Which names somebody bears, and which parts of the archive normally have a fact, is asked of the
postings, and in a large archive that takes longer than a search.  So who has counted writes the
answer down, with the number of the archive's last change: it is true until the next.  It is the
answer to one viewer: names that only hidden people bear are not among the public's.

The table is made when there is something to write; a file without it, or one that may not be
written, is as good but slower to start.
"""

import json
from collections.abc import Mapping, Sequence

from forebear.records.privacy import Viewer
from forebear.storage.sqlite.checksums import value_checksum
from forebear.storage.sqlite.connection import Connection

TABLE = "answers"


def read_answer(
    connection: Connection, question: str, viewer: Viewer, *, change: int
) -> list[str] | None:
    """Return the words of an answer; None if nobody wrote it down since the last change."""
    if not connection.rows("SELECT 1 FROM sqlite_master WHERE name = ?", (TABLE,)):
        return None
    found = connection.rows(
        f"SELECT answer, checksum FROM {TABLE} WHERE question = ? AND viewer = ? AND change = ?",
        (question, _eyes(viewer), change),
    )
    if not found or value_checksum(question, _eyes(viewer), change, found[0][0]) != found[0][1]:
        return None  # a damaged answer is counted again
    words: list[str] = json.loads(found[0][0])
    return words


def save_statistics(
    connection: Connection, counted: Mapping[str, Sequence[str]], viewer: Viewer, *, change: int
) -> None:
    """Write down the answers to some questions, if that can be done at once."""
    rows = [
        (*row, value_checksum(*row))
        for question, answer in counted.items()
        for row in [(question, _eyes(viewer), change, json.dumps(answer, ensure_ascii=False))]
    ]
    connection.write_if_free(
        [
            (
                f"CREATE TABLE IF NOT EXISTS {TABLE} (question TEXT NOT NULL, viewer TEXT NOT NULL,"
                " change INTEGER NOT NULL, answer TEXT NOT NULL, checksum INTEGER NOT NULL,"
                " PRIMARY KEY (question, viewer))",
                (),
            ),
            (f"DELETE FROM {TABLE} WHERE change < ?", (change,)),
            *((f"INSERT OR IGNORE INTO {TABLE} VALUES (?, ?, ?, ?, ?)", row) for row in rows),
        ]
    )


def _eyes(viewer: Viewer) -> str:
    return "owner" if viewer.is_owner else str(viewer.year)
