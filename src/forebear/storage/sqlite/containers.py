"""How are the personas of a term written as bytes: a roaring bitmap in its portable form?

A batch of records has personas of very many terms, and a bitmap object for each would cost more
than all the rest.  So the bytes of all bitmaps of a batch are written, and short ones are merged,
with arrays.  The form (RoaringFormatSpec) of a bitmap without runs is: a cookie, the number of
containers, key and cardinality less one of each, the offset of each, and the containers.  A
container has the personas whose upper 16 bits are its key: up to 4,096 are a list of their lower 16
bits, more are a set of 65,536 bits, and those are left to the library.
"""

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

Ints = NDArray[np.int64]

PERSONA_BITS = 32  # of a pair of a term and a persona
LOW_BITS = 16  # of a persona: its place in a container
LOW = (1 << LOW_BITS) - 1
MAX_LISTED = 4096  # personas of a container; one of more is a set of bits
MAX_SHORT_BYTES = 1024  # of a bitmap that is merged with arrays: its containers are lists
COOKIE = 12346
PLAIN = COOKIE.to_bytes(4, "little")
# Words of 16 bits: of the cookie and the number of containers, and for each container.
HEADER_WORDS = 4
CONTAINER_WORDS = 4


def pair_terms(terms: Ints, personas: Ints) -> Ints:
    """Return each term, by number, with its persona, as one number that sorts."""
    pairs = terms << PERSONA_BITS
    pairs |= personas
    return pairs


def write_bitmaps(pairs: Ints) -> tuple[list[int], list[bytes]]:
    """Sort pairs of `pair_terms`, and return the terms, ascending, with the bitmap of each.

    No pair is there twice.
    """
    if not len(pairs):
        return [], []
    pairs.sort()
    # There are many millions of pairs: no more arrays of their length than must be.
    changes = np.flatnonzero((pairs[1:] ^ pairs[:-1]) > LOW) + 1
    starts = np.concatenate([np.zeros(1, np.int64), changes])  # of the containers
    counts = np.diff(starts, append=len(pairs))
    keys = pairs[starts] >> LOW_BITS
    firsts = np.flatnonzero(np.diff(keys >> (PERSONA_BITS - LOW_BITS), prepend=-1))  # of the terms
    terms = keys[firsts] >> (PERSONA_BITS - LOW_BITS)
    containers = np.diff(firsts, append=len(starts))
    personas = np.add.reduceat(counts, firsts)
    ends = np.cumsum(HEADER_WORDS + CONTAINER_WORDS * containers + personas)
    begins = ends - (HEADER_WORDS + CONTAINER_WORDS * containers + personas)

    words = np.empty(ends[-1], "<u2")
    for place, values in enumerate((COOKIE, 0, containers & LOW, containers >> LOW_BITS)):
        words[begins + place] = values
    number = np.arange(len(starts)) - np.repeat(firsts, containers)  # of a container in its term
    heads = np.repeat(begins, containers) + HEADER_WORDS + 2 * number
    words[heads] = keys & LOW
    words[heads + 1] = counts - 1
    heads += 2 * np.repeat(containers, containers)
    offsets = 2 * (HEADER_WORDS + CONTAINER_WORDS * np.repeat(containers, containers))
    offsets += 2 * (starts - np.repeat(starts[firsts], containers))
    words[heads] = offsets & LOW
    words[heads + 1] = offsets >> LOW_BITS
    places = np.repeat(ends - np.cumsum(personas), personas)
    places += np.arange(len(pairs))
    words[places] = pairs.astype("<u2")  # the low bits

    data = words.tobytes()
    bitmaps = [
        data[start:end]
        for start, end in zip((2 * begins).tolist(), (2 * ends).tolist(), strict=True)
    ]
    for place in np.flatnonzero(np.maximum.reduceat(counts, firsts) > MAX_LISTED).tolist():
        first = starts[firsts[place]]
        members = pairs[first : first + personas[place]].astype(np.uint32)
        bitmaps[place] = BitMap(array("I", members.tobytes())).serialize()
    return terms.tolist(), bitmaps


def merge_bitmaps(terms: Sequence[int], bitmaps: Sequence[bytes]) -> tuple[list[int], list[bytes]]:
    """Return each of some terms once, ascending, and a bitmap of the personas of all its bitmaps.

    No persona is in two bitmaps of a term.
    """
    numbers = np.array(terms, np.int64)
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    stored = [bitmaps[place] for place in order.tolist()]
    firsts = np.flatnonzero(np.diff(numbers, prepend=-1))
    counts = np.diff(firsts, append=len(stored))
    merged = [stored[first] for first in firsts.tolist()]  # of terms with one bitmap it is that
    is_short = np.fromiter(map(_is_short, stored), bool, len(stored))
    is_several = counts > 1
    is_written = is_several & (np.add.reduceat(is_short, firsts, dtype=np.int64) == counts)
    rows = np.flatnonzero(np.repeat(is_written, counts))
    _, written = write_bitmaps(_read_short(numbers[rows], [stored[row] for row in rows.tolist()]))
    for place, bitmap in zip(np.flatnonzero(is_written).tolist(), written, strict=True):
        merged[place] = bitmap
    for place in np.flatnonzero(is_several & ~is_written).tolist():
        first = firsts[place]
        merged[place] = read_bitmaps(stored[first : first + counts[place]]).serialize()
    return numbers[firsts].tolist(), merged


def _is_short(bitmap: bytes) -> bool:
    """Return whether all containers of a bitmap are lists, and together short."""
    return len(bitmap) <= MAX_SHORT_BYTES and bitmap.startswith(PLAIN)


def _read_short(terms: Ints, bitmaps: Sequence[bytes]) -> Ints:
    """Return the pairs of terms and personas of short bitmaps."""
    words = np.frombuffer(b"".join(bitmaps), "<u2").astype(np.int64)
    lengths = np.fromiter(map(len, bitmaps), np.int64, len(bitmaps)) >> 1
    starts = np.cumsum(lengths) - lengths
    containers = words[starts + 2]
    row = np.repeat(np.arange(len(bitmaps)), containers)
    first_of_row = np.cumsum(containers) - containers
    heads = starts[row] + HEADER_WORDS + 2 * (np.arange(len(row)) - first_of_row[row])
    keys = terms[row] << PERSONA_BITS | words[heads] << LOW_BITS
    counts = words[heads + 1] + 1
    before = np.cumsum(counts) - counts
    begins = starts[row] + HEADER_WORDS + CONTAINER_WORDS * containers[row]
    begins += before - before[first_of_row[row]]
    places = np.repeat(begins - before, counts)
    places += np.arange(len(places))
    pairs: Ints = np.repeat(keys, counts) | words[places]
    return pairs


def read_bitmaps(bitmaps: Sequence[bytes]) -> BitMap:
    """Return the personas of one term, of all its bitmaps."""
    if len(bitmaps) == 1:
        return BitMap.deserialize(bitmaps[0])
    return BitMap.union(*map(BitMap.deserialize, bitmaps))
