"""A small world with people whom the public may not see, and the same world without them.

Some records are hidden, a whole collection of them; on others only relatives are, and in the world
without them these are masked.  Each hidden person has a name, a place and a trade that nobody else
has, and others share the names of visible people, so that every count would change if it counted
them.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from itertools import chain
from typing import Any

from msgspec import Struct, structs

from forebear.normalize.dates import read_date
from forebear.normalize.gazetteer import Coordinates, GazetteerEntry, PlaceName
from forebear.normalize.places import read_place
from forebear.records.collections import Collection
from forebear.records.privacy import Viewer, mask
from forebear.records.record import Event, Kin, Name, Persona, Record, Relative
from forebear.search.expansion.vocabulary import NameVocabulary
from forebear.search.hits import Hits

PUBLIC = Viewer(year=2026)
OWNER = Viewer(year=2026, is_owner=True)

BAPTISMS = Collection(name="baptisms", title="Baptisms", record_type="baptism")
COURTS = Collection(name="courts", title="Courts", record_type="court", embargo_years=150)
TREES = Collection(name="trees", title="Trees", record_type="family_tree")
GRAVES = Collection(name="graves", title="Graves", record_type="burial")
# Nothing of it is public, so that the public does not know that it exists.
ROLLS = Collection(name="rolls", title="Vexillary rolls", record_type="military")
SHOWN_COLLECTIONS = (BAPTISMS, COURTS, TREES, GRAVES)
COLLECTIONS = {collection.name: collection for collection in (*SHOWN_COLLECTIONS, ROLLS)}
TAKEN_DOWN = "baptisms:gone"


def written(
    key: str, given: str, surname: str, date: str, place: str, occupation: str = ""
) -> Record:
    """Return a record of a child (or an accused) and a parent."""
    collection, _, number = key.partition(":")
    record_type = COLLECTIONS[collection].record_type
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
    written("rolls:1", "Oswy", "Vexmarch", "1 Jan 2001", "Umberleighe, Devon", "cornett"),
    *(
        written(f"baptisms:young{n}", "John", "Smith", f"{n} May 1991", "Layham, Essex")
        for n in range(1, 8)
    ),
)


def person(
    role: str, kin: Kin, name: str, *, born: str = "", died: str = "", **more: Any
) -> Persona:
    """Return somebody on a record, of a name such as "Osbert Penhall"."""
    given, _, surname = name.partition(" ")
    events = [
        Event(kind=kind, date=read_date(date), place=read_place("Polperro, Cornwall").place)
        for kind, date in (("birth", born), ("death", died))
        if date
    ]
    return Persona(
        role=role,
        kin=kin,
        names=(Name(given=given, surname=surname),),
        events=(*events, *more.pop("events", ())),
        **more,
    )


def grave(number: str, name: str, informant: str) -> Record:
    return Record(
        collection="graves",
        id=number,
        record_type="burial",
        event=Event(kind="burial", date=read_date("3 Apr 1980"), detail=f"paid for by {informant}"),
        personas=(
            person("deceased", "self", name, is_principal=True),
            person("informant", "other", informant, occupation="zinkworker"),
        ),
        group="plot 7",
        text=f"told by {informant}",
        row=(("name", name), ("informant", informant)),
        source=f"graves.csv:{number}",
    )


# Records of the dead with relatives who may be living: a man with his family, two of one grave.
PARTLY_HIDDEN = (
    (
        Record(
            collection="trees",
            id="I1",
            record_type="family_tree",
            event=Event(kind="birth", date=read_date("1890"), address="Ysolt's house"),
            personas=(
                person(
                    *("self", "self", "Osbert Penhall"),
                    born="1890",
                    died="1960",
                    is_principal=True,
                    key="I1",
                    occupation="cooper",
                    attributes=(("remark", "godfather of Zephyrin"),),
                    events=(
                        Event(
                            kind="marriage",
                            date=read_date("1930"),
                            detail="with Ysolt Quennerty",
                        ),
                    ),
                ),
                person(
                    *("wife", "spouse", "Ysolt Quennerty"),
                    sex="f",
                    key="I2",
                    relatives=(Relative(key="I4", relation="other"),),
                ),
                person("son", "child", "Zephyrin Penhallow", born="1950", sex="m", key="I3"),
                person("mother", "parent", "Loveday Penhall", sex="f", key="I4"),
            ),
            text="His wife Ysolt Quennerty lives in Wibblecombe.",
            row=(("NOTE", "Ysolt Quennerty of Wibblecombe"), ("FAMS", "Zephyrin")),
            citation="letter of Zephyrin",
            image="https://example.org/ysolt.jpg",
            source="tree.ged:5",
        ),
    ),
    (grave("1", "Ann Smyth", "Thirza Quennerty"), grave("2", "Job Smyth", "Thirza Quennerty")),
)
# The same as the public sees them.
MASKED = tuple(mask(group, COLLECTIONS[group[0].collection]) for group in PARTLY_HIDDEN)
HIDDEN_WORDS = (
    *("ysolt", "quennerty", "zephyrin", "penhallow", "wibblecombe", "thirza", "zinkworker"),
    *("vexillary", "rolls", "oswy", "vexmarch", "umberleighe", "cornett", "devon"),
    *("zebedaia", "xanthopulos", "quixwold", "yurter", "wolfsbane", "yttrigan", "hadleighe"),
    *("wadsman", "ulfketel", "tvastri", "skrzynford", "vizarder", "1990", "1991", "essex"),
    *("baptisms:new", "courts:shut", TAKEN_DOWN, "young"),
)
KEYS = tuple(record.key for record in (*VISIBLE, *HIDDEN, *chain.from_iterable(PARTLY_HIDDEN)))
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
    {"given": "Osbert", "surname": "Penhall", "occupation": "cooper"},
    {"surname": "Penhall", "relatives": [{"kind": "spouse", "given": "Isolt"}]},
    {"given": "Isolt", "surname": "Quennert*"},
    {"given": "Zeph*", "relatives": [{"kind": "father", "given": "Osbert"}]},
    {"surname": "Smyth", "relatives": [{"kind": "other", "surname": "Quenerty"}]},
    {"given": "Loveday", "surname": "Penhall", "keywords": "godfather letter"},
)
# These say one: the answer repeats it, and still must be the same without the person.
NAMED: tuple[dict[str, Any], ...] = (
    {"given": "Zebedaia", "surname": "Xanthopulos", "occupation": "yurter"},
    {"surname": "Xanthopulos", "events": [{"kind": "birth", "place": "Quixwold, Suffolk"}]},
    {"given": "Wolfsbane", "surname": "Yttrigan", "events": [{"kind": "birth", "date": "1890"}]},
    {"given": "Ulfketel", "surname": "Tvastri", "events": [{"kind": "birth", "date": "1852"}]},
    {"given": "John", "surname": "Smith", "events": [{"kind": "birth", "date": "1991"}]},
    {"given": "Ysolt", "surname": "Quennerty"},
    {
        "given": "Osbert",
        "relatives": [{"kind": "spouse", "given": "Ysolt", "surname": "Quennerty"}],
    },
    {"given": "Zephyrin", "surname": "Penhallow", "events": [{"kind": "birth", "date": "1950"}]},
    {"surname": "Penhall", "keywords": "Wibblecombe Zephyrin"},
    {"surname": "Smyth", "relatives": [{"kind": "other", "given": "Thirza"}]},
)
# Of the collection that the public does not know of.
NAMED_IN_ROLLS: tuple[dict[str, Any], ...] = (
    {"given": "Oswy", "surname": "Vexmarch", "record_types": ["military"]},
    {"given": "Oswy", "surname": "Vexmarch", "filters": {"collection": ["rolls"]}},
    {"surname": "Vexmarch", "events": [{"kind": "residence", "place": "Umberleighe, Devon"}]},
)


def hidden_words_in(text: str) -> list[str]:
    """Return the hidden words that a text says; the figures of a probability are no year.

    Who was born in one county is searched for with the names of all others, from a table.
    """
    text = re.sub(r"birth\.place=p:[a-z ]+,england", "", text)
    years = r"(?<![0-9.])(?:{})(?![0-9])"
    return [
        word
        for word in HIDDEN_WORDS
        if re.search(years.format(word) if word.isdigit() else re.escape(word), text.lower())
    ]


Ask = Callable[[Any, Viewer], object]  # of a storage or an archive


def revealed(value: object) -> object:
    """Return all that a value says, in plain words and in one order, but for how long it took."""
    if isinstance(value, NameVocabulary):
        return value.names
    if isinstance(value, Hits):
        return revealed(list(value))  # what is shown of them; numbers of records never are
    if isinstance(value, Struct):
        return (type(value).__name__, revealed(structs.asdict(value)))
    if is_dataclass(value) and not isinstance(value, type):
        named = {field.name: getattr(value, field.name) for field in fields(value)}
        return (type(value).__name__, revealed({k: v for k, v in named.items() if k != "seconds"}))
    if isinstance(value, dict):
        return sorted((repr(revealed(key)), revealed(item)) for key, item in value.items())
    if isinstance(value, set | frozenset):
        return sorted(repr(revealed(item)) for item in value)
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        return value
    return revealed(dict(value)) if hasattr(value, "items") else [revealed(item) for item in value]


def fill(storage: Any, *, is_full: bool) -> None:
    """Write the records of the full world, or of the one without the hidden people."""
    for collection in (*SHOWN_COLLECTIONS, *((ROLLS,) if is_full else ())):
        storage.put_collection(collection)
    storage.write([(record,) for record in VISIBLE])
    groups: Iterable[tuple[Record, ...]] = PARTLY_HIDDEN if is_full else MASKED
    for group in groups:
        storage.write([group])
    if is_full:
        storage.write([(record,) for record in HIDDEN])
        storage.take_down(TAKEN_DOWN, reason="asked", at="2026")
    storage.add_to_gazetteer(GAZETTEER if is_full else GAZETTEER[:2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Worlds:
    """The same questions to an archive with hidden people and to one without them."""

    full: Any
    bare: Any

    def assert_hidden(self, ask: Ask, *, says_it: bool = False) -> None:
        """Check that the public learns the same from both, and the owner more by the first.

        ``says_it``: the question itself has the hidden words, so the answer may.
        """
        public = repr(revealed(ask(self.full, PUBLIC)))
        assert public == repr(revealed(ask(self.bare, PUBLIC)))
        if not says_it:
            assert hidden_words_in(public) == []
