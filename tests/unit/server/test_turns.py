"""Tests for `forebear.server.turns`."""

import threading
import time
from pathlib import Path

import forebear
from forebear.server.turns import SEARCHES_AT_ONCE, Turns


def test_a_few_searches_run_at_once_and_the_others_wait(demo_file: Path) -> None:
    running: list[int] = []
    most: list[int] = []

    with forebear.open(demo_file) as archive:
        turns = Turns(archive)

        def search(number: int) -> None:
            with turns.take():
                running.append(number)
                most.append(len(running))
                time.sleep(0.05)
                running.remove(number)

        threads = [threading.Thread(target=search, args=(n,)) for n in range(3 * SEARCHES_AT_ONCE)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=30)

    assert len(most) == len(threads)
    assert max(most) <= SEARCHES_AT_ONCE
