"""The process that reads a large file ahead of the one that stores it; see ``ahead``."""

import contextlib
import gc
import os
import pickle
import sys
from collections.abc import Iterator
from itertools import chain
from typing import IO

from forebear.errors import ForebearError
from forebear.ingest.ahead import Ended, Job, Ready, write_end, write_message
from forebear.ingest.formats import open_source
from forebear.ingest.reading import Reading
from forebear.ingest.report import Progress
from forebear.ingest.store import Group

BATCH_PERSONAS = 8_000


def main() -> None:
    """Do one job after the other that standard input tells; the answers go to standard output."""
    # Rows become values without cycles, which need no collector to be let go.
    gc.disable()
    with contextlib.suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            send(pickle.load(sys.stdin.buffer), sys.stdout.buffer)
            write_end(sys.stdout.buffer)
    os._exit(0)  # whoever reads has read all, or is gone: there is nothing left to flush


def send(job: Job, pipe: IO[bytes]) -> None:
    """Read a file and send its records in batches, then what came of it."""
    try:
        for message in read(job):
            write_message(pipe, message)
    except ForebearError as error:
        write_message(pipe, error)


def read(job: Job) -> Iterator[Ready | Ended]:
    """Yield the file's records in batches, then what came of it."""
    latest = [Progress(rows_read=0, kept=0, written=0, bytes_done=0, bytes_total=0, seconds=0.0)]
    reading = Reading(
        open_source(job.path, job.mapping, is_checked=True),
        progress=lambda progress: latest.__setitem__(0, progress),
        ids=job.ids,
        share=job.share,
    )
    for block, groups in job.share.blocks(reading.groups()) if job.share else _some(reading):
        yield Ready(batch=job.encode(groups), progress=latest[0], block=block)
    yield Ended(report=reading.report(), refused=reading.refused)


def _some(reading: Reading) -> Iterator[tuple[int, Iterator[Group]]]:
    """Yield the groups of a whole file in parts with enough personas for a batch."""
    groups = reading.groups()
    for first in groups:
        yield 0, _until_enough(chain([first], groups))


def _until_enough(groups: Iterator[Group]) -> Iterator[Group]:
    personas = 0
    for group in groups:
        yield group
        personas += sum(len(record.personas) for record in group)
        if personas >= BATCH_PERSONAS:
            return


if __name__ == "__main__":
    main()
