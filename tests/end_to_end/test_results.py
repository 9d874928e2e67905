"""One list worth reading, from end to end: pages, filters, reasons, registers and reports."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
THOMAS = ("--given", "Thomas", "--surname", "Thurlow")


@pytest.fixture
def ask(run: Run, archive: Path) -> Callable[..., dict[str, Any]]:
    """Return how a command is asked for its answer as JSON."""

    def answer(*words: object) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(run(*words, "--json").out)
        return value

    return answer


Ask = Callable[..., dict[str, Any]]


def test_pages_follow_each_other_by_cursor_and_belong_to_one_search(ask: Ask) -> None:
    whole = ask("search", *THOMAS, "--size", 100)

    pages = [ask("search", *THOMAS, "--size", 4)]
    while pages[-1]["next"]:
        pages.append(ask("search", *THOMAS, "--size", 4, "--cursor", pages[-1]["next"]))

    shown = [(result["rank"], result["record"]) for page in pages for result in page["results"]]
    assert shown == [(result["rank"], result["record"]) for result in whole["results"]]
    assert {page["search"] for page in pages} == {pages[0]["search"]}
    assert len(pages) > 2


def test_a_cursor_of_another_search_is_refused(run: Run, ask: Ask) -> None:
    cursor = ask("search", *THOMAS, "--size", 4)["next"]

    ran = run("search", "--surname", "Ling", "--cursor", cursor)

    assert ran.status == 2
    assert "another search" in ran.err


def test_facets_count_everything_and_a_filter_chooses(ask: Ask) -> None:
    result = ask("search", *THOMAS, "--facets", "--top", 1, "--size", 1)

    decades = result["facets"]["decade"]
    only = ask("search", *THOMAS, "--filter", "decade=1830")
    assert sum(decades.values()) == sum(list_["records"] for list_ in result["lists"])
    assert len(only["results"]) == decades["1830"] > 1


def test_types_take_turns_or_pay_for_each_other(ask: Ask) -> None:
    turns = ask("search", *THOMAS, "--order", "types", "--size", 4)
    paying = ask("search", *THOMAS, "--decay", 8, "--size", 4)

    for searched in (turns, paying):
        assert len({result["record_type"] for result in searched["results"]}) == 4


@pytest.mark.parametrize("order", [("--decay", 1), ("--order", "types")])
def test_percentages_never_rise_in_any_order(
    run: Run, archive: Path, order: tuple[str | int, ...]
) -> None:
    words = ("search", *THOMAS, "--birth", "1812", "--size", 40, *order)

    percents = re.findall(r"^ *\d+ +(\d+)%  ", run(*words).out, re.MULTILINE)
    value = json.loads(run(*words, "--json").out)

    assert len(percents) > 1
    assert percents == sorted(percents, key=int, reverse=True)
    chances = [hit["probability"] for hit in value["results"]]
    assert chances == sorted(chances, reverse=True)
    for rank in (1, 3):
        why = json.loads(run("explain", value["search"], rank, "--json").out)
        assert why["probability"] == pytest.approx(chances[rank - 1], abs=1e-9)


def test_what_was_relaxed_is_told(run: Run, archive: Path) -> None:
    words = (*THOMAS, "--birth-place", "Nowhere, Suffolk", "--exact", "birth.place")

    relaxed, strict = run("search", *words), run("search", *words, "--strict")

    assert "relaxed, because little was found: birth place: anywhere in the county" in relaxed.out
    assert relaxed.status == 0
    assert (strict.status, "no record found" in strict.out) == (1, True)


def test_an_explanation_tells_what_matched_and_by_which_rule(run: Run, ask: Ask) -> None:
    result = ask("search", *THOMAS, "--birth", "1812", "--decay", 1)
    paid = result["results"][-1]

    why = ask("explain", result["search"], paid["rank"])
    text = run("explain", result["search"], paid["rank"]).out
    whole = run("explain", result["search"], paid["rank"], "--clauses").out

    assert sum(step["bits"] for step in why["steps"]) == why["score"] == paid["score"]
    assert [step["kind"] for step in why["steps"]] == ["clauses", "shift", "decay"]
    surname = next(row for row in why["rows"] if row["fact"] == "surname")
    assert any(rule["number"] == "1" for clause in surname["clauses"] for rule in clause["rules"])
    assert re.search(rf"^surname +Thurlow .* {surname['verdict']} ", text, re.MULTILINE)
    assert "self.surname" not in text
    assert "[self.surname." in whole
    assert "rule 1: surname chosen by the type and date" in whole


def test_a_record_that_is_not_in_the_list_is_told_why(run: Run, ask: Ask) -> None:
    result = ask("search", *THOMAS, "--birth", "1812", "--top", 1)

    explanations = {
        key: json.loads(run("explain", result["search"], "--record", key, "--json").out)
        for key in ("baptisms:BAP-0010", "census:CEN-0044", "baptisms:BAP-0002")
    }
    ran = run("explain", result["search"], "--record", "baptisms:BAP-0010")

    assert explanations["baptisms:BAP-0010"]["kind"] == "gate"
    assert explanations["census:CEN-0044"]["kind"] == "cut"
    assert explanations["census:CEN-0044"]["rank"] > 1
    assert not any(reason["in_result"] for reason in explanations.values())
    assert all(reason["rows"] for reason in explanations.values())
    assert (ran.status, "surname: you said Thurlow; the record says" in ran.out) == (1, True)


def test_the_public_learns_nothing_of_a_hidden_record(run: Run, ask: Ask) -> None:
    hidden = "baptisms:BAP-0004"
    result = ask("search", *THOMAS, "--viewer", "public")
    assert hidden in {row["record"] for row in result["results"]}
    assert run("takedown", hidden, "--reason", "asked by the family").status == 0

    public = run("explain", result["search"], "--record", hidden, "--viewer", "public")
    nobody = run("explain", result["search"], "--record", "baptisms:B-999", "--viewer", "public")
    owner = json.loads(run("explain", result["search"], "--record", hidden, "--json").out)

    assert public.status == nobody.status == 2
    assert public.err == nobody.err.replace("B-999", "BAP-0004")
    assert owner["kind"] == "hidden"
    assert "asked by the family" in owner["missing"]


def test_a_collection_is_browsed_and_a_record_has_neighbors(run: Run, ask: Ask) -> None:
    part = ask("browse", "baptisms", "--place", "Aldercote", "--size", 2, "--page", 2)
    beside = ask("show", "baptisms:BAP-0004", "--neighbors", 1)["neighbors"]

    assert [row["record"] for row in part["rows"]] == ["baptisms:BAP-0003", "baptisms:BAP-0004"]
    assert part["facets"]["county"] == {"p:suffolk,england": part["total"]}
    assert [row["record"][-4:] for row in beside] == ["0003", "0004", "0005"]
    assert "<-- this one" in run("show", "baptisms:BAP-0004", "--neighbors", 1).out
    assert run("browse", "nothing").status == 2
    assert run("browse", "baptisms", "--year", 1066).status == 1


def test_the_archivist_hears_which_searches_found_nothing(run: Run, ask: Ask) -> None:
    run("search", "--given", "Zebedee", "--surname", "Quixote", "--birth", "1850")
    run("search", "--given", "Peregrine", "--surname", "Quixote", "--birth", "1990")
    run("search", "--given", "Zerubbabel", "--surname", "Thurlow", "--birth", "1700")
    run("search", *THOMAS)

    report = ask("report", "searches")
    text = run("report", "searches").out

    assert (report["searches"], report["nothing"], report["relaxed"]) == (4, 2, 1)
    assert [search["person"] for search in report["unmet"]] == [
        "Zerubbabel Thurlow",
        "",
        "Zebedee Quixote",
    ]
    assert "Peregrine" not in text
    assert "given: not needed to find a record" in text
    assert report["searchers"] == 1
    assert len(ask("report", "searches", "--most", 1)["unmet"]) == 1


def test_collections_are_worth_what_is_lost_without_them(
    run: Run, ask: Ask, repository: Path, tmp_path: Path
) -> None:
    assert run("report", "collections").status == 2
    demo = repository / "demo"
    run("search", "--batch", demo / "queries_held_out.jsonl", "--run", tmp_path / "t.trec")
    run("attach", "--batch", demo / "attachments_held_out.qrels")

    report = ask("report", "collections")

    worth = {row["name"]: row for row in report["collections"]}
    assert worth.keys() == {"baptisms", "marriages", "burials", "census"}
    assert sum(row["attached"] for row in worth.values()) == report["attached"]
    assert all(0 < row["ndcg_lost"]["value"] < report["ndcg"] for row in worth.values())
    assert "NDCG" in run("report", "collections").out


def test_the_trace_tells_cap_ways_in_and_state(run: Run, ask: Ask) -> None:
    trace = ask("search", *THOMAS, "--trace")["trace"]

    searched = [stage for stage in trace if stage["stage"] == "record search"]
    assert {stage["cap"] for stage in searched} == {20_000}
    assert all(stage["branches"] and stage["state"] == "complete" for stage in searched)
    assert "candidates" in run("search", *THOMAS, "--trace").err
