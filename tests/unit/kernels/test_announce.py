"""Tests for `forebear.kernels.announce`."""

import numba

from forebear.kernels.announce import compilation_told


def test_compilation_is_told_once_and_a_compiled_loop_is_silent() -> None:
    told: list[str] = []
    loops = [numba.njit(lambda x: x + 1), numba.njit(lambda x: x + 2)]

    with compilation_told(told.append):
        results = [loop(1) for loop in loops]
    with compilation_told(told.append):
        loops[0](1)

    assert results == [2, 3]
    assert len(told) == 1
    assert told[0].startswith("compiling the inner loops")
