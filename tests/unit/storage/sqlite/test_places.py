"""Tests for the places of an archive file, and for its gazetteer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forebear.archive import Archive, create_archive, open_archive
from forebear.normalize.gazetteer import Coordinates, GazetteerEntry, PlaceName
from forebear.records.privacy import OWNER
from making import BURIALS

LAYHAM, HADLEIGH = "p:layham,suffolk,england", "p:hadleigh,suffolk,england"
INFORMANT = """
[[persona]]
role = "informant"
name = "informant"
"""
ROWS = (
    "id,date,parish,county,given,surname,informant\n"
    "1,1851,Layham,SFK,Ann,Green,\n"
    "2,1852,Layham,SFK,Job,Green,\n"
    "3,1853,Leyham,SFK,Eve,Hill,\n"
    "4,1854,Hadleigh,SFK,Ida,Wood,\n"
    "5,2001,Hadleigh,ESS,Amy,Wood,Jim Wood\n"
)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    (tmp_path / "burials.toml").write_text(BURIALS + INFORMANT, "utf-8")
    (tmp_path / "burials.csv").write_text(ROWS, "utf-8")
    create_archive(tmp_path / "archive.forebear").close()
    with open_archive(tmp_path / "archive.forebear") as archive:
        archive.import_file(tmp_path / "burials.csv", mapping=str(tmp_path / "burials.toml"))
        yield archive


def tree(archive: Archive, name: str = "", *, owner: bool = True, depth: int = 3) -> dict[str, int]:
    places = archive.places(name, viewer="owner" if owner else "public", depth=depth)
    return {place.id: place.personas for place in places}


def test_the_hierarchy_grew_from_the_records(archive: Archive) -> None:
    assert tree(archive) == {
        "p:england": 6,
        "p:suffolk,england": 4,
        LAYHAM: 2,
        HADLEIGH: 1,
        "p:leyham,suffolk,england": 1,
        "p:essex,england": 2,
        "p:hadleigh,essex,england": 2,
    }
    assert list(tree(archive, depth=1)) == ["p:england"]


def test_the_public_sees_only_places_of_people_it_may_see(archive: Archive) -> None:
    seen = tree(archive, owner=False)

    assert seen["p:england"] == 5
    assert seen["p:essex,england"] == 1  # the informant of 2001 may be living


def test_a_place_is_found_by_its_name_or_a_part_of_it(archive: Archive) -> None:
    assert tree(archive, "Hadleigh", depth=1) == {HADLEIGH: 1, "p:hadleigh,essex,england": 2}
    assert list(tree(archive, "ham", depth=1)) == [LAYHAM, "p:leyham,suffolk,england"]
    assert tree(archive, "Nowhere") == {}


def test_a_neighbor_of_almost_the_same_name_is_pointed_out(archive: Archive) -> None:
    (place,) = archive.places("Layham", viewer=archive.viewer("owner"), depth=1)

    assert place.spelled_like == ("leyham",)


def test_a_gazetteer_gives_other_names_and_distances(archive: Archive) -> None:
    storage = archive.storage
    assert storage.knowledge(OWNER).places_near(LAYHAM, 10) == ()

    storage.add_to_gazetteer(
        [
            GazetteerEntry(
                place_id=LAYHAM,
                names=(PlaceName("leyham"),),
                coordinates=Coordinates(52.03, 0.96),
            ),
            GazetteerEntry(place_id=HADLEIGH, coordinates=Coordinates(52.04, 0.95)),
        ]
    )

    assert storage.knowledge(OWNER).places_near(LAYHAM, 10) == (LAYHAM, HADLEIGH)
    assert storage.knowledge(OWNER).places_near(LAYHAM, 1) == (LAYHAM,)
    assert storage.knowledge(OWNER).places_renamed(LAYHAM) == ("p:leyham,suffolk,england",)
    (place,) = (p for p in archive.places("Layham", viewer=archive.viewer("owner"), depth=1))
    assert (place.also, place.coordinates) == (("leyham",), (52.03, 0.96))
