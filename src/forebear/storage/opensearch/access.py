"""How do a cluster and its client prove to each other who they are?

The nodes show a certificate for their own name, signed by an authority that we trust.  We show a
certificate, a password or an API key.  An archive stores where such files are.  The secrets are
in the environment, or in files that only their owner can read; the environment comes first, so
that the same archive works where the files are elsewhere.
"""

import ssl
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from forebear.errors import InputError
from forebear.settings import CLUSTER_VARIABLE, cluster_from_environment
from forebear.storage.port import ClusterAccess

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
OTHERS = 0o077  # permissions of everyone but the owner of a file
SIGN_IN_HINT = (
    f"set {CLUSTER_VARIABLE}_USER and {CLUSTER_VARIABLE}_PASSWORD, or {CLUSTER_VARIABLE}_API_KEY"
)


def client_options(hosts: Sequence[str], stored: ClusterAccess) -> dict[str, Any]:
    """Return the options with which the client of a cluster signs in."""
    nodes = [_read_host(host) for host in hosts]
    access = _with_environment(stored)
    password = _secret("password", access.password_file)
    api_key = _secret("api_key", access.api_key_file)
    _check(nodes, access, password=password, api_key=api_key)
    options: dict[str, Any] = {}
    if any(node.scheme == "https" for node in nodes):
        options["ssl_context"] = _ssl_context(access)
    if password:
        options["http_auth"] = (access.user, password)
    if api_key:
        options["headers"] = {"authorization": f"ApiKey {api_key}"}
    return options


def _read_host(host: str) -> SplitResult:
    try:
        node = urlsplit(host)
        is_complete = node.scheme in ("http", "https") and bool(node.hostname)
    except ValueError:
        is_complete = False
    if not is_complete:
        shown = host.rpartition("@")[2]
        raise InputError(f"{shown!r} is not the address of a node", hint="give https://name:9200")
    if "@" in node.netloc:
        raise InputError(
            f"the address of {node.hostname!r} has a user or password in it",
            hint=f"leave it out, and {SIGN_IN_HINT}",
        )
    return node


def _with_environment(stored: ClusterAccess) -> ClusterAccess:
    names = [field.name for field in fields(stored)]
    return ClusterAccess(
        **{name: cluster_from_environment(name) or getattr(stored, name) for name in names}
    )


def _check(
    nodes: Sequence[SplitResult], access: ClusterAccess, *, password: str, api_key: str
) -> None:
    """Refuse options that contradict each other, and secrets over a line that others can read."""
    if password and api_key:
        raise InputError("both a password and an API key are given", hint="give one of them")
    if bool(password) != bool(access.user):
        lacking = "password" if access.user else "user"
        raise InputError(f"a {lacking} is missing to sign in to the cluster", hint=SIGN_IN_HINT)
    if access.key and not access.certificate:
        raise InputError("a private key is given without its certificate")
    for node in nodes:
        is_plain = node.scheme == "http"
        if is_plain and (access.ca or access.certificate):
            raise InputError(
                f"{node.hostname!r} is addressed without TLS, so certificates have no effect",
                hint="write https:// instead of http://",
            )
        if is_plain and (password or api_key) and node.hostname not in LOOPBACK:
            raise InputError(
                f"a password or API key would go to {node.hostname!r} unencrypted",
                hint="write https:// instead of http://",
            )


def _ssl_context(access: ClusterAccess) -> ssl.SSLContext:
    """Return what checks the names and certificates of nodes, and shows ours."""
    try:
        context = ssl.create_default_context(cafile=access.ca or None)
    except (OSError, ssl.SSLError) as error:
        raise InputError(f"cannot read the CA file {access.ca!r}: {error}") from None
    if access.certificate:
        if access.key:
            _refuse_readable_by_others(Path(access.key), "private key")
        try:
            # An encrypted key gets a wrong password instead of a question on the terminal.
            context.load_cert_chain(access.certificate, access.key or None, password="")
        except (OSError, ssl.SSLError) as error:
            raise InputError(
                f"cannot use the certificate {access.certificate!r}: {error}",
                hint="give the certificate and its private key, unencrypted, as PEM files",
            ) from None
    return context


def _secret(name: str, file: str) -> str:
    """Return a secret from the environment or else from its file, or "" if there is none."""
    if value := cluster_from_environment(name):
        return value
    if not file:
        return ""
    path = Path(file)
    what = f"file of the {name.replace('_', ' ').replace('api', 'API')}"
    _refuse_readable_by_others(path, what)
    try:
        value = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise InputError(f"cannot read the {what} {file!r}: {error}") from None
    if not value:
        raise InputError(f"the {what} {file!r} is empty")
    return value


def _refuse_readable_by_others(path: Path, what: str) -> None:
    try:
        mode = path.stat().st_mode & 0o777
    except OSError as error:
        raise InputError(f"cannot read the {what} {str(path)!r}: {error.strerror}") from None
    if mode & OTHERS:
        raise InputError(
            f"the {what} {str(path)!r} has mode {mode:o}, so others can read it",
            hint=f"chmod 600 {path}",
        )
