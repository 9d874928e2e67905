"""What is a collection worth?  What the judged searches lose without it.

The paper's return on investment.  A search is run with all collections and again without one.
Attached records stay the right ones, so those of the collection count as lost:

    NDCG lost = NDCG of the search with all collections - NDCG without this one
    NCE lost  = the same of NCE; a search that finds nothing any more has NCE 0

averaged over searches, with an interval by paired bootstrap.  Searches that attached a common
record are sampled together, because they are of one family.  Divided by the size of the collection,
the loss is what a thousand of its records are worth.  Losses do not add up: two collections that
hold the same people lose little each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats, ideal_dcgs, summed_discounts
from forebear.learning.measures import compare, nce_of_arrays, ndcg_of_arrays

CUTOFF = 100
RESAMPLES = 2_000
THOUSAND = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of an archive that searches can be run without: a collection, or a record type."""

    name: str
    record_type: str
    collections: tuple[str, ...]
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSearch:
    """A judged search as it was run: the records it found, best first."""

    id: str
    records: tuple[str, ...]
    attached: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A mean loss and its interval."""

    value: float
    low: float
    high: float

    def per_thousand(self, records: int) -> "Loss":
        """Return the loss for each thousand of this many records."""
        share = THOUSAND / records if records else 0.0
        return Loss(value=self.value * share, low=self.low * share, high=self.high * share)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartValue:
    """What searches lose without a part of the archive."""

    name: str
    record_type: str
    records: int
    attached: int  # different records of it that were attached
    only_here: int  # of these, those that no other collection has for the same person
    left_empty: int  # searches that lose every record that was attached
    ndcg_lost: Loss
    nce_lost: Loss
    ndcg_lost_per_1000: Loss
    nce_lost_per_1000: Loss


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """NDCG and NCE of searches, by their id."""

    ndcg: Mapping[str, float]
    nce: Mapping[str, float]


def measure_searches(
    searches: Sequence[RankedSearch], type_of: Mapping[str, str], *, cutoff: int = CUTOFF
) -> Measures:
    """Return NDCG and NCE of ranked searches; ``type_of`` has the record type of a collection."""
    if not searches:
        raise InputError("there is no search to measure")
    offsets = np.cumsum([0, *(len(search.records) for search in searches)])
    ranks = [-rank for search in searches for rank in range(len(search.records))]
    grades = [record in search.attached for search in searches for record in search.records]
    ndcg = ndcg_of_arrays(
        np.array(ranks, np.float64),
        grades,
        offsets,
        cutoff=cutoff,
        ideals=_ideals(searches, cutoff),
    )
    number_of = {name: number for number, name in enumerate(sorted(set(type_of.values())))}
    types = [
        number_of[type_of[_collection(record)]] for search in searches for record in search.records
    ]
    nce = nce_of_arrays(types, offsets, cutoff=cutoff, type_count=max(len(number_of), 1))
    nce = np.where(np.diff(offsets) > 0, nce, 0.0)
    ids = [search.id for search in searches]
    return Measures(
        ndcg=dict(zip(ids, ndcg.tolist(), strict=True)),
        nce=dict(zip(ids, nce.tolist(), strict=True)),
    )


def value_part(
    part: Part,
    whole: Sequence[RankedSearch],
    without: Sequence[RankedSearch],
    *,
    type_of: Mapping[str, str],
    years: Mapping[str, int | None],
    groups: Mapping[str, str],
    seed: int,
) -> PartValue:
    """Return what searches lose without a part, given as they rank with it and without it.

    ``years`` has the year of each attached record, ``groups`` the family of each search.
    """
    before, after = measure_searches(whole, type_of), measure_searches(without, type_of)
    ndcg_lost = _loss(after.ndcg, before.ndcg, groups, seed)
    nce_lost = _loss(after.nce, before.nce, groups, seed)
    members = set(part.collections)
    attached = {key for search in whole for key in search.attached if _collection(key) in members}
    elsewhere = {
        key
        for search in whole
        for key in search.attached & attached
        if any(_is_same_event(key, other, type_of, years) for other in search.attached - attached)
    }
    return PartValue(
        name=part.name,
        record_type=part.record_type,
        records=part.records,
        attached=len(attached),
        only_here=len(attached - elsewhere),
        left_empty=sum(search.attached <= attached for search in whole),
        ndcg_lost=ndcg_lost,
        nce_lost=nce_lost,
        ndcg_lost_per_1000=ndcg_lost.per_thousand(part.records),
        nce_lost_per_1000=nce_lost.per_thousand(part.records),
    )


def _is_same_event(
    key: str, other: str, type_of: Mapping[str, str], years: Mapping[str, int | None]
) -> bool:
    """Return whether two records attached to one search may be two copies of one entry.

    They are if they have the same record type and year; a year that is not known may be any.
    """
    if type_of.get(_collection(key)) != type_of.get(_collection(other)):
        return False
    year, other_year = years.get(key), years.get(other)
    return year is None or other_year is None or year == other_year


def _loss(
    without: Mapping[str, float], whole: Mapping[str, float], groups: Mapping[str, str], seed: int
) -> Loss:
    comparison = compare(without, whole, seed=seed, resamples=RESAMPLES, groups=groups)
    return Loss(value=comparison.difference, low=comparison.low, high=comparison.high)


def _ideals(searches: Sequence[RankedSearch], cutoff: int) -> Floats:
    """Return the best DCG of each search: all attached records first, found or not."""
    sizes = [len(search.attached) for search in searches]
    offsets = np.cumsum([0, *sizes])
    discounts = summed_discounts(max(sizes), cutoff=cutoff)
    return ideal_dcgs(np.ones(offsets[-1]), offsets, discounts)


def _collection(record_key: str) -> str:
    return record_key.partition(":")[0]
