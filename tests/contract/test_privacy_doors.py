"""The doors of an archive tell the public nothing of hidden people: methods, page, commands.

Like the storages, an archive with hidden people and one without them are asked the same, and the
answers must be the same.  What there is to ask is read off the archive's class, the
application's routes and the program's commands.
"""

import inspect
import json
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute
from typer.testing import CliRunner

from forebear.archive import Archive, create_archive, open_archive
from forebear.archive.result import Result
from forebear.cli.app import app as program
from forebear.errors import ForebearError
from forebear.search.query.person_query import query_from_json
from forebear.server.app import make_app
from forebear.server.options import ServerOptions
from forebear.storage.port import ClusterAddress
from hidden_people import (
    COLLECTIONS,
    KEYS,
    NAMED,
    NAMED_IN_ROLLS,
    OWNER,
    PROBES,
    Ask,
    Viewer,
    Worlds,
    fill,
    hidden_words_in,
    revealed,
)

with warnings.catch_warnings():
    # The test client would rather have httpx2, which our lock does not know yet.
    warnings.filterwarnings("ignore", message="Using `httpx`")
    from fastapi.testclient import TestClient


def results(archive: Archive, viewer: Viewer) -> list[Result]:
    return [
        archive.search(probe, viewer=viewer, log=False, search_id=f"{viewer.is_owner}-{number}")
        for number, probe in enumerate(PROBES)
    ]


def found_by(result: Result) -> list[object]:
    """Return everything that a result tells."""
    return [result.search_result, result.to_dict(), [hit.explain() for hit in result]]


def tried(ask: Ask, archive: Archive, viewer: Viewer, keys: list[str]) -> list[object]:
    """Return the answers about records, or the error instead, without the key that was asked."""
    answers: list[object] = []
    for key in keys:
        try:
            answers.append(ask((archive, key), viewer))
        except ForebearError as error:
            answers.append((error.code, error.message.replace(key, "KEY"), error.hint))
    return answers


def logged(archive: Archive, viewer: Viewer) -> list[object]:
    """Return what a log has of searches, and what they find when made again."""
    entries = []
    for result in results(archive, viewer):
        archive.log(result)
        shown = archive.logged_search(result.id)
        entries.append((shown.shown, found_by(archive.repeat_search(shown, viewer=viewer))))
    return entries


def missing(archive: Archive, viewer: Viewer) -> list[object]:
    result = results(archive, viewer)[0]
    return tried(lambda at, _: result.missing(at[1]), archive, viewer, list(KEYS))


# Every method of an archive that tells a viewer something, and how it is asked.
ASKED: dict[str, Ask] = {
    "counts": lambda a, v: a.counts(viewer=v),
    "collections": lambda a, v: a.collections(viewer=v),
    "collection": lambda a, v: tried(
        lambda at, v: at[0].collection(at[1], viewer=v), a, v, list(COLLECTIONS)
    ),
    "lists": lambda a, v: a.lists(viewer=v),
    "coverage": lambda a, v: [a.coverage(n, viewer=v) for n in COLLECTIONS],
    "field_presence": lambda a, v: [a.field_presence(n, viewer=v) for n in COLLECTIONS],
    "places": lambda a, v: [a.places(n, viewer=v, depth=4) for n in ("", "Layham", "Quixwol")],
    "search": lambda a, v: [found_by(result) for result in results(a, v)],
    "explain_query": lambda a, v: [a.explain_query(probe, viewer=v) for probe in PROBES],
    "repeat_search": logged,
    "log": logged,
    "facets": lambda a, v: [result.facets() for result in results(a, v)],
    "missing": missing,
    "browse": lambda a, v: [
        tried(lambda at, v, place=place: at[0].browse(at[1], viewer=v, place=place), a, v, names)
        for names in [list(COLLECTIONS)]
        for place in ("", "Layham", "Raydon")
    ],
    "neighbors": lambda a, v: tried(
        lambda at, v: at[0].neighbors(at[1], viewer=v, around=50), a, v, list(KEYS)
    ),
    "record": lambda a, v: tried(lambda at, v: at[0].record(at[1], viewer=v), a, v, list(KEYS)),
    "household": lambda a, v: tried(
        lambda at, v: at[0].household(at[1], viewer=v), a, v, list(KEYS)
    ),
    "households": lambda a, v: list(a.households(KEYS, viewer=v).values()),
    "describe_many": lambda a, v: list(
        a.describe_many([(key, 0) for key in KEYS], viewer=v).values()
    ),
    "describe": lambda a, v: tried(
        lambda at, v: at[0].describe(at[1], 0, viewer=v), a, v, list(KEYS)
    ),
}
# Methods that no viewer reaches: the owner's, or about no record.
OWNERS = frozenset(
    {
        *("close", "import_file", "unfinished_imports", "delete"),
        *(
            "delete_collection",
            "erase",
            "takedown",
            "restore",
            "takedowns",
            "import_gazetteer",
            "check",
        ),
        *("calibrate_probabilities", "probability_offsets", "reset_probabilities"),
        *("digest", "backup", "compact", "compile_searches", "copy_to", "set_list", "reset_lists"),
        *("hidden_from_public", "logged_search", "attach", "reject", "record_actions"),
        *("keep_in_view", "detach", "undo", "complete", "note_opened"),
        *("export_log", "import_log", "replay_log"),
        *("start_trial", "running_trial", "trials", "trial_of", "settle_trial", "end_trial"),
        *("vote", "votes", "votes_on", "release_votes", "discard_votes", "pseudonym"),
        *("prune_log", "log_size", "current_log", "first_pages"),
        *("actions", "judged_searches", "report_searches", "report_collections", "model"),
        *("models", "current_model", "promote", "roll_back", "train", "estimate_weights"),
        *("export_model", "import_model", "notices", "reindex"),
        *("add_link", "links", "revoke_link", "sign_in"),
        *("learn_name_variants", "name_variants"),
        *("revoke_name_variant", "restore_name_variant"),
    }
)


