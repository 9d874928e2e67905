"""A cursor: where in the list a reader is, so that the next page follows the last.

The order of the list is total: by score, then by tie key.  A page takes the first records of
each record type that are left, so a cursor says of every type how many were taken and which
was the last: its evidence and its tie key.  Records that arrive before it are not shown to this
reader, those after it are, and nothing is shown twice or left out, whatever the arrangement.
The cursor also names the model, whose scores it is a position in, and the search, so that it
is not used for another.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from forebear.errors import InputError
from forebear.search.fusion.arrangement import Arrangement
from forebear.search.fusion.shifted import FusedHit, in_order


@dataclass(frozen=True, slots=True, kw_only=True)
class LastShown:
    """How far a reader is in one record type."""

    taken: int
    evidence: int  # of the last record, in 64ths of a bit
    tie: int

    def is_before(self, hit: FusedHit) -> bool:
        """Say whether a hit comes after the last one shown."""
        return (-self.evidence, self.tie) < (-hit.evidence, hit.tie)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """A place in the answer to one search."""

    query: str  # a digest of what was asked
    model: str
    arrangement: Arrangement
    search_id: str = ""  # under which the search was logged, if it was
    rank: int = 0  # how many records were passed
    last: Mapping[str, LastShown] = field(default_factory=dict)  # by record type

    def rest(self, fused: Sequence[FusedHit]) -> tuple[FusedHit, ...]:
        """Return what of the one list is still to be shown, in its order."""
        left = [
            replace(hit, decay=0)
            for hit in fused
            if hit.record_type not in self.last or self.last[hit.record_type].is_before(hit)
        ]
        taken = {record_type: last.taken for record_type, last in self.last.items()}
        return self.arrangement.apply(in_order(left), taken=taken)

    def pass_over(self, hits: Sequence[FusedHit]) -> "Cursor":
        """Return the cursor behind these hits, which come next."""
        last = dict(self.last)
        for hit in hits:
            before = last.get(hit.record_type)
            last[hit.record_type] = LastShown(
                taken=before.taken + 1 if before else 1, evidence=hit.evidence, tie=hit.tie
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
            self.arrangement.order,
            self.arrangement.decay,
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
            arrangement=Arrangement(order=_order(order), decay=_whole(decay)),
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
