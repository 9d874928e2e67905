"""Which models does an archive have, and what else decides how its searches rank?

Models are saved once, promoted and rolled back.  With them go the offsets of their probabilities,
the trials in which two of them are interleaved, the learned name variants, and the lists that were
composed of collections.

Credits of a trial are settled, weighed and acted on in one transaction, which starts by looking
whether the trial still runs and its model is still in use.  So several processes may try, and one
promotes.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from typing import TYPE_CHECKING, Any

from forebear.errors import ModelError, NotFoundError
from forebear.interactions.trials import Credit, Evidence, Trial, weigh
from forebear.learning.registry import ProbabilityOffset
from forebear.search.expansion.learned_variants import LearnedVariant
from forebear.search.model import DEFAULT, SHIPPED
from forebear.storage.sqlite.checksums import require_table
from forebear.storage.sqlite.connection import Connection

if TYPE_CHECKING:
    from forebear.learning.registry import ModelEntry


class SqliteModels:
    """Stores models in an archive file."""

    def __init__(self, connection: Connection, *, now: Callable[[], str]) -> None:
        self._connection = connection
        self._now = now

    def save(self, model: Mapping[str, Any], *, note: str = "") -> str:
        """Store a model and return its version; searches do not use it yet."""
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


class SqliteLists:
    """Stores in an archive file which collections make up which list."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def load(self) -> dict[str, tuple[str, ...]]:
        """Return the collections of each list by its name."""
        require_table(self._connection, "lists")
        rows = self._connection.rows("SELECT name, collections FROM lists ORDER BY name")
        return {name: tuple(json.loads(collections)) for name, collections in rows}

    def save(self, lists: dict[str, tuple[str, ...]]) -> None:
        """Store these lists and no others."""
        with self._connection.transaction():
            self._connection.execute("DELETE FROM lists")
            self._connection.execute_many(
                "INSERT INTO lists VALUES (?, ?)",
                [(name, json.dumps(collections)) for name, collections in lists.items()],
            )


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


VARIANT_COLUMNS = (
    *("kind", "first", "second", "persons", "searchers", "expected", "chance"),
    *("learned_at", "revoked_at"),
)


def read_variants(connection: Connection) -> tuple[LearnedVariant, ...]:
    """Return all learned variants, also those that were revoked."""
    require_table(connection, "name_variants")
    rows = connection.rows(
        f"SELECT {', '.join(VARIANT_COLUMNS)} FROM name_variants ORDER BY kind, first, second"
    )
    return tuple(LearnedVariant(**dict(zip(VARIANT_COLUMNS, row, strict=True))) for row in rows)


def write_variants(connection: Connection, variants: Iterable[LearnedVariant]) -> None:
    """Store learned variants; searches that begin now use them."""
    with connection.transaction():
        connection.execute_many(
            f"REPLACE INTO name_variants ({', '.join(VARIANT_COLUMNS)})"
            f" VALUES ({', '.join('?' * len(VARIANT_COLUMNS))})",
            [astuple(variant) for variant in variants],
        )
        connection.execute("UPDATE changes SET counter = counter + 1")


# Credits are settled, weighed and acted on in one transaction, which starts by looking whether the
# trial still runs and its model is still in use.  So several processes may try, and one promotes.
#

TRIAL_COLUMNS = "id, challenger, incumbent, share, started_at, state, ended_at, reason"
CURRENT = f"coalesce((SELECT version FROM promotions ORDER BY id DESC LIMIT 1), '{DEFAULT}')"


