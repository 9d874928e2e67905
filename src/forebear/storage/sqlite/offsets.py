"""The offsets of probabilities in the archive file, one for each class of viewers and model."""

from forebear.learning.registry import ProbabilityOffset
from forebear.storage.sqlite.connection import Connection


class SqliteOffsets:
    """Stores the offsets of probabilities in an archive file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def bits(self, *, viewer: str, model: str) -> float:
        """Return the offset that a viewer's searches with a model have; 0 if none was estimated."""
        row = self._connection.row(
            "SELECT bits FROM probability_offsets WHERE viewer = ? AND model = ?", (viewer, model)
        )
        return float(row[0]) if row else 0.0

    def put(self, offset: ProbabilityOffset) -> None:
        """Store an offset; an earlier one of the same viewers and model is replaced."""
        with self._connection.transaction():
            self._connection.execute(
                "REPLACE INTO probability_offsets (viewer, model, bits, searches, at)"
                " VALUES (?, ?, ?, ?, ?)",
                (offset.viewer, offset.model, offset.bits, offset.searches, offset.at),
            )

    def clear(self) -> None:
        """Delete all offsets."""
        with self._connection.transaction():
            self._connection.execute("DELETE FROM probability_offsets")

    def list(self) -> tuple[ProbabilityOffset, ...]:
        """Return all offsets."""
        rows = self._connection.rows(
            "SELECT viewer, model, bits, searches, at FROM probability_offsets"
            " ORDER BY viewer, model"
        )
        return tuple(
            ProbabilityOffset(viewer=viewer, model=model, bits=bits, searches=searches, at=at)
            for viewer, model, bits, searches, at in rows
        )
