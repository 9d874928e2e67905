"""How do we talk to a cluster whose nodes may die while we do?

Every request has a time limit.  Within it, a request that met a dead, silent or overloaded
node is sent to another one; so whatever is sent must be safe to send twice.  When the time
is up, our error says which hosts were asked and what the last of them words.

A cluster answers "200 OK" with the shards that it could reach and a count of those that it
could not.  Here such an answer is an error, unless the caller asked for `parts` and tells
its own caller what is missing.
"""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
from opensearchpy import OpenSearch
from opensearchpy.exceptions import (
    OpenSearchException,
    SerializationError,
    SSLError,
    TransportError,
)
from opensearchpy.serializer import JSONSerializer

from forebear.errors import StorageError
from forebear.storage.opensearch.access import SIGN_IN_HINT, client_options
from forebear.storage.port import ClusterAccess

READ_SECONDS = 20.0
WRITE_SECONDS = 60.0
LOST_PAUSES = (0.1, 0.4, 1.0)  # seconds, before a part that was lost is asked for again
PAGE = 1_000  # documents a request when paging
NO_ACCESS = ClusterAccess()
# What is read of the outcome of an action.
BULK_OUTCOME = "items.*.status,items.*.result,items.*.error,items.*._id"
SNAPSHOT_MINUTES = "5m"  # how long a point in time outlives the last page taken from it
# What another node, or the same one a little later, may answer better: no connection, no
# answer in time, too busy, a dead node behind the one that was asked (500), no such shard
# just now.
_TRY_AGAIN = frozenset({"N/A", "TIMEOUT", 429, 500, 502, 503, 504})

Json = dict[str, Any]


class _MsgspecSerializer(JSONSerializer):
    """Reads and writes JSON as `msgspec` does, several times faster than the client."""

    def loads(self, s: str) -> Any:
        try:
            return msgspec.json.decode(s)
        except msgspec.DecodeError as error:
            raise SerializationError(s, error) from None

    def dumps(self, data: Any) -> Any:
        return data if isinstance(data, str | bytes) else msgspec.json.encode(data)


