"""A collection: records of one type that came from one source together."""

from dataclasses import dataclass

from forebear.errors import RecordError
from forebear.records.places import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """What an archive says of a shelf of records."""

    name: str
    title: str
    record_type: str
    places: tuple[Place, ...] = ()  # what it covers
    first_year: int | None = None
    last_year: int | None = None
    licence: str = ""
    embargo_years: int = 0  # a record is closed for so many years after its event
    subtype: str = ""  # of all its records: church, inquest, will
    one_per_person: bool = False  # a census year, a death index: nobody is in it twice

    def __post_init__(self) -> None:
        if not self.name or ":" in self.name:
            raise RecordError(
                f"{self.name!r} cannot name a collection",
                hint="use a short name without a colon: records are known as COLLECTION:ID",
            )
