"""How is a process stopped that needs too much CPU time?

By the kernel (RLIMIT_CPU of setrlimit(2)): it ends a process whose CPU time, of all its threads,
reaches the limit.  So a program may use the same time on a busy machine as on a quiet one.  A
program that it starts is counted and limited separately.  By the clock a process may
take many times longer, which only stops one that hangs.
"""

import math
import os
import resource
import signal

PATIENCE = 20.0  # times the CPU time that a process may take by the clock
_GRACE_SECONDS = 5  # between the signal that ends a process and the one that it cannot catch


def limit_cpu(seconds: float) -> None:
    """Let the kernel end this process after these seconds of CPU, rounded up.

    No core is written.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hardest = resource.getrlimit(resource.RLIMIT_CPU)
    soft, hard = max(1, math.ceil(seconds)), max(1, math.ceil(seconds)) + _GRACE_SECONDS
    if hardest != resource.RLIM_INFINITY:
        soft, hard = min(soft, hardest), min(hard, hardest)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def exceeded_cpu(status: int) -> bool:
    """Return whether a process ended by its limit of CPU, from its status of wait(2)."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
