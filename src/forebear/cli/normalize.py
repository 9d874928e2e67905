"""``forebear normalize``: how are dates, ages, names or places read?

A file of cases has a row for each case and columns for what is given.  Every row becomes a row of
plain strings, so that a program in any language can compare it with the right reading.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from forebear.cli.options import JsonOption, to_json
from forebear.errors import InputError
from forebear.normalize.ages import read_age
from forebear.normalize.dates import DateContext, read_date
from forebear.normalize.name_pairs import NamePart, reasons_to_join
from forebear.normalize.name_reading import NameReading
from forebear.normalize.names import read_name
from forebear.normalize.places import read_place
from forebear.records.record import Sex

Kind = Literal["dates", "ages", "names", "name_pairs", "places"]
Row = Mapping[str, str]
RowResult = dict[str, str | bool | list[str]]
_CONTEXT_KEYS = ("collection", "locale", "calendar", "country")
_SEXES: dict[str, Sex] = {"f": "f", "female": "f", "m": "m", "male": "m"}


def date_result(row: Row) -> RowResult:
    """Return start, end, precision and qualifier of a date."""
    date = read_date(row["text"], context=_context(row["context"]))
    return {
        "start": str(date.start or ""),
        "end": str(date.end or ""),
        "precision": date.precision,
        "qualifier": date.qualifier,
    }


def age_result(row: Row) -> RowResult:
    """Return the first and last day of birth that an age allows."""
    age = read_age(row["text"], at=read_date(row["event_date"]), source=row["source"])
    return {"birth_start": str(age.born_from or ""), "birth_end": str(age.born_to or "")}


def name_result(row: Row) -> RowResult:
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
    """Yield what the name states of relatives and other surnames, each fact with its key."""
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


def pair_result(row: Row) -> RowResult:
    """Return whether two names are joined, and why."""
    kind = next((kind for kind in get_args(NamePart) if kind == row["kind"]), None)
    if kind is None:
        raise InputError(f"kind {row['kind']!r} of a name pair is neither given nor surname")
    reasons = reasons_to_join(row["name_a"], row["name_b"], kind=kind)
    return {"joined": bool(reasons), "reasons": list(reasons)}


def place_result(row: Row) -> RowResult:
    """Return the levels of a place, small to large, its country, and whether that is a guess.

    A column ``within`` may say where the places lie that do not say it themselves.
    """
    around = row.get("within", "")
    reading = read_place(row["text"], within=[around] if around else ())
    return {
        "levels": " > ".join(reading.levels_as_written),
        "country": reading.country_code,
        "ambiguous": "yes" if reading.is_ambiguous else "no",
    }


# For each kind of fact: the columns that a file must have, and what reads a row.
READERS: dict[str, tuple[tuple[str, ...], Callable[[Row], RowResult]]] = {
    "dates": (("text", "context"), date_result),
    "ages": (("text", "event_date", "source"), age_result),
    "names": (("text", "sex", "order"), name_result),
    "name_pairs": (("name_a", "name_b", "kind"), pair_result),
    "places": (("text",), place_result),
}


def _context(text: str) -> DateContext:
    """Read ``key=value`` facts joined by semicolons."""
    pairs = [fact.partition("=") for fact in text.split(";") if fact.strip()]
    context = {key.strip(): value.strip().lower() for key, _, value in pairs}
    if unknown := context.keys() - set(_CONTEXT_KEYS):
        raise InputError(
            f"unknown context {', '.join(sorted(unknown))!r} of a date",
            hint=f"expected {', '.join(sorted(_CONTEXT_KEYS))}",
        )
    collection, locale, calendar, country = (context.get(key, "") for key in _CONTEXT_KEYS)
    return DateContext(collection, locale, calendar, country)


def normalize(
    kind: Annotated[Kind, typer.Argument(help="What the file holds.")],
    file: Annotated[Path, typer.Argument(help="A CSV file with column names in its first row.")],
    as_json: JsonOption = False,
) -> None:
    """Show how dates, ages, names or places of a file are read."""
    columns, read_row = READERS[kind]
    for row in _rows(file, columns):
        result = read_row(row)
        print(to_json(result) if as_json else _as_text(result))


def _rows(file: Path, columns: tuple[str, ...]) -> Iterator[dict[str, str]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines)
            missing = [name for name in columns if name not in (reader.fieldnames or ())]
            if missing:
                raise InputError(
                    f"{file}: no column {missing[0]!r}", hint=f"expected {', '.join(columns)}"
                )
            for row in reader:
                yield {name: row[name] or "" for name in columns}
    except OSError as error:
        raise InputError(f"cannot read {str(file)!r}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{file}: cannot be read as CSV in UTF-8: {error}") from None


def _as_text(result: RowResult) -> str:
    return "\t".join(
        ";".join(value) if isinstance(value, list) else str(value) for value in result.values()
    )
