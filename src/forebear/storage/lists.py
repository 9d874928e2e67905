"""Which collections make up which ranked list?

By default a list holds all collections of a record type that is searched, and has its name.
Collections of one type may be put into a list of their own, which is then ranked, and weighed
against the others, by itself (the paper's partitioning scheme); the rest stay where they were.
"""

from collections.abc import Iterable, Mapping

from forebear.errors import InputError, NotFoundError
from forebear.records.collections import Collection
from forebear.records.record_types import RECORD_TYPES
from forebear.search.searcher import RecordList

Made = Mapping[str, tuple[str, ...]]  # lists that somebody made: collections by name


def form_lists(collections: Iterable[Collection], made: Made) -> tuple[RecordList, ...]:
    """Return the lists of an archive, by record type, those somebody made after the rest."""
    searched = (each for each in collections if each.record_type in RECORD_TYPES)
    types = {each.name: each.record_type for each in searched}
    own = {name: tuple(each for each in made[name] if each in types) for name in made}
    taken = {each for names in own.values() for each in names}
    named: dict[str, tuple[str, ...]] = {}
    for each in types:
        if each not in taken:
            named[types[each]] = (*named.get(types[each], ()), each)
    named.update((name, names) for name, names in own.items() if names)
    lists = [
        RecordList(name=name, record_type=types[names[0]], collections=names)
        for name, names in named.items()
    ]
    order = list(RECORD_TYPES)
    return tuple(sorted(lists, key=lambda each: (order.index(each.record_type), each.name in own)))


def with_list(
    made: Made, name: str, names: tuple[str, ...], collections: Iterable[Collection]
) -> dict[str, tuple[str, ...]]:
    """Return the lists with one more; its collections leave the lists they were in."""
    types = {collection.name: collection.record_type for collection in collections}
    if unknown := sorted(set(names) - types.keys()):
        raise NotFoundError(
            f"there is no collection {unknown[0]!r}", hint="see `forebear collections`"
        )
    if name in RECORD_TYPES or not name:
        raise InputError(
            f"{name!r} cannot name a list of its own",
            hint="the names of record types are those of the lists that hold the rest",
        )
    if len({types[each] for each in names}) != 1:
        found = ", ".join(sorted({types[each] for each in names})) or "no collection"
        raise InputError(f"list {name!r} would hold {found}", hint="a list holds one record type")
    others = {
        other: tuple(each for each in made[other] if each not in names)
        for other in made
        if other != name
    }
    return {**{other: left for other, left in others.items() if left}, name: names}
