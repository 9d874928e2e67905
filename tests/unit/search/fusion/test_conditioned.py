"""Tests for `forebear.search.fusion.conditioned`."""

from forebear.search.fusion.conditioned import facts_known, list_move
from forebear.search.model import UNITS_PER_BIT, Model
from forebear.search.query.person_query import query_from_json


def test_the_facts_of_a_query_are_named() -> None:
    query = query_from_json(
        {
            "names": [
                {"given": "Mary", "surname": "Brown"},
                {"surname": "Green", "kind": "married"},
            ],
            "sex": "female",
            "events": [
                {"kind": "birth", "date": "1851", "place": "Layham"},
                {"kind": "death", "date": "1911"},
                {"kind": "residence", "place": "Hadleigh"},
            ],
            "relatives": [{"kind": "spouse", "given": "Thomas"}],
            "age": {"at": "1881", "years": 30},
        }
    )

    assert facts_known(query) == {
        *("given", "surname", "married_surname", "sex", "age", "spouse"),
        *("birth.year", "birth.place", "death.year", "residence.place"),
    }


def test_a_query_has_no_facts_but_those_given() -> None:
    assert facts_known(query_from_json({"surname": "Brown"})) == {"surname"}


def test_a_list_is_moved_by_the_facts_that_the_query_has() -> None:
    model = Model(
        name="m",
        weights={},
        shifts={"marriage": -640},
        slopes={"marriage": 80},
        conditions={"marriage": {"spouse": 96, "surname": -32, "father": 64}},
    )

    move = list_move(model, "weddings of Kent", "marriage", {"spouse", "surname", "given"})

    assert (move.shift, move.slope) == (-640, 80)
    assert move.conditions == (("spouse", 96), ("surname", -32))
    assert move.moved(64) == 80 - 640 + 96 - 32


def test_what_stands_under_the_list_s_own_name_goes_before_its_type_s() -> None:
    model = Model(
        name="m",
        weights={},
        shifts={"census": 1, "census of 1881": 2},
        slopes={"census": 65, "census of 1881": 66},
        conditions={"census": {"given": 3}, "census of 1881": {"given": 4}},
    )

    own = list_move(model, "census of 1881", "census", {"given"})
    other = list_move(model, "census of 1891", "census", {"given"})
    unknown = list_move(model, "burial", "burial", {"given"})

    assert (own.shift, own.slope, own.conditions) == (2, 66, (("given", 4),))
    assert (other.shift, other.slope, other.conditions) == (1, 65, (("given", 3),))
    assert (unknown.shift, unknown.slope, unknown.conditions) == (0, UNITS_PER_BIT, ())
