"""The models of an archive in its file: saved once, promoted and rolled back."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from forebear.errors import ModelError, NotFoundError
from forebear.search.model import SHIPPED
from forebear.storage.sqlite.checksums import require_table
from forebear.storage.sqlite.connection import Connection

if TYPE_CHECKING:
    from forebear.learning.registry import ModelEntry


class SqliteModels:
    """Keeps models in an archive file."""

    def __init__(self, connection: Connection, *, now: Callable[[], str]) -> None:
        self._connection = connection
        self._now = now

    def save(self, model: Mapping[str, Any], *, note: str = "") -> str:
        """Keep a model and return its version; searches do not use it yet."""
        with self._connection.transaction():
            (count,) = self._connection.rows("SELECT count(*) FROM models")[0]
            version = f"v{count + 1}"
            value = json.dumps({**model, "name": version}, sort_keys=True)
            self._connection.execute(
                "INSERT INTO models VALUES (?, ?, ?, ?)", (version, value, note, self._now())
            )
        return version

    def load(self, version: str) -> dict[str, Any]:
        """Return the model as it was saved."""
        require_table(self._connection, "models")
        row = self._connection.row("SELECT value FROM models WHERE version = ?", (version,))
        if row is None:
            raise NotFoundError(
                f"there is no model {version!r} in the archive", hint="see `forebear models`"
            )
        value: dict[str, Any] = json.loads(row[0])
        return value

    def list(self) -> "tuple[ModelEntry, ...]":
        """Return every saved model, the oldest first."""
        from forebear.learning.registry import ModelEntry

        current = self.current()
        rows = self._connection.rows("SELECT version, at, note FROM models ORDER BY rowid")
        return tuple(
            ModelEntry(version=version, saved_at=at, note=note, current=version == current)
            for version, at, note in rows
        )

    def promote(self, version: str) -> None:
        """Make this the model that searches use."""
        if version not in SHIPPED:
            self.load(version)
        with self._connection.transaction():
            self._connection.execute(
                "INSERT INTO promotions (version, at) VALUES (?, ?)", (version, self._now())
            )

    def current(self) -> str | None:
        """Return the version that searches use; None before the first promotion."""
        require_table(self._connection, "promotions")
        row = self._connection.row("SELECT version FROM promotions ORDER BY id DESC LIMIT 1")
        return row[0] if row else None

    def roll_back(self) -> str | None:
        """Undo the last promotion; return the version that searches use from now on."""
        with self._connection.transaction():
            row = self._connection.row("SELECT max(id) FROM promotions")
            if row is None or row[0] is None:
                raise ModelError(
                    "no model was promoted, so there is none to roll back",
                    hint="searches use the model `default`",
                )
            self._connection.execute("DELETE FROM promotions WHERE id = ?", row)
        return self.current()
