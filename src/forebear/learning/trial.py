"""A trial: learn a model on some of the judged searches and compare it on the others.

Whole families of searches change sides together, so that what is compared is what the
models make of people they have not seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch, person_groups
from forebear.learning.calibrate_model import calibrate_model
from forebear.learning.judge_model import judge_model
from forebear.learning.measures import Comparison, compare
from forebear.learning.split import split_groups
from forebear.learning.train import Progress, Training, train
from forebear.search.model import Model, hand_set_model


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A new model against a rival, on searches the new one was not learned from."""

    training: Training
    model: Model
    rival: str
    before: dict[str, float]  # measures of the rival
    after: dict[str, float]
    comparison: Comparison  # of NDCG
    held_out: int

    @property
    def is_better(self) -> bool:
        """Say whether the new model ranked the searches held out better."""
        return self.comparison.difference > 0


def hold_trial(
    judged: Sequence[JudgedSearch],
    rival: Model,
    *,
    seed: int,
    hold_out: float,
    calibrate: bool = False,
    progress: Progress = lambda _: None,
) -> Trial:
    """Learn from a part of the searches and compare with a rival on the share held out.

    With ``calibrate`` the lists also learn slopes and conditions.
    """
    kept, held = _split([search for search in judged if search.attached], hold_out, seed)
    training = train(kept, hand_set_model(), seed=seed, progress=progress)
    model = training.model
    if calibrate:
        progress(f"slopes and conditions of {len(kept)} searches")
        model = calibrate_model(kept, model, seed=seed)
    before, after = judge_model(rival, held), judge_model(model, held)
    return Trial(
        training=training,
        model=replace(model, measures=after.means()),
        rival=rival.name,
        before=before.means(),
        after=after.means(),
        comparison=compare(before.ndcg, after.ndcg, seed=seed),
        held_out=len(held),
    )


def _split(
    judged: Sequence[JudgedSearch], share: float, seed: int
) -> tuple[list[JudgedSearch], list[JudgedSearch]]:
    groups = person_groups(judged)
    if len(set(groups)) < 2:
        raise InputError(
            f"{len(judged)} searches with attachments, of {len(set(groups))} families, are too "
            "few to learn from and to compare on",
            hint="attach records of people from at least two families",
        )
    kept, held = split_groups(groups, share, seed)
    return [judged[i] for i in kept], [judged[i] for i in held]
