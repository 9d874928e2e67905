"""What kinds of record are there, which collections hold them, and which of those form a list?

Nineteen record types cover every kind of record that genealogy uses; the finer kind is a record's
*subtype*.  A collection holds records of one type that came from one source.  By default one
ranked list holds all collections of a record type, and has its name.  Some collections of one type
may form a custom list, which is ranked, and weighed against the others, separately (the paper's
partitioning scheme).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from forebear.errors import InputError, NotFoundError, RecordError
from forebear.records.record import Place, Value
from forebear.tables import read_table


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordType:
    """A kind of record, ranked by its own weights."""

    name: str
    title: str  # for people
    event: str  # the kind of the record's own event
    # Is the person the record is about dead by then?
    ends_life: bool = False
    subtypes: tuple[str, ...] = ()  # the usual ones; a source may have others


def _read_types() -> dict[str, RecordType]:
    rows = read_table("records/record_types")
    return {
        row["name"]: RecordType(
            name=row["name"],
            title=row["title"],
            event=row["event"],
            ends_life=row["ends_life"] == "yes",
            subtypes=tuple(row["subtypes"].split(";")),
        )
        for row in rows
    }


RECORD_TYPES: dict[str, RecordType] = _read_types()


class Collection(Value, frozen=True, kw_only=True):
    """What an archive says of a shelf of records."""

    name: str
    title: str
    record_type: str
    places: tuple[Place, ...] = ()  # what it covers
    first_year: int | None = None
    last_year: int | None = None
    licence: str = ""
    embargo_years: int = 0  # a record is closed for this many years after its event
    subtype: str = ""  # of all its records: church, inquest, will
    one_per_person: bool = False  # a census year, a death index: no person is in it twice

    def __post_init__(self) -> None:
        if not self.name or ":" in self.name:
            raise RecordError(
                f"{self.name!r} cannot name a collection",
                hint="use a short name without a colon: records are known as COLLECTION:ID",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordList:
    """A list that is ranked by itself: collections of one record type."""

    name: str
    record_type: str
    collections: tuple[str, ...]


CustomLists = Mapping[str, tuple[str, ...]]  # the collections of each list, by its name


def form_lists(collections: Iterable[Collection], custom: CustomLists) -> tuple[RecordList, ...]:
    """Return the lists of an archive in the order of record types, custom lists after the rest."""
    type_of = {
        collection.name: collection.record_type
        for collection in collections
        if collection.record_type in RECORD_TYPES
    }
    custom_lists = {
        name: tuple(collection for collection in custom[name] if collection in type_of)
        for name in custom
    }
    in_custom_list = {collection for members in custom_lists.values() for collection in members}
    members_of: dict[str, tuple[str, ...]] = {}
    for collection, record_type in type_of.items():
        if collection not in in_custom_list:
            members_of[record_type] = (*members_of.get(record_type, ()), collection)
    members_of.update((name, members) for name, members in custom_lists.items() if members)
    lists = [
        RecordList(name=name, record_type=type_of[members[0]], collections=members)
        for name, members in members_of.items()
    ]
    order = list(RECORD_TYPES)
    return tuple(
        sorted(
            lists, key=lambda list_: (order.index(list_.record_type), list_.name in custom_lists)
        )
    )


def with_list(
    custom: CustomLists, name: str, members: tuple[str, ...], collections: Iterable[Collection]
) -> dict[str, tuple[str, ...]]:
    """Return the custom lists with one more; its collections leave the lists they were in."""
    type_of = {collection.name: collection.record_type for collection in collections}
    if unknown := sorted(set(members) - type_of.keys()):
        raise NotFoundError(
            f"there is no collection {unknown[0]!r}", hint="see `forebear collections`"
        )
    if name in RECORD_TYPES or not name:
        raise InputError(
            f"{name!r} cannot name a custom list",
            hint="the names of record types are those of the default lists",
        )
    types = sorted({type_of[member] for member in members})
    if len(types) != 1:
        mixed = ", ".join(types) or "no collection"
        raise InputError(f"list {name!r} would hold {mixed}", hint="a list holds one record type")
    others = {
        other: tuple(collection for collection in custom[other] if collection not in members)
        for other in custom
        if other != name
    }
    return {**{other: rest for other, rest in others.items() if rest}, name: members}
