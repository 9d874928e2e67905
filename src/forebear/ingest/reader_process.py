"""Which process reads for this one?  The last that did, if it is not long ago.

A process that has read a table knows the names, places and days of it, and those of the next
table are mostly the same.  So one that has done its job waits a while for another before it is
ended; it ends by itself when this process is gone, because nobody can tell it a job then.
"""

import atexit
import contextlib
import subprocess
import sys
import threading

Process = subprocess.Popen[bytes]

COMMAND = (sys.executable, "-P", "-m", "forebear.ingest.read_ahead")
IDLE_SECONDS = 30.0

_lock = threading.Lock()
_idle: list[tuple[Process, threading.Timer]] = []  # one at most


def take_process() -> Process:
    """Return a process that reads: the one that waits for a job, or a new one."""
    with _lock:
        found = _idle.pop() if _idle else None
    if found:
        process, timer = found
        timer.cancel()
        if process.poll() is None:
            return process
        end_process(process)
    return subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def keep_process(process: Process) -> None:
    """Let a process that has done its job wait for another."""
    timer = threading.Timer(IDLE_SECONDS, end_idle)
    timer.daemon = True
    with _lock:
        is_first = not _idle
        if is_first:
            _idle.append((process, timer))
            timer.start()
    if not is_first:
        end_process(process)


@atexit.register
def end_idle() -> None:
    """End the process that waits for a job."""
    with _lock:
        found = _idle.pop() if _idle else None
    if found:
        found[1].cancel()
        end_process(found[0])


def end_process(process: Process) -> None:
    """End a process, whatever it does."""
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()
    process.wait()