def form(probe: dict[str, Any]) -> dict[str, str]:
    """Return a query as the page's form sends it."""
    birth = next(iter(probe.get("events", ())), {})
    values = {
        "given": probe.get("given", ""),
        "surname": probe.get("surname", ""),
        "birth": birth.get("date", ""),
        "birth_place": birth.get("place", ""),
    }
    return {name: value for name, value in values.items() if value}


Request = tuple[str, dict[str, str]]  # an address and its parameters
# Every address of the page, with its parameters.
ROUTES: dict[tuple[str, str], list[Request]] = {
    ("GET", "/"): [("/", {}), *(("/", form(probe)) for probe in PROBES)],
    ("POST", "/judge"): [
        ("/judge?given=John&surname=Smith", {"record": key, "kind": "attach"}) for key in KEYS
    ],
    ("POST", "/review"): [("/review?given=John&surname=Smith", {"kind": "complete"})],
    ("GET", "/sign-in/{token}"): [("/sign-in/none", {})],
    ("POST", "/sign-out"): [("/sign-out", {})],
    ("GET", "/record/{record_key:path}"): [(f"/record/{key}", {}) for key in KEYS],
    ("GET", "/beside/{record_key:path}"): [(f"/beside/{key}", {}) for key in KEYS],
    ("GET", "/missing"): [("/missing", {**form(PROBES[0]), "record": key}) for key in KEYS],
    ("GET", "/browse/{collection}"): [
        (f"/browse/{name}", {"place": place})
        for name in COLLECTIONS
        for place in ("", "Layham", "Raydon")
    ],
    ("GET", "/health"): [("/health", {})],
    ("GET", "/api/1/search"): [("/api/1/search", form(probe)) for probe in PROBES],
    ("POST", "/api/1/search"): [("/api/1/search", probe) for probe in PROBES],
    ("GET", "/api/1/explanation"): [
        ("/api/1/explanation", {**form(PROBES[0]), "record": key}) for key in KEYS
    ],
    ("GET", "/api/1/facets"): [("/api/1/facets", form(probe)) for probe in PROBES],
    ("GET", "/api/1/records/{key:path}"): [(f"/api/1/records/{key}", {}) for key in KEYS],
    ("GET", "/api/1/collections"): [("/api/1/collections", {})],
}
# Every command that can look as the public does, with its arguments.
COMMANDS: dict[str, list[list[str]]] = {
    "search": [
        *([json.dumps(probe), "--facets", "--trace", "--no-log"] for probe in PROBES),
        ["--batch", "BATCH", "--run", "RUN", "--no-log"],
    ],
    "show": [[key, "--neighbors", "9"] for key in KEYS],
    "explain": [["LOGGED", "--record", key] for key in KEYS],
    "explain-query": [[json.dumps(probe)] for probe in PROBES],
    "browse": [["courts", "--place", "Layham"], *([name] for name in COLLECTIONS)],
    "places": [[], ["Layham"], ["Quixwol"]],
}


@contextmanager
def archives(paths: list[Path], clusters: list[ClusterAddress | None]) -> Iterator[Worlds]:
    for path, cluster in zip(paths, clusters, strict=True):
        create_archive(path, cluster=cluster).close()
    try:
        with open_archive(paths[0]) as full, open_archive(paths[1]) as bare:
            fill(full.storage, is_full=True)
            fill(bare.storage, is_full=False)
            yield Worlds(full=full, bare=bare)
    finally:
        for path in paths:
            open_archive(path).delete()


@pytest.fixture(params=["sqlite", "opensearch"], scope="module")
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Worlds]:
    folder = tmp_path_factory.mktemp("doors")
    clusters: list[ClusterAddress | None] = [None, None]
    if request.param == "opensearch":
        url = request.getfixturevalue("opensearch_url")
        clusters = [
            ClusterAddress(hosts=(url,), prefix=f"test-{folder.name}-{name}-{id(request)}")
            for name in ("full", "bare")
        ]
    with archives([folder / "full.forebear", folder / "bare.forebear"], clusters) as worlds:
        yield worlds


