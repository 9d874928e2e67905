"""Tests for trials: two models in one list, credited by what people attach."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from forebear.archive import Archive, new_search_id, open_archive
from forebear.archive.result import Result
from forebear.errors import InputError, NotFoundError
from forebear.interactions.trials import Trial
from forebear.interactions.ubi import EVENTS
from forebear.search.hits import tie_key
from forebear.search.search_result import SearchOptions
from forebear.server.app import make_app
from forebear.server.form import SearchForm
from forebear.server.options import ServerOptions
from forebear.server.searches import Searches
from forebear.server.visitors import Visitor

MEMBER = Visitor(address="192.0.2.7", link="Mary")
VISITOR = Visitor(address="192.0.2.8")
ALICE = SearchForm(facts={"given": "Alice", "surname": "Tye", "birth": "1820"})


def add_model(archive: Archive) -> str:
    """Store a model that prefers other years than the default."""
    value = json.loads(archive.export_model("default"))
    for weights in value["weights"].values():
        for clause in weights:
            if "year" in clause:
                weights[clause] = -weights[clause]
    return archive.import_model(json.dumps(value), note="for a trial")


@pytest.fixture
def trial(archive: Archive) -> Trial:
    return archive.start_trial(add_model(archive), share=1.0)


def searches_of(archive: Archive, trial: Trial, *, allow_votes: bool = False) -> Searches:
    return Searches(archive, challenger=trial.challenger, allow_votes=allow_votes)


def attach_one(archive: Archive, searches: Searches, team: str, visitor: Visitor = MEMBER) -> str:
    """Search, attach the best record of a team, and return the id of the search."""
    result = searches.open(ALICE, visitor).result
    searches.log.add(result, visitor)
    form = SearchForm(facts=ALICE.facts, search_id=result.id)
    logged = searches.log.find(result.id, form.query())
    assert logged is not None
    record = logged.shown[logged.teams.index(team)]
    searches.act(form, record, "attach", visitor=visitor)
    return result.id


def after(hours: float) -> datetime:
    return datetime.now(UTC) + timedelta(hours=hours)


def interleaved(
    archive: Archive, trial: Trial, search_id: str = "s1", *, decay: float | None = None
) -> Result:
    return archive.search(
        ALICE.query(),
        viewer="public",
        trial=trial,
        search_id=search_id,
        log=False,
        options=SearchOptions(decay=decay),
    )


def test_each_hit_has_the_score_and_explanation_of_its_own_model(
    archive: Archive, trial: Trial
) -> None:
    alone = {
        name: archive.search(
            ALICE.query(),
            viewer="public",
            log=False,
            options=SearchOptions(model=name),
        )
        for name in (trial.incumbent, trial.challenger)
    }

    result = interleaved(archive, trial)

    drafted = result.search_result.drafted
    assert 0 < len(drafted) < len(result)
    assert {hit.record for hit in result} == {hit.record for hit in alone[trial.incumbent]}
    for hit in result[:20]:
        model = trial.challenger if tie_key(hit.record) in drafted else trial.incumbent
        same = alone[model].hit(hit.record)
        assert same is not None
        assert hit.score == same.score
        why, before = hit.explain(), same.explain()
        assert why.steps == before.steps
        assert [row for row in why.rows if row.kind == "fact"] == [
            row for row in before.rows if row.kind == "fact"
        ]
        assert sum(row.bits for row in why.rows) == pytest.approx(why.log_odds)


@pytest.mark.parametrize("decay", [None, 0.0, 2.0])
def test_no_probability_rises_down_an_interleaved_list(
    archive: Archive, trial: Trial, decay: float | None
) -> None:
    for number in range(8):
        result = interleaved(archive, trial, f"s{number}", decay=decay)
        chances = [hit.probability for hit in result]

        assert chances == sorted(chances, reverse=True)
        page = result.page(2)
        assert [hit.probability for hit in page.hits] == chances[20:40]
        for hit in page.hits[:4]:
            assert hit.explain().probability == pytest.approx(hit.probability, abs=1e-9)


def test_a_search_is_interleaved_the_same_way_on_every_page_and_by_every_process(
    archive: Archive, trial: Trial
) -> None:
    searches = searches_of(archive, trial)
    first = searches.open(ALICE, MEMBER).result
    searches.log.add(first, MEMBER)
    searches.log.flush()
    form = SearchForm(facts=ALICE.facts, search_id=first.id, page=2)

    with open_archive(archive.path) as other:
        again = searches_of(other, trial).open(form, MEMBER).result
        later = Searches(other).open(form, MEMBER).result  # a server without a trial

        order = [hit.record for hit in first]
        assert [hit.record for hit in again] == [hit.record for hit in later] == order
        pages = [again.page(number) for number in range(1, len(order) // 20 + 2)]
        assert [hit.record for page in pages for hit in page.hits] == order
        assert {page.next_cursor for page in pages} == {None}


def test_only_searches_whose_visitor_may_attach_are_interleaved(
    archive: Archive, trial: Trial
) -> None:
    closed, with_votes = searches_of(archive, trial), searches_of(archive, trial, allow_votes=True)
    by_types = SearchForm(facts=ALICE.facts, order="types")

    assert closed.open(ALICE, MEMBER).result.trial == trial.id
    assert closed.open(ALICE, VISITOR).result.trial is None
    assert with_votes.open(ALICE, VISITOR).result.trial == trial.id
    assert closed.open(by_types, MEMBER).result.trial is None
    assert Searches(archive).open(ALICE, MEMBER).result.trial is None


def test_the_share_of_searches_is_kept(archive: Archive) -> None:
    trial = archive.start_trial(add_model(archive), share=0.2)

    included = sum(trial.includes(new_search_id()) for _ in range(4000))

    assert 0.17 < included / 4000 < 0.23


def test_attachments_count_after_an_hour_and_promote_the_challenger(
    archive: Archive, trial: Trial
) -> None:
    searches = searches_of(archive, trial)
    ids = [attach_one(archive, searches, "B") for _ in range(12)]

    early = archive.settle_trial()
    assert early is not None
    assert (early.interleaved, early.settled, early.evidence) == (12, 0, 1.0)
    ended = archive.settle_trial(after(2))

    assert ended is not None
    assert (ended.state, ended.attached, ended.settled) == ("promoted", (0, 12), 12)
    assert ended.evidence >= 20
    assert archive.current_model() == trial.challenger
    assert archive.running_trial() is None
    assert archive.trials() == (ended,)
    of_search = archive.trial_of(archive.logged_search(ids[0]))
    assert of_search is not None
    assert (of_search.id, of_search.state) == (trial.id, "promoted")
    assert archive.roll_back() == trial.incumbent


def test_the_exported_log_names_the_model_that_picked_a_record(
    archive: Archive, trial: Trial, tmp_path: Path
) -> None:
    searches = searches_of(archive, trial)
    ids = {attach_one(archive, searches, team): team for team in "ABA"}

    archive.export_log(tmp_path)

    lines = [json.loads(line) for line in (tmp_path / EVENTS).read_text().splitlines()]
    models = {"A": trial.incumbent, "B": trial.challenger}
    assert {line["query_id"]: line["event_attributes"]["model"] for line in lines} == {
        search_id: models[team] for search_id, team in ids.items()
    }


def test_a_credit_that_is_settled_does_not_change(archive: Archive, trial: Trial) -> None:
    searches = searches_of(archive, trial)
    search_id = attach_one(archive, searches, "B")
    archive.settle_trial(after(2))
    logged = archive.logged_search(search_id)
    for _ in range(2):
        archive.attach(search_id, logged.shown[logged.teams.index("A")])
    archive.detach(search_id, logged.shown[logged.teams.index("B")])

    again = archive.settle_trial(after(4))

    assert again is not None
    assert (again.attached, again.settled) == ((0, 1), 1)
    assert again.evidence > 1


def test_two_processes_promote_once(archive: Archive, trial: Trial) -> None:
    searches = searches_of(archive, trial)
    for _ in range(12):
        attach_one(archive, searches, "B")
    with open_archive(archive.path) as other:
        seen = [
            opened_archive.settle_trial(after(2)) for opened_archive in (archive, other, archive)
        ]

        assert [trial.state if trial else None for trial in seen] == ["promoted", None, None]
        assert other.current_model() == trial.challenger
    archive.roll_back()
    assert archive.current_model() == trial.incumbent


def test_attachments_of_the_model_in_use_stop_the_trial(archive: Archive, trial: Trial) -> None:
    searches = searches_of(archive, trial)
    for _ in range(60):
        attach_one(archive, searches, "A")

    ended = archive.settle_trial(after(2))

    assert ended is not None
    assert (ended.state, ended.evidence <= 1 / 20) == ("stopped", True)
    assert archive.current_model() == trial.incumbent
    assert archive.start_trial(trial.challenger).state == "stopped"
    assert archive.running_trial() is None


def test_votes_count_when_they_are_released(archive: Archive, trial: Trial) -> None:
    searches = searches_of(archive, trial, allow_votes=True)
    attach_one(archive, searches, "B", VISITOR)

    held_back = archive.settle_trial(after(2))
    archive.release_votes()
    released = archive.settle_trial(after(2))

    assert held_back is not None
    assert released is not None
    assert (held_back.settled, released.settled) == (0, 1)
    assert released.attached == (0, 1)


def test_a_trial_is_refused_with_the_reason_or_continued(archive: Archive, trial: Trial) -> None:
    other = add_model(archive)

    with pytest.raises(NotFoundError, match="there is no model 'v9'"):
        archive.start_trial("v9")
    with pytest.raises(InputError, match="model default is the one in use"):
        archive.start_trial("default")
    with pytest.raises(InputError, match=f"a trial of {trial.challenger} is running"):
        archive.start_trial(other)
    with pytest.raises(InputError, match=r"the share is 1\.5"):
        archive.start_trial(trial.challenger, share=1.5)
    continued = archive.start_trial(trial.challenger, share=0.25)
    assert (continued.id, continued.share) == (trial.id, 0.25)
    archive.end_trial()
    with pytest.raises(InputError, match="no trial is running"):
        archive.end_trial()
    assert archive.start_trial(other).id != trial.id


def test_a_trial_waits_while_another_model_is_in_use(archive: Archive, trial: Trial) -> None:
    archive.promote(add_model(archive))

    assert archive.running_trial() is None
    assert archive.settle_trial() is None


@pytest.fixture
def member(archive: Archive, trial: Trial) -> Iterator[TestClient]:
    options = ServerOptions(challenger=trial.challenger)
    with TestClient(make_app(archive, options=options), follow_redirects=False) as visitor:
        assert visitor.get(f"/sign-in/{archive.add_link('Mary')}").status_code == 303
        yield visitor


def test_the_pages_of_an_interleaved_search_hold_every_record_once(
    member: TestClient, trial: Trial
) -> None:
    page = member.get(ALICE.address()).text
    pages = [page]
    while follows := re.search(r'<a href="([^"]+)" rel="next">', pages[-1]):
        pages.append(member.get(follows[1].replace("&amp;", "&")).text)

    assert f"default and {trial.challenger}" in page
    records = [r for text in pages for r in re.findall(r'name="record" value="([^"]+)"', text)]
    total = re.search(r"of ([0-9]+) records", page)
    assert total
    assert len(pages) > 1
    assert len(records) == len(set(records)) == int(total[1])
