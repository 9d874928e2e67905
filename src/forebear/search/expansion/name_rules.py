"""Which names may a person have borne?  Rules 1 to 4, which the table ``search/rules`` lists.

1. *Under which surname is a woman recorded?*  Births, baptisms, weddings and schools know her by
   the birth name, deaths by the last husband's; what is dated in between by the one she bore that
   day.  So a husband's surname in the query is also a surname by marriage of the wife, where the
   custom is that she takes it.
2. *Is the only surname of the query the husband's?*  Then it is taken for the married name and the
   birth name is unknown: the records before the marriage show a gap, not a contradiction.
3. *What do the names of father and child say of each other?*  A father's surname that is not
   stated is taken to be the child's.  Where people were called after their fathers, the father's
   given name makes the child's surname (Jan's son is Jansz, his daughter Jansdr), and a patronymic
   implies the father's given name.
4. *Under which other surname may a child be recorded?*  A child born out of wedlock is under the
   mother's surname or the reputed father's, whatever name it bore later.  Where a record of the
   child may show that, neither contradicts.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from forebear.normalize.spelling import normalize_name
from forebear.normalize.surnames import father_of, split_surnames
from forebear.records.record import Place, Sex
from forebear.search.expansion.catalog import CHILD_TYPES
from forebear.search.query.person_query import PersonQuery, Relative
from forebear.search.terms.values import allowed_years
from forebear.tables import read_table

Wife = Literal["takes", "keeps", "both"]


class Custom(NamedTuple):
    """How a country names its people."""

    wife: Wife  # takes the husband's surname, keeps her own, or stands under both
    patronymics_until: int | None


USUAL = Custom("takes", None)


def customs_of(places: Iterable[Place]) -> tuple[Custom, ...]:
    """Return the customs of the countries that the places lie in; the usual one if none is known.

    >>> from forebear.normalize.places import read_place
    >>> customs_of([read_place("Utrecht, Netherlands").place])
    (Custom(wife='keeps', patronymics_until=1811),)
    """
    countries = dict.fromkeys(place.levels[-1] for place in places)
    customs = [_customs()[country] for country in countries if country in _customs()]
    return tuple(dict.fromkeys(customs)) or (USUAL,)


@cache
def _customs() -> dict[str, Custom]:
    wives: dict[str, Wife] = {"takes": "takes", "keeps": "keeps", "both": "both"}
    return {
        row["country"]: Custom(wives[row["wife"]], int(row["patronymics_until"] or 0) or None)
        for row in read_table("search/customs")
    }


# Rules 1 and 2: the surnames of a person.


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
    birth, married, alias = (
        distinct(name.surname for name in query.names if name.kind == kind)
        for kind in ("birth", "married", "alias")
    )
    husbands, earlier = _husbands(query)
    two = _two_surnames(query)
    second, whole = tuple(dict.fromkeys(two.values())), tuple(two)
    if is_married_name_only(query, birth=birth, married=married, husbands=husbands):
        fathers = (father.surname for father in query.relatives if father.kind == "father")
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


def is_married_name_only(
    query: PersonQuery,
    *,
    birth: tuple[str, ...],
    married: tuple[str, ...],
    husbands: tuple[str, ...],
) -> bool:
    """Return whether what is given as the birth surname is the one by marriage."""
    return query.sex == "f" and bool(set(birth) & set(husbands)) and not married


# Rule 3: a father's given name and the child's surname.

# What is added to a father's given name; those that are no surnames elsewhere come first.
_SURE: dict[Sex, tuple[str, ...]] = {
    "m": ("sz", "szoon", "zoon", "z"),
    "f": ("sdatter", "sdotter", "sdóttir", "dóttir", "sdr", "sdochter", "dr", "dochter"),
}
_BY_CUSTOM: dict[Sex, tuple[str, ...]] = {
    "m": ("son", "sson", "sen", "ssen", "zen", "s"),
    "f": ("s",),
}
_IN_FRONT: dict[Sex, tuple[str, ...]] = {"m": ("ap", "ab"), "f": ("ferch", "verch")}


def patronymics(
    father_given: str, *, sex: Sex | None, customs: Iterable[Custom], year: int | None
) -> frozenset[str]:
    """Return the surnames that a father's given name may make.

    >>> "jansz" in patronymics("jan", sex="m", customs=[], year=None)
    True
    >>> "johnson" in patronymics("john", sex="m", customs=[], year=1850)
    False
    """
    sexes: tuple[Sex, ...] = (sex,) if sex else ("f", "m")
    is_custom = _is_custom(customs, year)
    surnames: set[str] = set()
    stem = father_given.removesuffix("s")
    for child_sex in sexes:
        endings = _SURE[child_sex] + (_BY_CUSTOM[child_sex] if is_custom else ())
        surnames |= {base + ending for base in {father_given, stem} for ending in endings}
        if is_custom:
            surnames |= {f"{word} {father_given}" for word in _IN_FRONT[child_sex]}
    return frozenset(surnames)


def father_named_by(
    surnames: Iterable[str], *, customs: Iterable[Custom], year: int | None
) -> tuple[str, ...]:
    """Return the father's given names that patronymic surnames imply.

    >>> father_named_by(["jónsdóttir"], customs=[], year=None)
    ('jón',)
    """
    is_custom = _is_custom(customs, year)
    fathers = (father_of(surname, is_custom=is_custom) for surname in surnames)
    return tuple(dict.fromkeys(normalize_name(name) for name in fathers if name))


def _is_custom(customs: Iterable[Custom], year: int | None) -> bool:
    limits = [custom.patronymics_until for custom in customs if custom.patronymics_until]
    return bool(limits) and (year is None or year <= max(limits))


# Rule 4: a parent's surname on a record of the child.


def parents_surnames(stated: Iterable[str], borne: Collection[str]) -> tuple[str, ...]:
    """Return the surnames of a parent besides those that the person bore.

    >>> parents_surnames(["hall", "brown"], ["brown"])
    ('hall',)
    """
    firsts = (split_surnames(name)[0] for name in stated)
    return tuple(name for name in firsts if name not in borne)


def tolerated_surnames(
    fathers: Iterable[str], mothers: Iterable[str], borne: Collection[str], record_type: str
) -> tuple[str, ...]:
    """Return the parents' surnames that do not contradict on this record type."""
    if record_type not in CHILD_TYPES:
        return ()
    return (*parents_surnames(fathers, borne), *parents_surnames(mothers, borne))
