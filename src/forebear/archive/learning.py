"""What does an archive learn, and which of its models do searches use?

Models are learned from judgments or estimated from the records.  A model is promoted if it is
better by more than luck, in a cross-fit or in a trial against the one in use.  Name variants and
the offsets of probabilities are learned too.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from forebear.archive.judging import JudgedArchive
from forebear.archive.records import ViewerName, now
from forebear.errors import InputError, ModelError, NotFoundError
from forebear.search.expansion.clause_hashes import clause_hashes, learned_here
from forebear.search.model import (
    DEFAULT,
    ESTIMATED_METHOD,
    SHIPPED,
    Model,
    default_model,
    model_from_json,
)

# A search must be quick to start: everything else is loaded by the method that needs it.
if TYPE_CHECKING:
    from forebear.interactions.trials import Trial
    from forebear.learning.agreement import AgreementEstimate
    from forebear.learning.evaluation import Evaluation
    from forebear.learning.name_variants import VariantReport
    from forebear.learning.registry import ModelEntry, ProbabilityOffset
    from forebear.learning.train import Method
    from forebear.learning.train import Training as LearnedModel
    from forebear.search.expansion.learned_variants import LearnedVariant, NameField


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """A model learned from what people attached."""

    version: str  # under which the archive stores it
    promoted: bool  # whether searches use it from now on
    learned: "LearnedModel"
    evaluation: "Evaluation"
    repeated: int = 0  # logged searches of other clauses or lists that were made again
    skipped: int = 0  # those that could not be, and taught nothing

    @property
    def is_better(self) -> bool:
        """Return whether the model is better than the one in use by more than luck."""
        return self.evaluation.is_better

    @property
    def before(self) -> dict[str, float]:
        """Return measures of the model in use, on searches that neither was learned from."""
        comparison = self.evaluation.comparison
        return {} if comparison is None else comparison.before

    @property
    def after(self) -> dict[str, float]:
        """Return the same measures of models learned as the new one was."""
        comparison = self.evaluation.comparison
        return {} if comparison is None else comparison.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A model estimated from how the records of the archive agree, without attachments."""

    version: str
    promoted: bool
    agreement: "AgreementEstimate"


