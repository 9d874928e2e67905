"""What do visitors say of results, and by which links do they sign in?

An action counts at once.  The vote of an anonymous visitor is held back until it is released as
an action, or discarded.
"""

from collections.abc import Sequence
from typing import Any

from forebear.interactions.events import Action, Vote
from forebear.interactions.links import SignInLink
from forebear.interactions.log import VoteFilter
from forebear.storage.sqlite.connection import Connection

LINK_COLUMNS = "name, created_at, expires_at, revoked_at, last_used"


class SqliteJudgments:
    """Stores actions and votes in an archive file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add_actions(self, actions: Sequence[Action]) -> None:
        """Log what was done."""
        with self._connection.transaction(durable=True):
            self._insert_actions(actions)

    def actions_on(self, search_id: str) -> tuple[Action, ...]:
        """Return what was done with the results of a search, oldest first."""
        rows = self._connection.rows(
            "SELECT search, record, kind, rank, at, reason, source FROM actions"
            " WHERE search = ? ORDER BY id",
            (search_id,),
        )
        return tuple(
            Action(
                search_id=search,
                record_key=record,
                kind=kind,
                rank=rank,
                at=at,
                reason=reason,
                source=source,
            )
            for search, record, kind, rank, at, reason, source in rows
        )

    def add_vote(self, vote: Vote) -> None:
        """Hold back a vote; it replaces one of the same searcher on the same record."""
        with self._connection.transaction(durable=True):
            self._connection.execute(
                "REPLACE INTO votes (searcher, record, search, kind, rank, at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    vote.searcher,
                    vote.record_key,
                    vote.search_id,
                    vote.kind,
                    vote.rank,
                    vote.at,
                ),
            )

    def votes(self, which: VoteFilter) -> list[Vote]:
        """Return the votes that are held back, oldest first."""
        condition, values = _condition(which)
        return self._read_votes(condition, values)

    def votes_on(self, search_id: str) -> tuple[Vote, ...]:
        """Return the votes on the results of a search that are held back."""
        return tuple(self._read_votes("search = ?", (search_id,)))

    def release_votes(self, which: VoteFilter) -> int:
        """Turn votes into actions and return how many there were."""
        condition, values = _condition(which)
        with self._connection.transaction(durable=True):
            votes = self._read_votes(condition, values)
            self._insert_actions(
                [
                    Action(
                        search_id=vote.search_id,
                        record_key=vote.record_key,
                        kind=vote.kind,
                        rank=vote.rank,
                        at=vote.at,
                        source="vote",
                    )
                    for vote in votes
                ]
            )
            self._connection.execute(f"DELETE FROM votes WHERE {condition}", values)
        return len(votes)

    def discard_votes(self, which: VoteFilter) -> int:
        """Delete votes and return how many there were."""
        condition, values = _condition(which)
        with self._connection.transaction(durable=True):
            count = len(self._read_votes(condition, values))
            self._connection.execute(f"DELETE FROM votes WHERE {condition}", values)
        return count

    def _insert_actions(self, actions: Sequence[Action]) -> None:
        self._connection.execute_many(
            "INSERT INTO actions (search, record, kind, rank, at, reason, source)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    action.search_id,
                    action.record_key,
                    action.kind,
                    action.rank,
                    action.at,
                    action.reason,
                    action.source,
                )
                for action in actions
            ],
        )

    def _read_votes(self, condition: str, values: tuple[Any, ...]) -> list[Vote]:
        rows = self._connection.rows(
            "SELECT searcher, search, record, kind, rank, at FROM votes"
            f" WHERE {condition} ORDER BY at, searcher, record",
            values,
        )
        return [
            Vote(
                searcher=searcher,
                search_id=search,
                record_key=record,
                kind=kind,
                rank=rank,
                at=at,
            )
            for searcher, search, record, kind, rank, at in rows
        ]


class SqliteLinks:
    """Stores sign-in links in an archive file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, link: SignInLink, token_hash: bytes) -> None:
        """Store a link; one of the same name is replaced."""
        with self._connection.transaction():
            self._connection.execute(
                f"REPLACE INTO links (token_hash, {LINK_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
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
        rows = self._connection.rows(f"SELECT {LINK_COLUMNS} FROM links ORDER BY name")
        return tuple(map(_link, rows))

    def find(self, token_hash: bytes) -> SignInLink | None:
        """Return the link with this hash of its token."""
        row = self._connection.row(
            f"SELECT {LINK_COLUMNS} FROM links WHERE token_hash = ?", (token_hash,)
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


def _condition(which: VoteFilter) -> tuple[str, tuple[Any, ...]]:
    """Return which votes are meant as a condition of SQL, with its values."""
    values = {
        "searcher = ?": which.searcher,
        "record = ?": which.record,
        "substr(at, 1, length(?)) = ?": which.date,
    }
    given = {clause: value for clause, value in values.items() if value is not None}
    repeated = [value for clause, value in given.items() for _ in range(clause.count("?"))]
    return " AND ".join(given) or "1", tuple(repeated)


def _link(row: tuple[str, str, str, str | None, str | None]) -> SignInLink:
    name, created_at, expires_at, revoked_at, last_used = row
    return SignInLink(
        name=name,
        created_at=created_at,
        expires_at=expires_at,
        revoked_at=revoked_at,
        last_used=last_used,
    )
