"""Does a search for a person who is not in the archive mislead?  Generated names, real records.

    python -m benchmarks.quality.absent_names --archive /tmp/real.forebear

Half of the names are invented from syllables, half combine rare given names and surnames of the
United States census of 1990.  A name is used only if the archive's vocabulary has neither its given
name nor its surname.  Each is searched for by the names alone, and with a year and a place of
birth.  Printed are the shares of searches
that return nothing, that return only records under .05, and that return a record in conflict with
both names.  The archives are one of all record files of the shared data, which is made if it does
not exist, and the demo's.

The exit status is 1 if less than 95 % of the searches return nothing or only records under .05.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.london import ROOT, SHARED, make_archive
from forebear.archive import Archive, create_archive, open_archive
from forebear.archive.result import Result
from forebear.records.privacy import OWNER
from forebear.search.hits import Hit
from forebear.search.results.probability import UNLIKELY
from forebear_lab.evaluation.tables import Table

BAR = 0.95
SEED = 1
NAMES = 200
COMMONEST = 1_000  # names of the census that are not rare
# An invented name is made of onset and vowel, once or twice, and a last syllable with a coda.
ONSETS = (
    *("b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gl", "h", "j", "k", "l", "m", "n", "p"),
    *("pr", "qu", "r", "s", "sh", "st", "t", "th", "tr", "v", "w", "y", "z"),
)
VOWELS = ("a", "e", "i", "o", "u", "ea", "ie", "oo")
CODAS = (
    *("b", "ck", "d", "ff", "g", "l", "m", "n", "nd", "p", "r", "rt", "s", "st", "t", "th", "x"),
)
BIRTHS = {
    "real records": ("1850", "Midsomer Norton, Somerset, England"),
    "demo": ("1812", "Aldercote, Suffolk, England"),
}
CONFLICTS = frozenset({"self.surname.conflict", "self.given.conflict"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsentName:
    """A name that no record of the archive has."""

    source: str  # invented or rare
    given: str
    surname: str


def main() -> int:
    options = _options()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for title, path in (
            ("real records", options.archive or Path(folder) / "real.forebear"),
            ("demo", Path(folder) / "demo.forebear"),
        ):
            if not path.exists():
                (make_archive if title == "real records" else make_demo)(path)
            with open_archive(path) as archive:
                names = absent_names(archive, options.names, options.seed)
                rows += [(title, *row) for row in measure(archive, names, BIRTHS[title])]
    headings = ("archive", "searched by", "names", "searches", "nothing", "at most .05", "conflict")
    print(Table(headings=headings, rows=rows).as_text())
    return 0 if all(float(row[5]) >= BAR for row in rows) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--archive", type=Path, help="of the real files: keep it, use it again")
    parser.add_argument("--names", type=int, default=NAMES, help="names for each archive")
    parser.add_argument("--seed", type=int, default=SEED, help="of the generated names")
    return parser.parse_args()


def make_demo(path: Path) -> None:
    """Import the records of the demo into a new archive."""
    records = ROOT / "demo" / "records"
    create_archive(path).close()
    with open_archive(path) as archive:
        for file in sorted(records.glob("*.csv")):
            archive.import_file(file, mapping=file.with_suffix(".toml"))


def absent_names(archive: Archive, count: int, seed: int) -> list[AbsentName]:
    """Return names of which the archive has neither part, half of them invented."""
    knowledge = archive.storage.knowledge(OWNER)
    given, surnames = (set(knowledge.vocabulary(kind).names) for kind in ("given", "surname"))
    rng = random.Random(seed)
    names = SHARED.parent / "names"
    rare_given = _rare(names / "dist.female.first") + _rare(names / "dist.male.first", 300)
    rare_surnames = _rare(names / "dist.all.last", 20_000)
    chosen: dict[AbsentName, None] = {}
    while len(chosen) < count:
        name = (
            AbsentName(source="invented", given=_invent(rng), surname=_invent(rng))
            if len(chosen) % 2
            else AbsentName(
                source="rare", given=rng.choice(rare_given), surname=rng.choice(rare_surnames)
            )
        )
        if name.given.lower() not in given and name.surname.lower() not in surnames:
            chosen[name] = None
    return list(chosen)


def _rare(path: Path, first: int = COMMONEST) -> list[str]:
    """Return the names of a file of the census from a rank on."""
    lines = path.read_text("utf-8").splitlines()[first:]
    return [line.split()[0].capitalize() for line in lines if line.strip()]


def _invent(rng: random.Random) -> str:
    syllables = "".join(rng.choice(ONSETS) + rng.choice(VOWELS) for _ in range(rng.choice((1, 2))))
    return (syllables + rng.choice(ONSETS) + rng.choice("aeiou") + rng.choice(CODAS)).capitalize()


def measure(
    archive: Archive, names: Sequence[AbsentName], birth: tuple[str, str]
) -> Iterator[tuple[str, str, int, float, float, float]]:
    """Yield the shares for each kind of query and of name."""
    date, place = birth
    for searched_by, facts in (
        ("names", {}),
        ("names, birth", {"birth": date, "birth_place": place}),
    ):
        results = {
            name: archive.search(given=name.given, surname=name.surname, **facts, log=False)
            for name in names
        }
        for source in ("invented", "rare"):
            of_source = [result for name, result in results.items() if name.source == source]
            yield searched_by, source, len(of_source), *_shares(of_source)


def _shares(results: Sequence[Result]) -> tuple[float, float, float]:
    """Return the shares of results with nothing, nothing above .05, and a record in conflict."""
    count = len(results)
    return (
        sum(not result.total for result in results) / count,
        sum(result.search_result.probabilities.best < UNLIKELY for result in results) / count,
        sum(any(map(_conflicts, result.search_result.fused)) for result in results) / count,
    )


def _conflicts(hit: Hit) -> bool:
    return CONFLICTS.issubset(hit.fired)


if __name__ == "__main__":
    sys.exit(main())
