"""The trials of interleaved models in the archive file.

Credits are settled, weighed and acted on in one transaction, which starts by looking whether the
trial still runs and its model is still in use.  So several processes may try, and one promotes.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from forebear.interactions.trials import Credit, Evidence, Trial, weigh
from forebear.search.model import DEFAULT
from forebear.storage.sqlite.connection import Connection

COLUMNS = "id, challenger, incumbent, share, started_at, state, ended_at, reason"
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
        rows = self._connection.rows(f"SELECT {COLUMNS} FROM trials ORDER BY id")
        return tuple(self._counted(_trial(row)) for row in rows)

    def get(self, number: int) -> Trial | None:
        """Return a trial without its counts."""
        row = self._connection.row(f"SELECT {COLUMNS} FROM trials WHERE id = ?", (number,))
        return _trial(row) if row else None

    def running(self) -> Trial | None:
        """Return the trial that has not ended, if its model is in use, without its counts."""
        row = self._connection.row(
            f"SELECT {COLUMNS} FROM trials WHERE state = 'running' AND incumbent = {CURRENT}"
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
