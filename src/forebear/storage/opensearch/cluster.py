"""How do we talk to a cluster whose nodes may die while we do?

Every request has a time limit.  Within it, a request that met a dead, silent or overloaded
node is sent to another one; so whatever is sent must be safe to send twice.  When the time
is up, our error says which hosts were asked and what the last of them said.

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
from opensearchpy.exceptions import OpenSearchException, SerializationError
from opensearchpy.serializer import JSONSerializer

from forebear.errors import StorageError
from forebear.storage.opensearch.access import SIGN_IN_HINT, client_options
from forebear.storage.opensearch.answers import (
    Json,
    PartlyDoneError,
    has_lost_shards,
    is_absent,
    is_done,
    is_refused_for_now,
    may_try_again,
    missing,
    reason_of,
    refused,
    told,
)
from forebear.storage.port import ClusterAccess

READ_SECONDS = 20.0
WRITE_SECONDS = 60.0
LOST_PAUSES = (0.1, 0.4, 1.0)  # seconds, before a part that was lost is asked for again
PAGE = 1_000  # documents a request when paging
NO_ACCESS = ClusterAccess()
# What is read of the outcome of an action.
BULK_OUTCOME = "items.*.status,items.*.result,items.*.error,items.*._id"
SNAPSHOT_MINUTES = "5m"  # how long a point in time outlives the last page taken from it


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
        made = self._send("PUT", f"/{index}", body, {}, seconds=self.write_seconds, ignore=(400,))
        error = made.get("error", {})
        if error and error.get("type") != "resource_already_exists_exception":
            raise StorageError(
                f"the cluster at {self._shown()} made no index {index!r}: {error.get('reason')}"
            )

    def search(self, index: str, body: Json, *, may_be_absent: bool = False) -> Json:
        """Return the whole answer to a search, or raise if a part of it is missing.

        Where there may be no such index yet, {} says so.
        """
        found = self.parts(index, body)
        if may_be_absent and is_absent(found):
            return {}
        self._refuse_partial(found)
        return found

    def parts(self, index: str, body: Json) -> Json:
        """Return the answer to a search, which may lack what `missing` then names.

        A node that dies with a part of the answer has been replaced by the next moment, if its
        shards have other copies; so what is lacking is asked for again.
        """
        limited = {"timeout": f"{self.attempt_seconds:.0f}s", **body}
        found = self.read("POST", f"/{index}/_search", limited)
        for pause in LOST_PAUSES:
            if not has_lost_shards(found):
                break
            time.sleep(pause)
            found = self.read("POST", f"/{index}/_search", limited)
        return found

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
        opened = self.read("POST", path, keep_alive=SNAPSHOT_MINUTES)
        if is_absent(opened):
            return
        self._refuse_partial(opened)
        pit = {"id": opened["pit_id"], "keep_alive": SNAPSHOT_MINUTES}
        try:
            yield from self._pages({**body, "pit": pit}, limit)
        finally:
            self.read("DELETE", "/_search/point_in_time", {"pit_id": [pit["id"]]})

    def all_hits(self, index: str, body: Json, *, may_be_absent: bool = False) -> Iterator[Json]:
        """Yield all hits of a search that usually has few."""
        found = self.search(index, {**body, "size": PAGE}, may_be_absent=may_be_absent)
        hits = found["hits"]["hits"] if found else []
        if len(hits) < PAGE:
            yield from hits
        else:
            yield from self.scan(index, body)

    def _pages(self, body: Json, limit: int | None) -> Iterator[Json]:
        seen = 0
        after: Json = {}
        while limit is None or seen < limit:
            size = PAGE if limit is None else min(PAGE, limit - seen)
            found = self.read("POST", "/_search", {**body, **after, "size": size})
            self._refuse_partial(found)
            hits = found["hits"]["hits"]
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
                answer = self._client.transport.perform_request(
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
                return answer if isinstance(answer, dict) else {}

    def _our_error(self, error: OpenSearchException, seconds: float) -> StorageError:
        said = told(error)
        if may_try_again(error):
            return StorageError(
                f"no node of the cluster at {self._shown()} could answer within "
                f"{seconds:.0f} s: {said}",
                hint="see whether its nodes are running, and `_cluster/health`",
            )
        return StorageError(
            f"the cluster at {self._shown()} refused: {said}",
            hint=SIGN_IN_HINT if said.startswith("401") else None,
        )

    def _refuse_partial(self, found: Json) -> None:
        if lacking := missing(found):
            raise StorageError(f"the cluster at {self._shown()} answered in part: {lacking}")

    def _shown(self) -> str:
        return ", ".join(urlsplit(host).netloc for host in self.hosts)
