"""What do simulated users leave in the log?  Attachments of three kinds.

- ``links``: every right record is attached, as when the links of a tree are imported.
- ``use``: users look at a hit with the probability rank ** -0.7, at the first twenty only; 4 % of
  their attachments go to the nearest wrong hit (`forebear_lab.simulation.behavior`).
- ``one-type``: links again, but only those to records of the commonest record type.

Actions become judgments by the rules of the log.  All of it is the owner's, whose searches are not
limited to a twentieth of the weight: so an error counts in full.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

from forebear.interactions.events import Action, ActionKind, JudgedSearch, Source, judge
from forebear_lab.experiments.loop_searches import KnownSearch
from forebear_lab.simulation.behavior import Behavior, act

Feedback = Literal["links", "use", "one-type"]
FEEDBACKS: tuple[Feedback, ...] = get_args(Feedback)

HASTY = Behavior(
    eta=0.7, pages=1, attach_right=1.0, reject_right=0.0, attach_wrong=0.0, reject_wrong=0.0,
    open_right=1.0, open_wrong=0.0, mistaken=0.04,
)  # fmt: skip


def give_feedback(
    searches: Sequence[KnownSearch], feedback: Feedback, *, seed: int
) -> list[JudgedSearch]:
    """Return what users make of searches as the engine showed them."""
    if feedback == "use":
        return use([(one, one.search.shown) for one in searches], seed=seed)
    if feedback == "one-type":
        return link(searches, only=commonest_type(searches))
    return link(searches)


def link(searches: Sequence[KnownSearch], *, only: str | None = None) -> list[JudgedSearch]:
    """Attach the right records of searches, or those of one record type."""
    return [_judge(one, _of_type(one, only), "link", ()) for one in searches]


def use(
    shown: Sequence[tuple[KnownSearch, Sequence[str]]], *, seed: int, behavior: Behavior = HASTY
) -> list[JudgedSearch]:
    """Let users attach what they see of searches with the lists that they were shown."""
    judged = []
    for one, records in shown:
        actions = act(
            records, one.right, user=one.user, query_id=one.search.id, seed=seed, behavior=behavior
        )
        judged.append(_judge(one, actions.attached, "use", actions.rejected))
    return judged


def commonest_type(searches: Sequence[KnownSearch]) -> str:
    """Return the record type with the most searches that have a right record of it."""
    counts = Counter(
        shown.record_type
        for one in searches
        for shown in one.search.lists
        if not one.right.isdisjoint(shown.records)
    )
    return min(counts, key=lambda name: (-counts[name], name), default="")


def _of_type(one: KnownSearch, record_type: str | None) -> Sequence[str]:
    if record_type is None:
        return sorted(one.right)
    of_type = [shown for shown in one.search.lists if shown.record_type == record_type]
    return sorted(one.right & {record for shown in of_type for record in shown.records})


def _judge(
    one: KnownSearch, attached: Sequence[str], source: Source, rejected: Sequence[str]
) -> JudgedSearch:
    """Return a search with actions, as the log would."""
    ranks = {record: rank for rank, record in enumerate(one.search.shown, 1)}
    pairs: list[tuple[ActionKind, str]] = [("attach", record) for record in attached]
    pairs += [("reject", record) for record in rejected]
    actions = [
        Action(
            search_id=one.search.id,
            record_key=record,
            kind=kind,
            rank=ranks.get(record),
            at=one.search.at,
            source=source,
        )
        for kind, record in pairs
    ]
    return judge(replace(one.search, searcher=""), actions)
