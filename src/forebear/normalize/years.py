"""Is a date only a year?  Then it need not be parsed.

Who searches mostly gives a year alone, and the parser, which knows dozens of forms, takes longer
to load than many a search.  Any other text is the parser's.
"""

from forebear.records.record import Day, HistoricalDate

FIRST_YEAR, LAST_YEAR = 1000, 2199  # that are taken for years, as the parser does


def parse_year_or_date(text: str) -> HistoricalDate:
    """Return what the text allows, as `parse_date` does.

    >>> str(parse_year_or_date("1851").end), parse_year_or_date("abt 1851").qualifier
    ('1851-12-31', 'about')
    """
    year = int(text) if len(text) == 4 and text.isascii() and text.isdigit() else 0
    if FIRST_YEAR <= year <= LAST_YEAR:
        first, last = Day(year, 1, 1), Day(year, 12, 31)
        return HistoricalDate(text=text, start=first, end=last, precision="year")
    from forebear.normalize.dates import parse_date

    return parse_date(text)
