"""Is a learned model better than the one in use?  A cross-fit over what it was learned from.

Five models are learned, each without a fifth of the persons sought, and each ranks the searches it
never saw.  Searches for one person stay in one fold (`person_groups`), or the comparison would
reward remembering.

Only searches whose judgments are independent of the order shown are compared
(`JudgedSearch.is_independent`), and only those after the newest search that the model in use was
learned from.  The others teach in every fold in which no search for the same person is compared;
they join no groups, or a voter could make all searches one group.  Without any independent search,
all are ranked, because the diversity of the lists (NCE) needs no judgment.

`refusals` are reasons against a model that is better on the whole.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch, joining_items, person_groups
from forebear.learning.e_value import Evidence, gather_evidence
from forebear.learning.judged_lists import Progress, scored_model, searcher_weights
from forebear.learning.logged_rankings import (
    LoggedRanking,
    ModelMeasures,
    measure_rankings,
    rank_search,
)
from forebear.learning.measures import Comparison, compare, k_folds, pair_differences
from forebear.learning.train import Method, Training, learn, searches_to_learn_from
from forebear.search.model import Model

FOLDS = 5
MIN_GROUPS = 2  # to learn from one and to rank the other
MIN_PERSONS = 20  # to be compared on
MIN_TYPE_SEARCHES = 30  # from which on a record type by itself may refuse a model
NCE_LOSS = 0.05  # which part of the NCE a model may lose
FIRST_CONFIDENCE = 0.9  # of the interval of success@1
TYPE_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingComparison:
    """Two models on the same searches, with an attachment each, that neither was learned from."""

    before: dict[str, float]  # means of the model in use, by measure
    after: dict[str, float]
    persons: int
    evidence: Evidence  # of NDCG
    ndcg: Comparison
    first: Comparison  # of success@1
    types: Mapping[str, Comparison]  # of success@10, by record type

    @property
    def searches(self) -> int:
        """Return how many searches were compared."""
        return self.ndcg.query_count

    @property
    def is_shown(self) -> bool:
        """Return whether the new model is better by more than luck."""
        return self.persons >= MIN_PERSONS and self.evidence.is_enough

    def searches_missing(self) -> int | None:
        """Return about how many more searches show a gain; None if there is no sign of one."""
        needed = self.evidence.searches_needed()
        if needed is None:
            return None
        return max(needed - self.searches, MIN_PERSONS - self.persons, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """A new model against the one in use."""

    incumbent: str
    since: str  # only searches after this time were compared; "": all
    nce_before: float
    nce_after: float
    comparison: RankingComparison | None  # None: no search can compare models
    needs_trial: bool  # whether all judgments depend on the order shown
    refusals: tuple[str, ...]

    @property
    def measures(self) -> dict[str, float]:
        """Return the means of the new model, by measure, as far as they are known."""
        return {} if self.comparison is None else self.comparison.after

    @property
    def is_better(self) -> bool:
        """Return whether the new model is better by more than luck, and nothing is against it."""
        return self.comparison is not None and self.comparison.is_shown and not self.refusals


def evaluate(
    judged: Sequence[JudgedSearch],
    incumbent: Model,
    around: Model,
    *,
    seed: int,
    method: Method = "map",
    since: str = "",
    at_bound: Sequence[str] = (),
    progress: Progress = lambda _: None,
) -> Evaluation:
    """Compare models learned from these searches as the new one was with the one in use.

    ``since`` is the time of the newest search that the one in use was learned from, ``at_bound``
    are lists of the new model whose shift could go no further.
    """
    learned_from = searches_to_learn_from(judged)
    independent = [search for search in learned_from if search.is_independent]
    if len(set(person_groups(independent))) < MIN_GROUPS:
        independent = []
    useful = independent or learned_from
    others = [search for search in learned_from if not search.is_independent and independent]
    groups = person_groups(useful)
    after = _cross_fit(useful, others, groups, around, seed, method, progress)
    before = [rank_search(incumbent, search) for search in useful]
    old, new = measure_rankings(before), measure_rankings(after)
    nce_before, nce_after = (float(np.mean([*of.nce.values()])) for of in (old, new))
    chosen = [
        number
        for number, search in enumerate(useful)
        if search.is_independent and search.search.at > since
    ]
    weights = searcher_weights([useful[number].judge for number in chosen])
    comparison = None
    if chosen and weights is not None:
        comparison = compare_rankings(
            measure_rankings([before[number] for number in chosen], weights=weights),
            measure_rankings([after[number] for number in chosen], weights=weights),
            {useful[number].search.id: groups[number] for number in chosen},
            seed,
        )
    return Evaluation(
        incumbent=incumbent.name,
        since=since,
        nce_before=nce_before,
        nce_after=nce_after,
        comparison=comparison,
        needs_trial=not independent,
        refusals=tuple(refusals(nce_before, nce_after, comparison, at_bound)),
    )


def _cross_fit(
    judged: Sequence[JudgedSearch],
    others: Sequence[JudgedSearch],
    groups: Sequence[str],
    around: Model,
    seed: int,
    method: Method,
    progress: Progress,
) -> list[LoggedRanking]:
    """Return each search as a model ranks it that was learned from the other folds.

    ``others`` are only learned from.
    """
    count = min(FOLDS, len(set(groups)))
    if count < MIN_GROUPS:
        raise InputError(
            f"{len(judged)} searches with attachments, of {len(set(groups))} person, are too few "
            "to learn from and to compare on",
            hint="attach records of at least two people",
        )
    ranked: dict[int, LoggedRanking] = {}
    for fold, (learn_from, held) in enumerate(k_folds(groups, count, seed), 1):
        progress(f"comparison {fold} of {count}")
        compared = [judged[number] for number in held.tolist()]
        apart = set().union(*map(joining_items, compared))
        chosen = [judged[number] for number in learn_from.tolist()]
        chosen += [search for search in others if apart.isdisjoint(joining_items(search))]
        model = scored_model(around, learn(chosen, around, seed=seed, method=method))
        rankings = [rank_search(model, search) for search in compared]
        ranked |= dict(zip(held.tolist(), rankings, strict=True))
    return [ranked[number] for number in range(len(judged))]


def compare_rankings(
    old: ModelMeasures, new: ModelMeasures, groups: Mapping[str, str], seed: int
) -> RankingComparison:
    """Compare two models, measured on the same searches; ``groups`` names the person of each."""

    def compared(
        before: Mapping[str, float], after: Mapping[str, float], confidence: float
    ) -> Comparison:
        return compare(
            before,
            after,
            seed=seed,
            confidence=confidence,
            groups=groups,
            weights=old.weights,
        )

    types = sorted({name for of_search in old.firsts.values() for name in of_search})
    return RankingComparison(
        before=old.means(),
        after=new.means(),
        persons=len(set(groups.values())),
        evidence=gather_evidence(pair_differences(old.ndcg, new.ndcg, groups, old.weights)),
        ndcg=compared(old.ndcg, new.ndcg, TYPE_CONFIDENCE),
        first=compared(old.success(1), new.success(1), FIRST_CONFIDENCE),
        types={
            name: compared(old.success(10, name), new.success(10, name), TYPE_CONFIDENCE)
            for name in types
        },
    )


def refusals(
    nce_before: float,
    nce_after: float,
    comparison: RankingComparison | None,
    at_bound: Sequence[str],
) -> Iterator[str]:
    """Yield the reasons against a model, in words."""
    if nce_after < nce_before * (1 - NCE_LOSS):
        yield (
            f"the record types of a result vary less: nce@100 falls from {nce_before:.3f} "
            f"to {nce_after:.3f}, more than {NCE_LOSS:.0%}"
        )
    if at_bound:
        yield f"the shift of {', '.join(at_bound)} went as far as it may"
    if comparison is None:
        return
    if comparison.first.high < 0:
        yield f"fewer searches have a right record first: {_interval(comparison.first)}"
    for name, of_type in comparison.types.items():
        if of_type.query_count >= MIN_TYPE_SEARCHES and of_type.high < 0:
            yield f"fewer searches have a right {name} among the first ten: {_interval(of_type)}"


def _interval(of: Comparison) -> str:
    interval = f"{of.confidence:.0%} interval {of.low:+.3f} to {of.high:+.3f}"
    return f"success {of.difference:+.3f}, {interval}"


def training_note(training: Training, evaluation: Evaluation, *, promoted: bool) -> str:
    """Return what the registry says of a model: how it was learned, and what was overruled."""
    model = training.model
    note = f"learned from {training.searches} searches ({model.method} around {model.around})"
    if not promoted or evaluation.is_better:
        return note
    reasons = "; ".join(evaluation.refusals) or "no gain was shown"
    return f"{note}; promoted by the owner although {reasons}"