class LearningArchive(JudgedArchive):
    """An open archive that learns from its log."""

    def train(
        self,
        *,
        seed: int,
        promote: bool | None = None,
        method: "Method" = "map",
        around: str = DEFAULT,
        trust: Sequence[str] = (),
        progress: Callable[[str], None] = lambda _: None,
    ) -> "Training":
        """Learn a model from what was attached, and compare it with the one in use.

        It is learned near ``around``, a model that was learned from no attachment, and promoted
        if it is better by more than luck, or as ``promote`` says.  The method "map" fits all
        weights at once, "paper" is that of the paper.  Searches logged with other clauses or
        lists are repeated first.  No searcher counts for more than 5 % beside the owner; sign-in
        links named in ``trust`` count as the owner.
        """
        from forebear.interactions.events import trust_searcher
        from forebear.learning.evaluation import evaluate, training_note
        from forebear.learning.train import train

        start, incumbent = self._unlearned_model(around), self.current_model()
        log = self.current_log(progress=progress)
        trusted = {self.pseudonym(f"link:{name}") for name in trust}
        judged = [trust_searcher(search, trusted) for search in log.judged]
        learned = train(judged, start, seed=seed, method=method, progress=progress)
        evaluation = evaluate(
            judged,
            self.model(),
            start,
            seed=seed,
            method=method,
            since=self._cutoff(incumbent),
            at_bound=learned.at_bound,
            progress=progress,
        )
        promoted = evaluation.is_better if promote is None else promote
        note = training_note(learned, evaluation, promoted=promoted)
        model = replace(learned.model, measures=evaluation.measures)
        version = self._save_model(self._learned_here(model), note, promote=promoted)
        return Training(
            version=version,
            promoted=promoted,
            learned=learned,
            evaluation=evaluation,
            repeated=log.repeated,
            skipped=log.skipped,
        )

    def estimate_weights(
        self,
        *,
        seed: int,
        personas: int = 1000,
        promote: bool = False,
        progress: Callable[[str], None] = lambda _: None,
    ) -> "Estimate":
        """Estimate a model from how the archive's records agree; no attachment is needed.

        This many ``personas`` of the archive are searched for.
        """
        from forebear.learning.agreement import estimate_agreement
        from forebear.learning.candidate_pairs import PairCollector, draw_queries

        viewer, base, lists = self.viewer("owner"), default_model(), self._all_lists()
        queries = draw_queries(self._storage, lists, count=personas, viewer=viewer, seed=seed)
        collector = PairCollector(storage=self._storage, lists=lists, model=base, viewer=viewer)
        pairs = collector.collect(queries, progress)
        agreement = estimate_agreement(pairs, base, seed=seed, progress=progress)
        note = f"estimated from {len(queries)} personas, without labels"
        version = self._save_model(self._learned_here(agreement.model), note, promote=promote)
        return Estimate(version=version, promoted=promote, agreement=agreement)

    def learn_name_variants(
        self, *, dry_run: bool = False, progress: Callable[[str], None] = lambda _: None
    ) -> "VariantReport":
        """Learn which names attachments join for many people, and let searches use them.

        Searches that attached something are repeated to see whom on a record they found.  Three
        persons are needed, each attached by another searcher, or three imported links.  Pairs
        that were revoked are not learned again.  With ``dry_run`` nothing is stored.
        """
        from forebear.archive.name_variants import LogReader, teachers
        from forebear.interactions.log import COMMAND_LINE
        from forebear.learning.name_variants import learn_variants

        reader = LogReader(self, teachers(self, command_line=COMMAND_LINE))
        log = list(self._log.searches_with_actions())
        existing = {variant.key for variant in self.name_variants()}
        report = learn_variants(reader.read(log, progress), existing=existing, at=now())
        if report.learned and not dry_run:
            self._storage.put_name_variants(report.learned)
        return replace(report, skipped=reader.skipped)

    def name_variants(self) -> "tuple[LearnedVariant, ...]":
        """Return the name variants that this archive learned, also those that were revoked."""
        return self._storage.name_variants()

    def revoke_name_variant(self, first: str, second: str, *, kind: "NameField") -> None:
        """Stop using a learned variant for good: it is not learned again."""
        variant = self._learned_variant(first, second, kind)
        if not variant.is_revoked:
            self._storage.put_name_variants([replace(variant, revoked_at=now())])

    def restore_name_variant(self, first: str, second: str, *, kind: "NameField") -> None:
        """Use a revoked variant again."""
        variant = self._learned_variant(first, second, kind)
        self._storage.put_name_variants([replace(variant, revoked_at=None)])

    def calibrate_probabilities(
        self, *, progress: Callable[[str], None] = lambda _: None
    ) -> "tuple[ProbabilityOffset, ...]":
        """Estimate how likely people are to be in this archive, for the owner and the public.

        Logged searches of the owner and of signed-in visitors are repeated with the model in use,
        over the records that each class of viewers may see; no attachment is needed.
        """
        from forebear.interactions.log import COMMAND_LINE
        from forebear.learning.probability import MIN_SEARCHES, estimate_offset
        from forebear.learning.registry import ProbabilityOffset

        model = self.model()
        if model.probability is None:
            raise ModelError(
                f"model {model.name} has no constants for probabilities",
                hint="`forebear train` learns a model that has",
            )
        identities = [COMMAND_LINE, *(f"link:{link.name}" for link in self.links())]
        queries = self._log.queries_of({"", *map(self.pseudonym, identities)})
        if len(queries) < MIN_SEARCHES:
            raise InputError(
                f"{len(queries):,} searches of yours are logged, expected at least {MIN_SEARCHES}",
                hint="search on the command line, with --batch or signed in; visitors' searches "
                "do not count",
            )
        viewers: tuple[ViewerName, ...] = ("owner", "public")
        for viewer in viewers:
            progress(f"repeating {len(queries):,} searches for the {viewer}")
            results = (
                self.search(json.loads(query), viewer=viewer, log=False) for query in queries
            )
            hits = [result.search_result.probabilities.hits for result in results]
            bits = estimate_offset(hits, model.probability)
            self._offsets.put(
                ProbabilityOffset(
                    viewer=viewer, model=model.name, bits=bits, searches=len(queries), at=now()
                )
            )
        return self.probability_offsets()

    def probability_offsets(self) -> "tuple[ProbabilityOffset, ...]":
        """Return how much likelier than where its models were fitted people are to be here."""
        return self._offsets.list()

    def reset_probabilities(self) -> None:
        """Forget what `calibrate_probabilities` estimated."""
        self._offsets.clear()

    def start_trial(self, model: str, *, share: float = 0.5) -> "Trial":
        """Let the server interleave a model with the one in use, for this share of searches.

        A trial of the same two models that runs is continued.  One that has ended is not started
        again: it is returned as it ended.
        """
        challenger, incumbent = self.model(model).name, self.current_model()
        if not 0 < share <= 1:
            raise InputError(f"the share is {share}, expected above 0 and at most 1")
        of_model = [trial for trial in self.trials() if trial.challenger == challenger]
        if of_model and of_model[-1].state == "promoted" and challenger == incumbent:
            return of_model[-1]
        if challenger == incumbent:
            raise InputError(
                f"model {model} is the one in use, so there is nothing to compare",
                hint="see `forebear models` for others",
            )
        running = self._trials.running()
        if running is not None and running.challenger != challenger:
            raise InputError(
                f"a trial of {running.challenger} is running",
                hint="end it first: forebear models --end-trial",
            )
        if running is not None:
            self._trials.change_share(running, share)
            return next(trial for trial in self.trials() if trial.id == running.id)
        same = [trial for trial in of_model if trial.incumbent == incumbent]
        if same and same[-1].state == "stopped":
            return same[-1]
        return self._trials.start(challenger, incumbent, share)

    def running_trial(self) -> "Trial | None":
        """Return the trial of a model against the one in use, if one runs, without its counts."""
        return self._trials.running()

    def settle_trial(self, at: datetime | None = None) -> "Trial | None":
        """Count the attachments of the running trial that are an hour old.

        If the evidence is enough, the challenger is promoted, or the trial ends.  ``at`` is the
        moment to settle at, now if not given.  Returns the trial as it is then.
        """
        from forebear.interactions.trials import credit_of

        trial, moment = self._trials.running(), at or datetime.now(UTC)
        if trial is None:
            return None
        searches = map(self.logged_search, self._trials.unsettled(trial))
        credits = [credit_of(search, self.actions(search.id), moment) for search in searches]
        return self._trials.settle(trial, [credit for credit in credits if credit is not None])

    def end_trial(self) -> "Trial":
        """End the running trial without a promotion."""
        trial = self._trials.running()
        if trial is None:
            raise InputError("no trial is running", hint="forebear serve --trial MODEL starts one")
        self._trials.end(trial, "the owner ended it")
        return trial

    def models(self) -> "tuple[ModelEntry, ...]":
        """Return the models of the archive, the oldest first."""
        return self._models.list()

    def promote(self, version: str) -> None:
        """Let searches use this model."""
        self._models.promote(version)

    def roll_back(self) -> str:
        """Return to the model used before, and return its version."""
        return self._models.roll_back() or DEFAULT

    def export_model(self, version: str | None = None) -> str:
        """Return a model, or the one that searches use, as JSON."""
        return self._stored_model(version or self.current_model()).to_json()

    def import_model(self, text: str, *, note: str = "", promote: bool = False) -> str:
        """Store a model given as JSON, and return its version."""
        return self._save_model(model_from_json(text), note, promote=promote)

    def _unlearned_model(self, name: str) -> Model:
        """Return a shipped model, or one that was estimated without attachments."""
        model = self.model(name)
        if name in SHIPPED or model.method == ESTIMATED_METHOD:
            return model
        raise ModelError(
            f"{name} was learned from attachments, so training near it would count them twice",
            hint="leave out --around, or name a model of `forebear weights estimate`",
        )

    def _cutoff(self, version: str) -> str:
        """Return the time of the newest search that a model was learned from; "" if of none."""
        model = self._stored_model(version)
        if version in SHIPPED or model.method == ESTIMATED_METHOD:
            return ""
        # Models of older versions do not say it: it was before they were saved.
        saved = {entry.version: entry.saved_at for entry in self.models()}
        return model.cutoff or saved[version]

    def _learned_here(self, model: Model) -> Model:
        return learned_here(model, clause_hashes(self._storage.terms_version()), self._all_lists())

    def _learned_variant(self, first: str, second: str, kind: "NameField") -> "LearnedVariant":
        from forebear.search.expansion.learned_variants import pair_key

        key = pair_key(kind, first, second)
        for variant in self.name_variants():
            if variant.key == key:
                return variant
        what = "given name" if kind == "given" else kind
        raise NotFoundError(
            f"{first!r} and {second!r} are no learned variants of a {what}",
            hint="see `forebear variants list`",
        )

    def _save_model(self, model: Model, note: str, *, promote: bool) -> str:
        version = self._models.save(json.loads(model.to_json()), note=note)
        if promote:
            self._models.promote(version)
        return version
