"""How is the log written for other search tools, and how does a log of theirs become part of it?

The format is UBI 1.3.0, User Behavior Insights (https://github.com/o19s/ubi, schema/1.3.0): one
JSON object a line, searches in ``ubi_queries.ndjson`` and what was done with their records in
``ubi_events.ndjson``.  The client is the pseudonym of the searcher, the object a record key, and
``position.ordinal`` the rank in the list, or 0 where the record was not in it.

``query_attributes`` hold everything else that is logged of a search: the query in its JSON form,
the model, the options, and whole lists with the hash and the bits of every clause.  So an export
that is imported again is the same log.  A query of another program has only its words, so it is
searched here: only then is it known which clauses fire on its records.

Searches go in one by one, each before its actions, so an import that was interrupted is continued
by repeating it.
"""

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar, get_args

import numpy as np

from forebear.errors import ForebearError, InputError, QueryError
from forebear.interactions.events import (
    WHOLE_SEARCH,
    Action,
    ActionKind,
    LoggedList,
    LoggedSearch,
    Source,
)
from forebear.interactions.log import InteractionLog
from forebear.search.query.describe import describe_query
from forebear.search.query.read import read_query

Value = TypeVar("Value")
QUERIES, EVENTS = "ubi_queries.ndjson", "ubi_events.ndjson"
APPLICATION = "forebear"
OWNER = "owner"  # the client of searches without a pseudonym
HASH_BYTES = 6
MAX_ID = 100  # characters, as the schema says
ACTION_NAMES: dict[ActionKind, str] = {
    "open": "opened",
    "attach": "attached",
    "reject": "rejected",
    "maybe": "maybe",
    "detach": "detached",
    "undo": "undone",
    "complete": "completed",
}
# The last three are names that other programs use for it.
KINDS: dict[str, ActionKind] = {
    **{name: kind for kind, name in ACTION_NAMES.items()},
    **dict.fromkeys(("click", "click_through", "view"), "open"),
}
Present = Callable[[Sequence[str]], Set[str]]  # those of these records that the archive has


@dataclass(frozen=True, slots=True, kw_only=True)
class UbiQuery:
    """A search as another program logged it."""

    id: str
    at: str
    client: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UbiImport:
    """What an import of UBI files did."""

    searches: int  # logged with all that was exported of them
    searched: int  # queries of other programs, which were searched here
    events: int
    present: int  # searches that the log had already; they are left as they are
    skipped: int  # queries that are not understood, and events that cannot be used


def query_line(search: LoggedSearch) -> dict[str, Any]:
    """Return a logged search as a query of UBI."""
    return {
        "application": APPLICATION,
        "query_id": search.id,
        "client_id": search.searcher or OWNER,
        "user_query": _words(search.query),
        "timestamp": search.at,
        "object_id_field": "record",
        "query_response_hit_ids": list(search.shown),
        "query_attributes": {
            "query": search.query,
            "model": search.model,
            "viewer": search.viewer,
            "options": dict(search.options),
            "relaxed": list(search.relaxed),
            "entry": search.entry,
            "change": search.change,
            "catalog": search.catalog,
            "types": list(search.types),
            "total": search.total,
            "none": search.none,
            "lists": [_list_value(ranked) for ranked in search.lists],
        },
    }


def event_line(action: Action, search: LoggedSearch, *, challenger: str = "") -> dict[str, Any]:
    """Return what was done with a record of a search as an event of UBI.

    ``challenger`` is the other model of a search in a trial.
    """
    team = search.teams[action.rank - 1 : action.rank] if action.rank else ""
    attributes: dict[str, Any] = {
        "position": {"ordinal": action.rank or 0},
        "source": action.source,
        "reason": action.reason,
        "model": challenger if team == "B" else search.model,
        "catalog": search.catalog,
    }
    if action.record_key != WHOLE_SEARCH:
        attributes["object"] = {"object_id": action.record_key, "object_id_field": "record"}
    return {
        "application": APPLICATION,
        "action_name": ACTION_NAMES[action.kind],
        "query_id": search.id,
        "client_id": search.searcher or OWNER,
        "timestamp": action.at,
        "event_attributes": attributes,
    }


def read_search(value: Mapping[str, Any]) -> LoggedSearch | UbiQuery:
    """Return the search that a line of queries describes."""
    query_id, at = _id(value), _moment(value.get("timestamp"))
    attributes = value.get("query_attributes") or {}
    if value.get("application") != APPLICATION or "lists" not in attributes:
        client, words = str(value.get("client_id") or ""), str(value.get("user_query") or "")
        return UbiQuery(id=query_id, at=at, client=client, words=words)
    read_query(json.loads(attributes["query"]))  # refuses a query that cannot be searched
    client = str(value["client_id"])
    return LoggedSearch(
        id=query_id,
        at=at,
        query=attributes["query"],
        model=str(attributes["model"]),
        viewer="owner" if attributes["viewer"] == "owner" else "public",
        shown=tuple(map(str, value["query_response_hit_ids"])),
        lists=tuple(_read_list(ranked) for ranked in attributes["lists"]),
        searcher="" if client == OWNER else client,
        options=dict(attributes["options"]),
        relaxed=tuple(attributes["relaxed"]),
        entry=attributes["entry"],
        change=attributes["change"],
        catalog=attributes["catalog"],
        types=tuple(attributes["types"]),
        total=attributes["total"],
        none=attributes["none"],
    )


