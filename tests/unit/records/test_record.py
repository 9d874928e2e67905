"""Tests for `forebear.records.record`."""

from forebear.records.record import Persona, Relative, relation_between


def test_kin_positions_say_what_two_people_are_to_each_other() -> None:
    groom, father = Persona(role="groom", kin="self"), Persona(role="father", kin="parent")

    assert relation_between(groom, father) == "parent"
    assert relation_between(father, groom) == "child"


def test_what_is_said_outright_goes_before_the_positions() -> None:
    son = Persona(role="son", kin="child", key="I3")
    stepmother = Persona(
        role="wife", kin="spouse", key="I4", relatives=(Relative(key="I3", relation="other"),)
    )

    assert relation_between(stepmother, son) == "other"


def test_a_persona_without_a_key_is_nobody_s_named_relative() -> None:
    head = Persona(role="head", kin="self", relatives=(Relative(key="I3", relation="other"),))

    assert relation_between(head, Persona(role="wife", kin="spouse")) == "spouse"
