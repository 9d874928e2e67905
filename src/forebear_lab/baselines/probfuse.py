"""ProbFuse: how likely is a record of this list, this far down, to be relevant?

Every list is cut into segments of equal length; over the training queries, the mean share of
relevant records in segment k of list j estimates P(relevant | j, k), and a record scores

    P_jk / k                                    (Lillis, Toolan, Collier and Dunnion 2006)

summed over the lists that hold it: here one.  Records that were not judged count as irrelevant
("ProbFuseAll").  Inside a segment the order of the list stays.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.fuser import Fitted
from forebear_lab.baselines.merging import ranks_in_lists

_LIST_ORDER = 1e-9  # too little to matter between segments


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbFuse:
    """Learn the chance of every segment of every list."""

    segments: int = 25

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Learn the chances."""
        chances = segment_chances(dataset, self.segments)
        values = chances / np.arange(1, self.segments + 1)

        def score(lists: FusionDataset) -> Floats:
            places = segments_of(lists, self.segments)
            return values[lists.lists_of_records(), places] - _LIST_ORDER * ranks_in_lists(lists)

        return Fitted(score=score, settings={"segments": self.segments})


def segments_of(dataset: FusionDataset, segments: int) -> NDArray[np.int64]:
    """Return each record's segment in its list, from 0."""
    lengths = np.repeat(np.diff(dataset.offsets), np.diff(dataset.offsets))
    places = ranks_in_lists(dataset).astype(np.int64) - 1
    return np.asarray(places * segments // lengths, np.int64)


def segment_chances(dataset: FusionDataset, segments: int) -> NDArray[np.float64]:
    """Return P(relevant | list, segment): one row per list, one column per segment.

    The mean is over queries in which the segment has records.
    """
    count, cells = len(dataset.list_names), dataset.offsets.size - 1
    owners = np.repeat(np.arange(cells), np.diff(dataset.offsets))
    places = owners * segments + segments_of(dataset, segments)
    sizes = np.bincount(places, minlength=cells * segments).reshape(-1, count, segments)
    hits = np.bincount(places, dataset.labels > 0, cells * segments).reshape(sizes.shape)
    shares = np.where(sizes > 0, hits / np.maximum(sizes, 1), 0.0).sum(axis=0)
    return np.asarray(shares / np.maximum((sizes > 0).sum(axis=0), 1), np.float64)
