"""The record types: what kinds of record there are, and what each is called."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordType:
    """A kind of record, ranked by its own weights."""

    name: str
    title: str  # for people
    event: str  # the kind of the record's own event
    # Is the person the record is about dead by then?
    ends_life: bool = False


RECORD_TYPES: dict[str, RecordType] = {
    record_type.name: record_type
    for record_type in (
        RecordType(name="baptism", title="Baptism", event="baptism"),
        RecordType(name="marriage", title="Marriage", event="marriage"),
        RecordType(name="burial", title="Burial", event="burial", ends_life=True),
        RecordType(name="census", title="Census", event="residence"),
    )
}
