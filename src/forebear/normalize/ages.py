"""When was somebody born who was this old on that day?

An age of n completed years on day t means a birth after t less n+1 years, and not after t
less n years; the same with months, weeks and days.  Nothing is added for people who did not
know or tell their age; how far to trust a source is for the search to decide.

Two sources do not mean what they say.  "21" at a marriage often means "of full age".  In
the British census of 1841 the ages of adults were to be rounded down to a multiple of five.
"""

from functools import lru_cache

from forebear.normalize.age_amounts import YEAR, Amount, read_age_amount
from forebear.normalize.age_bounds import AgeBounds, read_age_bounds
from forebear.normalize.age_figures import clean_age
from forebear.normalize.days import plus_days
from forebear.records.record import Age, HistoricalDate

FULL_AGE = Amount().plus(YEAR, 21)
LONGEST_AGE = 80  # characters; longer text is prose
ROUNDED_CENSUS = 1841
ROUNDED_FROM_AGE = 15
ROUNDED_TO_YEARS = 5


def parse_age(text: str, *, at: HistoricalDate | None, source: str = "") -> Age:
    """Return the days of birth that an age allows when stated at that date.

    ``source`` is what the age stands in: census, marriage, burial, baptism, ...  Without a
    date an age is only its text.

    >>> from forebear.normalize.dates import parse_date
    >>> age = parse_age("23", at=parse_date("3 Apr 1881"), source="census")
    >>> str(age.born_from), str(age.born_to)
    ('1857-04-04', '1858-04-03')
    """
    if at is None or not at.is_known:
        return Age(text=text)
    is_rounding = source.startswith("census") and at.first_year == at.last_year == ROUNDED_CENSUS
    bounds = _read(text, source, is_rounding)
    if bounds is None:
        return Age(text=text)
    after = bounds.less_than.before(at.start) if bounds.less_than and at.start else None
    latest = bounds.at_least.before(at.end) if at.end else None
    if after and latest and after >= latest:  # "under 0", "40 days and under 1 month"
        return Age(text=text)
    return Age(text=text, born_from=plus_days(after, 1) if after else None, born_to=latest)


@lru_cache(maxsize=65_536)
def _read(text: str, source: str, is_rounding: bool) -> AgeBounds | None:
    """Return what an age allows; ``is_rounding`` where the ages of adults were rounded down."""
    if not text.strip():
        return AgeBounds(Amount()) if source == "baptism" else None
    if len(text) > LONGEST_AGE:
        return None
    age = clean_age(text)
    plain = read_age_amount(age)
    if plain is None or plain.unit != YEAR:
        return read_age_bounds(age)
    years = plain.amount.months // 12
    if source == "marriage" and plain.amount == FULL_AGE:
        return AgeBounds(FULL_AGE)
    if is_rounding and years >= ROUNDED_FROM_AGE and years % ROUNDED_TO_YEARS == 0:
        return AgeBounds(plain.amount, plain.amount.plus(YEAR, ROUNDED_TO_YEARS))
    return read_age_bounds(age)
