"""Rule 1: under which surname does a woman stand?

Births, baptisms, weddings and schools know her by the birth name, deaths by the last
husband's; what is dated in between by the one she bore that day.  So a husband's surname in
the query is also a surname by marriage of the wife, where the custom is that she takes it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from forebear.normalize.spelling import normalize_name
from forebear.normalize.surnames import split_surnames
from forebear.search.expansion.rules.customs import customs_of
from forebear.search.expansion.rules.married_name_only import is_married_name_only
from forebear.search.query.person_query import PersonQuery, Relative
from forebear.search.terms.dates import allowed_years


@dataclass(frozen=True, slots=True, kw_only=True)
class Surnames:
    """The surnames of a person by how they came to them."""

    birth: tuple[str, ...] = ()
    married: tuple[str, ...] = ()  # by the last marriage, or all where no dates tell
    earlier: tuple[str, ...] = ()  # by marriages before the last
    alias: tuple[str, ...] = ()
    second: tuple[str, ...] = ()  # of those who have two by birth; the others are the first
    whole: tuple[str, ...] = ()  # the two together
    note: str = ""

    @property
    def borne(self) -> tuple[str, ...]:
        """Return the birth surname and every surname by marriage."""
        return tuple(dict.fromkeys(self.birth + self.married + self.earlier))

    @property
    def other(self) -> tuple[str, ...]:
        """Return what counts as an alias: other names, and those of earlier husbands."""
        return tuple(dict.fromkeys(self.alias + self.earlier))

    @property
    def every(self) -> tuple[str, ...]:
        """Return all of them."""
        return tuple(dict.fromkeys(self.borne + self.alias))


def surnames_of(query: PersonQuery) -> Surnames:
    """Return the surnames the person may stand under."""
    birth, married, alias = (_stated(query, kind) for kind in ("birth", "married", "alias"))
    husbands, earlier = _husbands(query)
    two = _two_surnames(query)
    second, whole = tuple(dict.fromkeys(two.values())), tuple(two)
    if is_married_name_only(query, birth=birth, married=married, husbands=husbands):
        fathers = (each.surname for each in query.relatives if each.kind == "father")
        return Surnames(
            birth=tuple(name for name in birth if name not in husbands) or distinct(fathers),
            married=tuple(name for name in birth if name in husbands),
            alias=alias,
            second=second,
            whole=whole,
            note="the surname given is the husband's, so it is taken for the married name",
        )
    inferred = tuple(name for name in husbands if name not in married)
    return Surnames(
        birth=birth,
        married=tuple(name for name in married + inferred if name not in earlier),
        earlier=tuple(name for name in earlier if name not in birth),
        alias=alias,
        second=second,
        whole=whole,
        note=f"married name {', '.join(inferred)} taken from the husband" if inferred else "",
    )


def _stated(query: PersonQuery, kind: str) -> tuple[str, ...]:
    return distinct(name.surname for name in query.names if name.kind == kind)


def _husbands(query: PersonQuery) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the surnames of a woman's husbands, and those of all but the last."""
    places = [event.place for event in query.events if event.place is not None]
    if query.sex != "f" or all(custom.wife == "keeps" for custom in customs_of(places)):
        return (), ()
    spouses = [relative for relative in query.relatives if relative.kind == "spouse"]
    dated = [(_wedding_year(spouse), spouse.surname) for spouse in spouses]
    weddings = sorted((year, surname) for year, surname in dated if year is not None)
    is_known = len(weddings) == len(spouses) > 1
    every = distinct(spouse.surname for spouse in spouses)
    last = distinct([weddings[-1][1]]) if is_known else every
    return every, tuple(name for name in every if name not in last)


def _wedding_year(spouse: Relative) -> int | None:
    dates = (event.date for event in spouse.events if event.kind == "marriage" and event.date)
    years = [year for date in dates for year in allowed_years(date)]
    return min(years, default=None)


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the different spelled names, in order; of two surnames the first."""
    spelled = (split_surnames(normalize_name(text))[0] for text in texts)
    return tuple(dict.fromkeys(name for name in spelled if name))


def _two_surnames(query: PersonQuery) -> dict[str, str]:
    """Return the second of two surnames by birth, by the whole."""
    wholes = (normalize_name(name.surname) for name in query.names if name.kind == "birth")
    return {whole: second for whole in wholes if (second := split_surnames(whole)[1])}
