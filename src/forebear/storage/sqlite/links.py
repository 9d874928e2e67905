"""Sign-in links in the archive file."""

from forebear.interactions.links import SignInLink
from forebear.storage.sqlite.connection import Connection

COLUMNS = "name, created_at, expires_at, revoked_at, last_used"


class SqliteLinks:
    """Stores sign-in links in an archive file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, link: SignInLink, token_hash: bytes) -> None:
        """Store a link; one of the same name is replaced."""
        with self._connection.transaction():
            self._connection.execute(
                f"REPLACE INTO links (token_hash, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
                (
                    token_hash,
                    link.name,
                    link.created_at,
                    link.expires_at,
                    link.revoked_at,
                    link.last_used,
                ),
            )

    def list(self) -> tuple[SignInLink, ...]:
        """Return all links by name."""
        rows = self._connection.rows(f"SELECT {COLUMNS} FROM links ORDER BY name")
        return tuple(map(_link, rows))

    def find(self, token_hash: bytes) -> SignInLink | None:
        """Return the link with this hash of its token."""
        row = self._connection.row(
            f"SELECT {COLUMNS} FROM links WHERE token_hash = ?", (token_hash,)
        )
        return _link(row) if row else None

    def revoke(self, name: str, at: str) -> bool:
        """Revoke a link; return False if there is none of this name."""
        with self._connection.transaction(durable=True):
            row = self._connection.row("SELECT 1 FROM links WHERE name = ?", (name,))
            self._connection.execute(
                "UPDATE links SET revoked_at = coalesce(revoked_at, ?) WHERE name = ?", (at, name)
            )
        return row is not None

    def note_use(self, name: str, day: str) -> None:
        """Note that a link was used on a day, unless the archive is busy."""
        self._connection.write_if_free(
            [("UPDATE links SET last_used = ? WHERE name = ?", (day, name))]
        )


def _link(row: tuple[str, str, str, str | None, str | None]) -> SignInLink:
    name, created_at, expires_at, revoked_at, last_used = row
    return SignInLink(
        name=name,
        created_at=created_at,
        expires_at=expires_at,
        revoked_at=revoked_at,
        last_used=last_used,
    )
