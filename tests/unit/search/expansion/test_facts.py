"""Tests for `forebear.search.expansion.facts`: a query under the words of the catalog."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from forebear.normalize.place_levels import place_id
from forebear.normalize.places import read_place
from forebear.records.collections import Collection
from forebear.records.privacy import OWNER
from forebear.records.record import Place, Record
from forebear.search.expansion.catalog import load_catalog
from forebear.search.expansion.facts import contradictions, resolve_place, without_contradictions
from forebear.search.expansion.query_facts import Facts
from forebear.search.query.person_query import PersonQuery, query_from_json
from forebear.storage.memory import MemoryStorage

Ask = Callable[..., Facts]


def events(**dates: str) -> list[dict[str, str]]:
    return [{"kind": kind, "date": date} for kind, date in dates.items()]


def inferred(facts: Facts) -> set[str]:
    return {word for word in ("birth", "death", "marriage") if facts.inferred.get(word, None)}


def span(facts: Facts, word: str) -> tuple[int, int]:
    return facts.inferred[word].first, facts.inferred[word].last


def test_names_stand_under_the_catalogs_words(ask: Ask) -> None:
    facts = ask(
        names=[
            {"given": "Mary Ann", "surname": "BROWN"},
            {"given": "Polly", "surname": "Braun", "kind": "alias"},
            {"given": "Mary", "surname": "Green", "kind": "married"},
        ],
        relatives=[
            {"kind": "mother", "given": "Ann Jane", "surname": "Hall"},
            {"kind": "child", "given": "Wm."},
            {"kind": "child", "given": "George", "surname": "Green"},
            {"kind": "spouse_mother", "surname": "Day"},
        ],
    )

    assert facts.names["surname"] == ("brown",)
    assert facts.names["married"] == ("green",)
    assert facts.names["alias.surname"] == ("braun",)
    assert facts.names["surnames"] == ("brown", "green")
    assert facts.names["given"] == ("mary", "polly")
    assert facts.names["middle"] == ("ann",)
    assert facts.names["mother.given"] == ("ann",)
    assert facts.names["mother.maiden"] == ("hall",)
    assert facts.names["child.given"] == ("wm", "george")
    assert facts.names["spouse_mother.maiden"] == ("day",)


@pytest.mark.parametrize(
    ("query", "has", "lacks"),
    [
        ({"events": events(birth="1851")}, "birth.year lifespan dates", "birth.date places"),
        ({"events": events(birth="Mar 1851")}, "birth.year birth.date", "death.year"),
        ({"events": events(birth="1851", death="1911")}, "dates death.year", "burial.year"),
        ({"events": [{"kind": "birth", "place": "Layham"}]}, "birth.place places", "birth.year"),
        ({"relatives": [{"kind": "father", "given": "John"}]}, "relatives father.given", "given"),
        (
            {"relatives": [{"kind": "mother", "birthplace": "Layham"}]},
            "mother.birthplace",
            "places mother.given father.birthplace",
        ),
        (
            {"relatives": [{"kind": "child", "events": events(birth="1876")}]},
            "child.birth.year lifespan",
            "birth.year dates",
        ),
        ({"age": {"at": "1881", "years": 30}}, "birth.year lifespan", "birth.date"),
        ({"keywords": "weaver, linen", "sex": "f"}, "keyword sex", "surname occupation"),
    ],
)
def test_a_word_is_answered_where_the_query_has_the_fact(
    ask: Ask, query: dict[str, object], has: str, lacks: str
) -> None:
    facts = ask(**query)

    assert [word for word in has.split() if not facts.presence.has(word)] == []
    assert [word for word in lacks.split() if facts.presence.has(word)] == []


def test_a_need_takes_the_first_alternative_that_the_query_has(ask: Ask) -> None:
    row = next(row for row in load_catalog()["burial"] if row.clause == "burial.year.exact")

    assert ask(events=events(death="1911", burial="1911")).needed(row) == ("burial.year",)
    assert ask(events=events(death="1911")).needed(row) == ("death.year",)
    assert ask(events=events(birth="1851")).needed(row) is None


def test_an_age_is_a_birth_unless_one_is_stated(ask: Ask) -> None:
    age = {"at": "1881", "years": 30}

    worked_out = ask(age=age).spans["birth"][0]
    stated = ask(age=age, events=events(birth="1840")).spans["birth"][0]

    assert (worked_out.first, worked_out.last) == (1850, 1851)
    assert (stated.first, stated.last) == (1840, 1840)


def test_what_is_stated_is_not_worked_out(ask: Ask) -> None:
    facts = ask(events=events(birth="1851", marriage="1875", death="1911"))

    assert inferred(facts) == set()


def test_what_is_not_stated_is_worked_out(ask: Ask) -> None:
    facts = ask(
        sex="female", events=events(marriage="1875", residence="bet 1881 and 1891", death="")
    )

    assert inferred(facts) == {"birth", "death"}
    assert span(facts, "birth") == (1843, 1861)
    # In the residence of 1881 to 1891 she may have died in any of these years.
    assert span(facts, "death") == (1881, 1961)


def test_a_birth_may_be_worked_out_from_relatives(ask: Ask) -> None:
    married = {"kind": "father", "events": events(marriage="1840")}
    sibling = {"kind": "sibling", "events": events(birth="1850")}
    spouse = {"kind": "spouse", "events": events(birth="1850")}

    assert span(ask(relatives=[married, sibling]), "birth") == (1841, 1865)
    assert span(ask(relatives=[sibling, spouse]), "birth") == (1830, 1870)
    assert span(ask(relatives=[spouse]), "birth") == (1838, 1862)


def test_a_marriage_may_be_worked_out_from_birth_and_children(ask: Ask) -> None:
    child = {"kind": "child", "events": events(birth="1876")}

    facts = ask(events=events(birth="1851"), relatives=[child])

    assert span(facts, "marriage") == (1867, 1877)


def test_a_known_burial_forestalls_guessing_at_the_death(ask: Ask) -> None:
    facts = ask(events=events(birth="1851", burial="1911"))

    assert "death" not in inferred(facts)
    assert facts.lifetime is not None
    assert (facts.lifetime.first, facts.lifetime.last) == (1851, 1911)


def test_a_lifetime_reaches_to_the_latest_of_several_deaths(ask: Ask) -> None:
    deaths = [{"kind": "death", "date": "1890"}, {"kind": "death", "date": "1911"}]

    facts = ask(events=[*events(birth="1851"), *deaths])

    assert facts.lifetime is not None
    assert facts.lifetime.last == 1911


def test_places_and_years_of_relatives_are_not_the_persons_own(ask: Ask) -> None:
    facts = ask(
        events=[{"kind": "birth", "date": "1851", "place": "Cork, Ireland"}],
        relatives=[{"kind": "father", "birthplace": "Norwich", "events": events(birth="1820")}],
    )

    assert [place.levels for place in facts.every_place] == [("cork", "ireland")]
    assert [own.first for own in facts.own_spans] == [1851]


def test_words_are_spelled_as_the_records_are(ask: Ask) -> None:
    facts = ask(
        names=[{"given": "John", "suffix": "Jr."}],
        keywords="Weaver, linen; (twin)",
        occupation="Farmer",
        religion="QUAKER",
        sex="Male",
    )

    assert facts.words["keyword"] == ("weaver", "linen", "twin")
    assert facts.words["occupation"] == ("farmer",)
    assert facts.words["religion"] == ("quaker",)
    assert facts.words["suffix"] == ("jr",)
    assert facts.words["sex"] == ("m",)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Hadleigh", {"p:hadleigh,suffolk,england"}),
        ("Hadleigh, England", {"p:hadleigh,suffolk,england"}),
        ("Hadleigh, Suffolk, England", {"p:hadleigh,suffolk,england"}),
        ("Layham", {"p:layham", "p:layham,suffolk,england"}),
        ("Layham, Suffolk", {"p:layham,suffolk,england"}),
        ("Hadleigh, Essex", {"p:hadleigh,essex,england"}),
        ("Zürich, Switzerland", {"p:zurich,switzerland"}),
        ("Nowhere at all", {"p:nowhere at all"}),
    ],
)
def test_a_place_means_those_of_the_archive_that_bear_its_name(
    archive: MemoryStorage, text: str, meant: set[str]
) -> None:
    place = read_place(text).place
    assert place is not None

    resolved = resolve_place(place, archive.knowledge(OWNER))

    assert {place_id(place.levels) for place in resolved} == meant
    assert {place.text for place in resolved} == {text}


def test_a_place_of_the_archive_is_found_by_its_name_alone_accents_and_all(
    baptism: Record,
) -> None:
    storage = MemoryStorage()
    storage.put_collection(Collection(name="baptism", title="", record_type="baptism"))
    abroad = replace(baptism.event, place=read_place("Zürich, Zürich, Switzerland").place)
    storage.write([(replace(baptism, event=abroad),)])

    meant = resolve_place(Place(text="Zürich", levels=("zürich",)), storage.knowledge(OWNER))

    assert {place.levels for place in meant} == {
        ("zurich", "zurich", "switzerland"),
        ("zurich", "switzerland"),
    }


def test_a_place_is_also_what_the_archive_calls_it_without_its_largest_level(
    baptism: Record,
) -> None:
    storage = MemoryStorage()
    storage.put_collection(Collection(name="baptism", title="", record_type="baptism"))
    written = Place(text="Marby, Linmark", levels=("marby", "linmark"))
    alone = Place(text="Marby", levels=("marby",))
    for number, place in enumerate((written, alone)):
        event = replace(baptism.event, place=place)
        storage.write([(replace(baptism, id=f"b{number}", event=event),)])
    stated = Place(text="Marby, Linmark, Austrey", levels=("marby", "linmark", "austrey"))

    meant = resolve_place(stated, storage.knowledge(OWNER))

    assert {place.levels for place in meant} == {stated.levels, written.levels}


def test_a_name_is_looked_up_among_those_of_the_archive(ask: Ask) -> None:
    facts = ask(surname="OBrien")

    assert facts.same_folded("surname", "obrien") == {"obrien", "o'brien"}


def query(**dates: str) -> PersonQuery:
    events: list[dict[str, Any]] = [{"kind": kind, "date": date} for kind, date in dates.items()]
    return query_from_json({"given": "Mary", "events": events})


@pytest.mark.parametrize(
    ("dates", "ignored"),
    [
        ({"birth": "1851", "death": "1840"}, ["death 1840 (it lies before the birth)"]),
        ({"birth": "1851", "death": "1911"}, []),
        ({"birth": "1851", "baptism": "1850"}, []),
        ({"birth": "abt 1851", "marriage": "1848"}, []),
        ({"birth": "bef 1851", "death": "1800"}, []),
        ({"birth": "1851", "death": "aft 1840"}, []),
        ({"death": "1840"}, []),
    ],
)
def test_what_lies_before_the_birth_is_ignored_and_said_to_be(
    dates: dict[str, str], ignored: list[str]
) -> None:
    query_ = query(**dates)

    assert list(contradictions(query_)) == ignored
    kept = [event for event in without_contradictions(query_).events if event.date]
    assert len(kept) == len(dates) - len(ignored)
