"""What is odd about an archive, so that general weights do not fit it?

A simulated archive is like those that the model `default` was fitted on.  Real archives have
local customs.  Four of them are put into the tables of a simulated archive; the people, the
queries and the right answers stay as they are.  They were chosen before any result was seen:

- **Ages are badly stated** in all censuses, burials and death records: an age is off by up to a
  fifth and three years more, and every second one is then rounded to a multiple of ten.
  Death records leave out the year of birth that follows from the age.
- **Parish registers give only the year** of baptisms and burials, and no day of birth.
- **Given names in baptisms and marriages of parishes are Latin**: Joannes instead of John.
- **Names are reversed** in every second row of the directories and of the censuses of 1911 and
  1921: the surname is under the forenames.

Each decision depends on the seed and the record alone.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from forebear.tables import read_table
from forebear_lab.simulation.archives import read_rows, write_table
from forebear_lab.simulation.chance import text_uniform

PECULIARITIES = (
    "ages in censuses, burials and death records are off by up to a fifth and three years, and "
    "every second one is rounded to tens",
    "parish registers give only the year of baptisms and burials, and no day of birth",
    "given names in baptisms and marriages of parishes are Latin",
    "surname and forenames are exchanged in every second row of directories and of the censuses "
    "of 1911 and 1921",
)
AGE_SHARE, AGE_YEARS, ROUNDED, REVERSED = 0.2, 3, 0.5, 0.5
AGES = {
    "census_1841": ("age_1841",),
    "census_1851_1901": ("age",),
    "census_1911_1921": ("age",),
    "parish_burials": ("years_old",),
    "death_certificates": ("age_last_birthday",),
    "death_index": ("age_at_death",),
}
YEARS = {"parish_baptisms": ("baptized",), "parish_burials": ("buried",)}
NO_BIRTHS = {"parish_baptisms": "when_born", "death_certificates": "born_year"}
LATIN = {
    "parish_baptisms": ("child", "father", "mother"),
    "parish_marriages": ("groom_forename", "bride_forename"),
}
REVERSALS = {
    "directories": ("dir_surname", "dir_forenames"),
    "census_1911_1921": ("person_surname", "person_forenames"),
}
Row = dict[str, str]
_YEAR = re.compile(r"\b(1[5-9]\d\d)\b")


def make_peculiar(folder: Path, *, seed: int) -> None:
    """Put all peculiarities into the tables of a simulated archive."""
    names = sorted({*AGES, *YEARS, *NO_BIRTHS, *LATIN, *REVERSALS})
    for name in names:
        path = folder / "records" / f"{name}.csv"
        if path.is_file() and (rows := read_rows(path)):
            changed = [_change(name, row, seed) for row in rows]
            columns = {key: np.array([row[key] for row in changed], object) for key in rows[0]}
            write_table(path, columns)
    manifest = folder / "manifest.json"
    value = json.loads(manifest.read_text("utf-8")) | {"peculiarities": PECULIARITIES}
    manifest.write_text(json.dumps(value, indent=2) + "\n", "utf-8")


def _change(table: str, row: Row, seed: int) -> Row:
    def luck(what: str) -> float:
        return float(text_uniform(seed, table, row["ref"], what, count=1)[0])

    changed = dict(row)
    for column in AGES.get(table, ()):
        changed[column] = misstate_age(row[column], luck(column), luck(f"{column} rounded"))
    for column in YEARS.get(table, ()):
        changed[column] = year_alone(row[column])
    if column := NO_BIRTHS.get(table, ""):
        changed[column] = ""
    for column in LATIN.get(table, ()):
        changed[column] = latin_names(row[column])
    if table in REVERSALS and luck("reversed") < REVERSED:
        one, other = REVERSALS[table]
        changed |= {one: row[other], other: row[one]}
    return changed


def misstate_age(age: str, luck: float, rounding: float) -> str:
    """Return an age as this archive's clerks put it; what is not a number of years stays.

    >>> misstate_age("40", 0.9, 0.9), misstate_age("40", 0.9, 0.1), misstate_age("full", 0.5, 0.5)
    ('49', '50', 'full')
    """
    if not age.isdigit():
        return age
    years = int(age)
    wrong = max(0, round(years + (2 * luck - 1) * (AGE_SHARE * years + AGE_YEARS)))
    return str(round(wrong, -1) if rounding < ROUNDED and wrong >= 10 else wrong)


def year_alone(date: str) -> str:
    """Return the year of a date.

    >>> year_alone("3 Sep 1831")
    '1831'
    """
    year = _YEAR.search(date)
    return year[1] if year else date


def latin_names(given: str) -> str:
    """Return given names in Latin, those that have a Latin form.

    >>> latin_names("John Edward"), latin_names("Chester")
    ('Joannes Eduardus', 'Chester')
    """
    forms = _latin_forms()
    return " ".join(forms.get(name.casefold(), name) for name in given.split())


@cache
def _latin_forms() -> Mapping[str, str]:
    forms: dict[str, str] = {}
    for row in read_table("normalize/names/latin"):
        for name in row["names"].split():
            forms.setdefault(name, row["latin"].capitalize())
    return forms
