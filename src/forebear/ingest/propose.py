"""Which mapping would fit a table that has no mapping yet?

A proposal follows what the headings say and what is in the rows below them, and lists what it is
not sure of.  It is a mapping file, to be read, corrected and kept; it can be used as it is.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.formats import open_any_table
from forebear.ingest.headings import (
    LARGE_PLACE,
    MIN_FIT,
    PRINCIPALS,
    Heading,
    cells_fit,
    column_fact,
    guess_type,
    place_size,
    read_heading,
)
from forebear.ingest.proposal import Proposal, Rows, free_name, quoted
from forebear.ingest.propose_people import settle_people
from forebear.ingest.readers.source import Table
from forebear.normalize.regions import region_coded

SAMPLE_ROWS = 200
MAX_CHECKED_ROWS = 100_000  # for ids, which must differ in all rows
NO_VALUE = frozenset({"-", "--", "?", "NULL", "null", "n/a", "N/A", "NA", "[]"})
PERSONAL = ("given", "middle", "surname", "name", "maiden", "alias", "nickname", "patronymic",
            "age", "occupation", "marital", "religion", "title", "suffix", "relation",
            "sex")  # fmt: skip
GUESSABLE = frozenset({*PERSONAL, "date", "place", "county", "group"})
# Censuses that only asked whether people were born in the county of the place have these codes.
SAME_COUNTY = frozenset({"inc", "in county", "same county", "yes", "y"})
# Files of transcribers are called by the Chapman code of their county: CON-Cornwall/RG101.vld.
FILE_COUNTY = r"^([A-Z]{3})(?![A-Za-z])"
FACT_KEYS = {"sex": "sex_column"}


def propose_mapping(path: Path) -> Proposal:
    """Return a mapping for a table, guessed from its headings and first rows."""
    table = open_any_table(path)
    rows = [row.values for row in islice(table.rows(), SAMPLE_ROWS)]
    headings = [read_heading(column) for column in table.headings]
    name = re.sub(r"[^\w-]+", "_", path.stem).strip("_") or "records"
    record_type, doubt = guess_type(path.stem, headings)
    proposal = Proposal(name=name, record_type=record_type)
    if doubt:
        proposal.doubts.append(f"the record type {record_type!r} is a guess: {doubt}")
    for heading in headings:
        cells = [row.get(heading.column, "").strip() for row in rows]
        proposal.missing.extend(cell for cell in cells if cell in NO_VALUE)
        _place_column(proposal, heading, [cell for cell in cells if cell and cell not in NO_VALUE])
    _choose_group(proposal, table)
    _choose_id(proposal, table)
    settle_people(proposal, rows)
    _doubt_words(proposal, headings)
    _derive_county(proposal, rows)
    _order_places(proposal)
    _read_same_county(proposal, table)
    if not proposal.people:
        raise InputError(
            f"{path}:{table.heading_line}: no column looks like a person's name",
            hint=f"the headings are: {', '.join(table.headings[:12])}; write a mapping that says "
            "which has a name: docs/reference/mapping.md",
        )
    return proposal


def _place_column(proposal: Proposal, heading: Heading, cells: list[str]) -> None:
    """Find the key that a column belongs to, or list it as unused."""
    fact = column_fact(heading, cells)
    if fact and not (heading.fact or heading.people or heading.events):
        proposal.doubts.append(
            f"{heading.column!r} is taken for the {fact}, because its cells look like one"
        )
    if cells and not cells_fit(fact, cells):
        example = json.dumps(cells[0][:40], ensure_ascii=False)
        proposal.doubts.append(
            f"{heading.column!r} should be the {fact}, but many cells are not, such as {example}; "
            "not used"
        )
        fact = ""
    person = _person(heading, proposal.record_type)
    if fact in PERSONAL:
        keys = proposal.people.setdefault(person, {})
        keys.setdefault(FACT_KEYS.get(fact, fact), []).append(heading.column)
    elif fact in ("date", "place", "county"):
        _place_event(proposal, heading, person, "place" if fact == "county" else fact)
    elif fact in ("id", "group", "text", "citation", "image"):
        proposal.record.setdefault(fact, []).append(heading.column)
    else:
        proposal.unused.append(heading.column)


def _place_event(proposal: Proposal, heading: Heading, person: str, fact: str) -> None:
    """Give a date or place to the event of the record or to one of a person."""
    kinds = [event for event in heading.events if event in ("birth", "death", "residence")]
    kind = kinds[0] if kinds and kinds[0] != proposal.record_type else ""
    people = [word for word in heading.people if word != "person"]
    if kind or people:
        events = proposal.events.setdefault(person, {})
        events.setdefault(kind or "residence", {}).setdefault(fact, []).append(heading.column)
        return
    columns = proposal.record.setdefault(fact, [])
    columns.append(heading.column)
    if fact == "date" and len(columns) > 1:
        proposal.doubts.append(
            f"{heading.column!r} is a second date of the record; the first that is filled is used"
        )


def _person(heading: Heading, record_type: str) -> str:
    principal = PRINCIPALS.get(record_type, "person")
    people = [
        person
        for person in heading.people
        if person != "person" and (person != principal or record_type == "marriage")
    ]
    if "relation" in heading.facts and people != ["relative"]:
        people = []  # "relation to head" is a fact of every person
    number = [heading.number] if people and heading.number else []
    return " ".join(people + number) or principal


def _choose_id(proposal: Proposal, table: Table) -> None:
    """Use the first column that differs in all rows as id, else all of them if they do together."""
    candidates = proposal.record.pop("id", [])
    chosen = next(
        (
            columns
            for columns in [*([column] for column in candidates), candidates]
            if columns and _differs_in_all_rows(columns, table)
        ),
        [],
    )
    used = {*chosen, *proposal.record.get("group", ())}
    proposal.unused.extend(column for column in candidates if column not in used)
    if chosen:
        proposal.record = {"id": chosen, **proposal.record}
    else:
        proposal.doubts.append("no column is an id: records are identified by file and line")


def _choose_group(proposal: Proposal, table: Table) -> None:
    """Use the first household column, with an id before it if its numbers start again."""
    columns = proposal.record.pop("group", [])
    if not columns:
        return
    first, *others = columns
    proposal.unused.extend(others)
    choices = [[first], *([column, first] for column in proposal.record.get("id", []))]
    group = next((choice for choice in choices if _stays_together(choice, table)), [first])
    proposal.record["group"] = group
    if group == [first] and not _stays_together(group, table):
        proposal.doubts.append(
            f"{first!r} has the same number in rows far apart: they become one household"
        )


def _stays_together(columns: list[str], table: Table) -> bool:
    """Return whether rows of one household follow each other."""
    seen: set[tuple[str, ...]] = set()
    previous: tuple[str, ...] = ()
    for key in _keys(columns, table):
        if not all(key) or key == previous:
            continue
        if key in seen:
            return False
        seen.add(key)
        previous = key
    return True


def _differs_in_all_rows(columns: list[str], table: Table) -> bool:
    seen: set[tuple[str, ...]] = set()
    for key in _keys(columns, table):
        if key in seen or not all(key):
            return False
        seen.add(key)
    return bool(seen)


def _keys(columns: list[str], table: Table) -> Iterator[tuple[str, ...]]:
    for row in islice(table.rows(), MAX_CHECKED_ROWS):
        values = row.values
        yield tuple(values.get(column, "").strip() for column in columns)


def _doubt_words(proposal: Proposal, headings: Sequence[Heading]) -> None:
    """Note columns that are used although a word of their heading is not understood."""
    for heading in headings:
        words = [word for word in heading.unknown if not word.isdigit()]
        if words and heading.fact in GUESSABLE and heading.column not in proposal.unused:
            proposal.doubts.append(
                f"{heading.column!r} is taken for the {heading.fact}, but {quoted(words)} in it "
                "is not understood"
            )


def _derive_county(proposal: Proposal, rows: Rows) -> None:
    """Take the county from the names of files if no column has it."""
    if not rows or any(map(LARGE_PLACE.search, proposal.record.get("place", ()))):
        return
    others = [*proposal.unused, *proposal.record.get("id", ()), *proposal.record.get("group", ())]
    for column in dict.fromkeys(others):
        heading = read_heading(column)
        if heading.events or heading.people or {"place", "county"} & {*heading.facts}:
            continue
        cells = [cell for row in rows if (cell := row.get(column, "").strip())]
        codes = [match[1] for cell in cells if (match := re.match(FILE_COUNTY, cell))]
        if cells and sum(region_coded(code) is not None for code in codes) >= MIN_FIT * len(cells):
            name = free_name("county", rows)
            proposal.derived[name] = (column, FILE_COUNTY)
            proposal.record.setdefault("place", []).append(name)
            proposal.unused = [one for one in proposal.unused if one != column]
            proposal.doubts.append(f"the county is taken from {column!r}, which begins with it")
            return


def _read_same_county(proposal: Proposal, table: Table) -> None:
    """Read a code for "born in this county" as the county of the record."""
    places = [column for column in proposal.record.get("place", ()) if LARGE_PLACE.search(column)]
    births = [
        column
        for events in proposal.events.values()
        for column in events.get("birth", {}).get("place", ())
        if LARGE_PLACE.search(column)
    ]
    if proposal.record_type != "census" or not places:
        return
    for column in births:
        codes = {text for (text,) in _keys([column], table) if text.casefold() in SAME_COUNTY}
        if codes:
            proposal.values[column] = dict.fromkeys(sorted(codes), f"{{{places[0]}}}")
            proposal.doubts.append(
                f"{quoted(sorted(codes))} in {column!r} is read as the county of the record"
            )


def _order_places(proposal: Proposal) -> None:
    events = [event for by_kind in proposal.events.values() for event in by_kind.values()]
    for keys in [proposal.record, *events]:
        if "place" in keys:
            keys["place"] = sorted(keys["place"], key=place_size)
