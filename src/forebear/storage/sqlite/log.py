"""Which searches are logged, and which of them are pruned first?"""

import json
import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from forebear.interactions.current import FIRST_PAGE
from forebear.interactions.events import Action, LoggedList, LoggedSearch
from forebear.interactions.log import MAX_QUERIES, FirstPage, Pruned
from forebear.search.expansion.clause_hashes import PREVIOUS_CATALOG, UNKNOWN, released_hashes
from forebear.storage.sqlite.visitors import SqliteJudgments

# Which searches may be removed, in the order in which they are.
IS_JUDGED = "EXISTS (SELECT 1 FROM actions WHERE search = searches.id AND kind != 'open')"
HAS_VOTES = "EXISTS (SELECT 1 FROM votes WHERE search = searches.id)"
PRUNED_FIRST = (f"NOT {IS_JUDGED} AND NOT {HAS_VOTES}", f"NOT {IS_JUDGED} AND {HAS_VOTES}")
SEARCH_TABLES = (
    ("search_notes", "search"),
    ("search_lists", "search"),
    ("votes", "search"),
    ("actions", "search"),
    ("searches", "id"),
)
COLUMNS = "id, at, query, model, viewer, shown, entry, change, catalog, types, total, none"
PRUNED_AT_ONCE = 200  # searches; others may write between two of these


