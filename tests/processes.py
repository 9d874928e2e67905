"""Processes that tests start and that must not outlive them."""

import ctypes
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

_PR_SET_PDEATHSIG = 1  # from <sys/prctl.h>


def start_process(command: Sequence[str], **options: Any) -> "subprocess.Popen[str]":
    """Start a process that the system ends if this one dies, however it dies (on Linux)."""
    return subprocess.Popen(command, text=True, preexec_fn=_end_with_parent, **options)


def _end_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
