"""What does an answer of the cluster mean: all of it, a part, try again, or never?"""

from typing import Any

from opensearchpy.exceptions import OpenSearchException, SSLError, TransportError

from forebear.errors import StorageError

# What another node, or the same one a little later, may answer better: no connection, no
# answer in time, too busy, a dead node behind the one that was asked (500), no such shard
# just now.
_TRY_AGAIN = frozenset({"N/A", "TIMEOUT", 429, 500, 502, 503, 504})

Json = dict[str, Any]


def is_absent(found: Json) -> bool:
    """Say whether an answer is that there is no such index."""
    error = found.get("error")
    return isinstance(error, dict) and error.get("type") == "index_not_found_exception"


def has_lost_shards(found: Json) -> bool:
    """Say whether some shards did not answer, of which other nodes may have copies."""
    return bool(found.get("_shards", {}).get("failed", 0))


def missing(found: Json) -> str:
    """Return which part of an answer is missing, or "" if it is whole."""
    if "error" in found:
        return str(found["error"].get("reason", found["error"]))
    shards = found.get("_shards", {})
    if failed := shards.get("failed", 0):
        reasons = [
            failure.get("reason", {}).get("reason") for failure in shards.get("failures", ())
        ]
        because = next((f": {reason}" for reason in reasons if reason), "")
        return f"{failed} of {shards['total']} shards did not answer{because}"
    if found.get("timed_out"):
        return "the search ran out of time"
    return ""


def may_try_again(error: OpenSearchException) -> bool:
    """Say whether another node, or the same a little later, may answer better."""
    if isinstance(error, SSLError) and "certificate" in str(error).lower():
        return False
    if not isinstance(error, TransportError):
        return False
    # An index that is being replaced refuses writes until its alias points to the new one.
    is_replaced = error.status_code == 403 and "cluster_block" in str(error.error)
    return is_replaced or error.status_code in _TRY_AGAIN


def told(error: OpenSearchException) -> str:
    """Return what the cluster said, in one line."""
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
