"""What is read from a date, in one line that a test can compare."""

from forebear.normalize.dates import DateContext, read_date


def days_of(text: str, context: str = "") -> str:
    """Return first and last day, precision and qualifier; context is ``key=value key=value``."""
    facts = dict(fact.split("=") for fact in context.split())
    date = read_date(text, context=DateContext(**facts))
    return f"{date.start or '-'} {date.end or '-'} {date.precision} {date.qualifier}"
