"""How a loop is compiled: by numba, at its first call, and kept on disk for the next process."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Loop = TypeVar("Loop", bound=Callable[..., Any])


def compiled(loop: Loop) -> Loop:
    """Return the loop compiled; where nothing can be kept on disk, for this process only."""
    try:
        return cast(Loop, numba.njit(cache=True)(loop))
    except RuntimeError:  # numba found no folder that it may write to
        return cast(Loop, numba.njit(loop))
