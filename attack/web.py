"""Does any request get a server error, a traceback, an answer without protection, or markup back?

Requests are written to a socket byte by byte as an attacker would, with hostile methods, paths,
encodings, headers, bodies, cursors and cookies.  They come from many loopback addresses, so that
the limits per address do not stop the attack.
"""

import random
import re
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import dropwhile
from urllib.parse import quote, quote_plus

from attack.outcome import Attack, Outcome, Plan, Tries
from attack.running import TRACEBACK, CannotRun, Serving, missing_feature, serving
from attack.worlds import make_demo
from forebear.archive import open_archive

ANSWER_SECONDS = 30
PER_ADDRESS = 40  # requests
PROTECTION = (
    b"content-security-policy:",
    b"x-content-type-options: nosniff",
    b"referrer-policy:",
)
MARKER = "zq7xss"
MARKUP = (
    f"<script>{MARKER}</script>",
    f'"><img src=x onerror={MARKER}>',
    f"'><svg/onload={MARKER}>",
    f'" autofocus onfocus={MARKER} x="',
    f"<!--{MARKER}--><b>{MARKER}</b>",
    f"javascript:{MARKER}()",
    f"</title></textarea><script>{MARKER}</script>",
    "{{" + MARKER + "*7}}",
)
# What must not come back as it was sent.
RAW_MARKUP = re.compile(
    rf"<script>{MARKER}|<img src=x onerror={MARKER}|<svg/onload={MARKER}|"
    rf'" autofocus onfocus={MARKER}|<b>{MARKER}|href="javascript:{MARKER}'
)
WEIRD = (
    "",
    "\0",
    "%",
    "%00",
    "%ff%fe",
    "%c0%ae%c0%ae/",
    "../../../../etc/passwd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "....//....//etc/passwd",
    "/etc/passwd",
    "\\..\\..\\windows\\win.ini",
    "' OR 1=1 --",
    '"; DROP TABLE records; --',
    "*",
    "?" * 300,
    "(" * 300,
    "A" * 5_000,
    "\U0001f9ec" * 50,
    "\u202e\u0000\ufeff",
    "-1",
    "0",
    "99999999999999999999999999",
    "1e309",
    "NaN",
    "true",
    "[]",
    "{}",
    "null",
    "${jndi:ldap://127.0.0.1/x}",
    "%0d%0aSet-Cookie:%20x=1",
)
FIELDS = (
    *("given", "surname", "sex", "birth", "birth_place", "death", "death_place", "spouse"),
    *("father", "mother", "residence", "occupation", "text", "type", "search", "page", "after"),
    *("cursor", "size", "order", "impossible", "record", "kind", "collection", "place", "year"),
    *("facet", "filter", "key", "token", "link", "next", "back", "married_surname"),
)
PATHS = (
    *("/", "/", "/", "/api/1/search", "/api/1/search", "/api/1/facets", "/api/1/explanation"),
    *("/api/1/collections", "/api/1/records/", "/record/", "/beside/", "/browse/", "/missing"),
    *("/judge", "/health", "/static/", "/openapi.json", "/docs", "/sign-in/", "/sign-out", "/x"),
)
METHODS = ("GET",) * 12 + ("POST", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE")
ODD_METHODS = ("CONNECT", "get", "G\0T", "BREW", "A" * 3_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server sent back."""

    status: int  # 0: it closed the connection without an answer
    head: bytes
    body: bytes


def run(plan: Plan) -> Outcome:
    """Send one hostile request after the other."""
    rng = random.Random(plan.seed)
    path = make_demo(plan.folder / "demo.forebear")
    with open_archive(path) as archive:
        keys = [hit.record for hit in archive.search(surname="Cornell", log=False)[:20]]
    failures = []
    statuses: dict[int, int] = {}
    try:
        with serving(path) as server:
            for number in range(plan.tries):
                data = make_request(rng, server.port, keys)
                source = address_of(number // PER_ADDRESS, plan.seed)
                problem = ""
                try:
                    answer = send(server, data, source)
                except TimeoutError:
                    problem = f"no answer within {ANSWER_SECONDS} s"
                else:
                    statuses[answer.status] = statuses.get(answer.status, 0) + 1
                    problem = fault_of(answer)
                if server.process.poll() is not None:
                    problem = f"the server ended with {server.process.returncode}"
                if problem:
                    failures.append(
                        f"{problem}: request {number}, seed {plan.seed}: {data[:200]!r}"
                    )
                if server.process.poll() is not None:
                    break
                plan.progress(number + 1)
            alive = send(server, plain(server.port, "/health"), "127.9.9.9").status
            if alive != 200:
                failures.append(f"/health is {alive} after all requests (seed {plan.seed})")
            if traceback := last_of_traceback(server.errors):
                failures.append(f"a traceback in the server's messages: {traceback}")
    except CannotRun as missing:
        return missing_feature(missing, plan.tries)
    counts = ", ".join(f"{count:,} x {status}" for status, count in sorted(statuses.items()))
    return Outcome(tries=plan.tries, failures=tuple(failures), worst=counts)


def address_of(number: int, seed: int) -> str:
    """Return one of the loopback addresses."""
    return f"127.{1 + seed % 200}.{number // 250 % 250}.{1 + number % 250}"


def plain(port: int, path: str, *, visitor: str = "") -> bytes:
    """Return a request that nothing is wrong with, of a visitor if a proxy sends it."""
    forwarded = f"X-Forwarded-For: {visitor}\r\n" if visitor else ""
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{forwarded}"
    return f"{head}Connection: close\r\n\r\n".encode()


def send(server: Serving, data: bytes, source: str) -> Answer:
    """Send bytes and return what comes back; after an incomplete request the line is closed."""
    with socket.create_connection(
        ("127.0.0.1", server.port), timeout=ANSWER_SECONDS, source_address=(source, 0)
    ) as connection:
        with suppress(ConnectionError):
            connection.sendall(data)
            if not is_complete(data):
                connection.settimeout(0.2)
                with suppress(TimeoutError):
                    connection.recv(1, socket.MSG_PEEK)
                connection.settimeout(ANSWER_SECONDS)
                with suppress(OSError):  # the server may have closed the connection
                    connection.shutdown(socket.SHUT_WR)
        received = bytearray()
        with suppress(ConnectionError):
            while part := connection.recv(1 << 16):
                received += part
    head, _, body = bytes(received).partition(b"\r\n\r\n")
    if head.startswith(b"HTTP/1.1 100 "):  # the answer comes after it, or never
        head, _, body = body.partition(b"\r\n\r\n")
    match = re.match(rb"HTTP/1\.[01] (\d{3})", head)
    return Answer(status=int(match[1]) if match else 0, head=head, body=body)


def is_complete(data: bytes) -> bool:
    """Return whether a server can tell where the request ends."""
    head, _, body = data.partition(b"\r\n\r\n")
    if b"\r\nTransfer-Encoding: chunked" in head:
        return False
    if not re.match(rb"[A-Z]+ \S+ HTTP/1.[01]\r\n", head):
        return False
    length = re.search(rb"\r\nContent-Length: (\S*)", head)
    return (length[1] if length else b"0") == str(len(body)).encode()


def last_of_traceback(lines: Sequence[str]) -> str:
    """Return the line in which the first traceback ends; empty if there is none."""
    after = dropwhile(lambda line: TRACEBACK not in line, lines)
    next(after, "")
    return next((line.strip() for line in after if not line.startswith(" ")), "")


def fault_of(answer: Answer) -> str:
    """Return what no answer may be; empty if nothing."""
    if answer.status >= 500 and answer.status not in (501, 505):
        return f"HTTP {answer.status}"
    if TRACEBACK.encode() in answer.body:
        return "a traceback in the answer"
    if b"root:x:0:0" in answer.body:
        return "a file of the system in the answer"
    head = answer.head.lower()
    if b"\r\nset-cookie: x=1" in head:
        return "a header of the request in the answer"
    if answer.status:
        if missing := [name for name in PROTECTION if name not in head]:
            return f"HTTP {answer.status} without {missing[0].decode()}"
        is_page = b"content-type: text/html" in head
        if is_page and (match := RAW_MARKUP.search(answer.body.decode(errors="replace"))):
            return f"markup came back: {match.group()!r}"
        location = re.search(rb"\r\nlocation: ([^\r]*)", head)
        if location and not location[1].startswith((b"/", b"?", b"http://127.0.0.1")):
            return f"a redirect to {location[1][:80]!r}"
    return ""


def make_request(rng: random.Random, port: int, keys: list[str]) -> bytes:
    """Return a hostile request."""
    if rng.random() < 0.03:
        return rng.randbytes(rng.choice((1, 10, 500, 70_000)))
    odd = rng.random() < 0.03
    method = rng.choice(ODD_METHODS if odd else METHODS)
    path = rng.choice(PATHS)
    if path.endswith("/") and path != "/":
        path += encode(rng, rng.choice((*keys, value(rng), value(rng))))
    if rng.random() < 0.8:
        pairs = [(rng.choice(FIELDS), value(rng)) for _ in range(rng.choice((1, 2, 3, 8)))]
        if rng.random() < 0.02:
            pairs *= 2_000
        path += "?" + "&".join(f"{name}={encode(rng, text)}" for name, text in pairs)
    headers = [("Host", f"127.0.0.1:{port}"), ("Connection", "close")]
    if rng.random() < 0.2:
        headers[0] = (
            "Host",
            rng.choice(("evil.example", "127.0.0.1@evil.example", "", "[::1", "a\0b")),
        )
    for make in rng.sample(HEADERS, rng.choice((0, 0, 1, 2))):
        headers.append(make(rng))
    body = b""
    if method in ("POST", "PUT", "PATCH") or rng.random() < 0.05:
        body, kind = make_body(rng, keys)
        headers.append(("Content-Type", kind))
        length = str(len(body)) if rng.random() < 0.9 else rng.choice(("-1", "x", "1", "999999999"))
        headers.append(("Content-Length", length))
    version = "HTTP/1.1" if rng.random() < 0.97 else rng.choice(("HTTP/1.0", "HTTP/9.9", "HTTP"))
    lines = [f"{method} {path} {version}", *(f"{name}: {text}" for name, text in headers), "", ""]
    return "\r\n".join(lines).encode("utf-8", errors="surrogatepass") + body


def value(rng: random.Random) -> str:
    """Return a hostile value of a parameter."""
    roll = rng.random()
    if roll < 0.3:
        return rng.choice(MARKUP)
    if roll < 0.7:
        return rng.choice(WEIRD)
    if roll < 0.9:
        return rng.choice(("Mary", "Cornell", "1851", "abt 1850", "Layham", "census:1", "Tho*"))
    return "".join(
        chr(rng.choice((rng.randrange(1, 128), rng.randrange(0x20000)))) for _ in range(9)
    )


def encode(rng: random.Random, text: str) -> str:
    """Return a value as it is written in an address."""
    if rng.random() < 0.1 and text.isascii() and text.isprintable() and " " not in text:
        return text
    data = text.encode("utf-8", errors="replace")
    return quote(data) if rng.random() < 0.5 else quote_plus(data)


def make_body(rng: random.Random, keys: list[str]) -> tuple[bytes, str]:
    """Return a hostile body and its type."""
    forms: tuple[Callable[[], tuple[bytes, str]], ...] = (
        lambda: (
            f"record={quote(rng.choice(keys))}&kind={quote(value(rng), errors='replace')}".encode(),
            "application/x-www-form-urlencoded",
        ),
        lambda: (b"a=1&" * 20_000, "application/x-www-form-urlencoded"),
        lambda: (b"[" * 20_000, "application/json"),
        lambda: (b'{"given": "' + b"A" * 30_000 + b'"}', "application/json"),
        lambda: (b'{"given": {"a": [1e999, null]}, "events": [[]]}', "application/json"),
        lambda: (b'{"surname": "\xff\xfe"}', "application/json"),
        lambda: (rng.randbytes(400), "application/json"),
        lambda: (b"--x\r\nContent-Disposition: form-data", "multipart/form-data; boundary=x"),
        lambda: (rng.randbytes(400), "application/octet-stream"),
    )
    return rng.choice(forms)()


HEADERS: tuple[Callable[[random.Random], tuple[str, str]], ...] = (
    lambda rng: ("Cookie", f"session={value_of_header(rng)}; forebear={value_of_header(rng)}"),
    lambda _: ("Origin", "http://evil.example"),
    lambda _: ("Sec-Fetch-Site", "cross-site"),
    lambda rng: ("X-Forwarded-For", f"{value_of_header(rng)}, 10.0.0.1"),
    lambda _: ("X-Forwarded-Host", "evil.example"),
    lambda rng: ("Accept", rng.choice(("application/json", "*/*", "text/html", ";;;q=x"))),
    lambda _: ("Range", "bytes=0-1,5-2,-1"),
    lambda _: ("Transfer-Encoding", "chunked"),
    lambda _: ("Expect", "100-continue"),
    lambda _: ("X-Long", "A" * 20_000),
    lambda _: ("If-None-Match", '"x" ' * 500),
    lambda _: ("Upgrade", "websocket"),
)


def value_of_header(rng: random.Random) -> str:
    """Return a value without line breaks."""
    return value(rng).replace("\r", "").replace("\n", "")[:2_000]


ATTACK = Attack(
    name="requests",
    question="Does any HTTP request get a server error, a traceback or markup back?",
    tries=Tries(quick=200, normal=2_500, full=25_000),
    run=run,
)