class SqliteInteractions(SqliteJudgments):
    """Stores searches, actions and votes in an archive file."""

    def patience(self, seconds: float) -> AbstractContextManager[None]:
        """Wait at most this long for others who write."""
        return self._connection.patience(seconds)

    def close(self) -> None:
        """Close the log."""
        self._connection.close()

    def add_search(self, search: LoggedSearch) -> None:
        """Log a search and its answer; an id that is there already is replaced."""
        row = (
            search.id,
            search.at,
            search.query,
            search.model,
            search.viewer,
            json.dumps(search.shown),
            search.entry,
            search.change,
            search.catalog,
            json.dumps(search.types),
            search.total,
            search.none,
        )
        notes = (
            search.id,
            search.searcher,
            json.dumps(search.options),
            json.dumps(search.relaxed),
        )
        lists = [(search.id, *_list_row(shown)) for shown in search.lists]
        size = sum(_size(values) for values in (row, notes, *lists))
        with self._connection.transaction():
            for table in ("search_notes", "search_lists"):
                self._connection.execute(f"DELETE FROM {table} WHERE search = ?", (search.id,))
            self._connection.execute(
                "REPLACE INTO searches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, size),
            )
            self._connection.execute("INSERT INTO search_notes VALUES (?, ?, ?, ?)", notes)
            self._connection.execute_many(
                f"INSERT INTO search_lists VALUES ({', '.join('?' * 12)})", lists
            )
            if search.trial is not None:
                self._connection.execute(
                    "INSERT INTO trial_searches (search, trial, teams) VALUES (?, ?, ?)"
                    " ON CONFLICT (search) DO UPDATE SET teams = excluded.teams",
                    (search.id, search.trial, search.teams),
                )

    def search(self, search_id: str) -> LoggedSearch | None:
        """Return a logged search."""
        row = self._connection.row(f"SELECT {COLUMNS} FROM searches WHERE id = ?", (search_id,))
        return self._search(row) if row else None

    def searches(self) -> Iterator[LoggedSearch]:
        """Yield every search, oldest first."""
        yield from map(
            self._search,
            self._connection.rows(f"SELECT {COLUMNS} FROM searches ORDER BY at, id"),
        )

    def searches_with_actions(self) -> Iterator[tuple[LoggedSearch, tuple[Action, ...]]]:
        """Yield every search with actions other than to open a record, oldest first."""
        rows = self._connection.rows(
            f"SELECT {COLUMNS} FROM searches WHERE {IS_JUDGED} ORDER BY at, id"
        )
        for row in rows:
            yield self._search(row), self.actions_on(row[0])

    def unmet_searches(self) -> Iterator[LoggedSearch]:
        """Yield every search that found nothing or was relaxed, oldest first."""
        rows = self._connection.rows(
            f"SELECT {COLUMNS} FROM searches WHERE shown = '[]' OR id IN"
            " (SELECT search FROM search_notes WHERE relaxed != '[]') ORDER BY at, id"
        )
        yield from map(self._search, rows)

    def first_pages(self) -> Iterator[FirstPage]:
        """Yield the first page of every search, oldest first."""
        rows = self._connection.rows(
            "SELECT id, coalesce(searcher, ''), shown FROM searches"
            " LEFT JOIN search_notes ON search = id ORDER BY at, id"
        )
        for search, searcher, shown in rows:
            records = tuple(json.loads(shown)[:FIRST_PAGE])
            yield FirstPage(search=search, searcher=searcher, records=records)

    def count_searches(self) -> int:
        """Return how many searches are logged."""
        return int(self._connection.rows("SELECT count(*) FROM searches")[0][0])

    def queries_of(self, searchers: Collection[str]) -> list[str]:
        """Return the latest different queries of these searchers, as JSON, the newest first."""
        marks = ", ".join("?" * len(searchers))
        rows = self._connection.rows(
            "SELECT query, max(at) FROM searches LEFT JOIN search_notes ON search = id"
            f" WHERE coalesce(searcher, '') IN ({marks}) AND (searcher != '' OR entry = 'whole')"
            f" GROUP BY query ORDER BY max(at) DESC, query LIMIT {MAX_QUERIES}",
            tuple(searchers),
        )
        return [query for query, _ in rows]

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

    def size(self) -> int:
        """Return how many bytes the logged searches have."""
        return int(self._connection.rows("SELECT coalesce(sum(size), 0) FROM searches")[0][0])

    def prune(
        self, *, before: str | None = None, max_bytes: int | None = None, judged: bool = False
    ) -> Iterator[Pruned]:
        """Remove searches older than a time, then the oldest until the log has this size."""
        kinds = (*PRUNED_FIRST, *([IS_JUDGED] if judged else []))
        removed = Pruned(left=self.size())
        yield removed
        for kind in kinds if before is not None else ():
            while chosen := self._oldest(f"{kind} AND at < ?", (before,), surplus=None):
                removed = self._remove(chosen, removed)
                yield removed
        for kind in kinds if max_bytes is not None else ():
            while chosen := self._oldest(kind, (), surplus=removed.left - (max_bytes or 0)):
                removed = self._remove(chosen, removed)
                yield removed

    def _oldest(
        self, condition: str, values: tuple[Any, ...], *, surplus: int | None
    ) -> list[tuple[str, int, bool]]:
        """Return the id and size of the oldest searches, and whether they are judged.

        They are as many as are removed at once, and no more than the bytes of ``surplus`` need.
        """
        chosen = []
        for search_id, size, is_judged in self._connection.rows(
            f"SELECT id, size, {IS_JUDGED} FROM searches WHERE {condition}"
            f" ORDER BY at LIMIT {PRUNED_AT_ONCE}",
            values,
        ):
            if surplus is not None and surplus <= 0:
                break
            chosen.append((search_id, size, bool(is_judged)))
            surplus = None if surplus is None else surplus - size
        return chosen

    def _remove(self, chosen: Sequence[tuple[str, int, bool]], removed: Pruned) -> Pruned:
        """Remove searches and return what was removed with them and before."""
        size = sum(size for _, size, _ in chosen)
        with self._connection.transaction():
            votes = sum(len(self.votes_on(search_id)) for search_id, _, _ in chosen)
            for table, column in SEARCH_TABLES:
                self._connection.execute_many(
                    f"DELETE FROM {table} WHERE {column} = ?",
                    [(search_id,) for search_id, _, _ in chosen],
                )
            self._connection.execute_many(  # what is settled is evidence of its trial
                "DELETE FROM trial_searches WHERE search = ? AND sign IS NULL",
                [(search_id,) for search_id, _, _ in chosen],
            )
        return Pruned(
            searches=removed.searches + len(chosen),
            judged=removed.judged + sum(is_judged for _, _, is_judged in chosen),
            votes=removed.votes + votes,
            bytes=removed.bytes + size,
            left=removed.left - size,
        )

    def _search(self, row: tuple[Any, ...]) -> LoggedSearch:
        search_id, at, query, model, viewer, shown, entry, change, catalog, types, total, none = row
        lists = self._connection.rows(
            "SELECT list, record_type, state, clauses, records, scores, bits,"
            " collections, hashes, gated, years FROM search_lists WHERE search = ? ORDER BY list",
            (search_id,),
        )
        notes = self._connection.row(
            "SELECT searcher, options, relaxed FROM search_notes WHERE search = ?", (search_id,)
        )
        searcher, options, relaxed = notes or ("", "{}", "[]")
        trial, teams = self._connection.row(
            "SELECT trial, teams FROM trial_searches WHERE search = ?", (search_id,)
        ) or (None, "")
        return LoggedSearch(
            id=search_id,
            at=at,
            query=query,
            model=model,
            viewer=viewer,
            shown=tuple(json.loads(shown)),
            lists=tuple(map(_logged_list, lists)),
            searcher=searcher,
            options=json.loads(options),
            relaxed=tuple(json.loads(relaxed)),
            entry=entry,
            change=change,
            catalog=catalog,
            types=tuple(json.loads(types)),
            total=total,
            none=none,
            trial=trial,
            teams=teams,
        )


def _size(values: Sequence[Any]) -> int:
    """Return about how many bytes a row takes."""
    return sum(len(value) if isinstance(value, str | bytes) else 8 for value in values)


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
        shown.gated,
        json.dumps(shown.years),
    )


def _logged_list(row: tuple[Any, ...]) -> LoggedList:
    name, record_type, state, clauses, records, scores, packed, collections, hashes = row[:9]
    gated, years = row[9:]
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
        gated=gated,
        years=tuple(json.loads(years)),
    )


def _hashes(stored: bytes, record_type: str, clauses: Sequence[str]) -> tuple[str, ...]:
    """Return the hash of each clause; without stored ones, those of the previous release."""
    if stored or not clauses:
        return tuple(stored[at : at + 6].hex() for at in range(0, len(stored), 6))
    released = released_hashes(PREVIOUS_CATALOG).get(record_type, {})
    return tuple(released.get(clause, UNKNOWN) for clause in clauses)
