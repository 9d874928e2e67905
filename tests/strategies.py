"""Random records and queries: few names, years and places, so that they meet often."""

from hypothesis import strategies as st

from forebear.normalize.places import read_place
from forebear.records.collections import Collection
from forebear.records.record import Age, Day, Event, HistoricalDate, Name, Persona, Place, Record

GIVEN = ["John", "Wm", "William", "Mary", "Polly", "Ann", "J", "Mary Ann", "Zoë", ""]
SURNAMES = ["Smith", "Smyth", "Müller", "Mueller", "Brown", "O'Brien", "OBrien", ""]
PLACES = ["Layham, Suffolk, England", "Hadleigh, Suffolk", "Norwich, Norfolk", "Boston, MA, USA"]
COLLECTIONS = {
    "baptisms": "baptism",
    "more baptisms": "baptism",
    "weddings": "marriage",
    "burials": "burial",
    "census": "census",
    "deaths": "death",
    "voyages": "immigration",
    "trees": "family_tree",
}
ROLES = {
    "baptism": [("child", "self"), ("father", "parent"), ("mother", "parent")],
    "marriage": [("groom", "self"), ("bride", "spouse"), ("witness", "other")],
    "burial": [("deceased", "self"), ("husband", "spouse")],
    "census": [("head", "self"), ("wife", "spouse"), ("son", "child"), ("lodger", "other")],
    "death": [("deceased", "self"), ("father", "parent"), ("husband", "spouse")],
    "immigration": [("passenger", "self"), ("daughter", "child"), ("contact", "other")],
    "family_tree": [("self", "self"), ("mother", "parent"), ("brother", "sibling")],
}

years = st.integers(1840, 1860)
texts = st.sampled_from(["", "weaver", "twin, drowned 1851", "Mary"])


@st.composite
def dates(draw: st.DrawFn) -> HistoricalDate:
    year = draw(years)
    match draw(st.sampled_from(["day", "month", "year", "about", "before", "after", "dual"])):
        case "day":
            day = Day(year, draw(st.integers(1, 12)), draw(st.integers(1, 28)))
            return HistoricalDate(text=str(day), start=day, end=day, precision="day")
        case "month":
            return HistoricalDate(
                text="", start=Day(year, 3, 1), end=Day(year, 3, 31), precision="month"
            )
        case "about":
            return _years(year - 2, year + 2, "about")
        case "before":
            return HistoricalDate(text="", end=Day(year, 12, 31), qualifier="before")
        case "after":
            return HistoricalDate(text="", start=Day(year, 1, 1), qualifier="after")
        case "dual":
            day = Day(year, 2, 11)
            return HistoricalDate(
                text="", start=day, end=day, precision="day", written_year=year - 1
            )
        case _:
            return _years(year, year, "exact")


def _years(first: int, last: int, qualifier: str) -> HistoricalDate:
    return HistoricalDate(
        text=f"{first}",
        start=Day(first, 1, 1),
        end=Day(last, 12, 31),
        qualifier=qualifier,  # type: ignore[arg-type]
        precision="year",
    )


def place_values() -> st.SearchStrategy[Place | None]:
    return st.sampled_from([None, *(read_place(text).place for text in PLACES)])


@st.composite
def personas(draw: st.DrawFn, role: str, kin: str, principal: bool) -> Persona:
    events = []
    if draw(st.booleans()):
        birth = Event(kind="birth", date=draw(dates()), place=draw(place_values()))
        events.append(birth)
    age = None
    if draw(st.booleans()):
        year = draw(years)
        age = Age(text="30", born_from=Day(year, 4, 1), born_to=Day(year + 1, 3, 31))
    return Persona(
        role=role,
        kin=kin,  # type: ignore[arg-type]
        names=tuple(
            Name(given=draw(st.sampled_from(GIVEN)), surname=draw(st.sampled_from(SURNAMES)))
            for _ in range(draw(st.integers(0, 2)))
        ),
        sex=draw(st.sampled_from(["f", "m", None])),
        age=age,
        events=tuple(events),
        occupation=draw(st.sampled_from(["", "weaver"])),
        marital=draw(st.sampled_from(["", "single", "married", "widowed"])),
        is_principal=principal,
    )


@st.composite
def records(draw: st.DrawFn, collection: str, number: int) -> Record:
    record_type = COLLECTIONS[collection]
    roles = draw(st.lists(st.sampled_from(ROLES[record_type]), min_size=1, max_size=4))
    return Record(
        collection=collection,
        id=f"r{number}",
        record_type=record_type,
        event=Event(
            kind=record_type,
            date=draw(st.none() | dates()),
            place=draw(place_values()),
        ),
        personas=tuple(draw(personas(role, kin, kin == "self")) for role, kin in roles),
        text=draw(texts),
    )


@st.composite
def groups(draw: st.DrawFn) -> tuple[Record, ...]:
    """A record, or a household of them; few numbers, so that writes replace each other."""
    collection = draw(st.sampled_from(sorted(COLLECTIONS)))
    numbers = draw(st.lists(st.integers(0, 6), min_size=1, max_size=3, unique=True))
    return tuple(draw(records(collection, number)) for number in numbers)


def collections() -> list[Collection]:
    return [
        Collection(
            name=name,
            title=name,
            record_type=record_type,
            embargo_years=150 if name == "more baptisms" else 0,
            places=tuple(filter(None, [read_place("Suffolk, England").place])),
        )
        for name, record_type in COLLECTIONS.items()
    ]


query_names = st.fixed_dictionaries(
    {},
    optional={
        "given": st.sampled_from([name for name in GIVEN if name]),
        "surname": st.sampled_from([name for name in SURNAMES if name]),
        "kind": st.sampled_from(["birth", "married", "alias"]),
    },
)
query_events = st.fixed_dictionaries(
    {"kind": st.sampled_from(["birth", "baptism", "marriage", "residence", "death", "burial"])},
    optional={
        "date": st.sampled_from(
            ["1850", "abt 1851", "12 Mar 1851", "bef 1850", "aft 1849", "bet 1845 and 1850"]
        ),
        "place": st.sampled_from([*PLACES, "Suffolk", "Layham"]),
    },
)
query_relatives = st.fixed_dictionaries(
    {"kind": st.sampled_from(["spouse", "father", "mother", "child", "sibling", "other"])},
    optional={
        "given": st.sampled_from([name for name in GIVEN if name]),
        "surname": st.sampled_from([name for name in SURNAMES if name]),
        "events": st.lists(query_events, max_size=1),
    },
)
query_values = st.fixed_dictionaries(
    {"names": st.lists(query_names, min_size=1, max_size=2)},
    optional={
        "sex": st.sampled_from(["female", "male"]),
        "events": st.lists(query_events, max_size=3),
        "relatives": st.lists(query_relatives, max_size=3),
        "keywords": st.sampled_from(["weaver", "twin drowned"]),
        "occupation": st.just("weaver"),
        "age": st.just({"at": "1881", "years": 30}),
        "require": st.sampled_from([["surname"], ["birth.year"]]),
        "exact": st.sampled_from([["given"], ["birth.place"]]),
        "collections": st.just(["baptisms", "census"]),
    },
)
