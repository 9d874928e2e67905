"""Which weights explain judged lists best, near weights that have reasons?

The log2 odds that a record is right are a sum, as in a search:

    level[source] + shifts + sum of w[type, clause] + d[source, clause] over clauses that fire
    w[type, clause] = w0[type, clause] + u[clause] + v[type, clause]

u is how far a clause is from its reasoned weight in every type, v how far in one type, d what only
the clerks, readers and searchers of one source do.  All are normal around 0, so a clause that fires
seldom stays where it was, and a type without judgments takes over what the others learned (partial
pooling: Gelman and Hill, Data Analysis Using Regression and Multilevel/Hierarchical Models, 2007,
chapter 12).  Minimized is

    logistic + listwise + |u|^2 / 2 su^2 + |v|^2 / 2 sv^2 + |d|^2 / 2 sd^2
    + |shift - shift0|^2 / 2 ss^2

The logistic loss makes bits mean odds.  The listwise loss is -log of the share that a right record
has among itself and the wrong records of its query, the mean over the right ones (after Cao et al.,
Learning to rank: from pairwise approach to listwise approach, ICML 2007); it looks at the top of a
list.  The level of a source, which says how many of its records are right, is free.  It and d are
not used again: other sources have others.  `fit_default` has several sources, an archive one: then
there is one level and no d.

A shift moves the records of one list, of all queries or of those that have a fact.

Weights keep the sign of their clause.  Match levels are nested (the same letters are also one
letter off), so with no negative step a closer match never counts for less.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, minimize
from scipy.sparse import csr_array
from scipy.special import expit

from forebear.search.model import MAX_BITS, UNITS_PER_BIT

CLAUSE_SD = 0.3  # su, in bits
WEIGHT_SD = 0.5  # sv
SOURCE_SD = 0.6  # sd
SHIFT_SD = 1.0  # ss
LEAST = 1 / UNITS_PER_BIT  # what a clause weighs at least, for or against
STEPS = 300
TOLERANCE = 1e-7  # of the loss, below which a step is the last
LN2 = log(2)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedRecords:
    """The records of judged queries, one query after the other."""

    fired: csr_array  # one row a record, one column a weight: 1 where the clause fires
    labels: NDArray[np.bool_]
    lists: Integers  # of each record, the number of its list
    shifted: csr_array  # one row a list, one column a shift: 1 where it moves the list
    offsets: Integers  # query q has the records offsets[q]:offsets[q + 1]
    sources: Integers  # of each query
    weights: Floats  # of each record


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prior:
    """Where weights and shifts start, in bits, and how far they may go."""

    weights: Floats
    clauses: Integers  # of each weight, the number of its clause
    signs: Integers  # of each weight: 1 for the record, -1 against it
    shifts: Floats
    clause_sd: float = CLAUSE_SD
    weight_sd: float = WEIGHT_SD
    source_sd: float | None = SOURCE_SD  # None: no deviations of sources
    shift_sd: float | Floats = SHIFT_SD  # of all or of each; infinite: free
    shift_reach: float | Floats = np.inf  # how far they may go


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HierarchicalFit:
    """Fitted weights and shifts, in bits."""

    weights: Floats
    shifts: Floats
    levels: Floats  # of each source
    loss: float
    steps: int


def fit_weights(
    records: JudgedRecords, prior: Prior, *, listwise: float = 1.0, tolerance: float = TOLERANCE
) -> HierarchicalFit:
    """Return the weights and shifts that explain these labels best.

    ``listwise`` is how much the listwise loss counts beside the logistic one, ``tolerance`` the
    part of the loss below which a step is the last.
    """
    problem = _Problem(records, prior, listwise)
    solution = minimize(
        problem.loss,
        problem.start(),
        jac=True,
        method="L-BFGS-B",
        bounds=problem.bounds(),
        options={"maxiter": STEPS, "ftol": tolerance},
    )
    levels, shifts, weights = problem.result(solution.x)
    return HierarchicalFit(
        weights=weights,
        shifts=shifts,
        levels=levels,
        loss=float(solution.fun),
        steps=int(solution.nit),
    )


class _Problem:
    """The loss over one vector: level of each source, shifts, weights that fire, u of clauses, d.

    The weights themselves are variables instead of v, so that their signs are plain bounds.
    Variables are in units of their precision (penalty and logistic loss at the start), in which
    the loss is about as steep in every direction, so that few steps are needed.
    """

    def __init__(self, records: JudgedRecords, prior: Prior, listwise: float) -> None:
        self.records, self.prior, self.listwise = records, prior, listwise
        count = records.fired.shape[1]
        self.used = np.flatnonzero(np.bincount(records.fired.indices, minlength=count))
        self.fired = csr_array(records.fired[:, self.used]).astype(np.float64)
        self.fired_transposed = csr_array(self.fired.T)
        sizes = np.diff(records.offsets)
        self.filled = np.flatnonzero(sizes)
        self.query = np.repeat(np.arange(len(sizes)), sizes)
        self.counted = records.weights
        self.shifted = csr_array(records.shifted).astype(np.float64)
        self.shifted_transposed = csr_array(self.shifted.T)
        self.lists = self.shifted.shape[0]
        self.source = np.repeat(records.sources, sizes)
        self.right_count = np.bincount(self.query, records.labels, minlength=len(sizes))
        self.source_sd = prior.source_sd or 1.0  # without deviations it divides nothing
        self.levels = int(records.sources.max(initial=0)) + 1
        self.clauses = int(prior.clauses.max(initial=0)) + 1
        self.of_source = self._by_source()
        self.of_source_transposed = csr_array(self.of_source.T)
        self.deviations = self.of_source.shape[1]
        self.cuts = np.cumsum([self.levels, len(prior.shifts), len(self.used), self.clauses])
        weights = _with_sign(prior.weights, prior.signs)[self.used]
        self.first = np.concatenate(
            [
                np.zeros(self.levels),
                prior.shifts,
                weights,
                np.zeros(self.clauses + self.deviations),
            ]
        )
        self.units = self._precision() ** -0.5

    def _by_source(self) -> csr_array:
        """Return which clauses fire for each record, in columns of its source."""
        if self.prior.source_sd is None:
            return csr_array((self.fired.shape[0], 0))
        records = np.repeat(np.arange(self.fired.shape[0]), np.diff(self.fired.indptr))
        clauses = self.prior.clauses[self.used[self.fired.indices]]
        columns = self.source[records] * self.clauses + clauses
        shape = (self.fired.shape[0], self.levels * self.clauses)
        return csr_array((self.fired.data, (records, columns)), shape=shape)

    def start(self) -> Floats:
        return self.first / self.units

    def bounds(self) -> Bounds:
        low, high = (np.full(len(self.first), bound) for bound in (-np.inf, np.inf))
        weights = slice(self.cuts[1], self.cuts[2])
        is_for = self.prior.signs[self.used] > 0
        low[weights] = np.where(is_for, LEAST, -MAX_BITS)
        high[weights] = np.where(is_for, MAX_BITS, -LEAST)
        shifts = slice(self.cuts[0], self.cuts[1])
        low[shifts] = self.prior.shifts - self.prior.shift_reach
        high[shifts] = self.prior.shifts + self.prior.shift_reach
        return Bounds(low / self.units, high / self.units)

    def result(self, variables: Floats) -> tuple[Floats, Floats, Floats]:
        """Return levels, shifts and all weights; one that never fires follows its clause."""
        levels, shifts, used, common, _ = np.split(variables * self.units, self.cuts)
        weights = self.prior.weights + common[self.prior.clauses]
        weights[self.used] = used
        return levels, shifts, _with_sign(weights, self.prior.signs)

    def loss(self, variables: Floats) -> tuple[float, Floats]:
        """Return the loss, in nats, and its slope in each variable."""
        levels, shifts, weights, common, peculiar = np.split(variables * self.units, self.cuts)
        prior, clauses = self.prior, self.prior.clauses[self.used]
        evidence = self._evidence(levels, shifts, weights, peculiar)
        logistic, by_evidence = self._logistic(evidence)
        listwise, by_list = self._listwise(evidence)
        moved_shifts = (shifts - prior.shifts) / prior.shift_sd
        moved = (weights - prior.weights[self.used] - common[clauses]) / prior.weight_sd
        moved_clauses = common / prior.clause_sd
        moved_sources = peculiar / self.source_sd
        parts = (moved_shifts, moved, moved_clauses, moved_sources)
        penalty = sum(float(part @ part) for part in parts) / 2
        slopes = self._summed(LN2 * (by_evidence + self.listwise * by_list))
        slopes += np.concatenate(
            [
                np.zeros(self.levels),
                moved_shifts / prior.shift_sd,
                moved / prior.weight_sd,
                moved_clauses / prior.clause_sd
                - np.bincount(clauses, moved, minlength=self.clauses) / prior.weight_sd,
                moved_sources / self.source_sd,
            ]
        )
        return logistic + self.listwise * listwise + penalty, slopes * self.units

    def _evidence(
        self, levels: Floats, shifts: Floats, weights: Floats, peculiar: Floats
    ) -> Floats:
        """Return the log odds of each record, in nats."""
        moved: Floats = levels[self.source] + (self.shifted @ shifts)[self.records.lists]
        moved += self.fired @ weights
        if self.deviations:
            moved += self.of_source @ peculiar
        return LN2 * moved

    def _summed(self, by_record: Floats) -> Floats:
        """Return for each variable the sum over the records that it counts for."""
        return np.concatenate(
            [
                np.bincount(self.source, by_record, minlength=self.levels),
                self.shifted_transposed @ np.bincount(self.records.lists, by_record, self.lists),
                self.fired_transposed @ by_record,
                np.zeros(self.clauses),
                self.of_source_transposed @ by_record,
            ]
        )

    def _precision(self) -> Floats:
        """Return about how fast the slope of the loss changes in each variable."""
        levels, shifts, weights, _, peculiar = np.split(self.first, self.cuts)
        chance = expit(self._evidence(levels, shifts, weights, peculiar))
        prior, clauses = self.prior, self.prior.clauses[self.used]
        same = np.bincount(clauses, minlength=self.clauses)
        penalty = np.concatenate(
            [
                np.ones(self.levels),
                np.broadcast_to(np.power(prior.shift_sd, -2.0), len(shifts)),
                np.full(len(weights), prior.weight_sd**-2),
                prior.clause_sd**-2 + same * prior.weight_sd**-2,
                np.full(self.deviations, self.source_sd**-2),
            ]
        )
        return penalty + self._summed(LN2**2 * self.counted * chance * (1 - chance))

    def _logistic(self, evidence: Floats) -> tuple[float, Floats]:
        labels = self.records.labels
        loss = np.logaddexp(0.0, np.where(labels, -evidence, evidence))
        return float(self.counted @ loss), self.counted * (expit(evidence) - labels)

    def _listwise(self, evidence: Floats) -> tuple[float, Floats]:
        labels, query, queries = self.records.labels, self.query, len(self.right_count)
        highest = np.zeros(queries)
        highest[self.filled] = np.maximum.reduceat(evidence, self.records.offsets[:-1][self.filled])
        parts = np.where(labels, 0.0, np.exp(evidence - highest[query]))
        wrong = np.bincount(query, parts, minlength=queries)
        behind = np.log(np.maximum(wrong, 1e-300))[query] + highest[query] - evidence
        share = np.where(labels, self.counted / np.maximum(self.right_count[query], 1), 0.0)
        missing = share * expit(behind)  # what each right record lacks to the whole
        lost = np.bincount(query, missing, minlength=queries)
        by_evidence = parts * (lost / np.maximum(wrong, 1e-300))[query] - missing
        return float(share @ np.logaddexp(0.0, behind)), by_evidence


def _with_sign(weights: Floats, signs: Integers) -> Floats:
    """Return the weights, those of the wrong sign as the smallest of the right one."""
    return np.copysign(np.clip(signs * weights, LEAST, MAX_BITS), signs)
