"""Tests for `forebear.learning.name_variants`."""

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.learning.name_variants import (
    LINK,
    OWNER,
    ComparedNames,
    VariantReport,
    learn_variants,
    most_matches,
    poisson_tail,
)
from forebear.search.expansion.learned_variants import NameField

SURNAMES = ("brown", "cornell", "gilbert", "harrow", "ingham", "jessop")


def attached(
    number: int, voucher: str = LINK, *, given: str = "ebenezer", recorded: str = "zykel",
    surname: str = "", household: str = "", person: str = "",
) -> ComparedNames:  # fmt: skip
    """Return an attachment for the person of this number, who is like no other."""
    return ComparedNames(
        kind="given",
        search=f"s{number} {voucher}",
        sought=(given,),
        recorded=(recorded,),
        other=surname or SURNAMES[number],
        born=1800,
        voucher=voucher,
        person=person or f"burials:{number} 0",
        household=household or f"burials:{number}",
    )


def shown(
    names: Sequence[str], *, sought: str = "ebenezer", times: int = 20
) -> list[ComparedNames]:
    """Return records that were shown and not attached."""
    return [
        ComparedNames(kind="given", search="s0", sought=(sought,), recorded=(name,))
        for name in names
        for _ in range(times)
    ]


OTHERS = shown(["henry", "susan", "thomas", "matilda", "george"])


def learn(
    *names: Iterable[ComparedNames], existing: Collection[tuple[NameField, str, str]] = ()
) -> VariantReport:
    return learn_variants(chain(*names), existing=existing, at="2026-01-01")


def test_links_for_three_persons_teach_a_pair_and_two_do_not() -> None:
    three = learn(OTHERS, [attached(number) for number in range(3)])
    two = learn(OTHERS, [attached(number) for number in range(2)])

    (pair,) = three.learned
    assert pair.key == ("given", "ebenezer", "zykel")
    assert (pair.persons, pair.searchers) == (3, 1)
    assert pair.chance < 0.05
    assert two.learned == ()
    assert two.compared == 1


def test_three_searchers_teach_a_pair_each_with_another_person() -> None:
    report = learn(OTHERS, [attached(n, searcher) for n, searcher in enumerate(("u1", "u2", "u3"))])

    assert [(one.persons, one.searchers) for one in report.learned] == [(3, 3)]


@pytest.mark.parametrize("searcher", [OWNER, "u1"])
def test_one_searcher_teaches_nothing_however_many_the_persons(searcher: str) -> None:
    assert learn(OTHERS, [attached(number, searcher) for number in range(6)]).learned == ()


def test_a_searcher_with_two_accomplices_for_one_person_teaches_nothing() -> None:
    alone = [attached(number, "u1") for number in range(6)]
    accomplices = [attached(0, "u2"), attached(0, "u3")]

    assert learn(OTHERS, alone, accomplices).learned == ()


def test_one_person_teaches_nothing_however_many_the_searchers() -> None:
    one_record = [attached(0, f"u{number}") for number in range(6)]
    records_of_one = [
        attached(number, f"u{number}", surname="brown") for number in range(6)
    ]  # of one name and year

    assert learn(OTHERS, one_record).learned == ()
    assert learn(OTHERS, records_of_one).learned == ()


def test_persons_of_one_household_are_one() -> None:
    family = [attached(number, household="census:7") for number in range(3)]

    assert learn(OTHERS, family).learned == ()


def test_three_imported_links_are_not_made_up_by_a_searcher() -> None:
    report = learn(OTHERS, [attached(0), attached(1), attached(2, "u1")])

    assert report.learned == ()


def test_a_pair_that_chance_explains_is_not_learned() -> None:
    """The other name is a tenth of what is shown, and of what is attached."""
    common = shown(["zykel"], times=10)
    agreeing = [
        attached(
            number % 6, recorded="ebenezer", person=f"deaths:{number} 0", household=f"d{number}"
        )
        for number in range(27)
    ]
    joined = [attached(number) for number in range(3)]

    assert learn(OTHERS, joined).learned != ()
    assert learn(OTHERS, common, agreeing, joined).learned == ()


def test_a_name_that_is_common_in_other_searches_needs_more_persons() -> None:
    """Searches for one name show few records of another one, however common it is."""
    elsewhere = shown(["zykel"], sought="henry", times=100)

    assert learn(OTHERS, elsewhere, [attached(number) for number in range(3)]).learned == ()


@pytest.mark.parametrize(
    ("given", "recorded"),
    [("william", "wm"), ("mary", "polly"), ("ebenezer", "ebenr"), ("jane", "j"), ("john", "john")],
)
def test_names_that_agree_already_and_initials_are_no_pairs(given: str, recorded: str) -> None:
    names = [attached(number, given=given, recorded=recorded) for number in range(3)]

    assert learn(OTHERS, names).compared == 0


def test_a_pair_that_exists_or_was_revoked_is_not_learned_again() -> None:
    names = [attached(number) for number in range(3)]

    assert learn(OTHERS, names, existing={("given", "ebenezer", "zykel")}).learned == ()


def test_people_may_be_sought_under_either_name() -> None:
    by_one = [attached(number) for number in range(2)]
    by_both = [
        attached(2, given="zykel", recorded="ebenezer"),
        attached(2, "u1", given="ebenezer", recorded="zykel"),
        attached(2, "u2", given="zykel", recorded="zykel"),
    ]

    others = shown(["henry", "susan", "thomas", "matilda", "george"], sought="zykel")

    (pair,) = learn(OTHERS, others, by_one, by_both).learned

    assert (pair.persons, pair.searchers) == (3, 2)
    assert 0 < pair.expected < 0.2
    assert learn(OTHERS, by_one, by_both).learned == ()  # nothing shown in searches for one of them


def test_records_without_a_name_do_not_make_other_names_rarer() -> None:
    names = [attached(number) for number in range(3)]
    nameless = [
        ComparedNames(kind="given", search="s0", sought=("ebenezer",), recorded=())
        for _ in range(1000)
    ]

    with_them, without = learn(OTHERS, nameless, names), learn(OTHERS, names)

    assert [one.expected for one in with_them.learned] == [one.expected for one in without.learned]


def test_of_two_surnames_it_is_unclear_which_differs() -> None:
    names = ComparedNames(
        kind="surname", search="s", sought=("garcia", "lopez"), recorded=("quiroga",)
    )

    assert names.pair is None


@given(st.lists(st.sets(st.sampled_from(["u1", "u2", "u3", "u4"])), max_size=5))
def test_a_matching_is_the_largest_there_is(vouchers: list[set[str]]) -> None:
    searchers = ["u1", "u2", "u3", "u4", "", "", "", "", ""]
    best = max(
        sum(who in vouchers[person] for person, who in enumerate(order))
        for order in permutations(searchers, len(vouchers))
    )

    assert most_matches(vouchers) == best


@given(st.integers(1, 30), st.floats(1e-6, 40))
def test_the_tail_is_what_the_terms_below_leave(count: int, expected: float) -> None:
    below = math.fsum(
        math.exp(-expected + k * math.log(expected) - math.lgamma(k + 1)) for k in range(count)
    )

    assert poisson_tail(count, expected) == pytest.approx(1 - below, abs=1e-9)