def read_event(value: Mapping[str, Any]) -> Action | None:
    """Return the action that a line of events describes; None if it is about no record."""
    kind = KINDS.get(str(value.get("action_name")))
    attributes = value.get("event_attributes") or {}
    record = str((attributes.get("object") or {}).get("object_id") or WHOLE_SEARCH)
    is_usable = kind in ("complete", "undo") if record == WHOLE_SEARCH else kind != "complete"
    if kind is None or not is_usable:
        return None
    ordinal = (attributes.get("position") or {}).get("ordinal")
    sources: dict[str, Source] = {source: source for source in get_args(Source)}
    return Action(
        search_id=_id(value),
        record_key=record,
        kind=kind,
        rank=ordinal if isinstance(ordinal, int) and ordinal > 0 else None,
        at=_moment(value.get("timestamp")),
        reason=str(attributes.get("reason") or ""),
        source=sources.get(str(attributes.get("source")), "use"),
    )


def read_lines(path: Path, read: Callable[[Mapping[str, Any]], Value]) -> Iterator[Value]:
    """Yield what each line of a file describes; an error names the line."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _read_line(line, f"{path.name}, line {number}", read)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read {path}: {error}", hint=f"the folder needs {QUERIES} and {EVENTS}"
        ) from None


def write_ndjson(path: Path, values: Iterable[Mapping[str, Any]]) -> int:
    """Write one JSON object a line and return how many there were."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for value in values:
            file.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")
            count += 1
    return count


def _read_line(line: str, where: str, read: Callable[[Mapping[str, Any]], Value]) -> Value:
    try:
        value = json.loads(line)
        if not isinstance(value, dict):
            raise TypeError("not an object")
        return read(value)
    except (ForebearError, ValueError, TypeError, KeyError, AttributeError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(
            f"{where}: not UBI 1.3.0: {reason}", hint="see docs/guide/learn.md#the-log"
        ) from None


def _words(query: str) -> str:
    try:
        facts = describe_query(read_query(json.loads(query)))
    except (ForebearError, ValueError):  # a query of an older version
        return query
    return ", ".join(f"{fact.fact} {fact.value}" for fact in facts)


def _id(value: Mapping[str, Any]) -> str:
    query_id = value.get("query_id")
    if not isinstance(query_id, str) or not 0 < len(query_id) <= MAX_ID:
        raise InputError(f"query_id is {query_id!r}, expected 1 to {MAX_ID} characters")
    return query_id


def _moment(text: object) -> str:
    """Return a timestamp as the archive writes moments; without a zone it is UTC."""
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        raise InputError(f"timestamp is {text!r}, expected ISO 8601") from None
    return (
        (at if at.tzinfo else at.replace(tzinfo=UTC))
        .astimezone(UTC)
        .isoformat(timespec="milliseconds")
    )


def _list_value(ranked: LoggedList) -> dict[str, Any]:
    return {
        "name": ranked.name,
        "record_type": ranked.record_type,
        "state": ranked.state,
        "clauses": list(ranked.clauses),
        "hashes": list(ranked.hashes),
        "records": list(ranked.records),
        "scores": list(ranked.scores),
        "bits": base64.b64encode(np.packbits(ranked.bits, axis=1).tobytes()).decode(),
        "collections": list(ranked.collections),
        "gated": ranked.gated,
        "years": list(ranked.years),
    }


def _read_list(value: Mapping[str, Any]) -> LoggedList:
    rows, columns = len(value["records"]), len(value["clauses"])
    packed = np.frombuffer(base64.b64decode(value["bits"], validate=True), dtype=np.uint8)
    bits = np.unpackbits(packed.reshape(rows, -(-columns // 8)), axis=1, count=columns)
    scores = tuple(int(score) for score in value["scores"])
    hashes = tuple(value["hashes"])
    is_whole = len(scores) == rows and len(hashes) in (0, columns)
    if not is_whole or any(len(bytes.fromhex(text)) != HASH_BYTES for text in hashes):
        raise InputError(f"list {value['name']!r} needs a score a record and a hash a clause")
    return LoggedList(
        name=value["name"],
        record_type=value["record_type"],
        state=value["state"],
        clauses=tuple(value["clauses"]),
        records=tuple(value["records"]),
        scores=scores,
        bits=bits.astype(np.bool_),
        hashes=hashes,
        collections=tuple(value["collections"]),
        gated=int(value["gated"]),
        years=tuple(value["years"]),
    )


SearchHere = Callable[[UbiQuery], LoggedSearch]


def import_log(
    log: InteractionLog, folder: Path, *, search_here: SearchHere, present: Present
) -> UbiImport:
    """Add the searches and actions of UBI files to a log."""
    actions, lines = _read_actions(folder / EVENTS)
    logged, searched, events, there, skipped = 0, 0, 0, 0, 0
    for search in list(read_lines(folder / QUERIES, read_search)):
        done = actions.get(search.id, [])
        if log.search(search.id) is not None:
            there += 1
            lines -= len(done)
            continue
        if isinstance(search, UbiQuery):
            try:
                entry = search_here(search)
            except QueryError:
                skipped += 1
                continue
            records = present([action.record_key for action in done]) | {WHOLE_SEARCH}
            done = [action for action in done if action.record_key in records]
            searched += 1
        else:
            entry = search
            logged += 1
        log.add_search(entry)
        log.add_actions(done)
        events += len(done)
    return UbiImport(
        searches=logged,
        searched=searched,
        events=events,
        present=there,
        skipped=skipped + lines - events,
    )


def _read_actions(path: Path) -> tuple[dict[str, list[Action]], int]:
    """Return the actions of each search in a file, and how many lines it has."""
    actions: dict[str, list[Action]] = {}
    lines = 0
    for action in read_lines(path, read_event):
        lines += 1
        if action is not None:
            actions.setdefault(action.search_id, []).append(action)
    return actions, lines
