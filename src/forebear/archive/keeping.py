"""How is an archive kept: checked, backed up, compacted, copied, and rid of what must go?"""

from pathlib import Path
from typing import TYPE_CHECKING

from forebear.archive.holdings import Holdings
from forebear.archive.opened import OpenedArchive, now
from forebear.errors import NotFoundError
from forebear.storage.sqlite.storage import SqliteStorage

# A search must be quick to start, so each way to keep an archive loads what it alone needs.
if TYPE_CHECKING:
    from forebear.storage.copy import Contents, CopyReport
    from forebear.storage.sqlite.upkeep import CheckReport


class Keeping(Holdings):
    """An archive that is looked after."""

    def check(self) -> "CheckReport":
        """Compare the index with what the records say."""
        if isinstance(self._storage, SqliteStorage):
            from forebear.storage.sqlite.upkeep import check_file

            return check_file(self._connection)
        from forebear.storage.opensearch.upkeep import check_storage

        return check_storage(self._storage)

    def digest(self) -> str:
        """Return a hash of what the archive says, whatever the order it came in."""
        if isinstance(self._storage, SqliteStorage):
            from forebear.storage.sqlite.digest import digest_file

            return digest_file(self._connection)
        from forebear.storage.copy import digest_contents

        return digest_contents(self._storage)

    def back_up(self, path: Path) -> None:
        """Write a copy of the archive, while others go on using it."""
        self._connection.copy_to(path)

    def compact(self) -> None:
        """Give back the space that deletions left; in a cluster, write the indexes anew."""
        from forebear.storage.sqlite.upkeep import compact_file

        if not isinstance(self._storage, SqliteStorage):
            self._storage.rebuild()
        compact_file(self._connection)

    def copy_to(self, other: OpenedArchive) -> "CopyReport":
        """Copy everything to another archive, whatever either lives in."""
        from forebear.storage.copy import copy_records
        from forebear.storage.sqlite.contents import copy_tables

        report = copy_records(self.contents(), other._storage, at=now())
        copy_tables(self._connection, other._connection)
        return report

    def contents(self) -> "Contents":
        """Return all records of the archive, to be read from beginning to end."""
        if isinstance(self._storage, SqliteStorage):
            from forebear.storage.sqlite.contents import SqliteContents

            return SqliteContents(self._connection)
        return self._storage

    def delete_collection(self, name: str) -> int:
        """Delete a collection with its records and return how many there were."""
        return self._storage.delete_collection(self.collection(name).name)

    def take_down(self, record_key: str, *, reason: str) -> None:
        """Hide a record from the public for good, however often it is imported again."""
        self._storage.take_down(record_key, reason=reason, at=now())

    def restore(self, record_key: str) -> None:
        """Take a takedown back."""
        if record_key not in self.takedowns():
            raise NotFoundError(f"record {record_key!r} was not taken down")
        self._storage.restore(record_key)
