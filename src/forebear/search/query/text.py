"""A query from one line of text: ``Mary Brown b. 1851 Layham, wife of Thomas Green``.

The line begins with the name.  Words such as *b.*, *died* or *wife of* begin a new fact, which
lasts until the next one; within an event, the longest beginning that is a date is its date and
the rest its place.  What is behind a comma without such a word is a place or year where they
lived, if it has a year, and otherwise words to look for in notes: nothing is dropped.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from forebear.errors import QueryError
from forebear.normalize.dates import read_date
from forebear.normalize.names import read_name
from forebear.search.query.person_query import PersonQuery, query_from_json
from forebear.tables import read_table

EXAMPLE = 'begin with the name: "Mary Brown b. 1851 Layham, wife of Thomas Green"'
LONGEST_MARKER = 2  # words
MAX_DATE_WORDS = 41  # a longer date is none
INITIAL = 2  # letters: so short a word may be an initial, unless a full stop or number says more
AGE = re.compile(r"(\d{1,3})\b\D*?(?:\s+(?:in|at|on)\s+(.+))?$")
CONNECTIVES = ("in", "at", "of", "on", "to", "near", "a", "an")
CONNECTIVE = re.compile(rf"^(?:{'|'.join(CONNECTIVES)})\s+|(?<![\s,;])[\s,;]++$", re.I)
LIFE_SPAN = re.compile(r"\(\s*(\d{4})?\s*[-–]\s*(\d{4})?\s*\)")
YEAR = re.compile(r"\b1[0-9]{3}\b|\b20[0-9]{2}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A word that begins a fact."""

    what: str  # event, relative, name, age or fact
    kind: str
    sex: str  # of the person, if the word gives it away


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stretch of the line, and the word it began with; the first has none."""

    marker: Marker | None
    text: str


def query_from_text(text: str) -> PersonQuery:
    """Return the query that one line of text describes."""
    first, *parts = _split(LIFE_SPAN.sub(_as_events, text))
    query: dict[str, Any] = defaultdict(list)
    name, _, loose = first.text.partition(",")
    if parsed := _name(name, "birth"):
        query["names"].append(parsed)
    _take_loose(loose, query)
    for part in parts:
        _take(part, query)
    query["keywords"] = " ".join(query["keywords"])
    try:
        return query_from_json({key: item for key, item in query.items() if item})
    except QueryError as error:
        raise QueryError(f"{text!r}: {error.message}", hint=error.hint or EXAMPLE) from None


def _as_events(span: re.Match[str]) -> str:
    born, died = span.groups()
    return " ".join(("", f"b. {born}" if born else "", f"d. {died}" if died else "", ""))


def _split(text: str) -> list[Part]:
    """Return the parts of a line, each with the marker it began with."""
    words = text.replace(",", " , ").split()
    parts: list[Part] = []
    marker, start, at = None, 0, 0
    while at < len(words):
        begun, length = _marker(words, at)
        if begun is None:
            at += 1
            continue
        parts.append(_part(marker, words[start:at]))
        marker, at = begun, at + length
        start = at
    return [*parts, _part(marker, words[start:])]


def _marker(words: list[str], at: int) -> tuple[Marker | None, int]:
    for length in range(LONGEST_MARKER, 0, -1):
        spoken = " ".join(words[at : at + length])
        marker = _markers().get(spoken.casefold().rstrip(".:"))
        after = words[at + length] if at + length < len(words) else ""
        if marker and after and (length > 1 or _is_marker(spoken, after, is_first=at == 0)):
            return marker, length
    return None, 0


def _is_marker(spoken: str, after: str, *, is_first: bool) -> bool:
    """Return whether a word is a marker: "M Brown" has an initial, "m. 1872" a marriage."""
    if not spoken.rstrip(".:").isalpha():
        return True
    is_word = spoken.islower() and len(spoken) > INITIAL
    return is_word or (not is_first and (spoken.endswith((".", ":")) or after[:1].isdigit()))


def _part(marker: Marker | None, words: list[str]) -> Part:
    return Part(marker=marker, text=" ".join(words).replace(" , ", ", ").strip(" ,;"))


def _take(part: Part, query: dict[str, Any]) -> None:
    """Add a part to the query."""
    if part.marker is None:
        return
    what, kind = part.marker.what, part.marker.kind
    if part.marker.sex:
        query["sex"] = part.marker.sex
    if what == "event":
        query["events"].append({"kind": kind, **_event(part.text)})
    elif what == "relative":
        query["relatives"].extend(_relatives(kind, part.text))
    elif what == "name":
        _take_name(part.text, kind, query["names"])
    elif what == "age":
        _take_age(part.text, query)
    else:
        query[kind] = part.text


def _take_name(text: str, kind: str, names: list[dict[str, str]]) -> None:
    names.append(_name(text, kind, names))
    if kind == "birth" and len(names) > 1:
        names[0]["kind"] = "married"  # "Ann Hall née Green": Hall is her husband's


def _take_loose(text: str, query: dict[str, Any]) -> None:
    """Add what is behind the name without a word that says what it is."""
    pieces = [piece.strip() for piece in text.split(",") if piece.strip()]
    dated = next((i for i, piece in enumerate(pieces) if YEAR.search(piece)), len(pieces))
    query["keywords"].extend(pieces[:dated])
    if pieces[dated:]:
        query["events"].append({"kind": "residence", **_event(", ".join(pieces[dated:]))})


def _take_age(text: str, query: dict[str, Any]) -> None:
    age = AGE.search(text)
    if age is None or age[2] is None:
        raise QueryError(
            f"an age needs its date, found {text!r}", hint='write "aged 30 in 1881", for example'
        )
    query["age"] = {"years": int(age[1]), "at": age[2].strip(" ,")}


def _event(text: str) -> dict[str, str]:
    """Return date and place: the longest beginning that is a date, and the rest."""
    text = CONNECTIVE.sub("", text)
    words = text.split()
    for length in range(min(len(words), MAX_DATE_WORDS), 0, -1):
        date = " ".join(words[:length]).rstrip(",;")
        if words[length - 1] not in CONNECTIVES and _is_date(date):
            return {"date": date, "place": _bare(" ".join(words[length:]))}
    # The place may come first: "Layham 1851".
    for start in range(max(1, len(words) - MAX_DATE_WORDS), len(words)):
        date = " ".join(words[start:])
        if _is_date(date):
            return {"date": date, "place": _bare(" ".join(words[:start]))}
    return {"place": _bare(text)}


def _is_date(text: str) -> bool:
    return bool(YEAR.search(text)) and read_date(text).is_known


def _bare(text: str) -> str:
    return CONNECTIVE.sub("", CONNECTIVE.sub("", text.strip(" ,;"))).strip(" ,;")


def _relatives(kind: str, text: str) -> Iterator[dict[str, str]]:
    """Yield the relatives of a part; two parents share the surname that comes last."""
    names = [_name(piece, "") for piece in re.split(r"\s+(?:and|&)\s+|\s*,\s*", text) if piece]
    if kind != "parents":
        yield from ({"kind": kind, **name} for name in names)
        return
    shared = names[-1].get("surname", "") if names else ""
    for position, name in enumerate(names):
        who = ("father", "mother")[position] if position < 2 else "other"
        yield {"kind": who, **({"surname": shared} if position == 0 and shared else {}), **name}


def _name(text: str, kind: str, before: list[dict[str, str]] | None = None) -> dict[str, str]:
    """Return a name in its parts; another name of one word is a surname, the rest as before."""
    written = read_name(text).name
    given, surname = written.given, written.surname
    if before and not (given and surname):
        given, surname = before[0].get("given", ""), given or surname
    parts = {"given": given, "surname": surname, "suffix": written.suffix, "title": written.title}
    if not kind:
        parts = {"given": given, "surname": surname}
    return {key: part for key, part in {**parts, "kind": kind}.items() if part}


@cache
def _markers() -> dict[str, Marker]:
    return {
        row["words"]: Marker(what=row["what"], kind=row["kind"], sex=row["sex"])
        for row in read_table("search/text_markers")
    }
