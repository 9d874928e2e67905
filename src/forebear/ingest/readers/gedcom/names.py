"""Which names has a person of a GEDCOM file?

``Mary Ann /Brown/`` has its surname between strokes; parts below the line go before it.  A
married name may stand in a NAME of that type or in ``_MARNM``; other writings (TRAN, ROMN,
FONE) are further names.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from forebear.ingest.readers.gedcom.account import Account
from forebear.ingest.readers.gedcom.lines import Structure
from forebear.normalize.names import read_name
from forebear.normalize.spelling import normalize_name
from forebear.records.record import Name, NameKind

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
        names = _read_structure(structure, kind, account)
        yield from names
        for writing in structure.all(*OTHER_WRITINGS):
            yield from _read_structure(writing, kind, account)
        yield from _further(structure, names[0].given, account)
    first = person.first("NAME")
    yield from _further(person, read_name(first.text).name.given if first else "", account)


def _further(structure: Structure, given: str, account: Account) -> Iterator[Name]:
    """Yield the married name and the aliases below a structure."""
    for married in structure.all("_MARNM", "_MARN", "_MAR"):
        account.understand(married)
        name = read_name(married.text, kind="married").name
        if name.given and name.surname:
            yield name
        else:  # a single word is the surname
            yield replace(name, given=given, surname=name.surname or name.given)
    for alias in structure.all("ALIA", "_AKA", "_AKAN"):
        if alias.text and not alias.pointer:
            account.understand(alias)
            yield from _read_structure(alias, "alias", account)


def _read_structure(structure: Structure, kind: NameKind, account: Account) -> list[Name]:
    """Return the name of a structure, and the other names that its text mentions."""
    account.understand(structure, *structure.all(*PARTS))
    reading = read_name(structure.text, kind=kind)
    name = reading.name
    given = name.given or ("" if reading.relatives else structure.text_of("GIVN"))
    prefix = structure.text_of("SPFX")
    surname = name.surname or " ".join(filter(None, (prefix, structure.text_of("SURN"))))
    whole = replace(
        name,
        given=given if normalize_name(given) else "",
        surname=surname if normalize_name(surname) else "",
        suffix=structure.text_of("NSFX") or name.suffix,
        title=structure.text_of("NPFX") or name.title,
        prefix=prefix or name.prefix,
        nickname=structure.text_of("NICK") or name.nickname,
    )
    return [whole, *reading.others]
