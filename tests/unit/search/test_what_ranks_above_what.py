"""Searches in which one record must rank above another, or low."""

import pytest

from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.collections import RECORD_TYPES, Collection, RecordList
from forebear.records.privacy import OWNER
from forebear.records.record import Event, Name, Persona, Record, Sex
from forebear.search.model import default_model
from forebear.search.query.person_query import query_from_json
from forebear.search.search_result import SearchResult
from forebear.search.searcher import Searcher
from forebear.storage.memory import MemoryStorage


def baptism(year: int, child: str, mother: str, place: str = "Taunton, Somerset") -> Record:
    (child_given, child_surname), (given, surname) = child.split(), mother.split()
    return Record(
        collection="baptism",
        id=str(year),
        record_type="baptism",
        event=Event(kind="baptism", date=read_date(f"3 Mar {year}"), place=read_place(place).place),
        personas=(
            Persona(
                role="child",
                kin="self",
                is_principal=True,
                names=(Name(given=child_given, surname=child_surname),),
            ),
            Persona(
                role="mother", kin="parent", sex="f", names=(Name(given=given, surname=surname),)
            ),
        ),
    )


def burial(id_: str, name: str, sex: Sex | None = None) -> Record:
    given, surname = name.replace(" ", "/", "/" not in name).split("/")
    deceased = Persona(
        role="deceased",
        kin="self",
        is_principal=True,
        sex=sex,
        names=(Name(given=given, surname=surname),),
    )
    return Record(
        collection="burial",
        id=id_,
        record_type="burial",
        event=Event(kind="burial", date=read_date("9 Jan 1876")),
        personas=(deceased,),
    )


def wedding(id_: str, groom: str) -> Record:
    given, surname = groom.split()
    husband = Persona(
        role="groom", kin="self", is_principal=True, names=(Name(given=given, surname=surname),)
    )
    return Record(
        collection="marriage",
        id=id_,
        record_type="marriage",
        event=Event(kind="marriage", date=read_date("2 Jun 1875")),
        personas=(husband,),
    )


def search(*records: Record, **query: object) -> SearchResult:
    storage = MemoryStorage()
    for name in RECORD_TYPES:
        storage.put_collection(Collection(name=name, title=name, record_type=name))
    storage.write([(record,) for record in records])
    lists = [RecordList(name=name, record_type=name, collections=(name,)) for name in RECORD_TYPES]
    searcher = Searcher(storage=storage, lists=lists, model=default_model())
    return searcher.search(query_from_json(query), viewer=OWNER)


def keys(result: SearchResult) -> list[str]:
    return [hit.record_key for hit in result.fused]


def test_nobody_is_the_mother_of_a_child_baptized_near_her_own_birth() -> None:
    result = search(
        baptism(1818, "Amelia Giles", "Sarah Giles"),
        baptism(1816, "Henry Giles", "Amelia Giles"),
        baptism(1822, "Mary Giles", "Amelia Giles"),
        baptism(1826, "Amelia Giles", "Ruth Giles"),
        given="Amelia",
        surname="Giles",
        events=[{"kind": "birth", "date": "1818", "place": "Taunton, Somerset"}],
    )

    assert keys(result)[:2] == ["baptism:1818", "baptism:1826"]
    of_mothers = [hit for hit in result.fused if hit.record_key in ("baptism:1816", "baptism:1822")]
    assert len(of_mothers) == 2
    for hit in of_mothers:
        clauses = hit.fired
        assert "event.age.not_parent" in clauses
        assert not [
            name for name in clauses if name.startswith(("birth.", "baptism.", "event.delay"))
        ]


def test_a_mother_of_the_right_age_ranks_above_one_who_was_a_child() -> None:
    result = search(
        baptism(1822, "Henry Giles", "Amelia Giles"),
        baptism(1842, "Mary Giles", "Amelia Giles"),
        given="Amelia",
        surname="Giles",
        events=[{"kind": "birth", "date": "1818"}],
    )

    assert keys(result) == ["baptism:1842", "baptism:1822"]


def test_two_surnames_tell_more_than_the_letters_of_a_given_name() -> None:
    """Didac is Diego in Catalan, while another mother's surname is another man's or a slip."""
    ordered = (
        "Diego/Barroso Lopez",
        "Didac/Barroso Lopez",
        "Diego/Lopez Barroso",
        "Diego/Barroso",
        "Diego/Barroso Garcia",
        "Diego/Garcia Perez",
    )

    result = search(
        *(burial(str(number), name) for number, name in enumerate(ordered)),
        given="Diego",
        surname="Barroso Lopez",
        events=[{"kind": "burial", "date": "9 Jan 1876"}],
    )

    assert keys(result) == [f"burial:{number}" for number in range(len(ordered))]


def test_records_of_other_names_do_not_keep_a_search_from_being_relaxed() -> None:
    strangers = [wedding(str(number), "Zebedee Hext") for number in range(5)]

    result = search(
        *strangers,
        burial("1", "Hezekiah Quill"),
        given="Hezekiah",
        surname="Nunn",
        events=[{"kind": "marriage", "date": "2 Jun 1875"}],
    )

    assert {f"marriage:{number}" for number in range(5)} <= set(keys(result))
    assert "burial:1" in keys(result)
    assert [step.fact for step in result.relaxed][-1] == "surname"


@pytest.mark.parametrize("stated", [{}, {"sex": "female"}])
def test_a_record_that_states_the_sex_of_the_name_is_level_with_one_that_does_not(
    stated: dict[str, str],
) -> None:
    records = (burial("1", "Johanna Reed"), burial("2", "Johanna Reed", "f"))
    others = (burial("3", "J. Reed"), burial("4", "J. Reed", "f"), burial("5", "J. Reed", "m"))
    result = search(*records, *others, given="Johanna", surname="Reed", **stated)

    score = {hit.record_key: hit.score for hit in result.fused}
    assert score["burial:1"] == score["burial:2"]
    assert score["burial:4"] > score["burial:3"] > score["burial:5"]
