"""CORI's merge: a record's normalized score, raised a little by its list's.

    D' = (D - least) / (most - least)      C' = the list's prior, brought to 0..1 alike
    score = (D' + 0.4 * D' * C') / 1.4

(Callan, Lu and Croft 1995.)  There C is the score of the collection for the query, which needs
a description of every collection; here it is the list's prior, learned from judgments.
"""

from dataclasses import dataclass

import numpy as np

from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.list_priors import list_priors
from forebear_lab.baselines.normalized import normalize
from forebear_lab.experiments.fuser import Fitted, Row, named

SHARE = 0.4  # of the collection beside the document


@dataclass(frozen=True, slots=True, kw_only=True)
class Cori:
    """Learn a prior a list; merge by CORI's formula."""

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Learn the priors."""
        priors = list_priors(dataset)
        width = float(np.ptp(priors))
        shares = (priors - priors.min()) / width if width else np.ones(priors.size)

        def score(lists: FusionDataset) -> Row:
            return cori_scores(normalize(lists, "min_max"), shares[lists.lists_of_records()])

        return Fitted(score=score, settings={"share": SHARE}, weights=named(dataset, shares))


def cori_scores(documents: Row, collections: Row) -> Row:
    """Return the merged scores of normalized document and collection scores."""
    return (documents + SHARE * documents * collections) / (1 + SHARE)
