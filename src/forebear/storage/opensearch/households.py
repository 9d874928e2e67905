"""Which documents change together, and what puts them back?

The records of a household stand or fall together: they are sent in one request, and if the
cluster takes some of their documents and refuses others, those it took are put back as they were.
A record can move from one household to another; then both change together.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import msgspec

from forebear.records.collections import Collection
from forebear.storage.opensearch.cluster import Json
from forebear.storage.opensearch.documents import id_of, read_document, write_documents

STATE = ("public_year", "until", "file")  # of a document, beside what its record says
BULK_BYTES = 8_000_000  # of the documents of a request

Place = tuple[str, str]  # an alias and the id of a document
Action = tuple[Json, bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Household:
    """The changes of documents that are made together, by where each document is."""

    actions: dict[Place, Action] = field(default_factory=dict)
    stored: list[tuple[Place, Json]] = field(default_factory=list)  # documents before the change

    @property
    def size(self) -> int:
        """How many bytes its documents have."""
        return sum(len(document or b"") for _, document in self.actions.values())


def join_households(
    changes: Iterable[tuple[Place, str, Action]],
    stored: Sequence[tuple[Place, Json]],
    groups: Iterable[Iterable[str]],
) -> list[Household]:
    """Return changes by household.

    A change has a place, the key of its record and an action; ``stored`` are the documents that
    are there, group by group, and ``groups`` the keys of the records of each new group.
    """
    old = [
        [document["key"] for _, document in members]
        for _, members in groupby(stored, key=lambda item: item[1]["group"])
    ]
    roots = _roots([*old, *map(list, groups)])
    households: dict[str, Household] = {}
    for place, document in stored:
        households.setdefault(roots[document["key"]], Household()).stored.append((place, document))
    for place, key, action in changes:
        households.setdefault(roots[key], Household()).actions[place] = action
    return list(households.values())


def requests(households: Iterable[Household]) -> Iterator[list[Household]]:
    """Yield households in the requests in which they are sent, each whole."""
    request: list[Household] = []
    size = 0
    for household in households:
        if request and size + household.size > BULK_BYTES:
            yield request
            request, size = [], 0
        request.append(household)
        size += household.size
    if request:
        yield request


def put_back(
    request: Sequence[Household],
    refused: frozenset[int],
    collections: Mapping[str, Collection],
    number: int,
) -> list[Action]:
    """Return what undoes the households of a request of which some actions were refused.

    ``refused`` are the positions of those actions in the request.
    """
    undo: list[Action] = []
    position = 0
    for household in request:
        end = position + len(household.actions)
        if any(position <= failed < end for failed in refused):
            before = dict(_written_again(household.stored, collections, number))
            undo += [
                before.get(place) or (action("delete", place, number), None)
                for at, place in enumerate(household.actions, start=position)
                if at not in refused
            ]
        position = end
    return undo


def action(what: str, place: Place, number: int, **more: bool) -> Json:
    """Return an action of a bulk request that does nothing to a newer version of a document."""
    index, document = place
    versioned = {"version": number, "version_type": "external_gte"}
    return {what: {"_index": index, "_id": document, **versioned, **more}}


def _written_again(
    stored: Sequence[tuple[Place, Json]], collections: Mapping[str, Collection], number: int
) -> Iterator[tuple[Place, Action]]:
    for _, members in groupby(stored, key=lambda item: item[1]["group"]):
        before = {place[1]: (place, document) for place, document in members}
        group = tuple(
            read_document(document) for _, document in before.values() if "until" not in document
        )
        collection = collections[group[0].collection]
        for written in write_documents(group, collection, is_hidden=False):
            if id_of(written) not in before:
                continue
            place, stored_before = before[id_of(written)]
            state = {name: stored_before[name] for name in STATE if name in stored_before}
            document = msgspec.json.encode({**written, **state, "written": number})
            yield place, (action("index", place, number, require_alias=True), document)


def _roots(groups: Iterable[Sequence[str]]) -> dict[str, str]:
    """Return one member for each set of groups that are linked by common members."""
    parents: dict[str, str] = {}

    def root(key: str) -> str:
        while parents[key] != key:
            parents[key] = parents[parents[key]]
            key = parents[key]
        return key

    for group in groups:
        for key in group:
            parents.setdefault(key, key)
            parents[root(key)] = root(group[0])
    return {key: root(key) for key in parents}
