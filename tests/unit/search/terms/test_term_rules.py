"""The version of the term rules: it must change whenever the terms of some field do.

The terms of 500 invented personas are hashed field by field and compared with the table
``search/term_rules``.  After a change of the rules, run this file as a program:

    python tests/unit/search/terms/test_term_rules.py

It raises ``TERM_RULES_VERSION`` and notes it in the table for every field that changed.
"""

import csv
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import cycle, islice
from pathlib import Path

from forebear.records.collections import RECORD_TYPES, Collection
from forebear.records.record import (
    Age,
    Day,
    Event,
    HistoricalDate,
    Kin,
    Name,
    Persona,
    Place,
    Precision,
    Qualifier,
    Record,
    Sex,
)
from forebear.search.expansion.catalog import load_catalog
from forebear.search.terms import term as rules
from forebear.search.terms.term import field_of
from forebear.search.terms.write import WrittenPersona, write_terms
from forebear.tables import read_table

SURNAMES = (
    "Smith",
    "Thurlow",
    "Müller",
    "van der Berg",
    "O'Brien",
    "MacDonald",
    "Smith-Jones",
    "Nowak",
    "Kowalska",
    "Jónsdóttir",
    "de la Cruz",
    "Schwarz",
    "Tchaikovsky",
    "Brown [?Browne]",
    "Fitzgerald",
    "Ng",
    "St. John",
    "Ap Rhys",
    "Johansson",
    "Weiß",
    "D'Arcy",
    "Knight",
    "",
)
GIVEN = (
    "Mary Ann",
    "Wm",
    "Johann Georg",
    "Elizabeth",
    "J. T.",
    "Gulielmus",
    "Jean-Baptiste",
    "Katarzyna",
    "Fred",
    "Þórunn",
    "Margt",
    "Thos. Henry",
    "X",
    "Ellen",
    "Francº Mª",
    "Maria del Carmen",
    "unnamed infant",
)
TITLES = ("", "Rev. Dr.", "", "Mrs", "Capt.")
SUFFIXES = ("", "", "Jr", "", "III", "senior")
DATES: tuple[tuple[Day | None, Day | None, Qualifier, Precision], ...] = (
    (Day(1851, 3, 30), Day(1851, 3, 30), "exact", "day"),
    (Day(1732, 2, 11), Day(1732, 2, 11), "exact", "day"),
    (Day(1848, 1, 1), Day(1852, 12, 31), "about", "year"),
    (Day(1841, 4, 1), Day(1841, 6, 30), "exact", "quarter"),
    (Day(1799, 5, 1), Day(1799, 5, 31), "exact", "month"),
    (None, Day(1850, 12, 31), "before", "year"),
    (Day(1700, 1, 1), None, "after", "year"),
    (Day(1811, 1, 1), Day(1814, 12, 31), "between", "interval"),
    (Day(1801, 1, 1), Day(1900, 12, 31), "exact", "century"),
    (Day(1880, 1, 1), Day(1889, 12, 31), "exact", "decade"),
    (Day(1881, 1, 1), Day(1881, 12, 31), "exact", "year"),
    (None, None, "phrase", "none"),
)
PLACES = (
    ("Layham", "Suffolk", "England"),
    ("St. Mary le Bow", "London", "England"),
    ("Zell", "Baden", "Germany"),
    ("Cork", "Ireland"),
    ("Boston", "Massachusetts", "United States"),
    ("Kraków",),
    ("Upper Norwood", "Surrey", "England"),
    ("Yorkshire", "England"),
    ("Österby", "Uppsala", "Sweden"),
    ("Aachen", "West Germany"),
    ("Monaco",),
)
ADDRESSES = ("12 High St.", "3-5 Paradise Row", "Rose Cottage", "Flat 2, 14b Mill Lane")
OCCUPATIONS = ("ag lab", "weaver", "Cordwainer & publican", "Dienstmagd", "widow", "", "clerk, GWR")
SUBTYPES = ("", "will", "death notice", "banns", "inquest")
RELIGIONS = ("", "Quaker", "R.C.", "", "Wesleyan Methodist")
MARITAL = ("", "single", "married", "widowed", "divorced")
ATTRIBUTES = (
    (("nationality", "Irish"), ("ship", "S.S. Etruria")),
    (("Regiment", "21st Regiment of Royal North British Fusiliers"), ("rank", "Sgt. Major")),
    (("service_number", "No. 10/345-A"), ("height", "5 ft 7 in")),
    (("father's birthplace", "Cork, Ireland"), ("mother birthplace", "Ulm")),
    (("years married", "12"), ("year of immigration", "1871 or 1872")),
)
# Each family by role, kin and sex.
FAMILIES: tuple[tuple[tuple[str, Kin, Sex | None], ...], ...] = (
    (
        ("head", "self", "m"),
        ("wife", "spouse", "f"),
        ("son", "child", "m"),
        ("visitor", "other", None),
    ),
    (
        ("child", "self", "f"),
        ("father", "parent", "m"),
        ("mother", "parent", "f"),
        ("brother", "sibling", None),
    ),
    (
        ("groom", "self", "m"),
        ("bride", "spouse", None),
        ("bride's father", "parent_in_law", "m"),
        ("bride's mother", "parent_in_law", "f"),
    ),
    (
        ("deceased", "self", None),
        ("widow", "spouse", "f"),
        ("grandchild", "grandchild", "f"),
        ("executor", "other", "m"),
    ),
)
EVENT_KINDS = (
    "birth",
    "marriage",
    "death",
    "residence",
    "burial",
    "destination",
    "service",
    "departure",
    "baptism",
)
RECORDS = 125  # of four personas


