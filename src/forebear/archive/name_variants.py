"""Which names did the searches of an archive seek, and which did the attached records have?

A log has records, not the persons on them.  So every search with attachments that may teach is
repeated, which says whom on each record it found; a record that it does not find any more is left
out.  Only the owner's and signed-in searchers' attachments teach, never votes.

A woman's surname is compared only with her birth or baptism, because it changes with marriages.
A surname that a relative of the query has says nothing either: a child may be entered under it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from forebear.archive.searching import viewer_of
from forebear.errors import ModelError, NotFoundError, QueryError
from forebear.interactions.events import Action, LoggedSearch
from forebear.learning.name_variants import LINK, OWNER, ComparedNames
from forebear.normalize.name_pairs import reasons_to_join
from forebear.normalize.spelling import normalize_name, split_given
from forebear.normalize.surnames import split_surnames
from forebear.normalize.variants import sex_of_given
from forebear.records.record import Name, Record
from forebear.search.expansion.learned_variants import NameField
from forebear.search.hits import tie_key
from forebear.search.query.person_query import PersonQuery

if TYPE_CHECKING:
    from forebear.archive.judging import JudgedArchive

MAX_SHOWN = 60  # records of a search that are compared: three pages
BORN_TYPES = frozenset({"birth", "baptism"})

Names = tuple[str, ...]


class LogReader:
    """Reads the compared names of an archive's log, and counts the searches it cannot repeat."""

    def __init__(self, archive: "JudgedArchive", searchers: Mapping[str, str]) -> None:
        self._archive = archive
        self._searchers = searchers  # who may teach: pseudonyms, and whom each stands for
        self.skipped = 0

    def read(
        self,
        log: Sequence[tuple[LoggedSearch, tuple[Action, ...]]],
        progress: Callable[[str], None],
    ) -> Iterator[ComparedNames]:
        """Yield what the records shown by each search have for the names it sought."""
        for done, (search, actions) in enumerate(log, start=1):
            if vouchers := self._vouchers(search, actions):
                yield from self._compare(search, vouchers)
            if done % 100 == 0:
                progress(f"compared the names of {done:,} of {len(log):,} searches")

    def _vouchers(self, search: LoggedSearch, actions: Sequence[Action]) -> dict[str, str]:
        """Return who attached each record of a search, as far as it may teach."""
        last = {action.record_key: action for action in actions if action.source != "vote"}
        searcher = self._searchers.get(search.searcher)
        who = {
            key: LINK if action.source == "link" else searcher
            for key, action in last.items()
            if action.kind == "attach"
        }
        return {key: one for key, one in who.items() if one is not None}

    def _compare(self, search: LoggedSearch, vouchers: dict[str, str]) -> Iterator[ComparedNames]:
        try:
            result = self._archive.repeat_search(search, viewer=viewer_of(search))
        except (ModelError, NotFoundError, QueryError):  # the program or its model has changed
            self.skipped += 1
            return
        attached_or_rejected = {action.record_key for action in self._archive.actions(search.id)}
        unjudged = [key for key in search.shown if key not in attached_or_rejected]
        compared = {*vouchers, *unjudged[:MAX_SHOWN]}
        fused = result.search_result.fused
        ties = np.array([tie_key(key) for key in compared], np.int64)
        chosen = fused.take(np.isin(fused.tie, ties))
        positions = dict(zip(chosen.record_keys(), chosen.position.tolist(), strict=True))
        groups = self._archive.households([*positions], viewer=viewer_of(search))
        for key, position in positions.items():
            group = groups.get(key, ())
            if not group or position >= len(group[0].personas):
                continue
            query, household = result.query, min(member.key for member in group)
            for kind, sought, recorded in _both_sides(query, group[0], position):
                others = (
                    _surnames(name.surname for name in query.names)
                    if kind == "given"
                    else _given(query.names)
                )
                yield ComparedNames(
                    kind=kind,
                    search=search.id,
                    sought=sought,
                    recorded=recorded,
                    other=next(iter(others), ""),
                    born=_birth_year(query),
                    voucher=vouchers.get(key),
                    person=f"{key} {position}",
                    household=household,
                )


def teachers(archive: "JudgedArchive", *, command_line: str) -> dict[str, str]:
    """Return who may teach, by pseudonym: the owner and the links that were not revoked."""
    links = [link.name for link in archive.links() if link.revoked_at is None]
    signed_in = [archive.pseudonym(f"link:{name}") for name in links]
    owner = {"": OWNER, archive.pseudonym(command_line): OWNER}
    return {**{name: name for name in signed_in}, **owner}


def _both_sides(
    query: PersonQuery, record: Record, position: int
) -> Iterator[tuple[NameField, Names, Names]]:
    """Yield the names of each kind on both sides, where they can be compared."""
    persona = record.personas[position]
    given = _given(query.names)
    yield "given", given, _given(persona.names)
    sex = query.sex or persona.sex or (sex_of_given(given[0]) if given else None)
    if sex != "m" and record.record_type not in BORN_TYPES:
        return
    recorded = _surnames(name.surname for name in persona.names)
    relatives = _surnames(relative.surname for relative in query.relatives)
    if not any(
        reasons_to_join(one, other, kind="surname") for one in recorded for other in relatives
    ):
        yield "surname", _surnames(name.surname for name in query.names), recorded


def _given(names: Iterable[Name]) -> Names:
    return tuple(dict.fromkeys(word for name in names for word in split_given(name.given)))


def _surnames(texts: Iterable[str]) -> Names:
    spelled = (split_surnames(normalize_name(text)) for text in texts)
    return tuple(dict.fromkeys(part for parts in spelled for part in parts if part))


def _birth_year(query: PersonQuery) -> int | None:
    dates = (event.date for event in query.events if event.kind == "birth")
    return next((date.first_year for date in dates if date and date.first_year), None)
