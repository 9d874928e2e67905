"""Which mapping would fit a table that nobody has described yet?

A proposal is made of what the headings say and of what stands in the rows below them, and
says what it is not sure of.  It is a mapping file, to be read, corrected and kept; it can be
used as it is.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.cell_facts import ENOUGH, cells_fit, fact_of_cells
from forebear.ingest.headings import Heading, read_heading
from forebear.ingest.proposal import PRINCIPALS, Proposal
from forebear.ingest.readers.any_table import AnyTable, open_any_table
from forebear.normalize.similarity import jaro_winkler
from forebear.records.collections import RECORD_TYPES

Rows = Sequence[Mapping[str, str]]
SAMPLE_ROWS = 200
CHECKED_ROWS = 100_000  # for ids, which must differ in all rows
NOTHING = frozenset({"-", "--", "?", "NULL", "null", "n/a", "N/A", "NA", "[]"})
# Words of headings by how large a place they mean; others lie between.
SMALL = re.compile(r"street|house|address|church|abode|farm|cemetery", re.IGNORECASE)
LARGE = re.compile(r"county|chapman|province|region", re.IGNORECASE)
LARGEST = re.compile(r"country|state|nation", re.IGNORECASE)
LARGE_SIZE = 2
EVENT_TYPES = {"arrival": "immigration"}
PERSONAL = ("given", "middle", "surname", "name", "maiden", "alias", "nickname", "patronymic",
            "age", "occupation", "marital", "religion", "title", "suffix", "relation",
            "sex")  # fmt: skip
# Facts for which an import takes the first filled column of several.
ONE_OF_SEVERAL = ("name", "given", "surname", "maiden", "occupation", "marital", "sex_column")
# Words of headings that count the parts of a name: second surname, apellido materno.
PARTS = frozenset({"first", "second", "third", "primer", "primero", "segundo", "last", "other",
                   "further", "additional", "extra", "paternal", "maternal", "paterno", "materno",
                   "initial", "initials", "name"})  # fmt: skip
ALIKE = 0.85  # Jaro-Winkler: two spellings of one name, not two parts of it
GUESSABLE = frozenset({*PERSONAL, "date", "place", "county", "group"})
MIN_VOTES = 2  # headings that speak of a record type; the name of the file counts twice
FACT_KEYS = {"sex": "sex_column"}


def propose_mapping(path: Path) -> Proposal:
    """Return a mapping for a table, guessed from its headings and first rows."""
    table = open_any_table(path)
    rows = [row.values for row in islice(table.rows(), SAMPLE_ROWS)]
    headings = [read_heading(column) for column in table.headings]
    name = re.sub(r"[^\w-]+", "_", path.stem).strip("_") or "records"
    record_type, doubt = _guess_type(path, headings)
    proposal = Proposal(name=name, record_type=record_type)
    if doubt:
        proposal.doubts.append(f"the record type {record_type!r} is a guess: {doubt}")
    for heading in headings:
        cells = [row.get(heading.column, "").strip() for row in rows]
        proposal.missing.extend(cell for cell in cells if cell in NOTHING)
        _place_column(proposal, heading, [cell for cell in cells if cell and cell not in NOTHING])
    _choose_group(proposal, table)
    _choose_id(proposal, table)
    _join_names(proposal, rows)
    _name_people(proposal, rows)
    _complete_people(proposal)
    _doubt_people(proposal)
    _doubt_words(proposal, headings)
    _order_places(proposal)
    if not proposal.people:
        raise InputError(
            f"{path}:{table.heading_line}: no column looks like a person's name",
            hint=f"the headings are: {', '.join(table.headings[:12])}; write the mapping by hand",
        )
    return proposal


def _guess_type(path: Path, headings: Sequence[Heading]) -> tuple[str, str]:
    """Return the type that headings and file name speak of, and why that may be wrong."""
    people = {person for heading in headings for person in heading.people}
    facts = {fact for heading in headings for fact in heading.facts}
    named = read_heading(path.stem)
    votes = Counter(
        EVENT_TYPES.get(event, event)
        for heading in [*headings, named, named]
        for event in heading.events
        if EVENT_TYPES.get(event, event) in PRINCIPALS and (event != "birth" or heading is named)
    )
    if path.stem.casefold() in RECORD_TYPES:
        return path.stem.casefold(), ""
    if {"relation", "group"} <= facts:
        return "census", ""
    if {"groom", "bride"} <= people and "deceased" not in people:
        return "marriage", _other_types(votes, "marriage")
    if votes:
        best = votes.most_common(1)[0][0]
        is_weak = votes[best] < MIN_VOTES
        return best, "one heading alone speaks of it" if is_weak else _other_types(votes, best)
    if "deceased" in people:
        return "burial", "the headings only say that someone died"
    return "census", "nothing in the headings says it"


def _other_types(votes: Counter[str], best: str) -> str:
    others = [name for name in votes if name != best]
    return f"the headings also speak of: {', '.join(others)}" if others else ""


def _place_column(proposal: Proposal, heading: Heading, cells: list[str]) -> None:
    """Find the key that a column belongs to, or list it as unused."""
    fact = _fact(heading, cells)
    if fact and not (heading.fact or heading.people or heading.events):
        proposal.doubts.append(f"{heading.column!r} is taken for a {fact} by what stands in it")
    if cells and not cells_fit(fact, cells):
        example = json.dumps(cells[0][:40], ensure_ascii=False)
        proposal.doubts.append(
            f"{heading.column!r} should be a {fact}, but many cells are not: {example}; left out"
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


def _fact(heading: Heading, cells: list[str]) -> str:
    """Return what a column holds: as its heading says, else as its cells look."""
    if heading.fact or not cells:
        return heading.fact
    if heading.events and cells_fit("date", cells):
        return "date"
    if heading.events and not heading.unknown:
        return "place"
    return "name" if heading.people else fact_of_cells(cells)


def _place_event(proposal: Proposal, heading: Heading, person: str, fact: str) -> None:
    """Give a date or place to the record's own event or to one of a person."""
    own = [event for event in heading.events if event in ("birth", "death", "residence")]
    kind = own[0] if own and own[0] != proposal.record_type else ""
    people = [each for each in heading.people if each != "person"]
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
        people = []  # "relation to head" is a fact of everybody
    number = [heading.number] if people and heading.number else []
    return " ".join(people + number) or principal


