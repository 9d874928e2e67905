"""What are clauses worth, judged by an archive's own records alone, without labels?

Personas of the archive are searched for (``candidate_pairs``).  Clauses are grouped in comparisons,
a mixture estimates which pairs are of one person (``mixture``), and a logistic line finds what each
clause adds.  How rare a name is counts through the clauses that query it.

Clauses overlap: a county agrees wherever the town does, a year wherever the day does.  Evidence may
only be added up between things that do not follow from each other, so clauses are grouped in a few
broad comparisons (``tables/comparisons.csv``: the first pattern that fits decides).  The outcome of
a comparison is how many whole bits its firing clauses are worth by the previous weights.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from forebear.kernels.ndcg import Floats
from forebear.learning.candidate_pairs import CandidatePairs
from forebear.learning.mixture import Comparison, Mixture, fit_mixture
from forebear.search.expansion.catalog import load_catalog
from forebear.search.model import ESTIMATED_METHOD, MAX_BITS, UNITS_PER_BIT, Model, to_units
from forebear.tables import read_table

ESTIMATED = "estimated"
MIN_MATCHES = 30.0  # expected among the pairs, below which a record type keeps its weights
DOUBT_BITS = 0.25  # of a previous weight: chances are no labels
SHIFT_DOUBT_BITS = 2.0  # of a shift

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseEstimate:
    """The estimate of one clause."""

    record_type: str
    clause: str
    before: int  # in 64ths of a bit, as the weight below
    weight: int
    match_rate: float  # m: how often it fires on pairs of one person, where it is queried
    other_rate: float  # u: and on the other candidates
    matches: float  # expected pairs of one person for which it is queried

    @property
    def reason(self) -> str:
        """Return why the clause has its weight."""
        if not self.matches:
            return "no likely match to test it on: kept"
        if not self.match_rate and not self.other_rate:
            return "never fires here: kept"
        return (
            f"fires on {self.match_rate:.1%} of likely matches "
            f"and {self.other_rate:.1%} of other candidates"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementEstimate:
    """A model estimated without labels, and what it rests on."""

    model: Model
    queries: int
    matches: Mapping[str, float]  # expected, by record type
    unchanged: tuple[str, ...]  # record types with too few matches to learn from
    clauses: tuple[ClauseEstimate, ...]


def estimate_agreement(
    pairs: Mapping[str, CandidatePairs],
    base: Model,
    *,
    seed: int,
    progress: Progress = lambda _: None,
) -> AgreementEstimate:
    """Return weights for the record types of these pairs; ``base`` is what they start from."""
    weights = {name: dict(of_type) for name, of_type in base.weights.items()}
    shifts = dict(base.shifts)
    clauses: list[ClauseEstimate] = []
    matches: dict[str, float] = {}
    for record_type, of_type in pairs.items():
        prior = np.array(base.weights_of(record_type, of_type.clauses)) / UNITS_PER_BIT
        prior_shift = base.shift(record_type, record_type) / UNITS_PER_BIT
        first = np.asarray(expit((of_type.bits @ prior + prior_shift) * np.log(2)), np.float64)
        mixture = fit_mixture(compare_pairs(of_type, prior), of_type.owners, first=first)
        matches[record_type] = mixture.matches
        progress(f"{record_type}: {of_type.owners.size:,} pairs, {mixture.matches:,.0f} matches")
        if mixture.matches < MIN_MATCHES:
            continue
        fit = fit_clauses(
            of_type.bits,
            mixture.chances,
            prior=prior,
            signs=np.array([row.polarity for row in load_catalog()[record_type]]),
            prior_shift=prior_shift,
        )
        estimates = _estimates(record_type, of_type, mixture, prior, fit)
        clauses += estimates
        weights.setdefault(record_type, {}).update({one.clause: one.weight for one in estimates})
        shifts[record_type] = to_units(fit.shift)
    model = replace(
        base,
        name=ESTIMATED,
        weights=weights,
        shifts=shifts,
        data=_hash(pairs),
        seed=seed,
        method=ESTIMATED_METHOD,
        measures={},
        probability=None,  # nothing says how often records of such scores are right
    )
    return AgreementEstimate(
        model=model,
        queries=max((len(of_type.queried) for of_type in pairs.values()), default=0),
        matches=matches,
        unchanged=tuple(name for name, expected in matches.items() if expected < MIN_MATCHES),
        clauses=tuple(clauses),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRule:
    """One line of the table of comparisons."""

    pattern: str  # of clause names
    comparison: str
    is_gated: bool  # does the gate choose candidates by it?


def compare_pairs(pairs: CandidatePairs, prior: Floats) -> list[Comparison]:
    """Return the comparisons of pairs; ``prior`` has the previous weight of each clause in bits."""
    columns: dict[tuple[str, bool], list[int]] = {}
    for column, clause in enumerate(pairs.clauses):
        rule = rule_of(clause)
        columns.setdefault((rule.comparison, rule.is_gated), []).append(column)
    return [
        _compare(name, of_rule, pairs, prior[of_rule], is_gated=is_gated)
        for (name, is_gated), of_rule in columns.items()
    ]


@cache
def rule_of(clause: str) -> ComparisonRule:
    """Return the line of the table that a clause falls under.

    >>> rule_of("birth.place.county").comparison
    'places'
    """
    return next(rule for rule in _rules() if fnmatchcase(clause, rule.pattern))


@cache
def _rules() -> tuple[ComparisonRule, ...]:
    return tuple(
        ComparisonRule(
            pattern=row["pattern"], comparison=row["comparison"], is_gated=row["gated"] == "yes"
        )
        for row in read_table("learning/comparisons")
    )


def _compare(
    name: str, columns: Sequence[int], pairs: CandidatePairs, prior: Floats, *, is_gated: bool
) -> Comparison:
    worth = np.concatenate([pairs.bits[:, columns] @ prior, pairs.random_bits[:, columns] @ prior])
    levels, level_of = np.unique(np.round(worth), return_inverse=True)
    owners = np.concatenate([pairs.owners, pairs.random_owners])
    is_queried = np.asarray(pairs.queried[:, columns].any(axis=1), np.bool_)
    outcomes, random_outcomes = np.split(
        np.where(is_queried[owners], level_of, -1), [pairs.owners.size]
    )
    counts = np.bincount(random_outcomes[random_outcomes >= 0], minlength=levels.size)
    return Comparison(
        name=name,
        outcomes=outcomes,
        prior_bits=levels,
        random_counts=None if is_gated else counts.astype(np.float64),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseFit:
    """Weights and shift, in bits."""

    weights: Floats
    shift: float


def fit_clauses(
    bits: NDArray[np.bool_],
    chances: Floats,
    *,
    prior: Floats,
    signs: NDArray[np.int64],
    prior_shift: float,
) -> ClauseFit:
    """Return the weights of the columns that explain the chances of the rows best.

    Clauses overlap (a name that agrees to the letter sounds the same too), so all are fitted at
    once: the logistic line nearest to the chances of the pairs,

        log2 odds = shift + sum of the weights of the clauses that fire,

    pulled toward the previous weights as if each were right within ``DOUBT_BITS``.  A clause that
    never fires thus keeps its weight.  No clause changes sides: what speaks for a record is worth
    0 at worst.  The levels of a fact are nested and each adds to the one below, so a closer
    agreement is never worth less than a looser one.
    """
    # Rows that fire alike are one row that counts for many.
    rows, row_of, counts = np.unique(bits, axis=0, return_inverse=True, return_counts=True)
    features = np.column_stack([rows, np.ones(len(rows))]).astype(np.float64)
    sums = np.bincount(row_of.ravel(), chances, minlength=len(rows))
    center = np.append(prior, prior_shift)
    doubts = np.append(np.full(prior.size, DOUBT_BITS), SHIFT_DOUBT_BITS)

    def loss(line: Floats) -> tuple[float, Floats]:
        logits = features @ line * log(2)
        off = (line - center) / doubts
        value = counts @ np.logaddexp(0, logits) - sums @ logits + off @ off / 2
        slope = features.T @ (counts * expit(logits) - sums) * log(2) + off / doubts
        return float(value), np.asarray(slope, np.float64)

    limits = [(0.0, MAX_BITS) if sign > 0 else (-MAX_BITS, 0.0) for sign in signs.tolist()]
    limits.append((-MAX_BITS, MAX_BITS))
    line = minimize(loss, center, jac=True, method="L-BFGS-B", bounds=limits).x
    return ClauseFit(weights=np.asarray(line[:-1], np.float64), shift=float(line[-1]))


def _estimates(
    record_type: str, pairs: CandidatePairs, mixture: Mixture, prior: Floats, fit: ClauseFit
) -> list[ClauseEstimate]:
    queried = pairs.queried[pairs.owners]
    matched = _sums(queried, mixture.chances)
    others = _sums(queried, 1 - mixture.chances)
    match_rates = _sums(pairs.bits, mixture.chances) / np.maximum(matched, 1e-9)
    other_rates = _sums(pairs.bits, 1 - mixture.chances) / np.maximum(others, 1e-9)
    return [
        ClauseEstimate(
            record_type=record_type,
            clause=clause,
            before=to_units(float(prior[i])),
            weight=to_units(float(fit.weights[i])),
            match_rate=float(match_rates[i]),
            other_rate=float(other_rates[i]),
            matches=float(matched[i]),
        )
        for i, clause in enumerate(pairs.clauses)
    ]


def _sums(bits: NDArray[np.bool_], weights: Floats) -> Floats:
    return np.asarray(weights @ bits.astype(np.float64), np.float64)


def _hash(pairs: Mapping[str, CandidatePairs]) -> str:
    digest = hashlib.sha256()
    for record_type, of_type in sorted(pairs.items()):
        digest.update(record_type.encode())
        digest.update(np.packbits(of_type.bits).tobytes())
        digest.update(np.packbits(of_type.random_bits).tobytes())
    return digest.hexdigest()[:12]
