"""Which mapping would fit a table that has no mapping yet?

A proposal follows what the headings say and what is in the rows below them, and lists what it is
not sure of.  It is a mapping file, to be read, corrected and kept; it can be used as it is.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.formats import open_any_table
from forebear.ingest.headings import (
    LARGE_PLACE,
    LARGE_PLACE_SIZE,
    MIN_FIT,
    PRINCIPALS,
    Heading,
    cells_fit,
    column_fact,
    guess_type,
    place_size,
    read_heading,
)
from forebear.ingest.readers.source import Table
from forebear.normalize.regions import region_coded
from forebear.normalize.similarity import jaro_winkler
from forebear.records.record import Kin

Rows = Sequence[Mapping[str, str]]
SAMPLE_ROWS = 200
MAX_CHECKED_ROWS = 100_000  # for ids, which must differ in all rows
NO_VALUE = frozenset({"-", "--", "?", "NULL", "null", "n/a", "N/A", "NA", "[]"})
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
# Censuses that only asked whether people were born in the county of the place have these codes.
SAME_COUNTY = frozenset({"inc", "in county", "same county", "yes", "y"})
# Files of transcribers are called by the Chapman code of their county: CON-Cornwall/RG101.vld.
FILE_COUNTY = r"^([A-Z]{3})(?![A-Za-z])"
FACT_KEYS = {"sex": "sex_column"}
# What these people are to the one a record is about, and their sex.
KIN: dict[str, tuple[Kin, str]] = {
    "child": ("self", ""), "groom": ("self", "m"), "deceased": ("self", ""),
    "bride": ("spouse", "f"), "spouse": ("spouse", ""),
    "father": ("parent", "m"), "mother": ("parent", "f"),
    "groom father": ("parent", "m"), "groom mother": ("parent", "f"),
    "bride father": ("parent_in_law", "m"), "bride mother": ("parent_in_law", "f"),
    "godfather": ("other", "m"), "godmother": ("other", "f"),
}  # fmt: skip


@dataclass(slots=True)
class Proposal:
    """An unfinished mapping: keys of each table in their order, and doubts."""

    name: str
    record_type: str
    record: dict[str, list[str]] = field(default_factory=dict)
    people: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    events: dict[str, dict[str, dict[str, list[str]]]] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # cells that mean an empty one
    joined: dict[str, list[str]] = field(default_factory=dict)  # several columns in one
    derived: dict[str, tuple[str, str]] = field(default_factory=dict)  # a column and a pattern
    values: dict[str, dict[str, str]] = field(default_factory=dict)  # of codes, by column

    def to_toml(self) -> str:
        """Return the mapping file."""
        return "\n".join(_write(self)) + "\n"


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
    _join_names(proposal, rows)
    _name_people(proposal, rows)
    _complete_people(proposal)
    _doubt_people(proposal)
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
                proposal.doubts.append(
                    f"{_quoted(columns)} are joined as the {label} of the {person}"
                )


def _are_parts(columns: list[str], rows: Rows) -> bool:
    """Return whether the headings count parts, and the rows that fill several of them differ."""
    headings = [read_heading(column) for column in columns]
    unknown = {word for heading in headings for word in heading.unknown if not word.isdigit()}
    if unknown - PARTS or any(heading.events for heading in headings):
        return False
    different = alike = 0
    for row in rows:
        texts = [text.casefold() for column in columns if (text := row.get(column, "").strip())]
        for first, second in pairwise(texts):
            is_alike = jaro_winkler(first, second) >= ALIKE
            alike, different = alike + is_alike, different + (not is_alike)
    return different > alike


def _free_name(label: str, rows: Rows) -> str:
    """Return a name for a joined column that no column of the file has."""
    name = label.replace(" ", "_")
    while rows and name in rows[0]:
        name += "_"
    return name


def _settle_whole_name(proposal: Proposal, person: str, rows: Rows) -> None:
    """Skip a whole name next to its parts; any other name next to them is an alias."""
    keys = proposal.people[person]
    surnames = proposal.joined.get(keys["surname"][0], keys["surname"])
    for column in keys.pop("name"):
        if "name" not in read_heading(column).facts:
            proposal.unused.append(column)  # only the word for the person suggests a name
        elif _share_containing(column, surnames, rows) >= MIN_FIT:
            proposal.unused.append(column)
            proposal.doubts.append(f"{column!r} repeats the name of the {person}; not used")
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
        person["kind"] = ["by_status"]  # wives and widows have their husbands' names
    counties = [column for column in proposal.record.get("place", []) if LARGE_PLACE.search(column)]
    for events in proposal.events.values():
        residence = events.get("residence", {})
        sizes = [place_size(column) for column in residence.get("place", ())]
        if counties and sizes and max(sizes) < LARGE_PLACE_SIZE:
            residence["within"] = counties


def _name_people(proposal: Proposal, rows: Rows) -> None:
    """Settle names, and drop people without one; their columns are listed as unused."""
    for person, keys in [*proposal.people.items()]:
        if "name" in keys and "surname" in keys:
            if "given" in keys:
                _settle_whole_name(proposal, person, rows)
            else:
                keys["given"] = keys.pop("name")
        if not {"name", "given", "surname"} & set(keys):
            columns = [column for columns in keys.values() for column in columns]
            proposal.doubts.append(
                f"{_quoted(columns)}: about the {person}, whose name is in no column; not used"
            )
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
            proposal.doubts.append(f"the {person} has no surname: no column has one")
        for key in ONE_OF_SEVERAL:
            if len(keys.get(key, ())) > 1:
                proposal.doubts.append(
                    f"{_quoted(keys[key])} are all the {person}'s {key.removesuffix('_column')}; "
                    "the first that is filled is used"
                )


def _doubt_words(proposal: Proposal, headings: Sequence[Heading]) -> None:
    """Note columns that are used although a word of their heading is not understood."""
    for heading in headings:
        words = [word for word in heading.unknown if not word.isdigit()]
        if words and heading.fact in GUESSABLE and heading.column not in proposal.unused:
            proposal.doubts.append(
                f"{heading.column!r} is taken for the {heading.fact}, but {_quoted(words)} in it "
                "is not understood"
            )


def _quoted(texts: Iterable[str]) -> str:
    return ", ".join(map(repr, texts))


def _reverse_relation(proposal: Proposal) -> None:
    """Read "wife of" next to a relative's name as what the dead was to the relative."""
    deceased = proposal.people.get("deceased", {})
    relative = proposal.people.get("relative", {})
    if relative and "relation" in deceased:
        relative["relation_reversed"] = deceased.pop("relation")
        deceased.setdefault("sex_column", relative["relation_reversed"])
        deceased.setdefault("marital", relative["relation_reversed"])


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
            name = _free_name("county", rows)
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
                f"{_quoted(sorted(codes))} in {column!r} is read as the county of the record"
            )


