"""A person query: everything a searcher may say about the person they look for.

It is a partial description, never a filter: each fact raises or lowers records unless the
searcher lists it under ``exact`` or ``require``.
"""

from dataclasses import dataclass

from forebear.errors import QueryError
from forebear.records.record import HistoricalDate, Name, Place, Sex

RELATIVE_KINDS = (
    "spouse",
    "father",
    "mother",
    "child",
    "sibling",
    "spouse_father",
    "spouse_mother",
    "other",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeEvent:
    """An event of the person's life, as far as the searcher knows it."""

    kind: str
    date: HistoricalDate | None = None
    place: Place | None = None
    address: str = ""
    ship: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative:
    """A relative the record may name too."""

    kind: str
    given: str = ""
    surname: str = ""
    occupation: str = ""
    birthplace: Place | None = None
    events: tuple[LifeEvent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAge:
    """How old the person was at some date."""

    at: HistoricalDate
    years: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonQuery:
    """A partial description of one person, and how strictly to take it."""

    id: str = ""
    names: tuple[Name, ...] = ()
    sex: Sex | None = None
    events: tuple[LifeEvent, ...] = ()
    relatives: tuple[Relative, ...] = ()
    age: KnownAge | None = None
    keywords: str = ""
    occupation: str = ""
    religion: str = ""
    organization: str = ""
    identifier: str = ""
    exact: tuple[str, ...] = ()  # facts that must agree to the letter
    require: tuple[str, ...] = ()  # facts that must agree in some tolerant form
    record_types: tuple[str, ...] = ()  # search only these; empty means all
    collections: tuple[str, ...] = ()
    filters: tuple[tuple[str, str], ...] = ()
    stage: str = ""  # carried through, means nothing
    source: str = ""  # the JSON it was read from, for the log

    def __post_init__(self) -> None:
        if not (self.names or self.events or self.relatives or self.keywords or self.age):
            raise QueryError(
                "the query says nothing about the person",
                hint="give at least a name, an event with a date or place, or a relative",
            )
