"""Tests for `forebear.archive.collections_report`, on the demo's archive (invented records)."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import forebear
from forebear.archive.collections_report import (
    CollectionsReport,
    LoggedUse,
    present_collections,
    report_collections,
)
from forebear.cli.app import app
from forebear.errors import InputError, NotFoundError

PEOPLE = (
    {"given": "Joseph", "surname": "Cornell", "birth": "1789"},
    {"given": "Thomas", "surname": "Thurlow", "birth": "1813"},
    {"given": "Maria", "surname": "Aldous"},
)


@pytest.fixture
def judged(archive: forebear.Archive) -> forebear.Archive:
    """Searches of three people, each with its best baptism and its best record attached."""
    for facts in PEOPLE:
        result = archive.search(**facts)
        archive.attach(result.id, result[0].record)
        baptism = next(hit.record for hit in result if hit.record_type == "baptism")
        archive.attach(result.id, baptism)
    return archive


def losses(report: CollectionsReport) -> dict[str, float]:
    return {value.name: value.ndcg_lost.value for value in report.collections}


def test_the_loss_is_about_that_of_really_deleting_the_collection(
    judged: forebear.Archive, tmp_path: Path
) -> None:
    report, searches = judged.report_collections(), judged.judged_searches()
    judged.backup(tmp_path / "smaller.forebear")
    with forebear.open(tmp_path / "smaller.forebear") as smaller:
        smaller.delete_collection("baptisms")
        after = report_collections(
            smaller,
            LoggedUse(judged=searches, pages=(), unmet=()),
            model="default",
            most=10,
            seed=1,
            is_simulated=False,
            progress=lambda *_: None,
        )

    assert losses(report)["baptisms"] > 0.2
    assert losses(report)["baptisms"] == pytest.approx(report.ndcg - after.ndcg, abs=0.005)


def test_runs_that_could_not_differ_are_spared(judged: forebear.Archive) -> None:
    result = judged.search(**PEOPLE[0], log=False).search_result
    seen: list[tuple[int, int]] = []

    report = judged.report_collections(progress=lambda done, total: seen.append((done, total)))

    absent = set(losses(report)) - present_collections(result)
    assert report.runs + report.spared == len(PEOPLE) * (1 + len(report.collections))
    assert seen[-1] == (15, 15)
    for name in absent:
        kept = [other for other in losses(report) if other != name]
        again = judged.search(**PEOPLE[0], filters={"collection": kept}, log=False).search_result
        assert again.fused == result.fused


def test_a_second_copy_lowers_the_worth_of_a_collection_but_not_that_of_its_type(
    archive: forebear.Archive, repository: Path
) -> None:
    table = repository / "demo" / "records" / "baptisms"
    archive.import_file(f"{table}.csv", mapping=f"{table}.toml", collection="copies")
    result = archive.search(**PEOPLE[0])
    baptism = next(hit.record for hit in result if hit.record_type == "baptism")
    number = baptism.partition(":")[2]
    for collection in ("baptisms", "copies"):
        archive.attach(result.id, f"{collection}:{number}")

    report = archive.report_collections()

    values = {value.name: value for value in report.collections}
    of_type = {value.name: value for value in report.record_types}["baptism"]
    assert of_type.records == values["baptisms"].records * 2
    assert (of_type.only_here, of_type.left_empty) == (2, 1)
    assert (values["copies"].only_here, values["copies"].left_empty) == (0, 0)
    assert of_type.ndcg_lost.value > values["baptisms"].ndcg_lost.value


def test_a_changed_compact_entry_counts_because_it_is_run_again(
    archive: forebear.Archive, repository: Path
) -> None:
    result = archive.search(**PEOPLE[0], viewer="public", log=False)
    archive.log(result, searcher="192.0.2.7", compact=True)
    table = repository / "demo" / "records" / "baptisms"
    archive.import_file(f"{table}.csv", mapping=f"{table}.toml", collection="copies")
    archive.attach(result.id, result[0].record)

    report = archive.report_collections()

    assert archive.logged_search(result.id).entry == "changed"
    assert (report.searches, report.attached) == (1, 1)


def test_a_filter_of_the_search_stays_and_a_sample_is_drawn(judged: forebear.Archive) -> None:
    result = judged.search(surname="Cornell", filters={"collection": "burials"})
    judged.attach(result.id, result[0].record)

    report = judged.report_collections()
    sample = judged.report_collections(searches=2, seed=3)

    assert (report.searches, report.sampled_from) == (4, 4)
    assert {value.name: value.left_empty for value in report.collections}["burials"] >= 1
    assert (sample.searches, sample.sampled_from) == (2, 4)


def test_simulated_records_and_users_are_labelled(
    judged: forebear.Archive, tmp_path: Path, repository: Path
) -> None:
    real, labelled = judged.report_collections(), judged.report_collections(simulated=True)
    text = (repository / "demo" / "records" / "burials.toml").read_text("utf-8")
    mapping = tmp_path / "simulated.toml"
    mapping.write_text(text.replace("villages", "villages (simulated)"), "utf-8")
    table = repository / "demo" / "records" / "burials.csv"
    judged.import_file(table, mapping=str(mapping), collection="simulated")

    assert (real.is_simulated, real.note) == (False, "")
    assert "checks the method" in labelled.note
    assert judged.report_collections().is_simulated


def test_attachments_are_counted_by_the_variety_of_the_pages_that_visitors_saw(
    judged: forebear.Archive,
) -> None:
    for number in range(32):
        filters = {"type": "census"} if number % 2 else {}
        result = judged.search(
            surname="Cornell", filters=filters, search_id=f"visit{number}", log=False
        )
        judged.log(result, searcher=f"192.0.2.{number}", compact=True)
    judged.attach("visit0", judged.logged_search("visit0").shown[0])

    engagement = judged.report_collections(searches=1).engagement

    least, *_, most = engagement.terciles
    assert engagement.searches == 32 + len(PEOPLE)
    assert (least.low, least.high) == (0.0, 0.0)  # one type only
    assert (least.searches, least.attachments) == (16, 0.0)
    assert most.attachments > 0


def test_nothing_attached_and_an_unknown_model_are_refused(archive: forebear.Archive) -> None:
    with pytest.raises(InputError, match="nothing was attached"):
        archive.report_collections()
    with pytest.raises(NotFoundError, match="v9"):
        archive.report_collections("v9")


def test_the_command_prints_text_and_json(judged: forebear.Archive) -> None:
    judged.search(given="Zebedee", surname="Quixote", birth="1850", birth_place="Diss, Norfolk")
    line = ["report", "collections", "--archive", str(judged.path)]

    text = CliRunner().invoke(app, [*line, "--simulated"]).stdout
    value = json.loads(CliRunner().invoke(app, [*line, "--json"]).stdout)

    assert text.startswith("NOTE: simulated")
    assert "stay those of the whole archive" in text
    assert "places: Diss, Norfolk 1 (none here)" in text
    assert "too few" in text
    assert value["missing"]["searches"] == 1
    assert {row["name"] for row in value["collections"]} == set(judged.counts())
