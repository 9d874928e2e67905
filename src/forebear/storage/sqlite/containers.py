"""The postings of one block as bytes: a roaring bitmap of a single container.

A batch adds a few personas to very many postings, and a bitmap made for each would cost more
than all the rest.  A block is as wide as a container, and new personas come after those that
are there, so most postings are only longer afterwards: a header, and two bytes a persona.
What is written is the portable format (RoaringFormatSpec): the cookie of bitmaps without
runs, one container, its key and its count less one, its offset, its values.
"""

import struct
from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
from pyroaring import BitMap

BLOCK_BITS = 16  # 65,536 personas a block
MANY_BLOCKS = 8  # of one term; fewer are quicker united one by one
MOST_LISTED = 4096  # personas; a container of more is a set of bits, and left to the library

_HEADER = struct.Struct("<IIHHI")
_COOKIE = 12346
_PLAIN = struct.pack("<II", _COOKIE, 1)


def write_block(block: int, values: bytes) -> bytes:
    """Return the postings of personas of a block, by the low 16 bits of each, in order."""
    count = len(values) >> 1
    if count > MOST_LISTED:
        return BitMap(_numbers(block, values)).serialize()
    return _HEADER.pack(_COOKIE, 1, block, count - 1, _HEADER.size) + values


def extend_block(stored: bytes, block: int, values: bytes) -> bytes:
    """Return postings with more personas, all of them after those that are there."""
    listed = stored[_HEADER.size :]
    is_listed = stored.startswith(_PLAIN) and len(listed) <= 2 * MOST_LISTED
    if is_listed and len(listed) + len(values) <= 2 * MOST_LISTED:
        return write_block(block, listed + values)
    return (BitMap.deserialize(stored) | BitMap(_numbers(block, values))).serialize()


def read_blocks(stored: Sequence[bytes]) -> BitMap:
    """Return the personas of one term, of all its blocks.

    A common term of a large archive has hundreds of blocks.  Their containers, one after the
    other under a common header, are one bitmap: it is read at once.
    """
    if len(stored) < MANY_BLOCKS or not all(each.startswith(_PLAIN) for each in stored):
        return _united(stored)
    heads = b"".join([each[8:12] for each in stored])  # key and count of each container
    keys = struct.unpack(f"<{2 * len(stored)}H", heads)[::2]
    if any(one >= other for one, other in pairwise(keys)):
        return _united(stored)
    bodies = [each[_HEADER.size :] for each in stored]
    offsets = accumulate(map(len, bodies[:-1]), initial=8 + 8 * len(stored))
    header = struct.pack("<II", _COOKIE, len(stored))
    offset_bytes = struct.pack(f"<{len(stored)}I", *offsets)
    return BitMap.deserialize(b"".join([header, heads, offset_bytes, *bodies]))


def _united(stored: Sequence[bytes]) -> BitMap:
    if len(stored) == 1:
        return BitMap.deserialize(stored[0])
    return BitMap.union(*map(BitMap.deserialize, stored))


def _numbers(block: int, values: bytes) -> "array[int]":
    """Return personas in the one form that the library takes in whole."""
    numbers = np.frombuffer(values, "<u2").astype(np.uint32) + np.uint32(block << 16)
    return array("I", numbers.tobytes())
