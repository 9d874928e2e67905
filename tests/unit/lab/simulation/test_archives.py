"""Tests for `forebear_lab.simulation.archives`."""

import json
from pathlib import Path

import pytest

from forebear.archive import create_archive
from forebear.errors import InputError
from forebear.ingest.find_mapping import recognize
from forebear.search.query.person_query import parse_query
from forebear_lab.simulation.archives import (
    SimulatedArchive,
    read_archive,
    read_rows,
    write_archive,
)

REFUSED_SHARE = 0.002  # rows without any name


def contents(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_a_seed_gives_the_same_files_again_and_another_seed_others(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("first", "again", "other")]
    for folder, seed in zip(folders, (5, 5, 6), strict=True):
        write_archive(folder, personas=1500, seed=seed, queries=10)

    first, again, other = map(contents, folders)

    assert first == again
    assert all(first[name] != other[name] for name in first if name.startswith("records/"))


def test_an_archive_has_at_least_fourteen_record_types_and_about_its_size(
    simulated: SimulatedArchive,
) -> None:
    assert len(simulated.records_by_type) >= 14
    assert simulated.personas == pytest.approx(4000, rel=0.15)
    assert read_archive(simulated.folder) == simulated


def test_the_truth_is_not_in_files_that_are_imported(simulated: SimulatedArchive) -> None:
    truth = simulated.folder / "truth"

    assert not any(path.is_relative_to(truth) for path in (*simulated.tables, simulated.places))
    for table in simulated.tables:
        headings = set(read_rows(table)[0])
        assert not headings & {"person_id", "person", "truth", "father_id", "recorded"}


def test_every_table_is_recognized_by_its_own_mapping(simulated: SimulatedArchive) -> None:
    for table in simulated.tables:
        mapping = recognize(table)
        assert mapping is not None
        assert mapping.collection.name == table.stem
        assert "simulated" in mapping.collection.title


def test_every_table_is_imported_and_has_every_right_record(
    simulated: SimulatedArchive, tmp_path: Path
) -> None:
    with create_archive(tmp_path / "a.archive") as archive:
        reports = [archive.import_file(table) for table in simulated.tables]
        rows, refused = (
            sum(getattr(report, name) for report in reports) for name in ("read", "refused")
        )
        personas = sum(report.personas for report in reports)
        right = {line.split()[2] for line in simulated.qrels.read_text("utf-8").splitlines()}
        stored = {key for key in right if archive.record(key) is not None}
        gazetteer = archive.import_gazetteer(simulated.places)

    assert refused <= REFUSED_SHARE * rows
    assert stored == right
    assert personas == pytest.approx(simulated.personas, rel=0.02)
    assert gazetteer.refused == 0
    assert gazetteer.matched > 0


def test_queries_can_be_read_and_some_seek_a_person_without_records(
    simulated: SimulatedArchive,
) -> None:
    queries = [json.loads(line) for line in simulated.queries.read_text("utf-8").splitlines()]
    judged = {line.split()[0] for line in simulated.qrels.read_text("utf-8").splitlines()}

    for query in queries:
        parse_query(json.dumps(query))
    assert len({query["stage"] for query in queries}) == 4
    assert 0 < len({query["id"] for query in queries} - judged) < len(queries) / 3


def test_links_name_recorded_people_and_existing_records(simulated: SimulatedArchive) -> None:
    people = {row["person_id"]: row for row in read_rows(simulated.folder / "truth/people.csv")}
    ids = {table.stem: {row["ref"] for row in read_rows(table)} for table in simulated.tables}

    links = read_rows(simulated.folder / "truth" / "links.csv")

    assert len(links) == simulated.personas
    assert all(link["ref"] in ids[link["collection"]] for link in links)
    assert all(people[link["person_id"]]["recorded"] == "yes" for link in links)


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("keep me", "utf-8")

    with pytest.raises(InputError, match="not an empty folder"):
        write_archive(tmp_path, personas=2000, seed=1)

    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_folder_without_an_archive_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no simulated archive"):
        read_archive(tmp_path)
