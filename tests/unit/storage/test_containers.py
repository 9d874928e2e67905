"""Tests for `forebear.storage.sqlite.containers`: the bytes are those that the library writes."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from forebear.storage.sqlite.containers import (
    MANY_BLOCKS,
    MOST_LISTED,
    extend_block,
    read_blocks,
    write_block,
)

LOWS = st.lists(st.integers(0, 65_535), min_size=1, max_size=60, unique=True).map(sorted)
BLOCKS = st.sampled_from([0, 1, 7, 65_535])


def values(lows: list[int]) -> bytes:
    return np.array(lows, "<u2").tobytes()


def expected(block: int, lows: list[int]) -> bytes:
    return BitMap([(block << 16) + low for low in lows]).serialize()


@given(BLOCKS, LOWS)
def test_a_new_block_is_what_the_library_writes(block: int, lows: list[int]) -> None:
    assert write_block(block, values(lows)) == expected(block, lows)


@given(BLOCKS, LOWS, st.data())
def test_a_longer_block_is_what_the_library_writes(
    block: int, lows: list[int], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(lows)))
    if cut == len(lows):
        return
    first = write_block(block, values(lows[:cut]))

    assert extend_block(first, block, values(lows[cut:])) == expected(block, lows)


@pytest.mark.parametrize("count", [MOST_LISTED - 1, MOST_LISTED, MOST_LISTED + 1, 65_535])
@pytest.mark.parametrize("cut", [1, 4000, MOST_LISTED - 2])
def test_blocks_too_full_to_be_listed_are_sets_of_bits(count: int, cut: int) -> None:
    lows = list(range(count))
    first = write_block(3, values(lows[:cut]))
    whole = BitMap.deserialize(write_block(3, values(lows)))
    longer = BitMap.deserialize(extend_block(first, 3, values(lows[cut:])))

    assert whole == longer == BitMap((3 << 16) + low for low in lows)


def test_a_block_of_bits_or_runs_grows_too() -> None:
    full = BitMap(range(5000))
    runs = BitMap(range(100))
    runs.run_optimize()

    grown = [
        BitMap.deserialize(extend_block(b.serialize(), 0, values([6000]))) for b in (full, runs)
    ]

    assert grown == [full | BitMap([6000]), runs | BitMap([6000])]


@given(st.dictionaries(st.integers(0, 65_535), LOWS, min_size=1, max_size=20), st.randoms())
def test_the_blocks_of_a_term_are_read_as_one(blocks: dict[int, list[int]], random: Random) -> None:
    stored = [write_block(block, values(lows)) for block, lows in sorted(blocks.items())]
    everybody = BitMap((block << 16) + low for block, lows in blocks.items() for low in lows)

    assert read_blocks(stored) == everybody
    random.shuffle(stored)
    assert read_blocks(stored) == everybody


@pytest.mark.parametrize("first", [BitMap([5]), BitMap(range(5000)), BitMap([7, 9 << 20])])
def test_blocks_of_lists_and_bits_and_runs_are_read_together(first: BitMap) -> None:
    others = [BitMap([block << 16, (block << 16) + 3]) for block in range(1, 2 * MANY_BLOCKS)]
    runs = BitMap(range(500 << 16, (500 << 16) + 100))
    runs.run_optimize()

    for some in ([first, *others], [first, *others, runs]):
        assert read_blocks([each.serialize() for each in some]) == BitMap.union(*some)
