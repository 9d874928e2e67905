"""Say so when a loop is compiled: it takes seconds, and only the first time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core import event


@contextmanager
def compilation_told(tell: Callable[[str], None]) -> Iterator[None]:
    """Tell, once, when compilation begins anywhere in the block; loading from disk is none."""
    listener = _Listener(tell)
    with event.install_listener("numba:compile", listener):
        yield


class _Listener(event.Listener):
    """Tells at the first compilation."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told = False

    def on_start(self, _: event.Event) -> None:
        if not self._told:
            self._told = True
            self._tell("compiling the inner loops, which takes some seconds once; they are kept")

    def on_end(self, _: event.Event) -> None:
        pass
