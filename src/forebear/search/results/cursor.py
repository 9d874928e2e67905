"""A cursor: where in the list a reader is, so that the next page follows the last.

The order of the list is total: by score, then by tie key.  A page takes the first records of
each record type that are left, so a cursor says of every type how many were taken and which
was the last: its evidence and its tie key.  Records that arrive before it are not shown to this
reader, those after it are, and nothing is shown twice or left out, whatever the ordering.
The cursor also names the model, whose scores it is a position in, and the search, so that it
is not used for another.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from forebear.errors import InputError
from forebear.search.fusion import Ordering, in_order
from forebear.search.hits import Bits, Hits


@dataclass(frozen=True, slots=True, kw_only=True)
class LastShown:
    """How far a reader is in one record type."""

    taken: int
    evidence: int  # of the last record, in 64ths of a bit
    tie: int

    def is_before(self, hits: Hits) -> Bits:
        """Return of each hit whether it comes after the last one shown."""
        is_equal = hits.evidence == self.evidence
        after: Bits = (hits.evidence < self.evidence) | (is_equal & (hits.tie > self.tie))
        return after


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """A place in the answer to one search."""

    query: str  # a digest of what was asked
    model: str
    ordering: Ordering
    search_id: str = ""  # under which the search was logged, if it was
    rank: int = 0  # how many records were passed
    last: Mapping[str, LastShown] = field(default_factory=dict)  # by record type

    def rest(self, fused: Hits) -> Hits:
        """Return what of the one list is still to be shown, in its order."""
        types = fused.record_types()
        is_left = np.ones(len(fused), np.bool_)
        for record_type, last in self.last.items():
            is_left &= (types != record_type) | last.is_before(fused)
        left = fused.take(is_left)
        taken = {record_type: last.taken for record_type, last in self.last.items()}
        undecayed = replace(left, decay=np.zeros_like(left.decay))
        return self.ordering.apply(in_order(undecayed), taken=taken)

    def pass_over(self, hits: Hits) -> "Cursor":
        """Return the cursor behind these hits, which come next."""
        last = dict(self.last)
        columns = hits.record_types(), hits.evidence, hits.tie
        for record_type, evidence, tie in zip(*(c.tolist() for c in columns), strict=True):
            before = last.get(record_type)
            last[record_type] = LastShown(
                taken=before.taken + 1 if before else 1, evidence=evidence, tie=tie
            )
        return replace(self, rank=self.rank + len(hits), last=last)

    def check(self, *, query: str) -> None:
        """Refuse to go on in another search than the one the cursor is of."""
        if query != self.query:
            raise InputError(
                "the cursor belongs to another search",
                hint="repeat the search that gave the cursor, with the same facts and filters",
            )

    def __str__(self) -> str:
        value = [
            self.query,
            self.model,
            self.ordering.order,
            self.ordering.decay,
            self.search_id,
            self.rank,
            {name: [last.taken, last.evidence, last.tie] for name, last in self.last.items()},
        ]
        text = json.dumps(value, separators=(",", ":"))
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def parse_cursor(text: str) -> Cursor:
    """Return the cursor that a text means."""
    try:
        padded = text + "=" * (-len(text) % 4)
        query, model, order, decay, search_id, rank, last = json.loads(
            base64.urlsafe_b64decode(padded.encode("ascii"))
        )
        return Cursor(
            query=_text(query),
            model=_text(model),
            ordering=Ordering(order=_order(order), decay=_whole(decay)),
            search_id=_text(search_id),
            rank=_whole(rank),
            last={_text(name): LastShown(**_shown(*at)) for name, at in last.items()},
        )
    except (ValueError, TypeError, AttributeError, UnicodeError, binascii.Error, RecursionError):
        raise InputError(
            f"{text[:20]!r} is not a cursor", hint="use what the page before gave as `next`"
        ) from None


def query_digest(query: str, *options: object) -> str:
    """Return a short name of what was asked and how."""
    asked = json.dumps([query, *options])
    return hashlib.blake2b(asked.encode(), digest_size=6).hexdigest()


def _shown(taken: Any, evidence: Any, tie: Any) -> dict[str, int]:
    return {"taken": _whole(taken), "evidence": _whole(evidence), "tie": _whole(tie)}


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _order(value: Any) -> Any:
    if value not in ("score", "types"):
        raise ValueError
    return value
