"""A small world with people whom the public may not see, and the same world without them.

Each hidden person has a name, a place and a trade that nobody else has, and others share the
names of visible people, so that every count would change if it counted them.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from msgspec import Struct, structs

from forebear.normalize.dates import read_date
from forebear.normalize.gazetteer import Coordinates, GazetteerEntry, PlaceName
from forebear.normalize.places import read_place
from forebear.records.collections import Collection
from forebear.records.privacy import Viewer
from forebear.records.record import Event, Name, Persona, Record
from forebear.search.expansion.vocabulary import NameVocabulary

PUBLIC = Viewer(year=2026)
OWNER = Viewer(year=2026, is_owner=True)

BAPTISMS = Collection(name="baptisms", title="Baptisms", record_type="baptism")
COURTS = Collection(name="courts", title="Courts", record_type="court", embargo_years=150)
TAKEN_DOWN = "baptisms:gone"


def written(
    key: str, given: str, surname: str, date: str, place: str, occupation: str = ""
) -> Record:
    """Return a record of a child (or an accused) and a parent."""
    collection, _, number = key.partition(":")
    record_type = "baptism" if collection == "baptisms" else "court"
    return Record(
        collection=collection,
        id=number,
        record_type=record_type,
        event=Event(kind=record_type, date=read_date(date), place=read_place(place).place),
        personas=(
            Persona(
                role="child",
                kin="self",
                is_principal=True,
                names=(Name(given=given, surname=surname),),
            ),
            Persona(
                role="father",
                kin="parent",
                names=(Name(given="Thomas", surname=surname),),
                occupation=occupation,
            ),
        ),
        row=(("given", given), ("surname", surname)),
        source=f"book.csv:{sum(map(ord, number))}",
    )


VISIBLE = (
    written("baptisms:1", "John", "Smith", "12 Mar 1851", "Layham, Suffolk", "miller"),
    written("baptisms:2", "Mary", "Smith", "1 May 1853", "Layham, Suffolk", "miller"),
    written("baptisms:3", "Ann", "Smyth", "2 Jun 1855", "Hadleigh, Suffolk"),
    written("baptisms:4", "Job", "Xanthos", "7 Jul 1856", "Raydon, Suffolk", "thatcher"),
    written("courts:1", "John", "Smith", "3 Mar 1840", "Layham, Suffolk"),
    written("courts:2", "Eve", "Hill", "3 Mar 1842", "Hadleigh, Suffolk"),
)
# Living, embargoed and taken down; then namesakes of visible people, all living.
HIDDEN = (
    written("baptisms:new", "Zebedaia", "Xanthopulos", "3 May 1990", "Quixwold, Suffolk", "yurter"),
    written("courts:shut", "Wolfsbane", "Yttrigan", "4 Apr 1890", "Hadleighe, Suffolk", "wadsman"),
    written(TAKEN_DOWN, "Ulfketel", "Tvastri", "9 Sep 1852", "Skrzynford, Essex", "vizarder"),
    *(
        written(f"baptisms:young{n}", "John", "Smith", f"{n} May 1991", "Layham, Essex")
        for n in range(1, 8)
    ),
)
HIDDEN_WORDS = (
    *("zebedaia", "xanthopulos", "quixwold", "yurter", "wolfsbane", "yttrigan", "hadleighe"),
    *("wadsman", "ulfketel", "tvastri", "skrzynford", "vizarder", "1990", "1991", "essex"),
    *("baptisms:new", "courts:shut", TAKEN_DOWN, "young"),
)
KEYS = tuple(record.key for record in (*VISIBLE, *HIDDEN))
GAZETTEER = (
    GazetteerEntry(place_id="p:layham,suffolk,england", coordinates=Coordinates(52.03, 0.96)),
    GazetteerEntry(place_id="p:raydon,suffolk,england", coordinates=Coordinates(52.02, 0.97)),
    GazetteerEntry(
        place_id="p:quixwold,suffolk,england",
        names=(PlaceName("quickswold"),),
        coordinates=Coordinates(52.03, 0.97),
    ),
)

# What an outsider might try.  None of these says a hidden word, so no answer may.
PROBES: tuple[dict[str, Any], ...] = (
    {"given": "John", "surname": "Smith", "events": [{"kind": "birth", "date": "1851"}]},
    {"given": "Mary", "surname": "Smith", "occupation": "miller"},
    {"given": "Zebadaia", "surname": "Xanthopulo"},
    {"given": "Z?bed*", "surname": "Xantho*"},
    {"given": "Wolfsban", "surname": "Yttrig*"},
    {"given": "Ulfketil", "surname": "Tvastry"},
    {"surname": "Smith", "events": [{"kind": "birth", "place": "Layham", "date": "1856"}]},
    {"given": "Job", "events": [{"kind": "birth", "place": "Raydon, Suffolk, England"}]},
    {"given": "Ann", "surname": "Smyth", "relatives": [{"kind": "father", "given": "Thomas"}]},
)
# These say one: the answer repeats it, and still must be the same without the person.
NAMED: tuple[dict[str, Any], ...] = (
    {"given": "Zebedaia", "surname": "Xanthopulos", "occupation": "yurter"},
    {"surname": "Xanthopulos", "events": [{"kind": "birth", "place": "Quixwold, Suffolk"}]},
    {"given": "Wolfsbane", "surname": "Yttrigan", "events": [{"kind": "birth", "date": "1890"}]},
    {"given": "Ulfketel", "surname": "Tvastri", "events": [{"kind": "birth", "date": "1852"}]},
    {"given": "John", "surname": "Smith", "events": [{"kind": "birth", "date": "1991"}]},
)

Ask = Callable[[Any, Viewer], object]  # of a storage or an archive


def told(value: object) -> object:
    """Return all that a value says, in plain words and in one order, but for how long it took."""
    if isinstance(value, NameVocabulary):
        return value.names
    if isinstance(value, Struct):
        return (type(value).__name__, told(structs.asdict(value)))
    if is_dataclass(value) and not isinstance(value, type):
        named = {each.name: getattr(value, each.name) for each in fields(value)}
        return (type(value).__name__, told({k: v for k, v in named.items() if k != "seconds"}))
    if isinstance(value, dict):
        return sorted((repr(told(key)), told(each)) for key, each in value.items())
    if isinstance(value, set | frozenset):
        return sorted(repr(told(each)) for each in value)
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        return value
    return told(dict(value)) if hasattr(value, "items") else [told(each) for each in value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worlds:
    """The same questions to an archive with hidden people and to one without them."""

    full: Any
    bare: Any

    def assert_hidden(self, ask: Ask, *, says_it: bool = False) -> None:
        """Check that the public is told the same by both, and the owner more by the first.

        ``says_it``: the question itself has the hidden words, so the answer may.
        """
        public = repr(told(ask(self.full, PUBLIC)))
        assert public == repr(told(ask(self.bare, PUBLIC)))
        if not says_it:
            assert [word for word in HIDDEN_WORDS if word in public.lower()] == []
