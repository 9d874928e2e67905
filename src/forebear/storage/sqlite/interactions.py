"""The interaction log in the archive file."""

import json
import secrets
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from forebear.interactions.events import Action, LoggedList, LoggedSearch
from forebear.search.expansion.clause_hashes import PREVIOUS_CATALOG, UNKNOWN, released_hashes
from forebear.storage.sqlite.connection import Connection


class SqliteInteractions:
    """Keeps searches and actions in an archive file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add_search(self, search: LoggedSearch) -> None:
        """Log a search and its answer; an id that is there already is replaced."""
        with self._connection.transaction():
            for table, column in (
                ("search_notes", "search"),
                ("search_lists", "search"),
                ("searches", "id"),
            ):
                self._connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (search.id,))
            self._connection.execute(
                "INSERT INTO searches VALUES (?, ?, ?, ?, ?, ?)",
                (
                    search.id,
                    search.at,
                    search.query,
                    search.model,
                    search.viewer,
                    json.dumps(search.shown),
                ),
            )
            self._connection.execute(
                "INSERT INTO search_notes VALUES (?, ?, ?, ?)",
                (
                    search.id,
                    search.searcher,
                    json.dumps(search.options),
                    json.dumps(search.relaxed),
                ),
            )
            self._connection.execute_many(
                "INSERT INTO search_lists VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(search.id, *_list_row(shown)) for shown in search.lists],
            )

    def add_actions(self, actions: Sequence[Action]) -> None:
        """Log what was done."""
        with self._connection.transaction():
            self._connection.execute_many(
                "INSERT INTO actions (search, record, kind, rank, at, reason)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [(a.search_id, a.record_key, a.kind, a.rank, a.at, a.reason) for a in actions],
            )

    def search(self, search_id: str) -> LoggedSearch | None:
        """Return a logged search."""
        row = self._connection.row("SELECT * FROM searches WHERE id = ?", (search_id,))
        return self._search(row) if row else None

    def searches_with_actions(self) -> Iterator[tuple[LoggedSearch, tuple[Action, ...]]]:
        """Yield every search of which something was attached or rejected, oldest first."""
        rows = self._connection.rows(
            "SELECT * FROM searches WHERE id IN (SELECT search FROM actions) ORDER BY at, id"
        )
        for row in rows:
            yield self._search(row), self.actions_on(row[0])

    def unmet_searches(self) -> Iterator[LoggedSearch]:
        """Yield every search that found nothing or was relaxed, oldest first."""
        rows = self._connection.rows(
            "SELECT * FROM searches WHERE shown = '[]' OR id IN"
            " (SELECT search FROM search_notes WHERE relaxed != '[]') ORDER BY at, id"
        )
        yield from map(self._search, rows)

    def count_searches(self) -> int:
        """Return how many searches are logged."""
        return int(self._connection.rows("SELECT count(*) FROM searches")[0][0])

    def key(self) -> bytes:
        """Return the archive's own secret, created when it is first needed."""
        read = "SELECT value FROM secrets WHERE name = 'log'"
        row = self._connection.row(read)
        if row is None:
            with self._connection.transaction():
                self._connection.execute(
                    "INSERT OR IGNORE INTO secrets VALUES ('log', ?)", (secrets.token_bytes(32),)
                )
                row = self._connection.row(read)
        return bytes(row[0]) if row else b""

    def actions_on(self, search_id: str) -> tuple[Action, ...]:
        """Return what was done with the results of a search, oldest first."""
        rows = self._connection.rows(
            "SELECT search, record, kind, rank, at, reason FROM actions"
            " WHERE search = ? ORDER BY id",
            (search_id,),
        )
        return tuple(
            Action(search_id=search, record_key=record, kind=kind, rank=rank, at=at, reason=reason)
            for search, record, kind, rank, at, reason in rows
        )

    def _search(self, row: tuple[Any, ...]) -> LoggedSearch:
        search_id, at, query, model, viewer, shown = row
        lists = self._connection.rows(
            "SELECT list, record_type, state, clauses, records, scores, bits,"
            " collections, hashes FROM search_lists WHERE search = ? ORDER BY list",
            (search_id,),
        )
        notes = self._connection.row(
            "SELECT searcher, options, relaxed FROM search_notes WHERE search = ?", (search_id,)
        )
        searcher, options, relaxed = notes or ("", "{}", "[]")
        return LoggedSearch(
            id=search_id,
            at=at,
            query=query,
            model=model,
            viewer=viewer,
            shown=tuple(json.loads(shown)),
            lists=tuple(_logged_list(each) for each in lists),
            searcher=searcher,
            options=json.loads(options),
            relaxed=tuple(json.loads(relaxed)),
        )


def _list_row(shown: LoggedList) -> tuple[Any, ...]:
    return (
        shown.name,
        shown.record_type,
        shown.state,
        json.dumps(shown.clauses),
        json.dumps(shown.records),
        json.dumps(shown.scores),
        np.packbits(shown.bits, axis=1).tobytes(),
        json.dumps(shown.collections),
        bytes.fromhex("".join(shown.hashes)),
    )


def _logged_list(row: tuple[Any, ...]) -> LoggedList:
    name, record_type, state, clauses, records, scores, packed, collections, hashes = row
    columns, keys = json.loads(clauses), json.loads(records)
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(len(keys), -(-len(columns) // 8))
    bits = np.unpackbits(rows, axis=1, count=len(columns)).astype(np.bool_)
    return LoggedList(
        name=name,
        record_type=record_type,
        state=state,
        clauses=tuple(columns),
        records=tuple(keys),
        scores=tuple(json.loads(scores)),
        bits=bits,
        hashes=_hashes(hashes, record_type, columns),
        collections=tuple(json.loads(collections)),
    )


def _hashes(stored: bytes, record_type: str, clauses: Sequence[str]) -> tuple[str, ...]:
    """Return the hash of each clause; without stored ones, those of the previous release."""
    if stored or not clauses:
        return tuple(stored[at : at + 6].hex() for at in range(0, len(stored), 6))
    released = released_hashes(PREVIOUS_CATALOG).get(record_type, {})
    return tuple(released.get(clause, UNKNOWN) for clause in clauses)
