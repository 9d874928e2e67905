"""What can be learned: from the log, or from how the archive's own records agree?"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from forebear.archive.interactions import Interactions
from forebear.archive.searching import Searching
from forebear.errors import ArchiveError
from forebear.search.model import hand_set_model
from forebear.storage.sqlite.storage import SqliteStorage

if TYPE_CHECKING:
    from forebear.learning.agreement import AgreementEstimate
    from forebear.learning.collection_value import CollectionValues
    from forebear.learning.trial import Trial


class Learning(Searching, Interactions):
    """An archive that learns how to rank."""

    def learn(
        self,
        *,
        seed: int,
        hold_out: float = 0.25,
        promote: bool | None = None,
        calibrate: bool = False,
        progress: Callable[[str], None] = lambda _: None,
    ) -> tuple["Trial", str, bool]:
        """Learn a model from the log; return its trial, its version, whether it was promoted.

        It is promoted if it is better than the one in use, or as ``promote`` says.  With
        ``calibrate`` it also learns slopes and conditions of the lists.
        """
        # The compiled loops and optimizers take longer to load than a search takes.
        from forebear.learning.trial import run_trial

        judged = self.judged_searches()
        trial = run_trial(
            judged,
            self.model(),
            seed=seed,
            hold_out=hold_out,
            calibrate=calibrate,
            progress=progress,
        )
        note = f"learned from {trial.training.searches} searches"
        version = self._models.save(json.loads(trial.model.to_json()), note=note)
        promoted = trial.is_better if promote is None else promote
        if promoted:
            self._models.promote(version)
        return trial, version, promoted

    def estimate_weights(
        self,
        *,
        seed: int,
        personas: int = 1000,
        promote: bool = False,
        progress: Callable[[str], None] = lambda _: None,
    ) -> tuple["AgreementEstimate", str]:
        """Estimate weights from how the archive's own records agree; return them, as a version.

        Nobody has to have attached anything; ``personas`` of the archive are asked for.
        """
        from forebear.learning.agreement import estimate_agreement
        from forebear.learning.candidate_pairs import PairCollector, draw_queries
        from forebear.storage.sqlite.draws import SqliteDraws

        if not isinstance(self._storage, SqliteStorage):
            raise ArchiveError(
                "weights are estimated from an archive file, and this archive is in a cluster",
                hint="estimate on a copy of some of its collections and import the model",
            )
        viewer, base, lists = self.viewer(is_owner=True), hand_set_model(), self.lists()
        drawn = draw_queries(
            self._storage,
            SqliteDraws(self._connection),
            lists,
            count=personas,
            viewer=viewer,
            seed=seed,
        )
        collector = PairCollector(
            storage=self._storage, knowledge=self._storage, lists=lists, model=base, viewer=viewer
        )
        found = estimate_agreement(
            collector.collect(drawn, progress), base, seed=seed, progress=progress
        )
        note = f"estimated from {len(drawn)} personas, without labels"
        version = self._models.save(json.loads(found.model.to_json()), note=note)
        if promote:
            self._models.promote(version)
        return found, version

    def report_collections(self, model: str | None = None) -> "CollectionValues":
        """Return what the judged searches lose when a collection is left out."""
        # The measures take longer to load than a search takes.
        from forebear.learning.collection_value import value_collections

        names = [collection.name for collection in self.collections()]
        return value_collections(self.judged_searches(), names, self.model(model))
