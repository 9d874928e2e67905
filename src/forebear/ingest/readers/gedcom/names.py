"""Which names has a person of a GEDCOM file?

``Mary Ann /Brown/`` has its surname between strokes; parts below the line go before it.  A
married name may stand in a NAME of that type or in ``_MARNM``; other writings (TRAN, ROMN,
FONE) are names of their own.
"""

import re
from collections.abc import Iterator

from forebear.ingest.readers.gedcom.account import Account
from forebear.ingest.readers.gedcom.structures import Structure
from forebear.ingest.whole_names import split_name
from forebear.normalize.spelling import normalize_name
from forebear.records.record import Name, NameKind

STROKES = re.compile(r"([^/]*)/([^/]*)/?(.*)", re.DOTALL)
KINDS: dict[str, NameKind] = {
    "married": "married",
    "birth": "birth",
    "maiden": "birth",
    "": "birth",
}
OTHER_WRITINGS = ("TRAN", "ROMN", "FONE", "_HEB")
PARTS = ("GIVN", "SURN", "SPFX", "NPFX", "NSFX", "NICK", "TYPE")


def read_names(person: Structure, account: Account) -> tuple[Name, ...]:
    """Return the names of a person, the first given first."""
    names = list(dict.fromkeys(_all_names(person, account)))
    return tuple(name for name in names if name.given or name.surname or name.nickname)


def _all_names(person: Structure, account: Account) -> Iterator[Name]:
    for structure in person.all("NAME"):
        kind = KINDS.get(structure.text_of("TYPE").casefold(), "alias")
        name = _read_name(structure, kind, account)
        yield name
        for writing in structure.all(*OTHER_WRITINGS):
            yield _read_name(writing, kind, account)
        yield from _further(structure, name.given, account)
    first = person.first("NAME")
    yield from _further(person, _split(first.text)[0] if first else "", account)


def _further(structure: Structure, given: str, account: Account) -> Iterator[Name]:
    """Yield the married name and the aliases below a structure."""
    for married in structure.all("_MARNM", "_MARN", "_MAR"):
        account.understand(married)
        before, surname, _ = _split(married.text)
        words = surname or married.text
        yield Name(given=(before if surname else "") or given, surname=words, kind="married")
    for alias in structure.all("ALIA", "_AKA", "_AKAN"):
        if alias.text and not alias.pointer:
            account.understand(alias)
            yield _read_name(alias, "alias", account)


def _read_name(structure: Structure, kind: NameKind, account: Account) -> Name:
    account.understand(structure, *structure.all(*PARTS))
    given, surname, suffix = _split(structure.text)
    prefix = structure.text_of("SPFX")
    stated = " ".join(part for part in (prefix, structure.text_of("SURN")) if part)
    surname = surname or stated
    return Name(
        given=_said(given or structure.text_of("GIVN")),
        surname=_said(surname),
        kind=kind,
        suffix=structure.text_of("NSFX") or suffix,
        title=structure.text_of("NPFX"),
        prefix=prefix,
        nickname=structure.text_of("NICK"),
    )


def _split(text: str) -> tuple[str, str, str]:
    """Return given names, surname and suffix; without strokes as any whole name."""
    match = STROKES.fullmatch(text)
    if match is None:
        name = split_name(text)
        return name.given, name.surname, name.suffix
    before, surname, after = (" ".join(part.split()) for part in match.groups())
    if not before and after:  # /Surname/ Given, as some programs write
        return after, surname, ""
    return before, surname, after.strip(" ,/")


def _said(text: str) -> str:
    return text if normalize_name(text) else ""
