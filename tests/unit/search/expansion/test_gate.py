"""Tests for `forebear.search.expansion.gate`: who is worth scoring."""

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from forebear.normalize.name_keys import daitch_mokotoff, shape_keys
from forebear.records.record import Name, Record
from forebear.search.expansion.catalog import Condition
from forebear.search.expansion.clause_cache import ClauseCache
from forebear.search.expansion.expand import Expansion
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.gate import MAX_CANDIDATES, MAX_RARE_BEARERS, Gate, build_gate
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.expansion.query_facts import Facts
from forebear.search.terms.term import PersonaTerms

Ask = Callable[..., Facts]
Write = Callable[..., dict[str, PersonaTerms]]

BORN: dict[str, Any] = {
    "events": [{"kind": "birth", "date": "1851", "place": "Layham, Suffolk, England"}]
}
MARRIED: dict[str, Any] = {"relatives": [{"kind": "spouse", "given": "Thomas", "surname": "Green"}]}


class CommonNames:
    """An archive as another, but many people have every name."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._cache = ClauseCache()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._knowledge, name)

    def clause_cache(self) -> ClauseCache:
        return self._cache

    def bearers(self, terms: frozenset[str]) -> int:
        del terms
        return MAX_RARE_BEARERS + 1


def in_large_archive(facts: Facts) -> Facts:
    knowledge = cast("Knowledge", CommonNames(facts.knowledge))
    return gather_facts(facts.query, knowledge)


def gate_for(facts: Facts) -> Gate:
    return build_gate(facts, required=(), excluded=())


def names(gate: Gate) -> list[str]:
    return [branch.name for branch in gate.branches]


def opens(gate: Gate, persona: PersonaTerms) -> list[str]:
    """Return the branches by which a persona comes in."""
    return [
        branch.name
        for branch in gate.branches
        if not any(condition.isdisjoint(persona) for condition in branch.conditions)
    ]


def test_both_names_open_many_ways_from_the_most_telling_on(ask: Ask) -> None:
    gate = gate_for(ask(given="Mary", surname="Brown", **BORN, **MARRIED))

    assert names(gate) == [
        "surname and given",
        "either surname and given",
        "surname in the family and given",
        "surname as given and given as surname",
        "surname and birth",
        "surname and relative",
        "surname variants and place",
        "surname variants and given letter",
        "given variants and birth wide and county",
        "given variants and event and county",
        "given variants and life of a wife",
        "given and relative",
        "wide surname and given",
        "rare surname",
        "surname and event",
    ]
    assert gate.limit == MAX_CANDIDATES


def test_a_way_whose_fact_is_unknown_is_not_there(ask: Ask) -> None:
    assert names(gate_for(ask(given="Mary", surname="Brown"))) == [
        "surname and given",
        "either surname and given",
        "surname in the family and given",
        "surname as given and given as surname",
        "surname variants and given letter",
        "wide surname and given",
        "rare surname",
    ]


def test_a_state_or_country_opens_only_where_nothing_finer_is_stated(ask: Ask) -> None:
    def opened(place: str) -> bool:
        life = {"events": [{"kind": "birth", "date": "1851", "place": place}]}
        gate = gate_for(ask(given="Mary", surname="Brown", **life))
        return "given variants and birth and region" in names(gate)

    assert opened("Ohio, United States")
    assert opened("Ireland")
    assert not opened("Suffolk, England")


def test_a_surname_that_many_have_does_not_open_the_gate_alone(ask: Ask) -> None:
    facts = ask(given="Mary", surname="Brown")

    assert "rare surname" in names(gate_for(facts))
    assert "rare surname" not in names(gate_for(in_large_archive(facts)))


def test_two_surnames_open_in_either_order_and_either_of_them_with_a_given_name(
    ask: Ask, write: Write, baptism: Record
) -> None:
    gate = gate_for(ask(given="Mary", surname="Brown Green"))

    def ways(given: str, surname: str) -> set[str]:
        child = replace(baptism.personas[0], names=(Name(given=given, surname=surname),))
        record = replace(baptism, personas=(child, *baptism.personas[1:]))
        both = {"either surname and given", "one surname and other surname"}
        return both & set(opens(gate, write(record)["child"]))

    assert ways("Zoe", "Brown Green") == {"one surname and other surname"}
    assert ways("Zoe", "Green y Browne") == {"one surname and other surname"}
    assert ways("Mary", "Green") == {"either surname and given"}
    assert ways("Mary", "Hall Green") == {"either surname and given"}
    assert ways("Mary", "Hall-Brown") == {"either surname and given"}
    assert ways("Zoe", "Green Hall") == set()
    assert ways("Mary", "Hall") == set()


def test_one_surname_opens_as_the_second_of_two(ask: Ask, write: Write, baptism: Record) -> None:
    gate = gate_for(ask(given="Mary", surname="Green"))
    child = replace(baptism.personas[0], names=(Name(given="Mary", surname="Hall Green"),))
    record = replace(baptism, personas=(child, *baptism.personas[1:]))

    assert "either surname and given" in opens(gate, write(record)["child"])


def test_the_very_day_opens_by_itself(ask: Ask) -> None:
    life = {"events": [{"kind": "marriage", "date": "4 May 1872"}]}
    gate = gate_for(ask(given="Mary", surname="Brown", **life))

    assert opens(gate, frozenset({"event.date=1872-05-04"})) == ["day"]
    assert opens(gate, frozenset({"event.date=1872-05-05"})) == []


def test_names_in_each_others_columns_open_too(ask: Ask) -> None:
    gate = gate_for(ask(given="Mary", surname="Brown"))
    swapped = frozenset({"self.given=brown", "self.surname=mary"})

    assert opens(gate, swapped) == ["surname as given and given as surname"]


def test_without_a_given_name_the_surname_opens_alone(ask: Ask) -> None:
    gate = gate_for(ask(surname="Brown", **BORN, **MARRIED))

    assert names(gate) == ["surname", "either surname", "surname in the family and relative"]


def test_without_a_surname_the_given_name_and_the_two_rarest_facts_must_hold(ask: Ask) -> None:
    both = gate_for(ask(given="Mary", **BORN, **MARRIED))
    born = gate_for(ask(given="Mary", **BORN))
    bare = gate_for(ask(given="Mary"))

    assert names(both) == ["given and relative and birth near"]
    assert names(born) == ["given and birth near and county"]
    assert names(bare) == ["given"]


def test_without_a_surname_the_given_name_and_the_very_day_are_enough(ask: Ask) -> None:
    life = {"events": [{"kind": "court", "date": "4 May 1872", "place": "Layham, Suffolk"}]}
    gate = gate_for(ask(given="Mary", **life))

    assert names(gate) == ["given and birth near and county", "given and day"]


def test_without_any_name_all_facts_must_hold(ask: Ask) -> None:
    gate = gate_for(ask(**BORN, **MARRIED, keywords="twin"))

    assert names(gate) == ["relative and birth near and county and keyword"]


def test_with_nothing_to_look_for_the_gate_stays_shut(ask: Ask) -> None:
    assert gate_for(ask(events=[{"kind": "birth"}])).branches == ()


def test_a_placeholder_for_a_surname_is_no_surname(ask: Ask) -> None:
    assert names(gate_for(ask(given="Mary", surname="Unknown"))) == ["given"]


def test_refinements_are_added_in_a_stated_order(ask: Ask) -> None:
    gate = gate_for(ask(given="Mary", surname="Brown", **BORN))
    bare = gate_for(ask(surname="Brown"))

    fields = [sorted({term.split("=")[0] for term in condition}) for condition in gate.refinements]
    assert fields == [
        ["self.given"],
        ["birth.year", "event.year"],
        ["birth.place", "event.place", "residence.place"],
        ["self.surname"],
    ]
    assert [sorted(condition) for condition in bare.refinements] == [["self.surname=brown"]]


def test_what_is_required_and_excluded_is_passed_on(ask: Ask) -> None:
    required: tuple[Condition, ...] = (frozenset({"self.sex=f"}),)

    gate = build_gate(ask(given="Mary"), required=required, excluded=())

    assert gate.required == required
    assert gate.excluded == ()


def test_every_record_of_one_life_comes_in(
    expanded: Callable[..., Expansion],
    write: Write,
    baptism: Record,
    wedding: Record,
    burial: Record,
    household: tuple[Record, ...],
) -> None:
    query = {"given": "Polly", "surname": "Browne", "sex": "f", **BORN, **MARRIED}
    groups = [((baptism,), "child"), ((wedding,), "bride"), ((burial,), "deceased")]

    for group, role in [*groups, (household, "wife")]:
        gate = expanded(group[0].record_type, **query).gate
        assert "surname and given" in opens(gate, write(*group)[role]), role


def test_a_name_read_wrongly_comes_in_by_the_family_and_the_birth(
    ask: Ask, write: Write, baptism: Record
) -> None:
    gate = gate_for(
        ask(
            given="Mary",
            surname="Nunn",
            **BORN,
            relatives=[{"kind": "father", "given": "Jno", "surname": "Brown"}],
        )
    )
    child = write(baptism)["child"]

    assert opens(gate, child) == [
        "given variants and birth wide and county",
        "given variants and event and county",
        "given variants and life of a wife",
        "given and relative",
    ]


def test_a_given_name_read_wrongly_comes_in_by_its_looks_the_birth_the_family_or_the_place(
    ask: Ask,
) -> None:
    facts = ask(given="William", surname="Brown", sex="male", **BORN, **MARRIED)
    gate = gate_for(in_large_archive(facts))
    brown = frozenset({"self.surname=brown"})

    misread = brown | {f"self.given.shape={key}" for key in shape_keys("milliam")}
    assert opens(gate, misread) == ["surname and given", "wide surname and given"]
    assert opens(gate, brown | {"birth.year=1852"}) == ["surname and birth"]
    assert opens(gate, brown | {"other.name=thomas green"}) == ["surname and relative"]
    assert opens(gate, brown | {"residence.place=p:layham,suffolk,england"}) == [
        "surname variants and place"
    ]
    assert opens(gate, brown | {"residence.place=p:suffolk,england"}) == []


def test_a_place_of_which_no_country_is_known_is_the_very_place_too(ask: Ask) -> None:
    born = {"events": [{"kind": "birth", "place": "Little Uxdon, Kenshire"}]}
    gate = gate_for(in_large_archive(ask(given="William", surname="Brown", **born)))
    brown = frozenset({"self.surname=brown"})

    assert opens(gate, brown | {"birth.place=p:little uxdon,kenshire"}) == [
        "surname variants and place"
    ]
    assert opens(gate, brown | {"birth.place=p:kenshire"}) == []


def test_only_a_woman_whose_husband_is_unknown_comes_in_by_given_name_and_birth(ask: Ask) -> None:
    born = {"events": [{"kind": "birth", "date": "1851"}]}
    persona = frozenset({"self.given=mary", "self.surname=nunn", "birth.year=1851"})
    married = [{"given": "Mary", "surname": name} for name in ("Brown", "Green")]
    married[1]["kind"] = "married"

    unknown = gate_for(ask(given="Mary", surname="Brown", **born))
    gate = gate_for(ask(names=married, **born))
    man = gate_for(ask(given="Mary", surname="Brown", sex="male", **born))

    assert opens(unknown, persona) == ["given variants and life of a wife"]
    assert opens(gate, persona) == opens(man, persona) == []


def test_a_wife_whose_birth_name_is_unknown_comes_in_by_given_name_and_birth(ask: Ask) -> None:
    born = {"events": [{"kind": "birth", "date": "1851"}]}
    girl = frozenset({"self.given=mary", "self.surname=nunn", "birth.year=1851"})

    gate = gate_for(ask(given="Mary", surname="Green", sex="f", **born, **MARRIED))

    assert opens(gate, girl) == ["given variants and life of a wife"]


def test_a_woman_whose_husband_is_unknown_comes_in_by_given_name_and_death(ask: Ask) -> None:
    died = {"events": [{"kind": "death", "date": "1911"}]}
    mary = frozenset({"self.given=mary", "self.surname=nunn"})

    gate = gate_for(ask(given="Mary", surname="Brown", **died))

    assert opens(gate, mary | {"death.year=1912"}) == ["given variants and life of a wife"]
    assert opens(gate, mary | {"death.year=1913"}) == []


def test_a_pet_name_that_no_table_has_comes_in_by_its_first_letter(ask: Ask) -> None:
    gate = gate_for(in_large_archive(ask(given="Gabriel", surname="Brown")))
    brown = frozenset({"self.surname=brown"})

    gabby = brown | {"self.given=gabs", "self.given.initial=g"}
    assert opens(gate, gabby) == ["surname variants and given letter"]
    assert opens(gate, brown | {"self.given=noah", "self.given.initial=n"}) == []


def test_names_in_each_others_columns_may_be_misread_and_have_initials(ask: Ask) -> None:
    gate = gate_for(ask(given="James", surname="Lefever"))
    swapped = ["surname as given and given as surname"]
    misread = frozenset(f"self.given.shape={key}" for key in shape_keys("lcfever"))
    james = {f"self.surname.dm={code}" for code in daitch_mokotoff("james")}

    assert opens(gate, misread | {"self.surname=james"}) == swapped
    assert opens(gate, frozenset({"self.given=lefever", "self.surname=james c", *james})) == swapped


def test_all_given_names_may_stand_in_the_column_of_surnames(ask: Ask) -> None:
    gate = gate_for(ask(given="Mary Ann", surname="Brown"))

    assert opens(gate, frozenset({"self.given=brown", "self.surname=mary ann"})) == [
        "surname as given and given as surname"
    ]


def test_a_surname_elsewhere_in_the_family_opens_too(
    ask: Ask, write: Write, wedding: Record
) -> None:
    gate = gate_for(ask(given="Mary", surname="Green"))

    assert opens(gate, write(wedding)["bride"]) == ["surname in the family and given"]


def test_relatives_without_surnames_are_looked_for_by_given_name(ask: Ask) -> None:
    gate = gate_for(ask(given="Mary", relatives=[{"kind": "spouse", "given": "Thos"}]))

    (branch,) = gate.branches
    assert "other.given=thomas" in branch.conditions[1]
