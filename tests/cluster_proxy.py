"""A node's neighbor that demands a certificate or a password, or whose lines break."""

import http.client
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

Treatment = Literal["pass", "drop", "cut"]  # cut: the node acts, but its answer is lost


@dataclass
class Proxy:
    """What a proxy does with requests, and what it saw."""

    url: str = ""
    authorization: str = ""  # that every request must have
    treat: Callable[[int], Treatment] = lambda _: "pass"  # by the number of a request, from 0
    requests: list[tuple[str, bytes]] = field(default_factory=list)  # path and body


@contextmanager
def proxy(node: str, *, tls: ssl.SSLContext | None = None) -> Iterator[Proxy]:
    """Serve a node at another port of localhost."""
    state = Proxy()
    target = urlsplit(node)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if state.authorization and self.headers.get("authorization") != state.authorization:
                self.reply(401, b'{"error": {"reason": "who are you?"}, "status": 401}')
                return
            state.requests.append((self.path, body))
            treatment = state.treat(len(state.requests) - 1)
            if treatment != "drop":
                status, answer = self.forward(body)
                if treatment == "pass":
                    self.reply(status, answer)
                    return
            self.close_connection = True

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_any  # noqa: N815

        def forward(self, body: bytes) -> tuple[int, bytes]:
            connection = http.client.HTTPConnection(target.hostname or "", target.port, timeout=60)
            kind = self.headers.get("content-type", "application/json")
            try:
                connection.request(self.command, self.path, body, {"content-type": kind})
                answer = connection.getresponse()
                return answer.status, answer.read()
            finally:
                connection.close()

        def reply(self, status: int, content: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign, assignment]
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    state.url = f"{'https' if tls else 'http'}://localhost:{server.server_port}"
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Certificates:
    """A certificate authority in a folder, made with the program ``openssl``."""

    def __init__(self, openssl: str, folder: Path) -> None:
        self._openssl, self._folder = openssl, folder
        self.ca, self._ca_key = folder / "ca.pem", folder / "ca.key"
        self._run("req", "-x509", *self._new(self._ca_key, "authority"), "-out", self.ca)

    def issue(self, name: str) -> tuple[Path, Path]:
        """Return a certificate for a host or client, and its private key."""
        certificate, key = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        request, names = self._folder / f"{name}.csr", self._folder / f"{name}.txt"
        names.write_text(f"subjectAltName=DNS:{name}\n")
        self._run("req", *self._new(key, name), "-out", request)
        signed = ("-CA", self.ca, "-CAkey", self._ca_key, "-CAcreateserial", "-days", "2")
        self._run("x509", "-req", "-in", request, *signed, "-extfile", names, "-out", certificate)
        key.chmod(0o600)
        return certificate, key

    def server(self, name: str, *, demands_certificate: bool = False) -> ssl.SSLContext:
        """Return how a server of this name identifies itself, and what it demands."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.issue(name))
        if demands_certificate:
            context.load_verify_locations(self.ca)
            context.verify_mode = ssl.CERT_REQUIRED
        return context

    def _new(self, key: Path, name: str) -> tuple[str | Path, ...]:
        kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        return (*kind, "-keyout", key, "-subj", f"/CN={name}")

    def _run(self, *words: str | Path) -> None:
        subprocess.run([self._openssl, *words], check=True, capture_output=True, timeout=60)
