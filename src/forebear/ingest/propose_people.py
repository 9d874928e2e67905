"""Which people does a proposed mapping have, and which columns are their names?"""

from itertools import pairwise

from forebear.ingest.headings import (
    LARGE_PLACE,
    LARGE_PLACE_SIZE,
    MIN_FIT,
    place_size,
    read_heading,
)
from forebear.ingest.proposal import Proposal, Rows, free_name, quoted
from forebear.normalize.similarity import jaro_winkler

# Facts for which an import takes the first filled column of several.
ONE_OF_SEVERAL = ("name", "given", "surname", "maiden", "occupation", "marital", "sex_column")
# Words of headings that count the parts of a name: second surname, apellido materno.
PARTS = frozenset({"first", "second", "third", "primer", "primero", "segundo", "last", "other",
                   "further", "additional", "extra", "paternal", "maternal", "paterno", "materno",
                   "initial", "initials", "name"})  # fmt: skip
ALIKE = 0.85  # Jaro-Winkler: two spellings of one name, not two parts of it


def settle_people(proposal: Proposal, rows: Rows) -> None:
    """Settle names and people, once every column has its key."""
    _join_names(proposal, rows)
    _name_people(proposal, rows)
    _complete_people(proposal)
    _doubt_people(proposal)


def _join_names(proposal: Proposal, rows: Rows) -> None:
    """Join columns that hold parts of one name: first and middle name, two surnames."""
    for person, keys in proposal.people.items():
        keys["given"] = keys.get("given", []) + keys.pop("middle", [])
        for key, label in (("given", "given names"), ("surname", "surnames")):
            columns = keys.get(key, [])
            if not columns:
                keys.pop(key, None)
            elif len(columns) > 1 and _are_parts(columns, rows):
                name = free_name(f"{person} {label}", rows)
                proposal.joined[name] = columns
                keys[key] = [name]
                proposal.doubts.append(
                    f"{quoted(columns)} are joined as the {label} of the {person}"
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
                f"{quoted(columns)}: about the {person}, whose name is in no column; not used"
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
                    f"{quoted(keys[key])} are all the {person}'s {key.removesuffix('_column')}; "
                    "the first that is filled is used"
                )


def _reverse_relation(proposal: Proposal) -> None:
    """Read "wife of" next to a relative's name as what the dead was to the relative."""
    deceased = proposal.people.get("deceased", {})
    relative = proposal.people.get("relative", {})
    if relative and "relation" in deceased:
        relative["relation_reversed"] = deceased.pop("relation")
        deceased.setdefault("sex_column", relative["relation_reversed"])
        deceased.setdefault("marital", relative["relation_reversed"])
