"""Does any parser or reader take more than twice the time for twice the input?

    python -m benchmarks.quality.growth              every parser and reader, every shape
    python -m benchmarks.quality.growth --only names

Each is given hostile shapes (thousands of question marks, nested brackets, a family of thousands
of children, a hundred thousand columns) at doubling sizes, until one run takes ``--seconds``.
Times are CPU times, the least of several runs.  The table has the worst ratio time(2n)/time(n) of
each parser; the program fails where a ratio is above 2.3.  Times below a floor are not compared,
because noise is larger than they are.
"""

import argparse
import functools
import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.quality.growth_shapes import FILES, MAPPINGS, QUERIES, TABLE_MAPPING, TEXTS
from forebear.errors import ForebearError
from forebear.ingest.find_mapping import load_mapping
from forebear.ingest.formats import open_source
from forebear.ingest.mapping import parse_mapping
from forebear.ingest.pipeline import FileReader
from forebear.ingest.propose import propose_mapping
from forebear.ingest.readers.text import find_dates, find_people, find_places
from forebear.normalize.ages import read_age
from forebear.normalize.dates import DateContext, read_date
from forebear.normalize.name_keys import daitch_mokotoff, nysiis, shape_keys, soundex
from forebear.normalize.name_pairs import reasons_to_join
from forebear.normalize.names import read_name
from forebear.normalize.place_levels import clean_level, place_words
from forebear.normalize.places import read_place
from forebear.normalize.pronunciation import spoken
from forebear.normalize.regions import level_key, region_named
from forebear.normalize.similarity import jaro_winkler, osa_distance
from forebear.normalize.spelling import (
    ascii_forms,
    normalize_name,
    split_given,
    uncertain_pattern,
    uncertain_readings,
)
from forebear.normalize.surnames import without_particle
from forebear.normalize.variants import (
    abbreviations,
    forms_between,
    gendered_surnames,
    surname_variants,
    variants,
)
from forebear.normalize.words import nation_of, occupations_of, text_words
from forebear.search.query.read import read_argument, read_query

MAX_RATIO = 2.3
FLOOR_SECONDS = 0.02  # a shorter time is not compared
REPETITIONS = 3
ROUNDS = 4  # in which a ratio above the limit is measured again
FIRST_SIZE = 128
MAX_TEXT = 1 << 17
MAX_FILE = 1 << 20

Parser = Callable[[Any], object]
PARSERS: dict[str, Parser] = {
    "read_name": read_name,
    "read_name, italian": lambda text: read_name(text, order="italian"),
    "read_name, patronymic": lambda text: read_name(text, order="patronymic"),
    "read_date": read_date,
    "read_date, gedcom7": lambda text: read_date(text, context=DateContext(collection="gedcom7")),
    "read_age": lambda text: read_age(text, at=read_date("1881"), source="census"),
    "read_place": read_place,
    "clean_level": clean_level,
    "place_words": place_words,
    "level_key": level_key,
    "region_named": region_named,
    "normalize_name": normalize_name,
    "ascii_forms": ascii_forms,
    "split_given": split_given,
    "uncertain_readings": uncertain_readings,
    "uncertain_pattern": lambda text: uncertain_pattern(text).fullmatch("a" * 20),
    "occupations_of": occupations_of,
    "nation_of": nation_of,
    "text_words": text_words,
    "soundex": soundex,
    "nysiis": nysiis,
    "daitch_mokotoff": daitch_mokotoff,
    "shape_keys": shape_keys,
    "spoken": spoken,
    "without_particle": without_particle,
    "variants": variants,
    "abbreviations": abbreviations,
    "surname_variants": surname_variants,
    "gendered_surnames": gendered_surnames,
    "forms_between": lambda text: forms_between(text, "mary"),
    "reasons_to_join": lambda text: reasons_to_join(text, text[::-1], kind="surname"),
    "osa_distance": lambda text: osa_distance(text, "smith", limit=2),
    "jaro_winkler": lambda text: jaro_winkler(text, "smith"),
    "find_people": lambda text: [*find_people(text)],
    "find_dates": lambda text: [*find_dates(text)],
    "find_places": lambda text: [*find_places(text)],
}


