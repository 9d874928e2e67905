"""What custom do names follow where the person lived: wives' surnames, patronymics?"""

from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple

from forebear.records.record import Place
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
    found = [_customs()[country] for country in countries if country in _customs()]
    return tuple(dict.fromkeys(found)) or (USUAL,)


@cache
def _customs() -> dict[str, Custom]:
    return {row["country"]: _custom(row) for row in read_table("search/customs")}


def _custom(row: dict[str, str]) -> Custom:
    wives: dict[str, Wife] = {"takes": "takes", "keeps": "keeps", "both": "both"}
    until = row["patronymics_until"]
    return Custom(wives[row["wife"]], int(until) if until else None)
