"""What do the logged searches find now, with the present clauses and model?

Each judged search is run again.  Of its attached records the ranks before and now are compared, and
of the list NDCG@100 (attached records are right, all others wrong) and whether the first record is
right.  The searches are those of the log: most attachments favor the model that showed them, so a
small loss says less than a small gain.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from forebear.errors import ForebearError, InputError
from forebear.interactions.events import JudgedSearch, LoggedSearch
from forebear.learning.collection_value import RankedSearch, measure_searches

Progress = Callable[[int, int], None]  # searches run, and how many there are to run


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedRecord:
    """The rank of an attached record before and now; None where it is not in the list."""

    record: str
    before: int | None
    now: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedSearch:
    """A logged search and how its list differs now."""

    search: str
    model: str  # that ranked it then
    records: tuple[MovedRecord, ...]  # that were attached
    ndcg_before: float
    ndcg_now: float
    first_before: bool  # whether the first record was an attached one
    first_now: bool

    @property
    def is_changed(self) -> bool:
        """Return whether an attached record has another rank."""
        return any(moved.before != moved.now for moved in self.records)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The logged searches with attachments, run again."""

    model: str
    searches: tuple[ReplayedSearch, ...]
    skipped: int  # searches that cannot be run again, or whose lists were never logged

    @property
    def changed(self) -> int:
        """Return of how many searches an attached record has another rank."""
        return sum(search.is_changed for search in self.searches)

    @property
    def ndcg(self) -> tuple[float, float]:
        """Return the mean NDCG@100 before and now."""
        return (
            _mean([search.ndcg_before for search in self.searches]),
            _mean([search.ndcg_now for search in self.searches]),
        )

    @property
    def success_at_1(self) -> tuple[float, float]:
        """Return the share of searches whose first record is right, before and now."""
        return (
            _mean([float(search.first_before) for search in self.searches]),
            _mean([float(search.first_now) for search in self.searches]),
        )


def replay(
    judged: Sequence[JudgedSearch],
    repeat: Callable[[LoggedSearch], Sequence[str]],
    *,
    model: str,
    progress: Progress = lambda *_: None,
) -> Replay:
    """Run judged searches again; ``repeat`` returns the records that a search finds now."""
    attached = [search for search in judged if search.attached and search.search.entry == "whole"]
    if not attached:
        raise InputError(
            "no search in the log has an attached record",
            hint="attach records to searches first: forebear attach SEARCH RECORD",
        )
    compared: list[tuple[JudgedSearch, RankedSearch, RankedSearch]] = []
    for number, search in enumerate(attached, start=1):
        try:
            present = tuple(repeat(search.search))
        except ForebearError:  # the query or its options are of an older version
            continue
        compared.append((search, _ranked(search, search.search.shown), _ranked(search, present)))
        progress(number, len(attached))
    if not compared:
        raise InputError(
            "no logged search can be run again", hint="they were logged by another version"
        )
    before = _ndcg([then for _, then, _ in compared])
    now = _ndcg([present for _, _, present in compared])
    return Replay(
        model=model,
        searches=tuple(
            _replayed(search, then.records, present.records, before, now)
            for search, then, present in compared
        ),
        skipped=sum(bool(search.attached) for search in judged) - len(compared),
    )


def _ranked(search: JudgedSearch, records: Sequence[str]) -> RankedSearch:
    return RankedSearch(id=search.search.id, records=tuple(records), attached=search.attached)


def _ndcg(searches: Sequence[RankedSearch]) -> dict[str, float]:
    # Only the NDCG is used, so all records may be of one type.
    types = {key.partition(":")[0]: "record" for search in searches for key in search.records}
    return dict(measure_searches(searches, types).ndcg)


def _replayed(
    search: JudgedSearch,
    then: tuple[str, ...],
    present: tuple[str, ...],
    before: dict[str, float],
    now: dict[str, float],
) -> ReplayedSearch:
    name = search.search.id
    return ReplayedSearch(
        search=name,
        model=search.search.model,
        records=tuple(
            MovedRecord(record=record, before=_rank(then, record), now=_rank(present, record))
            for record in sorted(search.attached)
        ),
        ndcg_before=before[name],
        ndcg_now=now[name],
        first_before=then[:1] != () and then[0] in search.attached,
        first_now=present[:1] != () and present[0] in search.attached,
    )


def _rank(records: tuple[str, ...], record: str) -> int | None:
    return records.index(record) + 1 if record in records else None


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
