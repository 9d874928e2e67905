"""Rules 1 and 2: under which surname a woman stands.

A wife takes her husband's surname where the records of this archive come from, so a
spouse's surname in the query is also a surname by marriage.  When the only surname given
is the husband's own, it is taken for the married name and the birth name is unknown: the
records before the wedding then show a gap, not a contradiction.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from forebear.normalize.names import spell
from forebear.search.query.person_query import PersonQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class Surnames:
    """The surnames of a person by how they came to them."""

    birth: tuple[str, ...] = ()
    married: tuple[str, ...] = ()
    alias: tuple[str, ...] = ()
    note: str = ""

    @property
    def borne(self) -> tuple[str, ...]:
        """Return the birth surname and every surname by marriage."""
        return tuple(dict.fromkeys(self.birth + self.married))

    @property
    def every(self) -> tuple[str, ...]:
        """Return all of them, aliases too."""
        return tuple(dict.fromkeys(self.birth + self.married + self.alias))


def surnames_of(query: PersonQuery) -> Surnames:
    """Return the surnames the person may stand under."""
    stated = {
        kind: _distinct(name.surname for name in query.names if name.kind == kind)
        for kind in ("birth", "married", "alias")
    }
    birth, married, alias = stated["birth"], stated["married"], stated["alias"]
    husbands = _distinct(
        relative.surname for relative in query.relatives if relative.kind == "spouse"
    )
    if query.sex != "f" or not husbands:
        return Surnames(birth=birth, married=married, alias=alias)
    if set(birth) & set(husbands) and not married:
        return Surnames(
            birth=tuple(name for name in birth if name not in husbands),
            married=tuple(name for name in birth if name in husbands),
            alias=alias,
            note="the surname given is the husband's, so it is taken for the married name",
        )
    inferred = tuple(name for name in husbands if name not in married)
    return Surnames(
        birth=birth,
        married=married + inferred,
        alias=alias,
        note=f"married name {', '.join(inferred)} taken from the husband" if inferred else "",
    )


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    spelled = (spell(text) for text in texts)
    return tuple(dict.fromkeys(name for name in spelled if name))
