"""A person of a GEDCOM file becomes a query."""

from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.search.query.person_query import parse_query
from forebear.trees.to_query import tree_query

TREE = """0 HEAD
1 GEDC
2 VERS 5.5.1
1 CHAR UTF-8
0 @I1@ INDI
1 NAME Mary Ann /Brown/
1 SEX F
1 BIRT
2 DATE ABT 1851
2 PLAC Layham, Suffolk, England
1 FAMC @F1@
1 FAMS @F2@
0 @I2@ INDI
1 NAME Thomas /Green/
1 SEX M
1 FAMS @F2@
0 @I3@ INDI
1 NAME John /Brown/
1 SEX M
1 OCCU weaver
1 FAMS @F1@
0 @I4@ INDI
1 NAME John /Brown/
1 SEX M
1 BIRT
2 DATE 1849
1 FAMC @F1@
0 @F1@ FAM
1 HUSB @I3@
1 CHIL @I1@
1 CHIL @I4@
0 @F2@ FAM
1 HUSB @I2@
1 WIFE @I1@
1 MARR
2 DATE 4 MAY 1872
0 TRLR
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    path = tmp_path / "brown.ged"
    path.write_text(TREE, "utf-8")
    return path


def test_a_person_is_described_with_life_and_family(tree: Path) -> None:
    query = tree_query(tree, "@I1@")
    assert [(name.given, name.surname) for name in query.names] == [("Mary Ann", "Brown")]
    assert query.sex == "f"
    assert {(event.kind, event.date.text if event.date else "") for event in query.events} == {
        ("birth", "ABT 1851"),
        ("marriage", "4 MAY 1872"),
    }
    assert {(relative.kind, relative.given) for relative in query.relatives} == {
        ("spouse", "Thomas"),
        ("father", "John"),
        ("sibling", "John"),
    }


def test_the_log_can_read_the_query_again(tree: Path) -> None:
    query = tree_query(tree, "I1")
    assert parse_query(query.source).names == query.names
    assert parse_query(query.source).events == query.events


def test_a_name_that_one_person_bears_is_enough(tree: Path) -> None:
    assert tree_query(tree, "mary ann BROWN").id == "I1"


def test_a_name_that_several_bear_lists_them(tree: Path) -> None:
    with pytest.raises(InputError, match="2 people are called 'John Brown'") as caught:
        tree_query(tree, "John Brown")
    assert caught.value.hint == "name one by its number: @I3@ (no date), @I4@ (1849)"


def test_an_unknown_name_is_an_error(tree: Path) -> None:
    with pytest.raises(InputError, match=r"brown\.ged: no person is called 'Jane Eyre'"):
        tree_query(tree, "Jane Eyre")
