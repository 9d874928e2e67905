"""Tests for `forebear.server.listen` and the command that runs it."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from forebear.archive import Archive
from forebear.cli import serve
from forebear.errors import ArchiveError, ServerError
from forebear.server.listen import bind, run_server, url_of


def test_a_free_port_is_taken_told_and_given_back_when_interrupted(archive: Archive) -> None:
    urls: list[str] = []

    def interrupt(url: str) -> None:
        urls.append(url)
        signal.raise_signal(signal.SIGINT)

    run_server(archive.path, host="127.0.0.1", port=0, ready=interrupt)

    port = int(urls[0].removeprefix("http://127.0.0.1:"))
    bind("127.0.0.1", port).close()


def test_a_port_in_use_is_named_with_a_way_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(ServerError, match=f"port {port} of '127.0.0.1' is in use") as raised:
            bind("127.0.0.1", port)

    assert "--port 0" in (raised.value.hint or "")


def test_a_host_that_is_nowhere_is_our_error() -> None:
    with pytest.raises(ServerError, match="cannot listen on 'nowhere-invalid'"):
        bind("nowhere-invalid", 0)


def test_the_url_is_one_that_a_browser_can_visit() -> None:
    with bind("0.0.0.0", 0) as bound:
        assert url_of(bound) == f"http://127.0.0.1:{bound.getsockname()[1]}"


def test_without_the_extra_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(serve, "find_spec", lambda name: None if name == "uvicorn" else object())

    with pytest.raises(ServerError, match="uvicorn is not installed") as raised:
        serve.serve(path=tmp_path / "x")

    assert raised.value.hint == 'pip install "forebear[server]"'


def test_a_missing_archive_is_found_out_before_anything_listens(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="there is no archive"):
        run_server(tmp_path / "none", host="127.0.0.1", port=0, ready=pytest.fail)


def test_the_way_to_the_server_needs_no_web_framework() -> None:
    program = (
        "import sys; import forebear.cli.serve, forebear.cli.app;"
        "sys.exit(any(name in sys.modules for name in ('fastapi', 'uvicorn', 'jinja2')))"
    )

    finished = subprocess.run([sys.executable, "-c", program], env=os.environ, check=False)

    assert finished.returncode == 0
