"""Tests for `forebear_lab.experiments.worlds`."""

import subprocess
import sys
from pathlib import Path

import pytest

import forebear
from forebear.errors import InputError
from forebear_lab.experiments.worlds import (
    SimulatedSize,
    World,
    import_world,
    parse_world,
    search_world,
    simulate_world,
)


def silent(_: str) -> None:
    pass


def search(archive: forebear.Archive, world: World, searches: int = 100):
    return search_world(archive, world, lists=None, searches=searches, model=None, progress=silent)


def test_answers_are_never_imported(world: World, imported: Path) -> None:
    assert [path.stem for path in world.tables] == ["birth", "census", "residence"]
    with forebear.open(imported) as archive:
        assert archive.counts() == {"birth": 24, "census": 48, "residence": 24}


def test_the_engine_searches_for_everybody_also_for_who_is_absent(
    world: World, imported: Path
) -> None:
    with forebear.open(imported) as archive:
        judged = search(archive, world)

    *judged, absent = judged
    assert [one.search.id for one in judged] == [f"q{number}" for number in range(24)]
    assert (absent.search.id, absent.attached) == ("absent", frozenset())
    assert judged[1].attached == {"birth:B1", "census:C1841.1", "census:C1851.1", "residence:R1"}
    for one in judged:
        listed = {record for shown in one.search.lists for record in shown.records}
        assert f"birth:B{one.search.id[1:]}" in listed
        assert all(shown.bits.any() for shown in one.search.lists if shown.records)


def test_at_most_so_many_queries_are_searched(world: World, imported: Path) -> None:
    with forebear.open(imported) as archive:
        assert len(search(archive, world, searches=5)) == 5


def test_a_table_split_by_a_column_becomes_collections_and_judgments_follow(
    world_folder: Path, tmp_path: Path
) -> None:
    world = World(folder=world_folder, splits={"census": "year"})

    with import_world(world, tmp_path, progress=silent) as archive:
        counts = archive.counts()
        judged = search(archive, world, searches=3)

    assert counts == {"birth": 24, "census-1841": 24, "census-1851": 24, "residence": 24}
    assert {"census-1841:C1841.1", "census-1851:C1851.1"} <= judged[1].attached
    listed = {record for shown in judged[1].search.lists for record in shown.records}
    assert "census-1841:C1841.1" in listed


def test_a_world_is_imported_once(world: World, tmp_path: Path) -> None:
    messages: list[str] = []
    import_world(world, tmp_path, progress=messages.append).close()
    first = len(messages)
    import_world(world, tmp_path, progress=messages.append).close()

    assert first == len(messages) == 3


def test_another_world_or_another_split_is_another_archive(world_folder: Path) -> None:
    digests = {
        World(folder=world_folder, splits=splits).digest
        for splits in ({}, {}, {"census": "year"}, {"census": "parish"})
    }

    assert len(digests) == 3


@pytest.mark.parametrize(
    ("splits", "message"),
    [({"marriage": "year"}, "no table 'marriage'"), ({"census": "decade"}, "no column 'decade'")],
)
def test_a_split_of_what_is_not_there_is_refused(
    world_folder: Path, tmp_path: Path, splits: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        import_world(World(folder=world_folder, splits=splits), tmp_path, progress=silent)

    assert not list(tmp_path.glob("*.forebear"))


def test_a_world_is_a_folder_or_a_size_and_a_seed(tmp_path: Path) -> None:
    assert parse_world("300:2") == SimulatedSize(personas=300, seed=2)
    assert parse_world(str(tmp_path)) == tmp_path
    with pytest.raises(InputError, match="neither a folder nor N:SEED"):
        parse_world("300:x")


def test_a_folder_without_queries_is_no_world(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no queries\.jsonl"):
        World(folder=tmp_path)


def test_a_world_that_was_simulated_is_not_simulated_again(tmp_path: Path) -> None:
    size = SimulatedSize(personas=300, seed=2)
    (tmp_path / "world-300-2-50").mkdir()

    home = simulate_world(size, tmp_path, queries=50, progress=silent)

    assert home == tmp_path / "world-300-2-50"


def test_a_simulation_that_was_interrupted_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[dict[str, object]] = []

    def write_archive(folder: Path, **options: object) -> None:
        assert not any(folder.iterdir())
        (folder / "queries.jsonl").touch()
        calls.append(options)
        if len(calls) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr("forebear_lab.experiments.worlds.write_archive", write_archive)
    size = SimulatedSize(personas=300, seed=2)
    with pytest.raises(KeyboardInterrupt):
        simulate_world(size, tmp_path, queries=50, progress=silent)
    assert not (tmp_path / "world-300-2-50").exists()

    home = simulate_world(size, tmp_path, queries=50, progress=silent)

    assert (home / "queries.jsonl").is_file()
    assert calls[1] == {"personas": 300, "seed": 2, "queries": 50, "progress": silent}


@pytest.mark.shared
def test_a_world_of_the_shared_generator_is_searched(shared_data: Path, tmp_path: Path) -> None:
    script = shared_data.parent / "tools" / "make_records.py"
    words = ["--personas", "1000", "--seed", "3", "--queries", "12", "--out", tmp_path / "w"]
    subprocess.run([sys.executable, script, *map(str, words)], check=True, capture_output=True)
    world = World(folder=tmp_path / "w")

    with import_world(world, tmp_path, progress=silent) as archive:
        judged = search(archive, world)

    total = sum(
        not one.attached.isdisjoint(
            record for shown in one.search.lists for record in shown.records
        )
        for one in judged
    )
    assert len(judged) == 12
    assert total >= 11
