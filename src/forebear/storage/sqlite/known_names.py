"""The names of an archive, left in its file for whoever opens it next.

Whether somebody bears a name is asked of the postings, and for all names of a large archive that
takes longer than a search.  So who has asked writes the names down, with the number of the
archive's last change; they are true until the next.  They are those of one viewer: names that
only hidden people bear are not among the public's.

The table is made when there is something to write; a file without it, or one that may not be
written, is as good but slower to start.
"""

from collections.abc import Iterable, Mapping

from forebear.records.privacy import Viewer
from forebear.storage.sqlite.connection import Connection

TABLE = "known_names"
_BETWEEN = "\n"  # a spelled name has no white space but single spaces


def read_names(
    connection: Connection, fields: Iterable[str], viewer: Viewer, *, change: int
) -> list[str] | None:
    """Return the names of some fields, in order; None if nobody wrote them down since."""
    if not connection.rows("SELECT 1 FROM sqlite_master WHERE name = ?", (TABLE,)):
        return None
    found = connection.rows(
        f"SELECT names FROM {TABLE} WHERE fields = ? AND viewer = ? AND change = ?",
        (_written(fields), _eyes(viewer), change),
    )
    return [name for name in found[0][0].split(_BETWEEN) if name] if found else None


def leave_names(
    connection: Connection,
    counted: Mapping[frozenset[str], Iterable[str]],
    viewer: Viewer,
    *,
    change: int,
) -> None:
    """Write down the names of some fields, if that can be done at once."""
    rows = [
        (_written(fields), _eyes(viewer), change, _BETWEEN.join(names))
        for fields, names in counted.items()
    ]
    connection.write_if_free(
        [
            (
                f"CREATE TABLE IF NOT EXISTS {TABLE} (fields TEXT NOT NULL, viewer TEXT NOT NULL,"
                " change INTEGER NOT NULL, names TEXT NOT NULL, PRIMARY KEY (fields, viewer))",
                (),
            ),
            (f"DELETE FROM {TABLE} WHERE change < ?", (change,)),
            *((f"INSERT OR IGNORE INTO {TABLE} VALUES (?, ?, ?, ?)", row) for row in rows),
        ]
    )


def _written(fields: Iterable[str]) -> str:
    """Return the fields as a key: another set of fields has other names."""
    return " ".join(sorted(fields))


def _eyes(viewer: Viewer) -> str:
    return "owner" if viewer.is_owner else str(viewer.year)
