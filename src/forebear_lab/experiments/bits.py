"""Scores on the scale on which a weight is a shift: log2 of them, where all are positive."""

from forebear.learning.dataset import FusionDataset
from forebear.learning.stochastic_search import Scale
from forebear_lab.learning.score_norms import to_bits


def scale_of(dataset: FusionDataset) -> Scale:
    """Return what scores are: positive, so that weights multiply, or bits already."""
    is_positive = not dataset.scores.size or dataset.scores.min() > 0
    return "weights" if is_positive else "bits"


def in_bits(dataset: FusionDataset) -> FusionDataset:
    """Return the lists with their scores in bits; those that may be 0 or less are bits already."""
    return to_bits(dataset) if scale_of(dataset) == "weights" else dataset