class Cluster:
    """A connection to all nodes of a cluster."""

    def __init__(
        self,
        hosts: Sequence[str],
        *,
        access: ClusterAccess = NO_ACCESS,
        read_seconds: float = READ_SECONDS,
        write_seconds: float = WRITE_SECONDS,
    ) -> None:
        # What its client would print of every attempt, we say once, when all have failed.
        logging.getLogger("opensearch").addHandler(logging.NullHandler())
        self.hosts = tuple(hosts)
        self.read_seconds = read_seconds
        self.write_seconds = write_seconds
        options = client_options(hosts, access)
        try:
            self._client = OpenSearch(
                hosts=list(hosts),
                max_retries=0,
                retry_on_timeout=True,
                pool_maxsize=32,
                serializer=_MsgspecSerializer(),
                **options,
            )
        except (OpenSearchException, ValueError) as error:
            raise StorageError(f"cannot make sense of the hosts {self._shown()}: {error}") from None

    @property
    def attempt_seconds(self) -> float:
        """Return how long one node is waited for: not so long that none is left for another."""
        return self.read_seconds / 2

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def read(self, method: str, path: str, body: Json | bytes | None = None, **params: str) -> Json:
        """Return what the cluster answers to a question; {} where it has nothing there."""
        return self._send(method, path, body, params, seconds=self.read_seconds)

    def write(
        self, method: str, path: str, body: Json | bytes | None = None, **params: str
    ) -> Json:
        """Return what the cluster answers to a change that is safe to ask for twice."""
        return self._send(method, path, body, params, seconds=self.write_seconds)

    def create(self, index: str, body: Json) -> None:
        """Make an index; one that is there is the one that an earlier attempt made."""
        response = self._send(
            "PUT", f"/{index}", body, {}, seconds=self.write_seconds, ignore=(400,)
        )
        error = response.get("error", {})
        if error and error.get("type") != "resource_already_exists_exception":
            raise StorageError(
                f"the cluster at {self._shown()} made no index {index!r}: {error.get('reason')}"
            )

    def search(self, index: str, body: Json, *, may_be_absent: bool = False) -> Json:
        """Return the whole answer to a search, or raise if a part of it is missing.

        Where there may be no such index yet, {} says so.
        """
        response = self.parts(index, body)
        if may_be_absent and is_absent(response):
            return {}
        self._refuse_partial(response)
        return response

    def parts(self, index: str, body: Json) -> Json:
        """Return the answer to a search, which may lack what `missing` then names.

        A node that dies with a part of the answer has been replaced by the next moment, if its
        shards have other copies; so what is lacking is asked for again.
        """
        limited = {"timeout": f"{self.attempt_seconds:.0f}s", **body}
        response = self.read("POST", f"/{index}/_search", limited)
        for pause in LOST_PAUSES:
            if not has_lost_shards(response):
                break
            time.sleep(pause)
            response = self.read("POST", f"/{index}/_search", limited)
        return response

    def searches(self, searches: Sequence[tuple[str, Json]]) -> list[Json]:
        """Return the responses to several searches, of which each may lack a part."""
        limit = {"timeout": f"{self.attempt_seconds:.0f}s"}
        lines = [
            msgspec.json.encode(part)
            for index, body in searches
            for part in ({"index": index}, {**limit, **body})
        ]
        response = self.read("POST", "/_msearch", b"\n".join([*lines, b""]))
        responses: list[Json] = response["responses"]
        return responses

    def scan(self, index: str, body: Json, *, limit: int | None = None) -> Iterator[Json]:
        """Yield all hits of a search as they were at one moment, page by page.

        The body has a sort that tells all documents apart.
        """
        path = f"/{index}/_search/point_in_time"
        snapshot = self.read("POST", path, keep_alive=SNAPSHOT_MINUTES)
        if is_absent(snapshot):
            return
        self._refuse_partial(snapshot)
        pit = {"id": snapshot["pit_id"], "keep_alive": SNAPSHOT_MINUTES}
        try:
            yield from self._pages({**body, "pit": pit}, limit)
        finally:
            self.read("DELETE", "/_search/point_in_time", {"pit_id": [pit["id"]]})

    def all_hits(self, index: str, body: Json, *, may_be_absent: bool = False) -> Iterator[Json]:
        """Yield all hits of a search that usually has few."""
        response = self.search(index, {**body, "size": PAGE}, may_be_absent=may_be_absent)
        hits = response["hits"]["hits"] if response else []
        if len(hits) < PAGE:
            yield from hits
        else:
            yield from self.scan(index, body)

    def _pages(self, body: Json, limit: int | None) -> Iterator[Json]:
        seen = 0
        after: Json = {}
        while limit is None or seen < limit:
            size = PAGE if limit is None else min(PAGE, limit - seen)
            response = self.read("POST", "/_search", {**body, **after, "size": size})
            self._refuse_partial(response)
            hits = response["hits"]["hits"]
            yield from hits
            if len(hits) < size:
                return
            seen += len(hits)
            after = {"search_after": hits[-1]["sort"]}

    def bulk(
        self, actions: Sequence[tuple[Json, Json | bytes | None]], *, refresh: bool = True
    ) -> None:
        """Do all of these actions, those refused for the moment again until the time is up.

        Searches see them at once, or without ``refresh`` within a second or after `refresh`.
        Raise ``PartlyDoneError``, which names the others, if some of them were done and no more.
        """
        deadline = time.monotonic() + self.write_seconds
        pause = 0.1
        waiting = list(enumerate(actions))
        while waiting:
            lines = [
                part if isinstance(part, bytes) else msgspec.json.encode(part)
                for _, action in waiting
                for part in action
                if part is not None
            ]
            response = self.write(
                "POST",
                "/_bulk",
                b"\n".join([*lines, b""]),
                refresh="true" if refresh else "false",
                timeout="10s",
                filter_path=BULK_OUTCOME,
            )
            outcomes = [next(iter(item.values())) for item in response["items"]]
            results = list(zip(waiting, outcomes, strict=True))
            failures = [outcome for outcome in outcomes if not is_done(outcome)]
            waiting = [action for action, outcome in results if not is_done(outcome)]
            positions = frozenset(position for position, _ in waiting)
            for failure in failures:
                if not is_refused_for_now(failure):
                    raise refused(failure, positions)
            if failures and time.monotonic() + pause > deadline:
                raise PartlyDoneError(
                    f"{len(failures)} of {len(actions)} changes were not made within "
                    f"{self.write_seconds:.0f} s: {reason_of(failures[0])}",
                    hint="when the cluster is whole again, do the same once more",
                    positions=positions,
                )
            if failures:
                time.sleep(pause)
                pause = min(2 * pause, 2.0)

    def refresh(self, index: str) -> None:
        """Let searches see all that was written to an index, or to several."""
        deadline = time.monotonic() + self.write_seconds
        pause = 0.1
        path = f"/{index}/_refresh"
        response = self.write("POST", path, ignore_unavailable="true")
        while has_lost_shards(response) and time.monotonic() + pause < deadline:
            time.sleep(pause)
            pause = min(2 * pause, 2.0)
            response = self.write("POST", path, ignore_unavailable="true")
        self._refuse_partial({} if is_absent(response) else response)

    def _send(
        self,
        method: str,
        path: str,
        body: Json | bytes | None,
        params: Mapping[str, str],
        *,
        seconds: float,
        ignore: tuple[int, ...] = (404,),
    ) -> Json:
        deadline = time.monotonic() + seconds
        pause = 0.05
        kind = "application/x-ndjson" if isinstance(body, bytes) else "application/json"
        while True:
            try:
                response = self._client.transport.perform_request(
                    method,
                    path,
                    params=dict(params),
                    body=body,
                    # Half of the time, so that there is some left for another node.
                    timeout=max(0.1, min(deadline - time.monotonic(), seconds / 2)),
                    ignore=ignore,
                    headers={"content-type": kind},
                )
            except OpenSearchException as error:
                if not may_try_again(error) or time.monotonic() + pause >= deadline:
                    raise self._our_error(error, seconds) from None
                time.sleep(pause)
                pause = min(2 * pause, 1.0)
            else:
                return response if isinstance(response, dict) else {}

    def _our_error(self, error: OpenSearchException, seconds: float) -> StorageError:
        words = words_of(error)
        if may_try_again(error):
            return StorageError(
                f"no node of the cluster at {self._shown()} could answer within "
                f"{seconds:.0f} s: {words}",
                hint="see whether its nodes are running, and `_cluster/health`",
            )
        return StorageError(
            f"the cluster at {self._shown()} refused: {words}",
            hint=SIGN_IN_HINT if words.startswith("401") else None,
        )

    def _refuse_partial(self, response: Json) -> None:
        if lacking := missing(response):
            raise StorageError(f"the cluster at {self._shown()} answered in part: {lacking}")

    def _shown(self) -> str:
        return ", ".join(urlsplit(host).netloc for host in self.hosts)