def _order_places(proposal: Proposal) -> None:
    events = [event for by_kind in proposal.events.values() for event in by_kind.values()]
    for keys in [proposal.record, *events]:
        if "place" in keys:
            keys["place"] = sorted(keys["place"], key=place_size)


def _write(proposal: Proposal) -> Iterator[str]:
    title = proposal.name.replace("_", " ").strip().capitalize()
    yield "# Proposed by `forebear map`; read it over before you import."
    yield from (f"# unsure: {doubt}" for doubt in proposal.doubts)
    yield from (f"# unused: {column!r}" for column in proposal.unused)
    yield from ("", "[collection]", f"name = {_text(proposal.name)}", f"title = {_text(title)}")
    yield f"record_type = {_text(proposal.record_type)}"
    if proposal.missing:
        yield from ("", "[table]", f"missing = {_list(dict.fromkeys(proposal.missing))}")
    for name, (column, pattern) in proposal.derived.items():
        yield from ("", f"[derived.{_key(name)}]", f"column = {_text(column)}")
        yield f"pattern = {_text(pattern)}"
    for column, codes in proposal.values.items():
        yield from ("", f"[values.{_key(column)}]")
        yield from (f"{_key(code)} = {_text(value)}" for code, value in codes.items())
    for name, columns in proposal.joined.items():
        yield from ("", f"[joined.{_key(name)}]", f"columns = {_list(columns)}")
    yield from ("", "[record]")
    yield from (f"{key} = {_columns(columns)}" for key, columns in proposal.record.items())
    principal = PRINCIPALS.get(proposal.record_type, "person")
    for person, keys in sorted(proposal.people.items(), key=lambda item: item[0] != principal):
        role = person.rstrip(" 0123456789")
        yield from ("", "[[persona]]", f"role = {_text(role)}")
        kin, sex = KIN.get(role, ("other", ""))
        if person == principal or (person == "bride" and proposal.record_type == "marriage"):
            if proposal.record_type != "census":
                kin = "spouse" if person == "bride" else "self"
            yield "principal = true"
        yield f"kin = {_text(kin)}"
        if sex and "sex_column" not in keys:
            yield f"sex = {_text(sex)}"
        yield from (f"{key} = {_columns(columns)}" for key, columns in keys.items())
        for kind, event in proposal.events.get(person, {}).items():
            parts = ", ".join(f"{key} = {_columns(columns)}" for key, columns in event.items())
            yield f"events.{kind} = {{ {parts} }}"


def _key(name: str) -> str:
    """Return a key of TOML: a name as it is if it needs no quotes."""
    return name if name.replace("_", "").isalnum() and name.isascii() else _text(name)


def _columns(columns: list[str]) -> str:
    return _text(columns[0]) if len(columns) == 1 else _list(columns)


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(_text(text) for text in texts)}]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
