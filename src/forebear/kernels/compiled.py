"""How are loops compiled?  By numba, at the first call, cached on disk for the next process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numba
from numba.core import event

Loop = TypeVar("Loop", bound=Callable[..., Any])


def compiled(loop: Loop) -> Loop:
    """Return the compiled loop, cached on disk where a folder is writable."""
    try:
        return cast(Loop, numba.njit(cache=True)(loop))
    except RuntimeError:  # numba has no folder that it may write to
        return cast(Loop, numba.njit(loop))


@contextmanager
def announce_compilation(write: Callable[[str], None]) -> Iterator[None]:
    """Write one message if a loop is compiled in this block; it takes seconds, but only once.

    Loading a compiled loop from disk writes nothing.
    """
    with event.install_listener("numba:compile", _Listener(write)):
        yield


class _Listener(event.Listener):
    """Writes its message at the first compilation."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._is_announced = False

    def on_start(self, _: event.Event) -> None:
        if not self._is_announced:
            self._is_announced = True
            self._write("compiling the inner loops, which takes some seconds once; they are kept")

    def on_end(self, _: event.Event) -> None:
        pass
