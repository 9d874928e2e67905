"""Do people attach more where the first page is more varied?  Attachments by tercile of NCE.

The paper's reason to measure variety: searchers who see several record types on the first page find
more of a life.  Each search has the NCE of the page that was shown and the number of records that
were attached from it.  Searches are divided into thirds by NCE, those of equal NCE together, and
the mean number of attachments of each third has a bootstrap interval; the searches of one searcher
are sampled together.

This is no experiment.  Pages differ because queries and people differ: who knows much of a person
gets a more varied page and attaches more as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from forebear.interactions.log import FirstPage
from forebear.kernels.ndcg import Floats
from forebear.learning.measures import compare, nce_of_arrays

MIN_SEARCHES = 30  # below this, thirds say nothing
MIN_RECORDS = 2  # of a page that can vary
CAVEAT = (
    "Not an experiment: who searches for whom differs between the thirds, and whoever knows more "
    "of a person sees a more varied page and attaches more."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tercile:
    """A third of the searches, by the NCE of their first page."""

    low: float  # NCE
    high: float
    searches: int
    searchers: int
    attachments: float  # per search
    attachments_low: float
    attachments_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Engagement:
    """Attachments per search by the variety of the first page."""

    searches: int
    # The least varied first; fewer than three where many pages are equal, none if too few searches.
    terciles: tuple[Tercile, ...]
    caveat: str = CAVEAT


def measure_engagement(
    pages: Sequence[FirstPage],
    attachments: Mapping[str, int],
    type_of: Mapping[str, str],
    *,
    seed: int,
) -> Engagement:
    """Return the attachments per search by tercile of the first page's NCE.

    ``attachments`` has the number of records attached from a search, where there are any;
    ``type_of`` the record type of each collection.
    """
    varied = [page for page in pages if len(_types(page, type_of)) >= MIN_RECORDS]
    if len(varied) < MIN_SEARCHES:
        return Engagement(searches=len(varied), terciles=())
    values = _nce([_types(page, type_of) for page in varied], len(set(type_of.values())))
    thirds = np.searchsorted(np.quantile(values, [1 / 3, 2 / 3]), values)
    parts = [np.flatnonzero(thirds == third) for third in range(3)]
    return Engagement(
        searches=len(varied),
        terciles=tuple(
            _tercile(values[part], [varied[row] for row in part], attachments, seed)
            for part in parts
            if part.size
        ),
    )


def _tercile(
    values: Floats, pages: Sequence[FirstPage], attachments: Mapping[str, int], seed: int
) -> Tercile:
    counts = {page.search: float(attachments.get(page.search, 0)) for page in pages}
    groups = {page.search: page.searcher or f"search {page.search}" for page in pages}
    mean = compare(dict.fromkeys(counts, 0.0), counts, seed=seed, resamples=2_000, groups=groups)
    return Tercile(
        low=float(values.min()),
        high=float(values.max()),
        searches=len(pages),
        searchers=len({page.searcher for page in pages if page.searcher}),
        attachments=mean.difference,
        attachments_low=mean.low,
        attachments_high=mean.high,
    )


def _types(page: FirstPage, type_of: Mapping[str, str]) -> list[str]:
    """Return the record types of a page; a collection that was deleted since is left out."""
    names = (key.partition(":")[0] for key in page.records)
    return [type_of[name] for name in names if name in type_of]


def _nce(pages: Sequence[Sequence[str]], type_count: int) -> Floats:
    number_of: dict[str, int] = {}
    numbers = [number_of.setdefault(name, len(number_of)) for page in pages for name in page]
    offsets = np.cumsum([0, *map(len, pages)])
    return nce_of_arrays(numbers, offsets, type_count=max(type_count, 1))
