"""What is a collection worth?  What the judged searches lose without it.

The paper's return on investment: the lists people were shown are ranked once with all their records
and once without those of the collection.  Attached records stay the right ones, so those of the
collection count as lost.  The lists are those of the log, up to a hundred records each: what would
have moved up from below is not known, so a loss is an upper bound.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch, LoggedList
from forebear.learning.trial import judge_model
from forebear.search.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionValue:
    """What searches lose without a collection."""

    collection: str
    finds: int  # attached records that are in it
    bereft: int  # searches that lose every record that was attached
    ndcg_lost: float
    nce_lost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionValues:
    """What every collection is worth to the judged searches."""

    searches: int
    finds: int
    ndcg: float  # with all collections
    nce: float
    collections: tuple[CollectionValue, ...]  # the most valuable first


def value_collections(
    judged: Sequence[JudgedSearch], names: Sequence[str], model: Model, *, cutoff: int = 100
) -> CollectionValues:
    """Return what each collection is worth, over the searches with an attachment."""
    useful = [search for search in judged if search.attached]
    if not useful:
        raise InputError(
            "nothing was attached yet, so no collection has a value yet",
            hint="attach records to searches first: forebear attach SEARCH RECORD",
        )
    kinds = len({shown.name for search in useful for shown in search.search.lists})
    ndcg, nce = _measure(useful, model, cutoff, kinds)
    values = []
    for name in names:
        remaining = [_without(search, name) for search in useful]
        left_ndcg, left_nce = _measure(remaining, model, cutoff, kinds)
        values.append(
            CollectionValue(
                collection=name,
                finds=sum(_is_of(key, name) for search in useful for key in search.attached),
                bereft=sum(all(_is_of(key, name) for key in one.attached) for one in useful),
                ndcg_lost=ndcg - left_ndcg,
                nce_lost=nce - left_nce,
            )
        )
    return CollectionValues(
        searches=len(useful),
        finds=sum(len(search.attached) for search in useful),
        ndcg=ndcg,
        nce=nce,
        collections=tuple(sorted(values, key=lambda value: (-value.ndcg_lost, value.collection))),
    )


def _measure(
    judged: Sequence[JudgedSearch], model: Model, cutoff: int, kinds: int
) -> tuple[float, float]:
    # The number of possible types stays the same, or variety could rise without a collection.
    if not any(shown.records for search in judged for shown in search.search.lists):
        return 0.0, 0.0
    measures = judge_model(model, judged, cutoff=cutoff, type_count=kinds)
    ndcg, nce = measures.means().values()
    return ndcg, nce


def _without(search: JudgedSearch, collection: str) -> JudgedSearch:
    lists = tuple(_list_without(shown, collection) for shown in search.search.lists)
    return replace(search, search=replace(search.search, lists=lists))


def _list_without(shown: LoggedList, collection: str) -> LoggedList:
    rows = [row for row, key in enumerate(shown.records) if not _is_of(key, collection)]
    return replace(
        shown,
        records=tuple(shown.records[row] for row in rows),
        scores=tuple(shown.scores[row] for row in rows),
        bits=shown.bits[np.array(rows, dtype=np.int64)],
    )


def _is_of(record_key: str, collection: str) -> bool:
    return record_key.partition(":")[0] == collection
