"""A network of one hidden layer, with its gradient, and Adam to train it: all in NumPy.

f(x) = v · tanh(W x + b)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear_lab.experiments.fuser import Row

Table = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The shape of a network; its parameters are one flat array, so that any trainer fits."""

    inputs: int
    hidden: int

    @property
    def size(self) -> int:
        """Return how many parameters there are."""
        return self.hidden * (self.inputs + 2)

    def start(self, random: np.random.Generator) -> Row:
        """Return small random parameters."""
        return random.normal(0, 1 / np.sqrt(self.inputs), self.size)

    def predict(self, parameters: Row, rows: Table) -> Row:
        """Return the network's answer for each row."""
        weights, biases, outer = self._parts(parameters)
        return np.asarray(np.tanh(rows @ weights + biases) @ outer, np.float64)

    def gradient(self, parameters: Row, rows: Table, pulls: Row) -> Row:
        """Return the gradient of sum of pulls * answer."""
        weights, biases, outer = self._parts(parameters)
        hidden = np.tanh(rows @ weights + biases)
        back = pulls[:, None] * outer * (1 - hidden**2)
        return np.concatenate([(rows.T @ back).ravel(), back.sum(axis=0), pulls @ hidden])

    def _parts(self, parameters: Row) -> tuple[Table, Row, Row]:
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

    def step(self, parameters: Row, gradient: Row) -> Row:
        """Return the parameters after one step downhill."""
        self._steps += 1
        self._mean = 0.9 * self._mean + 0.1 * gradient
        self._square = 0.999 * self._square + 0.001 * gradient**2
        mean = self._mean / (1 - 0.9**self._steps)
        square = self._square / (1 - 0.999**self._steps)
        return np.asarray(parameters - self._rate * mean / (np.sqrt(square) + 1e-8), np.float64)
