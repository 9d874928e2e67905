"""Tests for `forebear.server.limits`."""

import threading
import time
from pathlib import Path

import forebear
from forebear.server.limits import (
    COUNTS,
    FILE_COST,
    SEARCHES_AT_ONCE,
    STEP_SECONDS,
    Counters,
    Limits,
    Turns,
)

ADDRESS = "192.0.2.7"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_address_gets_its_number_of_requests_and_others_theirs() -> None:
    counters = Counters(Limits(requests=3), clock=Clock())

    waits = [counters.count_request(ADDRESS) for _ in range(5)]

    assert waits[:3] == [0, 0, 0]
    assert all(0 < wait <= 60 + STEP_SECONDS for wait in waits[3:])
    assert counters.count_request("192.0.2.8") == 0


def test_no_sixty_seconds_hold_more_than_the_limit() -> None:
    clock = Clock()
    counters = Counters(Limits(requests=20), clock=clock)
    times = []
    for _ in range(3000):
        clock.now += 0.13
        if not counters.count_request(ADDRESS):
            times.append(clock.now)

    most = max(sum(start <= at < start + 60 for at in times) for start in times)

    assert most == 20
    assert len(times) >= 20 * 3000 * 0.13 / (60 + STEP_SECONDS) - 20


def test_who_waits_as_long_as_told_is_answered_and_who_does_not_is_not() -> None:
    clock = Clock()
    counters = Counters(Limits(requests=2), clock=clock)
    counters.count_request(ADDRESS)
    clock.now += 17
    counters.count_request(ADDRESS)
    wait = counters.count_request(ADDRESS)

    clock.now += wait - 1 - STEP_SECONDS
    assert counters.count_request(ADDRESS) > 0
    clock.now += 1 + STEP_SECONDS
    assert counters.count_request(ADDRESS) == 0


def test_ten_files_count_as_one_page() -> None:
    counters = Counters(Limits(requests=2), clock=Clock())

    assert [counters.count_request(ADDRESS, FILE_COST) for _ in range(21)].count(0) == 20


def test_a_closed_connection_makes_room_for_another() -> None:
    counters = Counters(Limits(connections=2))

    assert [counters.open_connection(ADDRESS) for _ in range(3)] == [True, True, False]
    assert counters.open_connection("192.0.2.8")
    counters.close_connection(ADDRESS)
    assert [counters.open_connection(ADDRESS) for _ in range(2)] == [True, False]


def test_workers_count_together_and_a_new_worker_forgets_the_connections_of_its_crash() -> None:
    memory, clock = bytearray(2 * COUNTS.itemsize), Clock()

    def start(worker: int) -> Counters:
        limits = Limits(requests=4, connections=4)
        return Counters(limits, memory=memory, worker=worker, key=b"shared", clock=clock)

    first, second = start(0), start(1)

    waits = [worker.count_request(ADDRESS) for worker in (first, second, first, second, first)]
    opened = [worker.open_connection(ADDRESS) for worker in (first, second, first, first, second)]

    assert [wait > 0 for wait in waits] == [False, False, False, False, True]
    assert opened == [True, True, True, True, False]
    restarted = start(0)
    assert [restarted.open_connection(ADDRESS) for _ in range(4)] == [True, True, True, False]
    assert restarted.count_request(ADDRESS) > 0


def test_very_many_addresses_use_no_more_memory_and_refuse_few_others() -> None:
    counters = Counters(Limits(requests=1), key=b"fixed", clock=Clock())

    refused = sum(counters.count_request(f"10.0.{n >> 8}.{n & 255}") > 0 for n in range(1500))

    assert refused <= 3  # 1,500 of 16,384 cells in each of three rows


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