def _choose_id(proposal: Proposal, table: AnyTable) -> None:
    """Keep the first column that tells all rows apart, else all that do so together."""
    candidates = proposal.record.pop("id", [])
    chosen = next(
        (
            columns
            for columns in [*([column] for column in candidates), candidates]
            if columns and _tells_apart(columns, table)
        ),
        [],
    )
    proposal.unused.extend(column for column in candidates if column not in chosen)
    if chosen:
        proposal.record = {"id": chosen, **proposal.record}
    else:
        proposal.doubts.append("no column is an id: records will be known by file and line")


def _choose_group(proposal: Proposal, table: AnyTable) -> None:
    """Keep the first household column, with an id before it if its numbers start again."""
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


def _stays_together(columns: list[str], table: AnyTable) -> bool:
    """Return whether rows of one household follow each other."""
    seen: set[tuple[str, ...]] = set()
    previous: tuple[str, ...] = ()
    for row in islice(table.rows(), CHECKED_ROWS):
        key = tuple(row.values.get(column, "").strip() for column in columns)
        if not all(key) or key == previous:
            continue
        if key in seen:
            return False
        seen.add(key)
        previous = key
    return True


def _tells_apart(columns: list[str], table: AnyTable) -> bool:
    seen: set[tuple[str, ...]] = set()
    for row in islice(table.rows(), CHECKED_ROWS):
        values = row.values
        key = tuple(values.get(column, "").strip() for column in columns)
        if key in seen or not all(key):
            return False
        seen.add(key)
    return bool(seen)


def _join_names(proposal: Proposal, rows: Rows) -> None:
    """Join columns that hold parts of one name: first and middle name, two surnames."""
    for person, keys in proposal.people.items():
        keys["given"] = keys.get("given", []) + keys.pop("middle", [])
        for key, label in (("given", "given names"), ("surname", "surnames")):
            columns = keys.get(key, [])
            if not columns:
                keys.pop(key, None)
            elif len(columns) > 1 and _are_parts(columns, rows):
                name = _free_name(f"{person} {label}", rows)
                proposal.joined[name] = columns
                keys[key] = [name]
                listed = ", ".join(map(repr, columns))
                proposal.doubts.append(f"{listed} are joined as the {label} of the {person}")


def _are_parts(columns: list[str], rows: Rows) -> bool:
    """Return whether the headings count parts, and the rows that fill several of them differ."""
    headings = map(read_heading, columns)
    if any(heading.events or not _are_counts(heading.unknown) for heading in headings):
        return False
    different = alike = 0
    for row in rows:
        texts = [text.casefold() for column in columns if (text := row.get(column, "").strip())]
        for first, second in pairwise(texts):
            is_alike = jaro_winkler(first, second) >= ALIKE
            alike, different = alike + is_alike, different + (not is_alike)
    return different > alike


def _are_counts(words: Sequence[str]) -> bool:
    return all(word.isdigit() or word in PARTS for word in words)


def _free_name(label: str, rows: Rows) -> str:
    """Return a name for a made column that no column of the file has."""
    name = label.replace(" ", "_")
    while any(name in row for row in rows[:1]):
        name += "_"
    return name


