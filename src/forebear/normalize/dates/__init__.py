"""Which days does a date as people wrote it allow?

`read_date` is the only door: records, queries and trees are all read through it.  The forms a
date may be written in are in the modules of this package, and `parser` has their grammar.
"""

from functools import lru_cache

from forebear.normalize.dates.intervals import NO_CONTEXT, DateContext, read_year
from forebear.records.record import HistoricalDate

__all__ = ["NO_CONTEXT", "DateContext", "read_date"]


@lru_cache(maxsize=65_536)
def read_date(text: str, *, context: DateContext = NO_CONTEXT) -> HistoricalDate:
    """Return what the text allows; a phrase without days if it is not understood.

    What the source says about its dates comes as context.

    >>> date = read_date("abt 1850")
    >>> str(date.start), str(date.end), date.qualifier, date.precision
    ('1848-01-01', '1852-12-31', 'about', 'year')
    >>> read_date("11 Feb 1731/32").end, read_date("not known").qualifier
    (Day(year=1732, month=2, day=11), 'phrase')
    >>> read_date("1881", context=DateContext(collection="census", country="united kingdom")).end
    Day(year=1881, month=4, day=3)
    """
    # Most searches give a year alone, and the parser takes longer to load than a search to run.
    if date := read_year(text, context):
        return date
    from forebear.normalize.dates.parser import parse_date

    return parse_date(text, context)
