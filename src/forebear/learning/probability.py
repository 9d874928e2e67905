"""Which constants turn the scores of a model into probabilities, and how far off is an archive?

`fit_constants` maximizes the likelihood of judged searches under the function of
`forebear.search.results.probability`, with a penalty that pulls the constants toward those they
start from.  That no hit is right is learned by removal: every judged search counts once as it is
and once with its right records taken out, so attachments are enough.

`estimate_offset` needs no judgments.  If people are likelier to be in this archive than where the
constants were fitted, more searches have a hit that leaves its rivals far behind.  The offset is
the change of that share which makes the rival groups of many searches most likely.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit, logit

from forebear.interactions.events import JudgedSearch, LoggedList
from forebear.learning.calibrate import rescore
from forebear.search.model import UNITS_PER_BIT, Model, ProbabilityConstants
from forebear.search.results.probability import (
    PRINCIPAL,
    Floats,
    RivalGroup,
    ScoredHits,
    class_of,
    rival_group,
    to_probability,
    type_of,
)
from forebear.search.search_result import SearchResult

SCALE_SD = 0.2  # how far b may go from where it starts
LEVEL_SD = 1.5  # and each a, in bits
OFFSET_SD = 1.4  # of the offset of an archive, in nats
MIN_SEARCHES = 100  # from which an offset is estimated
MAX_OFFSET = 6.0  # nats
SMOOTHING = 1.0  # a right and a wrong group more, so that no share is 0 or 1
LN2 = log(2)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedHits:
    """The hits of a search, which of them are right, and how much the search counts."""

    hits: ScoredHits
    labels: NDArray[np.bool_]
    weight: float = 1.0

    def without_right(self) -> "JudgedHits":
        """Return the search as if its right records were not in the archive."""
        lost = {
            name: sum(self.labels[place] for place in places)
            for name, places in _by_type(self.hits.classes).items()
        }
        wrong = np.flatnonzero(~self.labels).tolist()
        hits = self.hits
        return JudgedHits(
            hits=ScoredHits(
                scores=hits.scores[wrong],
                classes=[hits.classes[place] for place in wrong],
                groups=[hits.groups[place] for place in wrong],
                records=[hits.records[p] - int(lost[type_of(hits.classes[p])]) for p in wrong],
            ),
            labels=self.labels[wrong],
            weight=self.weight,
        )


def judge_result(result: SearchResult, right: Container[str]) -> JudgedHits:
    """Return the hits of a result, of which some records are right."""
    chances = result.probabilities
    keys = dict(zip(result.fused.tie.tolist(), result.fused.record_keys(), strict=True))
    labels = np.array([keys[tie] in right for tie in chances.places], np.bool_)
    return JudgedHits(hits=chances.hits, labels=labels)


def judge_log(judged: JudgedSearch, model: Model, *, weight: float = 1.0) -> JudgedHits:
    """Return the hits of a logged search under the weights of a model."""
    scores: list[Floats] = []
    classes: list[str] = []
    groups: list[RivalGroup | None] = []
    records: list[int] = []
    labels: list[bool] = []
    for shown in judged.search.lists:
        count = len(shown.records)
        names = [class_of(shown.record_type, is_principal) for is_principal in _principal(shown)]
        years = shown.years or (None,) * count
        scores.append(rescore(shown, model) / UNITS_PER_BIT)
        classes += names
        groups += [
            rival_group(shown.record_type, name, year)
            for name, year in zip(names, years, strict=True)
        ]
        records += [max(shown.gated, count)] * count
        labels += [record in judged.attached for record in shown.records]
    hits = ScoredHits(
        scores=np.concatenate([*scores, np.zeros(0)]),
        classes=classes,
        groups=groups,
        records=records,
    )
    return JudgedHits(hits=hits, labels=np.array(labels, np.bool_), weight=weight)


def fit_constants(
    searches: Iterable[JudgedHits], start: ProbabilityConstants
) -> ProbabilityConstants:
    """Return the constants under which these searches are likeliest, near those given."""
    data = _Data.of(list(searches), start)
    before = np.array([start.scale, *(start.level(name) for name in data.classes)])
    widths = np.array([SCALE_SD, *([LEVEL_SD] * len(data.classes))])

    def loss(constants: Floats) -> tuple[float, Floats]:
        value, slopes = data.loss(constants)
        pull = (constants - before) / widths
        return value + float(pull @ pull) / 2, slopes + pull / widths

    bounds = [(0.05, 5.0), *([(-20.0, 40.0)] * len(data.classes))]
    scale, *levels = minimize(loss, before, jac=True, method="L-BFGS-B", bounds=bounds).x.tolist()
    return replace(
        start,
        scale=scale,
        levels={**start.levels, **dict(zip(data.classes, levels, strict=True))},
        present={**start.present, **data.shares()},
    )


def estimate_offset(searches: Iterable[ScoredHits], constants: ProbabilityConstants) -> float:
    """Return the offset of an archive in bits, from the hits of many searches."""
    none, shares = [], []
    for hits in searches:
        for group, chance in none_of_groups(hits, hits.log_odds(constants)).items():
            none.append(chance)
            shares.append(constants.share(group[0]))
    if not none:
        return 0.0
    absent, before = np.array(none), logit(np.array(shares))

    def loss(shift: float) -> float:
        present, was = expit(before + shift), expit(before)
        likelihood = present * (1 - absent) / was + (1 - present) * absent / (1 - was)
        return float(-np.log(likelihood).sum() + shift**2 / (2 * OFFSET_SD**2))

    best = minimize_scalar(loss, bounds=(-MAX_OFFSET, MAX_OFFSET), method="bounded")
    return float(best.x) / LN2


def none_of_groups(hits: ScoredHits, odds: Floats) -> dict[RivalGroup, float]:
    """Return for each rival group of a search how likely it is that none of it is right."""
    right: dict[RivalGroup, float] = {}
    for group, chance in zip(hits.groups, to_probability(odds).tolist(), strict=True):
        if group is not None:
            right[group] = right.get(group, 0.0) + chance
    return {group: max(0.0, 1 - chance) for group, chance in right.items()}


def _principal(shown: LoggedList) -> list[bool]:
    """Return whether each record of a logged list is about the person."""
    if PRINCIPAL not in shown.clauses:
        return [False] * len(shown.records)
    flags: list[bool] = shown.bits[:, shown.clauses.index(PRINCIPAL)].tolist()
    return flags


def _by_type(classes: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, name in enumerate(classes):
        places.setdefault(type_of(name), []).append(place)
    return places


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Data:
    """Hits of many searches in arrays: groups of rivals one after the other, then other hits."""

    classes: tuple[str, ...]
    scores: Floats  # in bits
    labels: NDArray[np.bool_]
    starts: NDArray[np.int64]  # of the groups; each hit without rivals is a group by itself
    of_class: NDArray[np.int64]  # of each group
    gate: Floats  # c log2(G + 1), of each group
    weights: Floats  # of each group
    rivals: NDArray[np.bool_]  # whether each group may have more than one hit

    @classmethod
    def of(cls, searches: Sequence[JudgedHits], start: ProbabilityConstants) -> "_Data":
        groups: list[tuple[str, float, float, bool]] = []
        members: list[tuple[Floats, NDArray[np.bool_]]] = []
        for search in searches:
            hits = search.hits
            gates = start.gate * np.log2(np.array(hits.records, np.float64) + 1)
            rows: dict[object, list[int]] = {}
            for place, group in enumerate(hits.groups):
                rows.setdefault(place if group is None else group, []).append(place)
            for key, places in rows.items():
                first, is_group = places[0], not isinstance(key, int)
                groups.append((hits.classes[first], gates[first], search.weight, is_group))
                members.append((hits.scores[places], search.labels[places]))
        names, of_gate, weights, rivals = zip(*groups, strict=True) if groups else [()] * 4
        classes = tuple(sorted(set(names)))
        number = {name: place for place, name in enumerate(classes)}
        sizes = [len(scores) for scores, _ in members]
        return cls(
            classes=classes,
            scores=np.concatenate([scores for scores, _ in members] or [np.zeros(0)]),
            labels=np.concatenate([labels for _, labels in members] or [np.zeros(0, np.bool_)]),
            starts=np.cumsum([0, *sizes])[:-1].astype(np.int64),
            of_class=np.array([number[name] for name in names], np.int64),
            gate=np.array(of_gate, np.float64),
            weights=np.array(weights, np.float64),
            rivals=np.array(rivals, np.bool_),
        )

    def loss(self, constants: Floats) -> tuple[float, Floats]:
        """Return minus the log likelihood, in nats, and its slope in each constant."""
        if not len(self.starts):
            return 0.0, np.zeros_like(constants)
        scale, levels = constants[0], constants[1:]
        none = LN2 * (levels[self.of_class] + self.gate)
        evidence = LN2 * scale * self.scores
        sizes = np.diff(np.append(self.starts, len(self.scores)))
        highest = np.maximum(np.maximum.reduceat(evidence, self.starts), none)
        parts = np.exp(evidence - np.repeat(highest, sizes))
        rest = np.exp(none - highest)
        whole = np.add.reduceat(parts, self.starts) + rest
        right = np.add.reduceat(parts * self.labels, self.starts)
        has_right = np.logical_or.reduceat(self.labels, self.starts)
        share = np.where(has_right, np.maximum(right, 1e-300), rest)
        value = float(self.weights @ (np.log(whole) - np.log(share)))
        chance = parts / np.repeat(whole, sizes)
        expected = np.where(self.labels, parts / np.repeat(np.maximum(right, 1e-300), sizes), 0.0)
        by_evidence = np.repeat(self.weights, sizes) * (chance - expected)
        by_none = self.weights * (rest / whole - ~has_right)
        slopes = np.empty_like(constants)
        slopes[0] = LN2 * float(by_evidence @ self.scores)
        slopes[1:] = LN2 * np.bincount(self.of_class, by_none, minlength=len(levels))
        return value, slopes

    def shares(self) -> dict[str, float]:
        """Return for each class of rivals how many groups have a right hit."""
        if not len(self.starts):
            return {}
        has_right = np.logical_or.reduceat(self.labels, self.starts)
        shares = {}
        for number, name in enumerate(self.classes):
            among = self.rivals & (self.of_class == number)
            if among.any():
                right = float(self.weights[among] @ has_right[among])
                total = float(self.weights[among].sum())
                shares[name] = (right + SMOOTHING) / (total + 2 * SMOOTHING)
        return shares