def test_every_method_of_an_archive_is_asked_here_or_the_owners() -> None:
    members = inspect.getmembers(Archive, inspect.isfunction)
    public = {name: method for name, method in members if not name.startswith("_")}
    takes = {n: inspect.signature(m).parameters for n, m in public.items()}
    for_viewers = {n for n in takes if "viewer" in takes[n] or "result" in takes[n]} - {"viewer"}

    assert for_viewers <= ASKED.keys()
    assert public.keys() - for_viewers - {"viewer"} <= OWNERS


@pytest.mark.parametrize("name", ASKED)
def test_hidden_people_change_no_answer_of_an_archive(name: str, pair: Worlds) -> None:
    pair.assert_hidden(ASKED[name], says_it=name in ("missing",))

    if name != "log":
        ask = ASKED[name]
        assert repr(revealed(ask(pair.full, OWNER))) != repr(revealed(ask(pair.bare, OWNER)))


@pytest.mark.parametrize("query", [*NAMED, *NAMED_IN_ROLLS], ids=str)
def test_who_knows_the_name_is_told_no_more(query: dict[str, Any], pair: Worlds) -> None:
    def ask(archive: Archive, viewer: Viewer) -> list[object]:
        person = query_from_json(query)
        result = archive.search(person, viewer=viewer, log=False, search_id="s")
        return [
            found_by(result),
            result.facets(),
            archive.explain_query(person, viewer=viewer),
        ]

    pair.assert_hidden(ask, says_it=True)
    assert repr(revealed(ask(pair.full, OWNER))) != repr(revealed(ask(pair.bare, OWNER)))


def test_every_address_of_the_page_is_asked_here(pair: Worlds) -> None:
    routes = {
        (method, route.path)
        for route in routes_of(make_app(pair.full).routes)
        for method in route.methods
    }

    assert routes == ROUTES.keys()


@pytest.mark.parametrize("route", ROUTES, ids=str)
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_hidden_people_change_no_page(route: tuple[str, str], accept: str, pair: Worlds) -> None:
    method, _ = route
    full, bare = (
        TestClient(
            make_app(archive, options=ServerOptions(allow_votes=True)),
            headers={"accept": accept},
            follow_redirects=False,
        )
        for archive in (pair.full, pair.bare)
    )
    for address, values in ROUTES[route]:
        body = "json" if address.startswith("/api/") else "data"
        sent = {body if method == "POST" else "params": values}
        one, other = (client.request(method, address, **sent) for client in (full, bare))  # type: ignore[arg-type]

        assert one.status_code == other.status_code
        assert unnumbered(one.headers.get("location", "")) == unnumbered(
            other.headers.get("location", "")
        )
        text = unnumbered(one.text)
        assert text == unnumbered(other.text)
        request_text = f"{address} {values}".lower()  # an answer repeats what it was asked
        assert [word for word in hidden_words_in(text) if word not in request_text] == []


def routes_of(routes: Iterable[BaseRoute]) -> Iterator[APIRoute]:
    """Yield the routes, those of included routers among them; files are no routes."""
    for route in routes:
        if isinstance(route, APIRoute):
            yield route
        elif included := getattr(route, "original_router", None):
            yield from routes_of(included.routes)


def unnumbered(text: str) -> str:
    """Return a text without the ids of searches, which are drawn, and without times."""
    text = re.sub(r"\bs[0-9a-f]{16}\b", "SEARCH", text)
    return re.sub(r" +[0-9]+\.[0-9]+(?=  |$)|\"seconds\": [0-9.e-]+", " TIME", text, flags=re.M)


def test_every_command_that_looks_as_the_public_is_asked_here() -> None:
    names = {
        command.name
        for command in program.registered_commands
        if command.callback and "viewer" in inspect.signature(command.callback).parameters
    }

    assert names == COMMANDS.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_hidden_people_change_nothing_that_a_command_prints(name: str, tmp_path: Path) -> None:
    paths = [tmp_path / "full.forebear", tmp_path / "bare.forebear"]
    batch = tmp_path / "batch.jsonl"
    lines = [json.dumps({"id": str(number), **probe}) for number, probe in enumerate(PROBES)]
    batch.write_text("\n".join(lines), "utf-8")
    with archives(paths, [None, None]) as worlds:
        for archive in (worlds.full, worlds.bare):
            archive.search(PROBES[0], viewer="public", search_id="LOGGED")
        for words in COMMANDS[name]:
            printed = [said_by(name, words, path, batch) for path in paths]

            assert printed[0] == printed[1]
            command = " ".join(words).lower()
            assert [word for word in hidden_words_in(str(printed[0])) if word not in command] == []


def said_by(name: str, words: list[str], path: Path, batch: Path) -> tuple[int, str, str]:
    """Return what a command says to the public: exit status, output, and a run it wrote."""
    run = path.with_suffix(".run")
    files = {"BATCH": str(batch), "RUN": str(run)}
    given = [files.get(word, word) for word in words]
    command = [name, *given, "--viewer", "public", "--archive", str(path)]
    done = CliRunner().invoke(program, command)
    failed = done.exception if isinstance(done.exception, ForebearError) else ""
    text = unnumbered(f"{done.output}{failed}").replace(str(path.with_suffix("")), "ARCHIVE")
    return done.exit_code, text, run.read_text("utf-8") if run.exists() else ""