def date(number: int) -> HistoricalDate:
    start, end, qualifier, precision = DATES[number % len(DATES)]
    return HistoricalDate(
        text=f"date {number}", start=start, end=end, qualifier=qualifier, precision=precision
    )


def place(number: int) -> Place:
    levels = PLACES[number % len(PLACES)]
    return Place(text=", ".join(levels), levels=levels)


def event(kind: str, number: int) -> Event:
    return Event(
        kind=kind,
        date=date(number),
        place=place(number) if number % 4 else None,
        address=ADDRESSES[number % len(ADDRESSES)],
        detail="H.M.S. Royal Queen" if number % 2 else "Hadleigh Free School",
    )


def name(number: int) -> Name:
    return Name(
        given=GIVEN[number % len(GIVEN)],
        surname=SURNAMES[number % len(SURNAMES)],
        kind="married" if number % 7 == 3 else "birth",
        title=TITLES[number % len(TITLES)],
        suffix=SUFFIXES[number % len(SUFFIXES)],
        patronymic="Jansz" if number % 11 == 5 else "",
        nickname="Lizzie" if number % 13 == 6 else "",
    )


def persona(number: int, role: str, kin: Kin, sex: Sex | None) -> Persona:
    age = Age(text="31", born_from=Day(1819, 4, 1), born_to=Day(1820, 3, 31))
    return Persona(
        role=role,
        kin=kin,
        names=(name(number), name(number + 40)) if number % 9 == 1 else (name(number),),
        sex=sex,
        age=age if number % 3 == 0 else None,
        events=(event("birth", number), event(EVENT_KINDS[number % len(EVENT_KINDS)], number + 1)),
        occupation=OCCUPATIONS[number % len(OCCUPATIONS)],
        marital=MARITAL[number % len(MARITAL)],
        religion=RELIGIONS[number % len(RELIGIONS)],
        is_principal=kin == "self",
        attributes=ATTRIBUTES[number % len(ATTRIBUTES)],
    )


def written_personas() -> Iterator[WrittenPersona]:
    """Yield 500 personas on records of every type."""
    for number, kind in enumerate(islice(cycle(RECORD_TYPES.values()), RECORDS)):
        family = FAMILIES[number % len(FAMILIES)]
        record = Record(
            collection="c",
            id=str(number),
            record_type=kind.name,
            event=event(kind.event, number),
            events=(event(EVENT_KINDS[number % len(EVENT_KINDS)], number + 3),),
            personas=tuple(
                persona(4 * number + position, role, kin, sex)
                for position, (role, kin, sex) in enumerate(family)
            ),
            subtype=SUBTYPES[number % len(SUBTYPES)],
            text="Buried in the churchyard by subscription" if number % 3 else "",
            citation="GRO; parish register; Bible" if number % 2 else "Ancestry",
        )
        collection = Collection(
            name="c",
            title="c",
            record_type=kind.name,
            places=(place(number),),
            first_year=1700,
            last_year=1900,
        )
        yield from write_terms((record,), collection)


@cache
def terms_by_field() -> dict[str, str]:
    """Return a short hash of all terms of each field."""
    lines: defaultdict[str, list[str]] = defaultdict(list)
    for written in written_personas():
        for term in sorted(written.terms):
            lines[field_of(term)].append(f"{written.record_key} {written.position} {term}")
    return {
        field: hashlib.sha256("\n".join(lines[field]).encode()).hexdigest()[:12]
        for field in sorted(lines)
    }


def test_the_personas_have_every_field_that_clauses_ask_for() -> None:
    fields = {field for rows in load_catalog().values() for row in rows for field in row.fields}

    assert len(list(written_personas())) == 500
    assert fields <= terms_by_field().keys()


def test_terms_change_only_with_the_version_of_their_rules() -> None:
    stored = {row["field"]: row["terms"] for row in read_table("search/term_rules")}
    changed = {
        name for name in stored | terms_by_field() if stored.get(name) != terms_by_field().get(name)
    }

    assert not changed, f"terms of {sorted(changed)} changed: run `python {Path(__file__).name}`"


def test_the_version_is_that_of_the_latest_change() -> None:
    rows = read_table("search/term_rules")
    versions = [int(version) for row in rows for version in row["versions"].split()]

    assert max(versions) == rules.TERM_RULES_VERSION


def renew(table: Path, module: Path) -> None:
    """Raise the version, and note it for every field whose terms have changed."""
    stored = {row["field"]: row for row in read_table("search/term_rules")}
    version = rules.TERM_RULES_VERSION + 1
    rows, changed = [], []
    for field, terms in terms_by_field().items():
        row = stored.get(field, {"versions": "", "terms": ""})
        is_changed = row["terms"] != terms
        changed += [field] if is_changed else []
        versions = f"{row['versions']} {version}" if is_changed else row["versions"]
        rows.append((field, versions.strip(), terms))
    if not changed:
        print("no terms have changed")
        return
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("field", "versions", "terms"))
        writer.writerows(rows)
    source = module.read_text("utf-8")
    line = re.compile(r"^TERM_RULES_VERSION = .*$", re.MULTILINE)
    module.write_text(line.sub(f"TERM_RULES_VERSION = {version}", source), "utf-8")
    print(f"version {version} for {', '.join(changed)}")


if __name__ == "__main__":
    module = Path(rules.__file__)
    renew(module.parents[1] / "tables" / "term_rules.csv", module)
