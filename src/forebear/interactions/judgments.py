"""Judgments: which records were right for which query, from what people did.

An attachment says yes.  Everything else of the lists counts as no, as in the paper; a later
action on the same record replaces an earlier one, so that a mistake can be taken back.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from forebear.interactions.events import Action, ShownSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSearch:
    """A logged search and the records attached from it."""

    search: ShownSearch
    attached: frozenset[str]
    rejected: frozenset[str]


def judge(search: ShownSearch, actions: Iterable[Action]) -> JudgedSearch:
    """Return a search with what people finally said of its records."""
    last = {action.record_key: action.kind for action in actions}
    return JudgedSearch(
        search=search,
        attached=frozenset(key for key, kind in last.items() if kind == "attach"),
        rejected=frozenset(key for key, kind in last.items() if kind == "reject"),
    )
