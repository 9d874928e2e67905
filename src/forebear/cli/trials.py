"""How far is a trial of a model, in words and as JSON?"""

from dataclasses import asdict
from typing import Any

from forebear.interactions.trials import MOST_SEARCHES, PROMOTE_AT, STOP_AT, Trial, describe_trial


def trial_text(trial: Trial, current: str) -> str:
    """Return how far a trial is, and what happens next; ``current`` is the model in use."""
    text = f"trial of {describe_trial(trial, PROMOTE_AT)}"
    if trial.state != "running":
        return f"{text}. It has ended."
    if trial.incumbent != current:
        return f"{text}. It waits, because searches use {current}."
    return (
        f"{text}. {trial.share:.0%} of the searches are interleaved; {trial.challenger} is "
        f"promoted at {PROMOTE_AT:g}, and the trial ends at 1/{1 / STOP_AT:g} or after "
        f"{MOST_SEARCHES:,} searches with attachments."
    )


def trial_value(trial: Trial) -> dict[str, Any]:
    """Return a trial as JSON has it."""
    return {**asdict(trial), "needed": PROMOTE_AT, "text": describe_trial(trial, PROMOTE_AT)}
