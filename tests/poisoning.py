"""The poisoning attack: one address judges everything the wrong way round, as fast as it can.

For each query the attacker opens the results and rejects the better half of each page and attaches
the other half, so that a model learned from it would rank backwards.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import cycle
from pathlib import Path
from typing import Any, Protocol

ACTIONS = 1166  # as many as the attack on an earlier version made in 33 seconds
_JUDGE = re.compile(r'<form class="judge" action="([^"]*)"')
_RECORD = re.compile(r'name="record" value="([^"]*)"')


class HttpClient(Protocol):
    """What the attack needs of a client: `httpx.Client` and the test client have it."""

    def get(self, url: str, *, params: dict[str, str]) -> Any:
        """Send a request and return its response."""

    def post(self, url: str, *, data: dict[str, str]) -> Any:
        """Send a form and return the response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Poisoning:
    """What the attack did."""

    accepted: int  # judgments that the server answered with a redirect
    refused: int


def poison(
    client: HttpClient, queries: Sequence[dict[str, str]], *, actions: int = ACTIONS
) -> Poisoning:
    """Judge records the wrong way round this many times."""
    statuses = []
    for address, record, kind in _judgments(client, queries):
        response = client.post(address, data={"record": record, "kind": kind})
        statuses.append(response.status_code)
        if len(statuses) == actions:
            break
    accepted = sum(300 <= status < 400 for status in statuses)
    return Poisoning(accepted=accepted, refused=len(statuses) - accepted)


def _judgments(
    client: HttpClient, queries: Sequence[dict[str, str]]
) -> Iterator[tuple[str, str, str]]:
    """Yield the address, the record and the kind of judgments, over and over."""
    for query in cycle(queries):
        page = client.get("/", params=query).text
        records = [unescape(key) for key in _RECORD.findall(page)]
        form = _JUDGE.search(page)
        if form is None:
            continue
        for rank, record in enumerate(records):
            yield unescape(form[1]), record, "reject" if rank < len(records) / 2 else "attach"


def form_queries(path: Path) -> list[dict[str, str]]:
    """Return the names and births of a file of queries as the page's form sends them."""
    queries = []
    for line in path.read_text("utf-8").splitlines():
        value = json.loads(line)
        name = next(iter(value.get("names", ())), value)
        birth: dict[str, str] = next(
            (e for e in value.get("events", ()) if e["kind"] == "birth"), {}
        )
        form = {"given": name.get("given", ""), "surname": name.get("surname", "")}
        form |= {"birth": birth.get("date", ""), "birth_place": birth.get("place", "")}
        queries.append({key: text for key, text in form.items() if text})
    return queries
