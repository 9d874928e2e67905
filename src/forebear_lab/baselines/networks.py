"""A small network with its gradient, Adam to train it, and LambdaRank's gradients, in NumPy."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.ndcg import Floats

Table = NDArray[np.float64]
CUTOFF = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A network of one hidden layer: f(x) = v · tanh(W x + b).

    Its parameters are one flat array, so that any trainer fits.
    """

    inputs: int
    hidden: int

    @property
    def size(self) -> int:
        """Return how many parameters there are."""
        return self.hidden * (self.inputs + 2)

    def start(self, random: np.random.Generator) -> Floats:
        """Return small random parameters."""
        return random.normal(0, 1 / np.sqrt(self.inputs), self.size)

    def predict(self, parameters: Floats, rows: Table) -> Floats:
        """Return the network's output for each row."""
        weights, biases, outer = self._parts(parameters)
        return np.asarray(np.tanh(rows @ weights + biases) @ outer, np.float64)

    def gradient(self, parameters: Floats, rows: Table, pulls: Floats) -> Floats:
        """Return the gradient of sum of pulls * output."""
        weights, biases, outer = self._parts(parameters)
        hidden = np.tanh(rows @ weights + biases)
        back = pulls[:, None] * outer * (1 - hidden**2)
        return np.concatenate([(rows.T @ back).ravel(), back.sum(axis=0), pulls @ hidden])

    def _parts(self, parameters: Floats) -> tuple[Table, Floats, Floats]:
        cut = self.inputs * self.hidden
        weights = parameters[:cut].reshape(self.inputs, self.hidden)
        return weights, parameters[cut : cut + self.hidden], parameters[cut + self.hidden :]


class Adam:
    """Steps whose size adapts to each parameter (Kingma and Ba 2015)."""

    def __init__(self, size: int, *, rate: float) -> None:
        self._rate = rate
        self._mean = np.zeros(size)
        self._square = np.zeros(size)
        self._steps = 0

    def step(self, parameters: Floats, gradient: Floats) -> Floats:
        """Return the parameters after one step downhill."""
        self._steps += 1
        self._mean = 0.9 * self._mean + 0.1 * gradient
        self._square = 0.999 * self._square + 0.001 * gradient**2
        mean = self._mean / (1 - 0.9**self._steps)
        square = self._square / (1 - 0.999**self._steps)
        return np.asarray(parameters - self._rate * mean / (np.sqrt(square) + 1e-8), np.float64)


def lambda_pulls(scores: Floats, labels: NDArray[np.int64], offsets: NDArray[np.int64]) -> Floats:
    """Return LambdaRank's gradient of the loss by the logarithm of each record's positive score.

    Each pair pulls by the NDCG that swapping its records would change,

        pull on the relevant record = - |change of NDCG| / (1 + exp(log s_r - log s_o))

    and the same, upward in loss, on the irrelevant one (Burges, Ragno and Le 2006).
    """
    pulls = np.zeros(scores.size)
    for first, last in pairwise(offsets.tolist()):
        grades = labels[first:last]
        if grades.any():
            pulls[first:last] = _query_pulls(scores[first:last], grades)
    return pulls / max(1, offsets.size - 1)


def _query_pulls(scores: Floats, grades: NDArray[np.int64]) -> Floats:
    order = np.argsort(-scores, kind="stable")
    ranks = np.empty(scores.size, np.int64)
    ranks[order] = np.arange(scores.size)
    discounts = np.where(ranks < CUTOFF, 1 / np.log2(2 + ranks), 0.0)
    best = np.sort(grades)[::-1][:CUTOFF]
    ideal = float((best / np.log2(2 + np.arange(best.size))).sum())
    logs = np.log(np.maximum(scores, 1e-300))
    pulls = np.zeros(scores.size)
    for record in np.flatnonzero(grades):
        others = grades < grades[record]
        worth = (grades[record] - grades) / ideal
        changes = np.abs(worth * (discounts[record] - discounts)) * others
        doubts = 1 / (1 + np.exp(np.clip(logs[record] - logs, -30, 30)))
        pulls += changes * doubts
        pulls[record] -= float(changes @ doubts)
    return pulls
