"""Tests for `forebear.kernels.compiled`."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest

from forebear.kernels.compiled import announce_compilation, compiled


def double(number: int) -> int:
    return 2 * number


def test_a_compiled_loop_gives_what_the_loop_gives_and_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    assert compiled(double)(21) == double(21)
    assert list(tmp_path.rglob("*.nbc"))


def test_without_a_folder_to_keep_it_in_a_loop_is_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    original: Callable[..., Any] = numba.njit

    def njit(*loops: Callable[..., Any], cache: bool = False) -> Any:
        if cache:
            raise RuntimeError("cannot cache function 'double': no locator available")
        return original(*loops)

    monkeypatch.setattr(numba, "njit", njit)

    assert compiled(double)(21) == 42


def test_the_package_itself_loads_no_numerical_library() -> None:
    heavy = "{'numpy', 'numba', 'scipy'}"
    program = f"import sys, forebear; sys.exit(len({heavy} & sys.modules.keys()))"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_compilation_is_told_once_and_a_compiled_loop_is_silent() -> None:
    messages: list[str] = []
    loops = [numba.njit(lambda x: x + 1), numba.njit(lambda x: x + 2)]

    with announce_compilation(messages.append):
        results = [loop(1) for loop in loops]
    with announce_compilation(messages.append):
        loops[0](1)

    assert results == [2, 3]
    assert len(messages) == 1
    assert messages[0].startswith("compiling the inner loops")