class SqliteTrials:
    """Stores trials in an archive file."""

    def __init__(self, connection: Connection, *, now: Callable[[], str]) -> None:
        self._connection = connection
        self._now = now

    def start(self, challenger: str, incumbent: str, share: float) -> Trial:
        """Start a trial."""
        with self._connection.transaction(durable=True):
            self._connection.execute(
                "INSERT INTO trials (challenger, incumbent, share, started_at) VALUES (?, ?, ?, ?)",
                (challenger, incumbent, share, self._now()),
            )
            return self.list()[-1]

    def list(self) -> tuple[Trial, ...]:
        """Return all trials with their counts, the oldest first."""
        rows = self._connection.rows(f"SELECT {TRIAL_COLUMNS} FROM trials ORDER BY id")
        return tuple(self._counted(_trial(row)) for row in rows)

    def get(self, number: int) -> Trial | None:
        """Return a trial without its counts."""
        row = self._connection.row(f"SELECT {TRIAL_COLUMNS} FROM trials WHERE id = ?", (number,))
        return _trial(row) if row else None

    def running(self) -> Trial | None:
        """Return the trial that has not ended, if its model is in use, without its counts."""
        row = self._connection.row(
            f"SELECT {TRIAL_COLUMNS} FROM trials WHERE state = 'running' AND incumbent = {CURRENT}"
            " ORDER BY id DESC LIMIT 1"
        )
        return _trial(row) if row else None

    def unsettled(self, trial: Trial) -> Sequence[str]:
        """Return the ids of its searches with actions whose credit is not settled."""
        rows = self._connection.rows(
            "SELECT search FROM trial_searches t WHERE trial = ? AND sign IS NULL AND EXISTS"
            " (SELECT 1 FROM actions a WHERE a.search = t.search AND a.kind = 'attach')"
            " ORDER BY search",
            (trial.id,),
        )
        return [search for (search,) in rows]

    def settle(self, trial: Trial, credits: Sequence[Credit]) -> Trial:
        """Settle credits, and promote or end if the evidence says so, in one transaction."""
        with self._connection.transaction(durable=True):
            present = self.running()
            if present is None or present.id != trial.id:
                return self._counted(self.get(trial.id) or trial)
            for credit in credits:
                self._connection.execute(
                    "UPDATE trial_searches SET sign = ?, incumbent = ?, challenger = ?, place ="
                    " (SELECT coalesce(max(place), 0) + 1 FROM trial_searches)"
                    " WHERE search = ? AND trial = ? AND sign IS NULL",
                    (
                        credit.sign,
                        credit.incumbent,
                        credit.challenger,
                        credit.search_id,
                        trial.id,
                    ),
                )
            evidence = self._evidence(trial.id)
            if evidence.decision == "promote":
                self._connection.execute(
                    "INSERT INTO promotions (version, at) VALUES (?, ?)",
                    (trial.challenger, self._now()),
                )
                self._end(trial, "promoted", f"the evidence reached {evidence.value:.3g}")
            elif evidence.decision == "stop":
                self._end(
                    trial,
                    "stopped",
                    f"the evidence is {evidence.value:.3g} after {evidence.searches:,} searches "
                    "with attachments",
                )
            return self._counted(self.get(trial.id) or trial)

    def change_share(self, trial: Trial, share: float) -> None:
        """Change the share of searches that are interleaved."""
        with self._connection.transaction():
            self._connection.execute("UPDATE trials SET share = ? WHERE id = ?", (share, trial.id))

    def end(self, trial: Trial, reason: str) -> None:
        """End a trial without a promotion."""
        with self._connection.transaction(durable=True):
            self._end(trial, "ended", reason)

    def _end(self, trial: Trial, state: str, reason: str) -> None:
        self._connection.execute(
            "UPDATE trials SET state = ?, reason = ?, ended_at = ?"
            " WHERE id = ? AND state = 'running'",
            (state, reason, self._now(), trial.id),
        )

    def _evidence(self, trial: int) -> Evidence:
        rows = self._connection.rows(
            "SELECT sign FROM trial_searches WHERE trial = ? AND sign IS NOT NULL ORDER BY place",
            (trial,),
        )
        return weigh(sign for (sign,) in rows)

    def _counted(self, trial: Trial) -> Trial:
        """Return a trial with its searches, attachments and evidence."""
        interleaved, settled, by_incumbent, by_challenger = self._connection.rows(
            "SELECT count(*), count(sign), coalesce(sum(incumbent), 0),"
            " coalesce(sum(challenger), 0) FROM trial_searches WHERE trial = ?",
            (trial.id,),
        )[0]
        return replace(
            trial,
            interleaved=interleaved,
            settled=settled,
            attached=(by_incumbent, by_challenger),
            evidence=self._evidence(trial.id).value,
        )


def _trial(row: tuple[Any, ...]) -> Trial:
    number, challenger, incumbent, share, started_at, state, ended_at, reason = row
    return Trial(
        id=number,
        challenger=challenger,
        incumbent=incumbent,
        share=share,
        started_at=started_at,
        state=state,
        ended_at=ended_at,
        reason=reason,
    )
