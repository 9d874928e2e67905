"""An event: when and where something happened, kept together as one unit.

Date and place belong to the same happening.  Two separate lists would let the place of
one event pair with the year of another.
"""

from dataclasses import dataclass

from forebear.records.dates import HistoricalDate
from forebear.records.places import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened: birth, baptism, marriage, residence, death, burial, ..."""

    kind: str
    date: HistoricalDate | None = None
    place: Place | None = None
    address: str = ""  # street and house, beside the place
    detail: str = ""  # what the record says of it: a ship, a cause of death, a school
