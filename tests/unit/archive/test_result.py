"""Tests for `forebear.archive.result`: what a search returns to its caller."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import forebear
from forebear.errors import InputError

JOSEPH = "Joseph Cornell b. 1789 Pettaborough, husband of Ann Wix"
NEW_BAPTISMS = """
[collection]
name = "new_baptisms"
title = "Baptisms that arrive later"
record_type = "baptism"
places = ["Suffolk, England"]
first_year = 1780
last_year = 1909
country = "England"

[record]
id = "id"
date = "date"
place = ["place"]

[[persona]]
role = "child"
kin = "self"
principal = true
given = "given"
surname = "surname"
"""


@pytest.fixture
def result(archive: forebear.Archive) -> forebear.Result:
    return archive.search(JOSEPH, log=False)


def test_a_result_is_a_sequence_of_hits_the_best_first(result: forebear.Result) -> None:
    assert isinstance(result, Sequence)
    assert len(result) == result.total == len(list(result))
    assert [hit.rank for hit in result[:3]] == [1, 2, 3]
    assert result[-1].rank == result.total
    assert [hit.rank for hit in result[1:6:2]] == [2, 4, 6]
    assert [hit.score for hit in result] == sorted((hit.score for hit in result), reverse=True)
    with pytest.raises(IndexError):
        result[result.total]


def test_a_hit_tells_who_when_and_where(result: forebear.Result, archive: forebear.Archive) -> None:
    hit = result[0]
    record = archive.record(hit.record)

    assert hit.name == "Jos. Cornell"
    assert hit.record_type == record.record_type
    assert hit.date == (record.event.date.text if record.event.date else "")
    assert hit.place == (record.event.place.text if record.event.place else "")
    assert 0.5 < hit.probability <= 1
    assert hit.role == record.personas[hit.position].role.replace("_", " ")
    assert repr(hit) == f"<Hit 1 {hit.record} {hit.probability:.0%}>"


def test_the_rows_of_a_hit_add_up_to_its_probability(result: forebear.Result) -> None:
    for hit in result[:10]:
        explanation = hit.explain()

        assert explanation.adds_up
        assert explanation.log_odds == sum(row.bits for row in explanation.rows)
        assert explanation.probability == pytest.approx(hit.probability, abs=1e-9)
        assert sum(step.bits for step in explanation.steps) == hit.score


def test_pages_by_number_and_by_cursor_hold_the_same_hits(result: forebear.Result) -> None:
    numbered = [result.page(number, 4) for number in (1, 2, 3)]

    page, by_cursor = result.page(1, 4), []
    for _ in numbered:
        by_cursor.append([hit.record for hit in page.hits])
        page = result.page(size=4, cursor=str(page.next_cursor))

    assert by_cursor == [[hit.record for hit in page.hits] for page in numbered]
    assert [page.hits[0].rank for page in numbered] == [1, 5, 9]
    assert numbered[0].is_last is False


orderings = pytest.mark.parametrize(
    "options",
    [
        *(forebear.SearchOptions(decay=bits) for bits in (None, 0.0, 0.25, 3.0)),
        forebear.SearchOptions(order="types"),
    ],
)


@orderings
def test_no_probability_rises_and_every_page_has_those_of_the_whole_list(
    archive: forebear.Archive, options: forebear.SearchOptions
) -> None:
    result = archive.search(JOSEPH, options=options, log=False)
    chances = {hit.record: hit.probability for hit in result}

    pages = [result.page(size=4)]
    while pages[-1].next_cursor:  # another program asks for each page
        after = str(pages[-1].next_cursor)
        again = archive.search(JOSEPH, options=forebear.SearchOptions().after(after), log=False)
        pages.append(again.page(size=4, cursor=after))

    hits = [hit for page in pages for hit in page.hits]
    assert [*chances.values()] == sorted(chances.values(), reverse=True)
    assert {hit.record: hit.probability for hit in hits}.items() <= chances.items()
    assert len(hits) > 8
    for hit in hits[:12]:
        explanation = hit.explain()
        assert explanation.adds_up
        assert explanation.probability == pytest.approx(hit.probability, abs=1e-9)
        assert hit.to_dict()["probability"] == hit.probability


def test_other_types_come_up_once_a_record_is_very_likely_the_person(
    archive: forebear.Archive,
) -> None:
    certain = archive.search(JOSEPH, log=False)
    unsure = archive.search(surname="Cornell", log=False)

    assert certain[0].probability > 0.8 > unsure[0].probability
    for result, decay in ((certain, 0.25), (unsure, 0.0)):
        assert result.options.decay == decay
        options = forebear.SearchOptions(decay=decay)
        same = archive.search(result.query, options=options, log=False)
        assert [hit.record for hit in result] == [hit.record for hit in same]
        assert [hit.score for hit in result] == [hit.score for hit in same]
    by_score = archive.search(JOSEPH, options=forebear.SearchOptions(decay=0.0), log=False)
    assert [hit.record for hit in by_score] != [hit.record for hit in certain]
    assert by_score[0].record == certain[0].record
    last = certain[-1].explain()
    assert next(step.bits for step in last.steps if step.kind == "decay") < 0


def test_a_logged_search_and_a_cursor_keep_the_decay(archive: forebear.Archive) -> None:
    for query, units in ((JOSEPH, 16), ("Cornell", 0)):
        result = archive.search(query)
        page = result.page(size=3)

        logged = archive.logged_search(result.id)

        assert logged.options["arrangement"] == {"order": "score", "decay": units}
        again = archive.repeat_search(result.id)
        assert [hit.record for hit in again] == [hit.record for hit in result]
        assert page.next_cursor is not None
        assert page.next_cursor.ordering.decay == units
        assert forebear.SearchOptions().after(page.next_cursor).decay == units / 64


def test_no_probability_rises_down_a_page_after_records_arrived_before_it(
    archive: forebear.Archive, tmp_path: Path
) -> None:
    options = forebear.SearchOptions(decay=1.0)
    first = archive.search(JOSEPH, options=options, log=False).page(size=20)
    table = tmp_path / "new.csv"
    rows = (f"N{number},Joseph,Cornell,1 Jan 17{89 + number},Pettaborough" for number in range(6))
    table.write_text("\n".join(["id,given,surname,date,place", *rows, ""]), "utf-8")
    mapping = tmp_path / "new.toml"
    mapping.write_text(NEW_BAPTISMS, "utf-8")
    archive.import_file(table, mapping=str(mapping))

    result = archive.search(JOSEPH, options=options, log=False)
    page = result.page(size=60, cursor=first.next_cursor)

    shown = [hit.record for hit in page.hits]
    of_list = [hit.record for hit in result if hit.record in shown]
    assert shown != of_list  # the reader's list has another order
    chances = [hit.probability for hit in page.hits]
    assert chances == sorted(chances, reverse=True)
    for hit in page.hits:
        explanation = hit.explain()
        assert explanation.adds_up
        assert explanation.probability == pytest.approx(hit.probability, abs=1e-9)


def test_a_cursor_of_another_search_is_refused(
    result: forebear.Result, archive: forebear.Archive
) -> None:
    other = archive.search(surname="Thurlow", log=False).page(1, 1).next_cursor

    with pytest.raises(InputError, match="belongs to another search"):
        result.page(cursor=other)
    with pytest.raises(InputError, match="is not a cursor"):
        result.page(cursor="nonsense")


def test_facets_count_everything_found(result: forebear.Result) -> None:
    facets = {facet.name: facet for facet in result.facets()}

    by_type = {value.value: value.records for value in facets["type"].values}
    assert by_type == {
        counts.record_type: counts.records for counts in result.lists if counts.records
    }


def test_a_record_that_is_missing_has_a_reason(
    result: forebear.Result, archive: forebear.Archive
) -> None:
    keys = {row.record_key for row in archive.browse("burials", size=1_000).rows}
    absent = min(keys - {hit.record for hit in result})

    missing = result.missing(absent)

    assert missing is not None
    assert missing.words
    assert result.missing(result[0].record) is None
    assert result.hit(absent) is None
    assert result.hit(result[2].record).rank == 3  # type: ignore[union-attr]


def test_a_result_is_json(result: forebear.Result) -> None:
    value = json.loads(json.dumps(result.to_dict()))

    assert value["search"] == result.id
    assert re.fullmatch(r"s[0-9a-f]{16}", result.id)
    assert value["total"] == result.total
    assert value["results"][0]["record"] == result[0].record
    assert value["results"][0]["name"] == "Jos. Cornell"
    assert {"list", "lists", "relaxed", "followed", "unused", "model"} - value.keys() == {"list"}


def test_words_are_read_for_hits_that_are_shown_and_for_a_page_at_once(
    archive: forebear.Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[list[str]] = []
    households = archive.households

    def count(keys: list[str], **viewer: object) -> object:
        reads.append(keys)
        return households(keys, **viewer)  # type: ignore[arg-type]

    monkeypatch.setattr(archive, "households", count)
    result = archive.search(JOSEPH, log=False)
    hits = list(result)
    assert reads == []

    assert hits[0].name
    assert hits[0].place
    assert reads == [[hits[0].record]]
    assert [hit.name for hit in result.page(size=5).hits] == [hit.name for hit in hits[:5]]
    assert reads[1] == [hit.record for hit in hits[:5]]
