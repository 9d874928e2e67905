"""Tests for rules 3 and 4: what the names of parents and children say of each other."""

import pytest

from forebear.search.expansion.rules.born_out_of_wedlock import (
    parents_surnames,
    tolerated_surnames,
)
from forebear.search.expansion.rules.customs import Custom
from forebear.search.expansion.rules.fathers_surname import father_named_by, patronymics

SWEDEN = Custom("keeps", 1900)
PARENTS = (("stone", "brown"), ("hall",))


@pytest.mark.parametrize(
    ("father", "sex", "customs", "year", "surname", "made"),
    [
        ("jan", "m", [], None, "jansz", True),
        ("jan", "f", [], None, "jansz", False),
        ("jan", "f", [], None, "jansdr", True),
        ("jens", "f", [], None, "jensdatter", True),
        ("anders", "m", [SWEDEN], 1850, "andersson", True),
        ("anders", "m", [SWEDEN], 1910, "andersson", False),
        ("john", "m", [], 1850, "johnson", False),
        ("rhys", "m", [Custom("takes", 1800)], 1700, "ap rhys", True),
    ],
)
def test_a_father_gives_his_name_where_that_is_the_custom(
    father: str, sex: str, customs: list[Custom], year: int | None, surname: str, made: bool
) -> None:
    found = patronymics(father, sex=sex, customs=customs, year=year)  # type: ignore[arg-type]

    assert (surname in found) == made


def test_a_patronymic_tells_the_father() -> None:
    assert father_named_by(["jensdatter", "hall"], customs=[], year=None) == ("jens",)
    assert father_named_by(["andersson"], customs=[], year=1850) == ()
    assert father_named_by(["andersson"], customs=[SWEDEN], year=1850) == ("anders",)


def test_a_child_may_bear_a_parents_name_that_is_not_its_own() -> None:
    assert parents_surnames(PARENTS[0], ("brown",)) == ("stone",)
    assert parents_surnames(PARENTS[1], ("brown",)) == ("hall",)
    assert parents_surnames((), ("brown",)) == ()


def test_where_a_record_is_of_a_child_no_parents_name_contradicts() -> None:
    assert tolerated_surnames(*PARENTS, ("brown",), "baptism") == ("stone", "hall")
    assert tolerated_surnames(*PARENTS, ("brown",), "census") == ()