def _settle_whole_name(proposal: Proposal, person: str, rows: Rows) -> None:
    """Leave out a whole name beside its parts; any other name beside them is an alias."""
    keys = proposal.people[person]
    surnames = proposal.joined.get(keys["surname"][0], keys["surname"])
    for column in keys.pop("name"):
        if "name" not in read_heading(column).facts:
            proposal.unused.append(column)  # only the person says that it may be a name
        elif _share_containing(column, surnames, rows) >= ENOUGH:
            proposal.unused.append(column)
            proposal.doubts.append(f"{column!r} repeats the name of the {person}; left out")
        else:
            keys.setdefault("alias", []).append(column)
            proposal.doubts.append(
                f"{column!r} is taken for another name of the {person}; if it is a part of the "
                "name, join it to the given names or surnames under [joined]"
            )


def _share_containing(column: str, others: list[str], rows: Rows) -> float:
    """Return the share of rows in which a cell contains what one of the other columns says."""
    filled_rows = [row for row in rows if row.get(column, "").strip()]
    whole = sum(
        any(
            text in row[column].casefold()
            for other in others
            if (text := row.get(other, "").strip().casefold())
        )
        for row in filled_rows
    )
    return whole / len(filled_rows) if filled_rows else 1.0


def _complete_people(proposal: Proposal) -> None:
    """Add what a register implies: a child's surname, the kind of a wife's, an abode's county."""
    child = proposal.people.get("child", {})
    if "given" in child and not child.keys() & {"surname", "name"}:
        parents = [proposal.people.get(parent, {}) for parent in ("father", "mother")]
        surnames = [column for keys in parents for column in keys.get("surname", [])]
        if surnames:
            child["surname"] = surnames
            proposal.doubts.append("the child has no surname: it is taken from the parents")
    person = proposal.people.get("person", {})
    if proposal.record_type == "census" and {"marital", "sex_column", "surname"} <= person.keys():
        person["kind"] = ["by_status"]  # wives and widows stand under their husbands' names
    counties = [column for column in proposal.record.get("place", []) if LARGE.search(column)]
    for events in proposal.events.values():
        residence = events.get("residence", {})
        if counties and "place" in residence and max(map(_size, residence["place"])) < LARGE_SIZE:
            residence["within"] = counties


def _name_people(proposal: Proposal, rows: Rows) -> None:
    """Settle names, and drop people without one; their columns are not lost but listed."""
    for person, keys in [*proposal.people.items()]:
        if "name" in keys and "surname" in keys:
            if "given" in keys:
                _settle_whole_name(proposal, person, rows)
            else:
                keys["given"] = keys.pop("name")
        if not {"name", "given", "surname"} & set(keys):
            columns = [column for each in keys.values() for column in each]
            proposal.doubts.append(f"{', '.join(columns)}: whose? no name goes with it")
            proposal.unused.extend(columns)
            del proposal.people[person]
    _reverse_relation(proposal)
    for person in [*proposal.events]:
        if person not in proposal.people:
            proposal.unused.extend(
                column
                for event in proposal.events.pop(person).values()
                for columns in event.values()
                for column in columns
            )


def _doubt_people(proposal: Proposal) -> None:
    """Note names that are incomplete or come from several columns."""
    for person, keys in proposal.people.items():
        if "given" in keys and "surname" not in keys:
            proposal.doubts.append(f"the {person} has no surname: no column says it")
        for key in ONE_OF_SEVERAL:
            if len(keys.get(key, ())) > 1:
                columns = ", ".join(repr(column) for column in keys[key])
                proposal.doubts.append(
                    f"{columns} are all the {person}'s {key}; the first that is filled is used"
                )


def _doubt_words(proposal: Proposal, headings: Sequence[Heading]) -> None:
    """Note columns that are used although a word of their heading is not understood."""
    for heading in headings:
        words = [repr(word) for word in heading.unknown if not word.isdigit()]
        if words and heading.fact in GUESSABLE and heading.column not in proposal.unused:
            proposal.doubts.append(
                f"{heading.column!r} is taken for the {heading.fact}, but {', '.join(words)} in it "
                "is not understood"
            )


def _reverse_relation(proposal: Proposal) -> None:
    """Read "wife of" beside a relative's name as what the dead was to the relative."""
    own = proposal.people.get("deceased", {})
    relative = proposal.people.get("relative", {})
    if relative and "relation" in own:
        relative["relation_reversed"] = own.pop("relation")
        own.setdefault("sex_column", relative["relation_reversed"])
        own.setdefault("marital", relative["relation_reversed"])


def _order_places(proposal: Proposal) -> None:
    events = [event for each in proposal.events.values() for event in each.values()]
    for keys in [proposal.record, *events]:
        if "place" in keys:
            keys["place"] = sorted(keys["place"], key=_size)


def _size(column: str) -> int:
    if LARGEST.search(column):
        return LARGE_SIZE + 1
    return LARGE_SIZE if LARGE.search(column) else 0 if SMALL.search(column) else 1