class Growth(NamedTuple):
    """How the time of one parser grows with one shape of input."""

    parser: str
    shape: str
    size: int  # at which time(2n)/time(n) was worst
    seconds: float  # of twice that size
    ratio: float

    @property
    def is_linear(self) -> bool:
        """Return whether the time stayed within the limit."""
        return self.ratio <= MAX_RATIO


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="names of parsers or shapes with this in them")
    parser.add_argument("--seconds", type=float, default=1.0, help="of the longest single run")
    options = parser.parse_args()
    gc.disable()  # what it takes depends on what else there is in memory
    worst: dict[str, Growth] = {}
    steep: list[Growth] = []
    for growth in measure_all(options.seconds, only=options.only):
        best_known = worst.setdefault(growth.parser, growth)
        if growth.ratio > best_known.ratio:
            worst[growth.parser] = growth
        if not growth.is_linear:
            steep.append(growth)
            print(f"STEEP {_row(growth)}", flush=True)
    print(f"{'parser':28} {'worst shape':28} {'n':>9} {'time(2n)':>9} {'ratio':>6}")
    for growth in sorted(worst.values(), key=lambda growth: -growth.ratio):
        print(_row(growth))
    print(f"{len(steep)} of the measured growths are above {MAX_RATIO}")
    return int(bool(steep))


def _row(growth: Growth) -> str:
    return (
        f"{growth.parser:28} {growth.shape:28} {growth.size:9,} {growth.seconds:8.3f}s "
        f"{growth.ratio:6.2f}"
    )


def measure_all(
    seconds: float, *, only: str = "", floor: float = FLOOR_SECONDS
) -> Iterator[Growth]:
    """Yield the growth of every parser and reader with every shape."""
    for name, shape_name, run, shape in _cases():
        if only in name or only in shape_name:
            limit = MAX_FILE if name in FILES else MAX_TEXT
            yield measure(name, shape_name, run, shape, seconds=seconds, floor=floor, limit=limit)


def _cases() -> Iterator[tuple[str, str, Callable[[Any], object], Callable[[int], Any]]]:
    for name, parser in PARSERS.items():
        for shape_name, shape in TEXTS.items():
            yield name, shape_name, parser, shape
    for shape_name, shape in {**TEXTS, **QUERIES}.items():
        yield "read_query", shape_name, read_query, shape
        yield "read_argument", shape_name, read_argument, shape
    for shape_name, shape in MAPPINGS.items():
        yield "parse_mapping", shape_name, parse_mapping, shape
    for reader, files in FILES.items():
        for shape_name, file_shape in files.items():
            yield reader, shape_name, functools.partial(read_bytes, reader), file_shape


def measure(
    name: str,
    shape_name: str,
    run: Callable[[Any], object],
    shape: Callable[[int], Any],
    *,
    seconds: float,
    floor: float = FLOOR_SECONDS,
    limit: int = MAX_TEXT,
) -> Growth:
    """Return the worst growth at sizes whose runs take at least the floor and at most ``seconds``.

    A ratio above the limit is measured again, for another process may have had the cache.
    """
    worst = Growth(name, shape_name, 0, 0.0, 0.0)
    size, before = FIRST_SIZE, _time(run, shape(FIRST_SIZE))
    while before < seconds / 2 and size < limit:
        text = shape(2 * size)
        after = _time(run, text)
        for _ in range(ROUNDS):
            if before < floor or after <= MAX_RATIO * before:
                break
            after = min(after, _time(run, text))
            before = min(before, _time(run, shape(size)))
        ratio = after / before
        if before >= floor and ratio > worst.ratio:
            worst = Growth(name, shape_name, size, after, ratio)
        size, before = 2 * size, after
    return worst


def _time(run: Callable[[Any], object], data: Any, repetitions: int = REPETITIONS) -> float:
    """Return the least CPU time of several runs, with the caches of parsed values empty."""
    least = float("inf")
    for _ in range(repetitions):
        _clear_caches()
        start = time.process_time()
        with suppress(ForebearError):  # refused, and said why
            run(data)
        least = min(least, time.process_time() - start)
        if least < FLOOR_SECONDS / 10:
            break  # too short to be compared
    return least


def _clear_caches() -> None:
    """Empty the caches of values; tables of the field stay loaded."""
    for cached in _caches():
        cached.cache_clear()


@functools.cache
def _caches() -> list["functools._lru_cache_wrapper[object]"]:
    caches = {}
    for name, module in [*sys.modules.items()]:
        if name.startswith("forebear."):
            for value in vars(module).values():
                if isinstance(value, functools._lru_cache_wrapper):
                    caches[id(value)] = value
    return [cached for cached in caches.values() if cached.cache_parameters()["maxsize"]]


def read_bytes(reader: str, data: bytes) -> None:
    """Read a file of these bytes with a reader, to its end."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        if reader == "propose_mapping":
            propose_mapping(path)
            return
        if reader in ("table", "spreadsheet"):
            mapping = parse_mapping(TABLE_MAPPING)
        else:
            mapping = load_mapping("gedcom" if reader == "gedzip" else reader)
        for _ in FileReader(open_source(path, mapping)).batches():
            pass


if __name__ == "__main__":
    sys.exit(main())
