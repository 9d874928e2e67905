"""Weights from an archive alone: estimated from how its own records agree, without labels.

Personas are drawn and asked for (``candidate_pairs``), clauses are taken together in comparisons
(``comparisons``), a mixture says which of the pairs are likely of one person
(``match_mixture``), and a logistic line says what each clause adds (``clause_fit``).  How rare a
name is counts through the clauses that ask for it.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from forebear.learning.candidate_pairs import CandidatePairs
from forebear.learning.clause_fit import fit_clauses
from forebear.learning.comparisons import compare_pairs
from forebear.learning.match_mixture import Mixture, fit_mixture
from forebear.search.expansion.catalog import catalog_hash, load_catalog
from forebear.search.model import UNITS_PER_BIT, Model, to_units

ESTIMATED = "estimated"
MIN_MATCHES = 30.0  # expected among the pairs, below which a record type keeps its weights

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseEstimate:
    """What was found of one clause."""

    record_type: str
    clause: str
    known: int  # in 64ths of a bit, as the weight below
    weight: int
    match_rate: float  # m: how often it fires on pairs of one person, where asked
    other_rate: float  # u: and on the other candidates
    matches: float  # expected pairs of one person on which it was asked

    @property
    def reason(self) -> str:
        """Return why the clause has its weight."""
        if not self.matches:
            return "never asked of likely matches: kept"
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
    kept: tuple[str, ...]  # record types with too few to learn from
    clauses: tuple[ClauseEstimate, ...]


def estimate_agreement(
    pairs: Mapping[str, CandidatePairs],
    base: Model,
    *,
    seed: int,
    progress: Progress = lambda _: None,
) -> AgreementEstimate:
    """Return weights for the record types of these pairs; ``base`` is what they start from."""
    weights = {name: dict(known) for name, known in base.weights.items()}
    shifts = dict(base.shifts)
    found: list[ClauseEstimate] = []
    matches: dict[str, float] = {}
    for record_type, of_type in pairs.items():
        mixture = _mix(record_type, of_type, base)
        matches[record_type] = mixture.matches
        progress(f"{record_type}: {of_type.owners.size:,} pairs, {mixture.matches:,.0f} matches")
        if mixture.matches < MIN_MATCHES:
            continue
        estimates, shift = _weigh(record_type, of_type, mixture, base)
        found += estimates
        weights.setdefault(record_type, {}).update({each.clause: each.weight for each in estimates})
        shifts[record_type] = shift
    model = replace(
        base,
        name=ESTIMATED,
        weights=weights,
        shifts=shifts,
        catalog=catalog_hash(),
        data=_hash(pairs),
        seed=seed,
        measures={},
    )
    return AgreementEstimate(
        model=model,
        queries=max((len(each.asked) for each in pairs.values()), default=0),
        matches=matches,
        kept=tuple(name for name, expected in matches.items() if expected < MIN_MATCHES),
        clauses=tuple(found),
    )


def _mix(record_type: str, pairs: CandidatePairs, base: Model) -> Mixture:
    known = _known(record_type, pairs, base)
    scores = pairs.bits @ known + base.shift(record_type, record_type) / UNITS_PER_BIT
    first = np.asarray(expit(scores * np.log(2)), np.float64)
    return fit_mixture(compare_pairs(pairs, known), pairs.owners, first=first)


def _known(record_type: str, pairs: CandidatePairs, base: Model) -> NDArray[np.float64]:
    return np.array([base.weight(record_type, name) / UNITS_PER_BIT for name in pairs.clauses])


def _weigh(
    record_type: str, pairs: CandidatePairs, mixture: Mixture, base: Model
) -> tuple[list[ClauseEstimate], int]:
    rows = load_catalog()[record_type]
    known = _known(record_type, pairs, base)
    fit = fit_clauses(
        pairs.bits,
        mixture.chances,
        known=known,
        signs=np.array([row.polarity for row in rows]),
        known_shift=base.shift(record_type, record_type) / UNITS_PER_BIT,
    )
    asked = pairs.asked[pairs.owners]
    matched = _sums(asked, mixture.chances)
    others = _sums(asked, 1 - mixture.chances)
    match_rates = _sums(pairs.bits, mixture.chances) / np.maximum(matched, 1e-9)
    other_rates = _sums(pairs.bits, 1 - mixture.chances) / np.maximum(others, 1e-9)
    estimates = [
        ClauseEstimate(
            record_type=record_type,
            clause=clause,
            known=to_units(float(known[i])),
            weight=to_units(float(fit.weights[i])),
            match_rate=float(match_rates[i]),
            other_rate=float(other_rates[i]),
            matches=float(matched[i]),
        )
        for i, clause in enumerate(pairs.clauses)
    ]
    return estimates, to_units(fit.shift)


def _sums(bits: NDArray[np.bool_], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(weights @ bits.astype(np.float64), np.float64)


def _hash(pairs: Mapping[str, CandidatePairs]) -> str:
    digest = hashlib.sha256()
    for record_type, of_type in sorted(pairs.items()):
        digest.update(record_type.encode())
        digest.update(np.packbits(of_type.bits).tobytes())
        digest.update(np.packbits(of_type.random_bits).tobytes())
    return digest.hexdigest()[:12]
