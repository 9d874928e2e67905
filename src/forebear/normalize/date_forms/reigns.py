"""Which year was the twelfth of Elizabeth?

English law and manors dated by the years of the reign, each from the day of the accession.  Days
are as then written.
"""

import re
from functools import cache

from forebear.normalize.date_forms.numbers import read_number
from forebear.normalize.date_forms.readings import Reading, date_of
from forebear.normalize.days import plus_days, plus_years
from forebear.records.record import Day, HistoricalDate
from forebear.tables import read_table, word_set

_WORD = re.compile(r"[^\W_]+")
_ORDINALS = {
    "1": "i",
    "2": "ii",
    "3": "iii",
    "4": "iv",
    "5": "v",
    "6": "vi",
    "7": "vii",
    "8": "viii",
}


def read_regnal_year(text: str) -> HistoricalDate | None:
    """Return the year of a reign that clean, lower-case text names: "12 eliz", "3 geo. iii"."""
    words = [word for word in _WORD.findall(text) if word not in word_set("reigns.filler")]
    if not 2 <= len(words) <= 4:
        return None
    year = read_number(words[0])
    name = " ".join([words[1], *(_ORDINALS.get(word, word) for word in words[2:])])
    start, length = _reigns().get(name, (None, 0))
    if not start or not year or year > length:
        return None
    first = plus_years(start, year - 1)
    return date_of(text, [Reading(first, plus_days(plus_years(first, 1), -1), "year")])


@cache
def _reigns() -> dict[str, tuple[Day, int]]:
    return {
        name: (Day(*map(int, row["accession"].split("-"))), int(row["years"]))
        for row in read_table("normalize/reigns")
        for name in row["names"].split("|")
    }
