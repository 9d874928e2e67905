"""Slopes and conditions for an archive's model, from its judged searches.

The weights of the clauses stand.  For each list a logistic regression says what a bit of its
scores is worth, how rare the right record is in it, and what each fact of the query changes in
that (`calibration.py`); the three become the slope, the shift and the conditions of the list, on
the grid.  A list with few attachments keeps what it has, and a condition is tried only if enough
searches have the fact and enough lack it.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from forebear.interactions.events import JudgedSearch
from forebear.learning.calibration import LogisticCalibration, calibrate_logistic
from forebear.learning.dataset import FusionDataset
from forebear.learning.query_facts import QueryFacts
from forebear.learning.train import rescore
from forebear.search.fusion.conditioned import facts_known
from forebear.search.model import UNITS_PER_BIT, Model, to_units
from forebear.search.query.from_json import parse_query

LEAST_ATTACHED = 20  # records of a list, below which it keeps what it has
LEAST_SEARCHES = 10  # with a fact, and without it


def calibrate_model(judged: Sequence[JudgedSearch], model: Model, *, seed: int) -> Model:
    """Return the model with slopes, shifts and conditions learned from these searches."""
    useful = [search for search in judged if search.attached]
    dataset = _dataset(useful, model)
    found = calibrate_logistic(dataset, _facts(useful), seed=seed)
    attached = np.bincount(
        dataset.lists_of_records()[dataset.labels > 0], minlength=len(dataset.list_names)
    )
    learned = {
        name: found[name]
        for name, records in zip(dataset.list_names, attached, strict=True)
        if records >= LEAST_ATTACHED
    }
    return replace(
        model,
        slopes={**model.slopes, **{name: _slope(line) for name, line in learned.items()}},
        shifts={**model.shifts, **{name: to_units(line.level) for name, line in learned.items()}},
        conditions={
            **model.conditions,
            **{
                name: {fact: to_units(bits) for fact, bits in line.conditions.items()}
                for name, line in learned.items()
            },
        },
    )


def _slope(line: LogisticCalibration) -> int:
    return max(1, to_units(line.slope))


def _dataset(judged: Sequence[JudgedSearch], model: Model) -> FusionDataset:
    """Return the lists of the searches with their own scores, in bits."""
    names = sorted({shown.name for search in judged for shown in search.search.lists})
    return FusionDataset.from_lists(
        names,
        [
            (
                search.search.id,
                {
                    shown.name: (
                        rescore(shown, model) / UNITS_PER_BIT,
                        [record in search.attached for record in shown.records],
                    )
                    for shown in search.search.lists
                },
            )
            for search in judged
        ],
    )


def _facts(judged: Sequence[JudgedSearch]) -> QueryFacts:
    """Return the facts of each search that both enough have and enough lack."""
    ids = [search.search.id for search in judged]
    known = {search.search.id: facts_known(parse_query(search.search.query)) for search in judged}
    facts = QueryFacts.of(ids, known)
    having = facts.values.sum(axis=0)
    is_tried = (having >= LEAST_SEARCHES) & (len(ids) - having >= LEAST_SEARCHES)
    kept = np.flatnonzero(is_tried)
    return QueryFacts(
        names=tuple(facts.names[column] for column in kept), values=facts.values[:, kept]
    )
