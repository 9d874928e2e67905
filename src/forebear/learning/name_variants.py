"""Which two names do attachments join, for many people and against chance?

A searcher seeks Zygmunt and attaches a record of Fredek.  Once, that is a mistake, an adoption
or a second name.  A pair of names is learned if all of this holds:

- No table, sound or look joins it already, and it was never revoked.
- Different persons vouch for it, and different searchers: three persons, each attached by another
  searcher, or three persons whose links the owner imported.  So neither one searcher nor one person
  can teach a pair.  Two searches are for one person if they attached the same person of a record,
  or agree in the other name and the year of birth, as far as it is known (within ten years).
  Persons attached to one household count as one: a clerk wrote the name once.
- Chance does not explain it.

Chance: for one pair, let person p, sought under one of the two names, have r_p attached records,
and let f be the frequency of the other name among the records that were shown and not attached:
the larger of its frequency in searches for this name and in all searches, (n + 1) / (N + 1).  If
attached records bore it as often as these, at least one would with 1 - (1 - f)^r_p, and

    expected  L = sum over p of 1 - (1 - f)^r_p
    chance      = P(Poisson(L) >= K), for the K persons whom the pair was attached for

times the number of pairs that attachments join at all (Bonferroni); at most 0.05 is learned.  The
Poisson tail bounds that of a sum of independent events of unequal probability where K > L + 1
(Hoeffding 1956; Anderson and Samuels 1967).  The larger frequency is taken because a search shows
few records of other names, however common these are.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from forebear.normalize.name_pairs import reasons_to_join
from forebear.normalize.spelling import is_initial
from forebear.search.expansion.learned_variants import (
    LearnedVariant,
    NameField,
    name_form,
    pair_key,
)

MIN_PERSONS = 3
MAX_CHANCE = 0.05
SAME_BIRTH = 10  # years by which two searches for one person may differ
OWNER = ""  # who attached; a searcher like others
LINK = "link"  # who attached: the owner, by importing links

Pair = tuple[str, str]  # ASCII forms, in the order of the alphabet


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedNames:
    """The names of one kind on both sides of a search and a record that it showed.

    The first given name comes before the others.
    """

    kind: NameField
    search: str
    sought: tuple[str, ...]  # normalized
    recorded: tuple[str, ...]
    other: str = ""  # the surname sought, where given names are compared, and the reverse
    born: int | None = None  # the year of birth sought
    voucher: str | None = None  # who attached the record; None if it is not attached
    person: str = ""  # the person on the attached record
    household: str = ""  # of the attached record

    @property
    def pair(self) -> Pair | None:
        """Return the names that differ; None if some agree, or it is unclear which differ."""
        if not (self.sought and self.recorded) or _agree(self):
            return None
        if self.kind == "surname" and (len(self.sought) > 1 or len(self.recorded) > 1):
            return None
        names = self.sought[0], self.recorded[0]
        if any(map(is_initial, names)):
            return None
        _, first, second = pair_key(self.kind, *names)
        return (first, second) if first and second and first != second else None


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantReport:
    """What came of learning name variants."""

    learned: tuple[LearnedVariant, ...]
    compared: int  # pairs that attachments join
    searches: int  # with attachments that may teach
    skipped: int = 0  # searches that could not be repeated


@dataclass(slots=True)
class _Counts:
    """How often names were recorded in searches for a name, in records not attached."""

    recorded: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    shown: Counter[str] = field(default_factory=Counter)  # by the name sought
    in_all: Counter[str] = field(default_factory=Counter)

    def add(self, sought: str, names: Collection[str]) -> None:
        self.shown[sought] += 1
        self.recorded[sought].update(names)
        self.in_all.update(names)

    def frequency(self, name: str, *, sought: str) -> float:
        """Return how often a record of a search for one name has the other."""
        here = (self.recorded[sought][name] + 1) / (self.shown[sought] + 1)
        everywhere = (self.in_all[name] + 1) / (self.shown.total() + 1)
        return max(here, everywhere)


def learn_variants(
    compared: Iterable[ComparedNames],
    *,
    existing: Collection[tuple[NameField, str, str]],
    at: str,
) -> VariantReport:
    """Return the pairs that attachments join, without those that were learned or revoked."""
    shown: dict[NameField, _Counts] = {"given": _Counts(), "surname": _Counts()}
    attached: list[ComparedNames] = []
    for names in compared:
        if names.voucher is not None:
            attached.append(names)
        elif names.sought and names.recorded:
            shown[names.kind].add(_forms(names.sought)[0], set(_forms(names.recorded)))
    person_of = _persons(attached)
    learned: list[LearnedVariant] = []
    pairs = 0
    for kind, counts in shown.items():
        of_kind = [names for names in attached if names.kind == kind]
        joining: defaultdict[Pair, list[ComparedNames]] = defaultdict(list)
        for names in of_kind:
            if pair := names.pair:
                joining[pair].append(names)
        pairs += len(joining)
        records = _records_by_person(of_kind, person_of)
        for pair, of_pair in joining.items():
            vouchers = _vouchers(of_pair, person_of)
            if (kind, *pair) in existing or not _enough_vouch(vouchers):
                continue
            expected = _expected(pair, records, counts)
            chance = min(1.0, len(joining) * poisson_tail(len(vouchers), expected))
            if chance <= MAX_CHANCE:
                learned.append(_variant(kind, pair, vouchers, expected, chance, at))
    return VariantReport(
        learned=tuple(sorted(learned, key=lambda one: (one.chance, one.key))),
        compared=pairs,
        searches=len({names.search for names in attached}),
    )


def _variant(
    kind: NameField,
    pair: Pair,
    vouchers: Sequence[Collection[str]],
    expected: float,
    chance: float,
    at: str,
) -> LearnedVariant:
    searchers = {OWNER if who == LINK else who for one in vouchers for who in one}
    return LearnedVariant(
        kind=kind,
        first=pair[0],
        second=pair[1],
        persons=len(vouchers),
        searchers=len(searchers),
        expected=expected,
        chance=chance,
        learned_at=at,
    )


def poisson_tail(count: int, expected: float) -> float:
    """Return how likely at least this many of a Poisson number are, given how many are expected.

    >>> round(poisson_tail(1, 0.1), 4), round(poisson_tail(3, 0.1), 6)
    (0.0952, 0.000155)
    """
    # The terms from `count` on fall by more than half each: summing them loses no digits.
    term = math.exp(-expected + count * math.log(expected) - math.lgamma(count + 1))
    if count <= 2 * expected:
        below = (
            math.exp(-expected + k * math.log(expected) - math.lgamma(k + 1)) for k in range(count)
        )
        return max(0.0, 1.0 - math.fsum(below))
    total, number = 0.0, count
    while term > total * 1e-16:
        total += term
        number += 1
        term *= expected / number
    return total


def most_matches(vouchers: Sequence[Collection[str]]) -> int:
    """Return how many persons can each be given another searcher among those who attached them.

    A maximum matching by augmenting paths (Kuhn 1955).

    >>> most_matches([{"u1"}, {"u1", "u2"}, {"u1", "u2"}])
    2
    """
    person_of: dict[str, int] = {}

    def give(person: int, tried: set[str]) -> bool:
        for searcher in sorted(vouchers[person]):
            if searcher in tried:
                continue
            tried.add(searcher)
            if searcher not in person_of or give(person_of[searcher], tried):
                person_of[searcher] = person
                return True
        return False

    return sum(give(person, set()) for person in range(len(vouchers)))


def _agree(names: ComparedNames) -> bool:
    return any(
        reasons_to_join(one, other, kind=names.kind)
        for one in names.sought
        for other in names.recorded
    )


def _forms(names: Iterable[str]) -> list[str]:
    return [name_form(name) for name in names]


def _enough_vouch(vouchers: Sequence[Collection[str]]) -> bool:
    imported = sum(LINK in one for one in vouchers)
    searchers = [{OWNER if who == LINK else who for who in one} for one in vouchers]
    return imported >= MIN_PERSONS or most_matches(searchers) >= MIN_PERSONS


def _persons(attached: Iterable[ComparedNames]) -> dict[str, str]:
    """Return the person of each search: those that attached one person of a record have one."""
    groups = Groups()
    searches = set()
    for names in attached:
        groups.join(names.search, f"on {names.person}")
        searches.add(names.search)
    return {search: groups.name(search) for search in searches}


def _vouchers(joining: Sequence[ComparedNames], person_of: dict[str, str]) -> list[frozenset[str]]:
    """Return who attached a pair, for each person."""
    groups = Groups()
    for names in joining:
        groups.join(person_of[names.search], f"in {names.household}")
    # The first person of each name and year stands for the others.
    alike = {(names.other, names.born): names for names in joining}
    for names in joining:
        for first in alike.values():
            if _may_be_one(names, first):
                groups.join(person_of[names.search], person_of[first.search])
    vouchers: defaultdict[str, set[str]] = defaultdict(set)
    for names in joining:
        vouchers[groups.name(person_of[names.search])].add(names.voucher or OWNER)
    return [frozenset(one) for one in vouchers.values()]


def _may_be_one(names: ComparedNames, other: ComparedNames) -> bool:
    """Return whether two searches may be for one person, by the other name and the birth."""
    if names.born and other.born and abs(names.born - other.born) > SAME_BIRTH:
        return False
    other_kind: NameField = "surname" if names.kind == "given" else "given"
    is_unknown = not (names.other and other.other)
    return is_unknown or bool(reasons_to_join(names.other, other.other, kind=other_kind))


def _records_by_person(
    attached: Iterable[ComparedNames], person_of: dict[str, str]
) -> dict[str, Counter[str]]:
    """Return, for each name, how many records were attached for each person sought under it."""
    records: defaultdict[str, Counter[str]] = defaultdict(Counter)
    comparisons = {
        (name_form(names.sought[0]), person_of[names.search], names.person)
        for names in attached
        if names.sought and names.recorded
    }
    for sought, person, _ in comparisons:
        records[sought][person] += 1
    return records


def _expected(pair: Pair, records: dict[str, Counter[str]], shown: _Counts) -> float:
    """Return for how many persons chance would attach a record of the other name."""
    total = 0.0
    for sought, other in (pair, pair[::-1]):
        frequency = shown.frequency(other, sought=sought)
        counts = records.get(sought, Counter()).values()
        total += math.fsum(1 - (1 - frequency) ** count for count in counts)
    return total


class Groups:
    """Which items are connected? Union-find with path halving."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def name(self, item: str) -> str:
        """Return the name of an item's group: one of its items."""
        parent = self._parent
        while parent.setdefault(item, item) != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    def join(self, first: str, second: str) -> None:
        """Put two items into one group."""
        self._parent[self.name(first)] = self.name(second)
