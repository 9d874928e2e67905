"""What does each parser say, as a row of plain strings?

A table of cases has a row a case, some columns given and the others the right answers.  Here a
row's given columns become the answers in the same words, so that a program in any language may
judge them.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import get_args

from forebear.errors import InputError
from forebear.normalize.ages import read_age
from forebear.normalize.dates import DateContext, read_date
from forebear.normalize.name_pairs import NamePart, reasons_to_join
from forebear.normalize.name_reading import NameReading
from forebear.normalize.names import read_name
from forebear.normalize.places import read_place
from forebear.records.record import Sex

Row = Mapping[str, str]
Answer = dict[str, str | bool | list[str]]
_CONTEXT_KEYS = ("collection", "locale", "calendar", "country")
_SEXES: dict[str, Sex] = {"f": "f", "female": "f", "m": "m", "male": "m"}


def answer_date(row: Row) -> Answer:
    """Return start, end, precision and qualifier of a date."""
    date = read_date(row["text"], context=_context(row["context"]))
    return {
        "start": str(date.start or ""),
        "end": str(date.end or ""),
        "precision": date.precision,
        "qualifier": date.qualifier,
    }


def answer_age(row: Row) -> Answer:
    """Return the first and last day of birth that an age allows."""
    age = read_age(row["text"], at=read_date(row["event_date"]), source=row["source"])
    return {"birth_start": str(age.born_from or ""), "birth_end": str(age.born_to or "")}


def answer_name(row: Row) -> Answer:
    """Return the parts of a full name."""
    sex = _SEXES.get(row["sex"].strip().lower())
    reading = read_name(row["text"], sex=sex, order=row["order"].strip())
    name = reading.name
    return {
        "given": name.given,
        "surname": name.surname.removeprefix(name.prefix).strip(),
        "particle": name.prefix,
        "suffix": name.suffix,
        "title": name.title,
        "alias": name.nickname or _alias(reading),
        "relation": ";".join(_relation(reading)),
        "flags": ";".join(sorted(reading.flags)),
    }


def _alias(reading: NameReading) -> str:
    """Return what differs in the alias: the surname, the given name, or both."""
    name = reading.name
    alias = next((other for other in reading.others if other.kind == "alias"), None)
    if alias is None:
        return ""
    parts = [alias.given if alias.given != name.given else ""]
    parts.append(alias.surname if alias.surname != name.surname else "")
    return " ".join(filter(None, parts))


def _relation(reading: NameReading) -> Iterator[str]:
    """Yield what is said of relatives and of other surnames, each fact with its key."""
    name, stated = reading.name, ""
    for relative in reading.relatives:
        if relative.relation == "patronymic":
            yield f"patronymic={name.patronymic or name.surname}"
        elif relative.relation != stated:
            stated = relative.relation
            yield f"relation={stated}"
        parts = {"given": relative.name.given, "surname": relative.name.surname}
        yield from (f"{relative.kind}_{part}={text}" for part, text in parts.items() if text)
    others = [other for other in reading.others if other.kind != "alias"]
    keys = {"birth": "birth_surname", "married": "previous_surname"}
    yield from (f"{keys[other.kind]}={other.surname}" for other in others)
    if "nee" in reading.flags and not others:
        yield f"birth_surname={name.surname}"


def answer_pair(row: Row) -> Answer:
    """Return whether two names are joined, and why."""
    kind = next((kind for kind in get_args(NamePart) if kind == row["kind"]), None)
    if kind is None:
        raise InputError(f"kind {row['kind']!r} of a name pair is neither given nor surname")
    reasons = reasons_to_join(row["name_a"], row["name_b"], kind=kind)
    return {"joined": bool(reasons), "reasons": list(reasons)}


def answer_place(row: Row) -> Answer:
    """Return the levels of a place, small to large, and its country."""
    reading = read_place(row["text"])
    return {"levels": " > ".join(reading.levels_as_written), "country": reading.country_code}


# What is asked, the columns it is asked in, and who answers.
ANSWERERS: dict[str, tuple[tuple[str, ...], Callable[[Row], Answer]]] = {
    "dates": (("text", "context"), answer_date),
    "ages": (("text", "event_date", "source"), answer_age),
    "names": (("text", "sex", "order"), answer_name),
    "name_pairs": (("name_a", "name_b", "kind"), answer_pair),
    "places": (("text",), answer_place),
}


def _context(text: str) -> DateContext:
    """Read ``key=value`` facts joined by semicolons."""
    pairs = [fact.partition("=") for fact in text.split(";") if fact.strip()]
    context = {key.strip(): value.strip().lower() for key, _, value in pairs}
    if unknown := context.keys() - set(_CONTEXT_KEYS):
        raise InputError(
            f"unknown context {', '.join(sorted(unknown))!r} of a date",
            hint=f"known are {', '.join(sorted(_CONTEXT_KEYS))}",
        )
    collection, locale, calendar, country = (context.get(key, "") for key in _CONTEXT_KEYS)
    return DateContext(collection, locale, calendar, country)
