"""Which experiments' data do the engine's own searches make?

Record-specific data are the clause bits of the lists of one record type: a feature is a clause, a
query is a search, a record is relevant if it was attached (or is right, in a simulated archive).
Fusion data are the ranked lists of every type with their scores in bits, without the shifts by
which the engine's model fuses them: with them they are another row, "the engine's model".

Searches for a man, his wife and his sister find the same households.  So searches that share a
relevant record stay on one side of a division into folds, or into training and test.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from forebear.archive import Archive, open_archive
from forebear.errors import InputError
from forebear.ingest.find_mapping import builtin_mappings, load_mapping
from forebear.interactions.events import JudgedSearch, person_groups
from forebear.interactions.unmet import query_facts
from forebear.kernels.ndcg import Floats
from forebear.learning.calibrate import score_searches
from forebear.learning.dataset import FusionDataset
from forebear.learning.engagement import Engagement
from forebear.learning.judged_lists import JudgedList, clause_dataset, lists_of_type
from forebear.learning.measures import split_groups
from forebear.records.collections import RecordList
from forebear.search.fusion import list_shift
from forebear.search.model import UNITS_PER_BIT, Model
from forebear_lab.experiments.attachments import engagement_of_log
from forebear_lab.experiments.data import FusionData, RecordsData
from forebear_lab.experiments.worlds import PREFIX

Progress = Callable[[str], None]

TEST_SHARE = 1 / 3  # of the searches, of record-specific data
MIN_LISTS = 6  # of a type with a relevant record, to learn from and to test on


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EngineSearches:
    """Judged searches of an archive, and how they are labeled."""

    judged: tuple[JudgedSearch, ...]  # each with a relevant record
    model: Model
    label: str
    simulated: bool
    engagement: Engagement | None = None  # None: the data has no users
    archive: str = ""  # which it is, in words

    def __post_init__(self) -> None:
        if len(self.judged) < MIN_LISTS:
            raise InputError(
                f"{len(self.judged)} searches with a relevant record are too few to compare on",
                hint=f"give at least {MIN_LISTS}; attach records to searches, or simulate more",
            )

    @property
    def groups(self) -> tuple[str, ...]:
        """Return for each search the name of its group; a group is never divided."""
        return tuple(person_groups(self.judged))


def read_log(
    path: Path,
    *,
    lists: Callable[[Archive], Sequence[RecordList] | None],
    model: str | None,
    seed: int,
    progress: Progress,
) -> EngineSearches:
    """Return the judged searches of an archive's log; those of other clauses are repeated."""
    with open_archive(path) as archive:
        log = archive.current_log(lists=lists(archive), progress=progress)
        used = archive.model(model)
        simulated, engagement = _is_simulated(archive), engagement_of_log(archive, seed=seed)
    judged = tuple(search for search in log.judged if search.attached)
    label = f"log of {path.name}: {len(judged):,} searches with attachments, model {used.name}"
    if log.repeated or log.skipped:
        label += f"; {log.repeated:,} repeated, {log.skipped:,} skipped"
    if simulated:
        label = f"simulated: {label}"
    return EngineSearches(
        judged=judged,
        model=used,
        label=label,
        simulated=simulated,
        engagement=engagement,
        archive=f"log of {path.name}",
    )


def _is_simulated(archive: Archive) -> bool:
    """Return whether the titles of collections contain the word, or are those of the lab."""
    collections = archive.collections(viewer="owner")
    if any("simulated" in collection.title.casefold() for collection in collections):
        return True
    mappings = [load_mapping(name) for name in builtin_mappings() if name.startswith(PREFIX)]
    titles = {(mapping.collection.record_type, mapping.collection.title) for mapping in mappings}
    return all((one.record_type, one.title) in titles for one in collections)


def fusion_data(searches: EngineSearches) -> FusionData:
    """Return the ranked lists of all searches, to be fused."""
    dataset = score_searches(searches.judged, searches.model)
    types = {shown.name: shown.record_type for one in searches.judged for shown in one.search.lists}
    return FusionData(
        dataset=replace(dataset, unfound=_unfound(searches.judged)),
        label=searches.label,
        simulated=searches.simulated,
        groups=searches.groups,
        record_types=tuple(types[name] for name in dataset.list_names),
        engine_scores=_engine_scores(searches, dataset, types),
        archive=searches.archive,
    )


def records_data(
    searches: EngineSearches, name: str, *, seed: int, train_on: EngineSearches | None = None
) -> RecordsData:
    """Return the clause bits of a record type or of one list, for training and for testing.

    ``train_on`` gives other lists to learn from: those of the same searches, of the same type.
    """
    groups = dict(zip(_ids(searches.judged), searches.groups, strict=True))
    lists = _relevant_lists(searches, name)
    keys = [groups[one.search.search.id] for one in lists]
    if len(set(keys)) < 2 or len(lists) < MIN_LISTS:
        raise InputError(
            f"{len(lists)} searches have a relevant record of {name!r}, too few to learn from",
            hint=f"lists with relevant records: {_counted(searches) or 'none'}",
        )
    _, held = split_groups(keys, TEST_SHARE, seed)
    held_groups = {keys[number] for number in held.tolist()}
    record_type = lists[0].shown.record_type
    source = lists if train_on is None else _relevant_lists(train_on, record_type)
    learned = [one for one in source if groups[one.search.search.id] not in held_groups]
    return RecordsData(
        name=name,
        train=clause_dataset(record_type, learned),
        test=clause_dataset(record_type, [lists[number] for number in held.tolist()]),
        label=f"{searches.label}; clauses of {name}",
        simulated=searches.simulated,
        archive=searches.archive,
    )


def _relevant_lists(searches: EngineSearches, name: str) -> list[JudgedList]:
    """Return the lists of this name, or of this record type, that have a relevant record."""
    types = {
        shown.record_type
        for one in searches.judged
        for shown in one.search.lists
        if name in (shown.name, shown.record_type)
    }
    return [
        one
        for record_type in sorted(types)
        for one in lists_of_type(searches.judged, record_type)
        if name in (one.shown.name, one.shown.record_type) and one.labels.any()
    ]


def _counted(searches: EngineSearches) -> str:
    counts = Counter(
        shown.name
        for one in searches.judged
        for shown in one.search.lists
        if not one.attached.isdisjoint(shown.records)
    )
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


def _ids(judged: Sequence[JudgedSearch]) -> list[str]:
    return [one.search.id for one in judged]


def _unfound(judged: Sequence[JudgedSearch]) -> dict[int, tuple[int, ...]]:
    """Return by number of the query a grade for each relevant record that no list has."""
    missing = {}
    for number, one in enumerate(judged):
        listed = {record for shown in one.search.lists for record in shown.records}
        if lost := len(one.attached - listed):
            missing[number] = (1,) * lost
    return missing


def _engine_scores(
    searches: EngineSearches, dataset: FusionDataset, types: Mapping[str, str]
) -> Floats:
    """Return the score of every record as the engine's model fuses the lists, in bits."""
    model, count = searches.model, len(dataset.list_names)
    units = np.rint(dataset.scores * UNITS_PER_BIT).astype(np.int64).tolist()
    fused: list[int] = []
    for number, one in enumerate(searches.judged):
        facts = query_facts(one.search) if model.conditions else ()
        for place, name in enumerate(dataset.list_names):
            first, last = dataset.offsets[number * count + place : number * count + place + 2]
            move = list_shift(model, name, types[name], facts)
            fused += [move.evidence(score) for score in units[first:last]]
    return np.array(fused, np.float64) / UNITS_PER_BIT
