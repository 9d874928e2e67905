"""Rule 3: what do the names of father and child say of each other?

A father's surname that nobody gives is taken to be the child's own.  Where people were called
after their fathers, the father's given name makes the child's surname (Jan's son is Jansz, his
daughter Jansdr), and a patronymic tells the father's given name.
"""

from collections.abc import Iterable

from forebear.normalize.spelling import normalize_name
from forebear.normalize.surnames import father_of
from forebear.records.record import Sex
from forebear.search.expansion.rules.customs import Custom

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
    found: set[str] = set()
    stem = father_given.removesuffix("s")
    for each in sexes:
        endings = _SURE[each] + (_BY_CUSTOM[each] if is_custom else ())
        found |= {base + ending for base in {father_given, stem} for ending in endings}
        if is_custom:
            found |= {f"{word} {father_given}" for word in _IN_FRONT[each]}
    return frozenset(found)


def father_named_by(
    surnames: Iterable[str], *, customs: Iterable[Custom], year: int | None
) -> tuple[str, ...]:
    """Return the father's given names that patronymic surnames tell.

    >>> father_named_by(["jónsdóttir"], customs=[], year=None)
    ('jón',)
    """
    is_custom = _is_custom(customs, year)
    found = (father_of(surname, is_custom=is_custom) for surname in surnames)
    return tuple(dict.fromkeys(normalize_name(name) for name in found if name))


def _is_custom(customs: Iterable[Custom], year: int | None) -> bool:
    limits = [custom.patronymics_until for custom in customs if custom.patronymics_until]
    return bool(limits) and (year is None or year <= max(limits))
