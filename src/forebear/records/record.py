"""A record: what has an id of its own in its source, with everyone it names.

The row or entry it was read from is kept whole beside what was understood of it, so that
nothing is lost when the understanding is wrong and improves later.
"""

from dataclasses import dataclass

from forebear.records.events import Event
from forebear.records.personas import Persona


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One entry of a collection."""

    collection: str
    id: str  # the source's own, else FILE:LINE
    record_type: str
    event: Event  # the record's own event
    personas: tuple[Persona, ...]
    subtype: str = ""
    # Records of one group (a household) name each other's relatives; they are written and
    # deleted together.
    group: str | None = None
    text: str = ""  # notes and other free text
    row: tuple[tuple[str, str], ...] = ()  # columns and values as they stood in the source
    source: str = ""  # file and line, for people
    events: tuple[Event, ...] = ()  # others that the record tells of: banns, a registration
    citation: str = ""  # where the original is: archive, volume, page
    image: str = ""  # a link to a picture of it

    @property
    def key(self) -> str:
        """Return the name by which the record is known outside: COLLECTION:RECORD_ID."""
        return f"{self.collection}:{self.id}"