def is_absent(response: Json) -> bool:
    """Return whether a response is that there is no such index."""
    error = response.get("error")
    return isinstance(error, dict) and error.get("type") == "index_not_found_exception"


def has_lost_shards(response: Json) -> bool:
    """Return whether some shards did not answer, of which other nodes may have copies."""
    return bool(response.get("_shards", {}).get("failed", 0))


def missing(response: Json) -> str:
    """Return which part of a response is missing, or "" if it is whole."""
    if "error" in response:
        return str(response["error"].get("reason", response["error"]))
    shards = response.get("_shards", {})
    if failed := shards.get("failed", 0):
        reasons = [
            failure.get("reason", {}).get("reason") for failure in shards.get("failures", ())
        ]
        because = next((f": {reason}" for reason in reasons if reason), "")
        return f"{failed} of {shards['total']} shards did not answer{because}"
    if response.get("timed_out"):
        return "the search ran out of time"
    return ""


def may_try_again(error: OpenSearchException) -> bool:
    """Return whether another node, or the same a little later, may answer better."""
    if isinstance(error, SSLError) and "certificate" in str(error).lower():
        return False
    if not isinstance(error, TransportError):
        return False
    # An index that is being replaced refuses writes until its alias points to the new one.
    is_replaced = error.status_code == 403 and "cluster_block" in str(error.error)
    return is_replaced or error.status_code in _TRY_AGAIN


def words_of(error: OpenSearchException) -> str:
    """Return what the cluster responded, in one line."""
    if not isinstance(error, TransportError):
        return str(error)
    info = error.info if isinstance(error.info, dict) else {}
    cause = info.get("error")
    if isinstance(cause, dict):
        root = (cause.get("root_cause") or [cause])[0]
        return f"{error.status_code} {root.get('reason') or cause.get('reason') or error.error}"
    return f"{error.status_code} {error.error}"


def is_done(outcome: Json) -> bool:
    """Return whether an action of a bulk request was done."""
    status = outcome["status"]
    return status < 300 or (status == 404 and outcome.get("result") == "not_found")


def is_refused_for_now(outcome: Json) -> bool:
    """Return whether an action that was not done should be sent again."""
    status = outcome["status"]
    return status in _TRY_AGAIN or (status == 403 and "blocked" in reason_of(outcome))


class PartlyDoneError(StorageError):
    """Some actions of a bulk request were not done; the others were."""

    def __init__(self, message: str, *, hint: str | None, positions: frozenset[int]) -> None:
        super().__init__(message, hint=hint)
        self.positions = positions  # of the actions that were not done


def refused(outcome: Json, positions: frozenset[int]) -> PartlyDoneError:
    """Return the error of an action that the cluster will not do."""
    if outcome["status"] == 409:
        return PartlyDoneError(
            f"record {outcome['_id']!r} was changed by another program at the same time",
            hint="one import at a time; run this one again",
            positions=positions,
        )
    return PartlyDoneError(
        f"the cluster refused record {outcome['_id'][:200]!r}: {reason_of(outcome)[:500]}",
        hint=None,
        positions=positions,
    )


def reason_of(outcome: Json) -> str:
    """Return why an action of a bulk request was not done."""
    error = outcome.get("error", {})
    return str(error.get("reason", error)) if isinstance(error, dict) else str(error)
