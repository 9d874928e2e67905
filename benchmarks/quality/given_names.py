"""How many given names of other languages do we join that no table lists, and how many wrongly?

The tables ``normalize/names/languages`` and ``normalize/names/latin`` list which forms are one
name.  A fifth of the pairs of each language, chosen by SHA-256, is held out: without these pairs
in the tables, recall is the share that the relation of search and `forebear normalize` still
joins, through other languages, spelling or sound.  False joins are counted on random pairs of forms
of different names of the same sex, with the whole tables.

Run ``python -m benchmarks.quality.given_names``.
"""

import hashlib
import random
import sys
from collections.abc import Iterator
from typing import NamedTuple
from unittest.mock import patch

from forebear.normalize import variants as relation
from forebear.normalize.name_pairs import reasons_to_join
from forebear.tables import read_table

FOLDS = 5
NOT_LANGUAGES = frozenset({"name", "sex", "source"})


class Pair(NamedTuple):
    """A form of a name in a language."""

    language: str
    form: str
    name: str
    sex: str

    @property
    def is_held_out(self) -> bool:
        """Return whether the pair is held out."""
        text = f"{self.language} {self.form} {self.name}".encode()
        return int(hashlib.sha256(text).hexdigest(), 16) % FOLDS == 0


def main() -> int:
    pairs = list(read_pairs())
    held_out = {(pair.form, pair.name) for pair in pairs if pair.is_held_out}
    whole = relation.all_forms()
    rest = tuple(form for form in whole if (form.form, form.name) not in held_out)
    listed = {pair: joins(pair.form, pair.name) for pair in pairs}
    with patch.object(relation, "all_forms", lambda: rest):
        forget()
        unlisted = {pair: joins(pair.form, pair.name) for pair in pairs if pair.is_held_out}
    forget()
    print("language      pairs  whole tables  held out  recall  false joins (variant, any reason)")
    for language in dict.fromkeys(pair.language for pair in pairs):
        of_language = [pair for pair in pairs if pair.language == language]
        judged = [pair for pair in of_language if pair.is_held_out]
        wrong = list(strangers(of_language))
        print(
            f"{language:<14}{len(of_language):>5}"
            f"{sum(listed[pair] for pair in of_language) / len(of_language):>14.3f}"
            f"{len(judged):>10}{sum(unlisted[pair] for pair in judged) / max(len(judged), 1):>8.3f}"
            f"{sum(b in relation.variants(a) for a, b in wrong):>8} and"
            f" {sum(joins(a, b) for a, b in wrong)} of {len(wrong)}"
        )
    return 0


def read_pairs() -> Iterator[Pair]:
    """Yield every form of the tables with the name it is a form of."""
    for row in read_table("normalize/names/languages"):
        for language in sorted(row.keys() - NOT_LANGUAGES):
            for form in row[language].split():
                if form != row["name"]:
                    yield Pair(language, form, row["name"], row["sex"])
    for row in read_table("normalize/names/latin"):
        for name in row["names"].split():
            yield Pair("latin", row["latin"], name, row["sex"])


def strangers(pairs: list[Pair]) -> Iterator[tuple[str, str]]:
    """Yield pairs of forms that no row of the tables joins, as many as there are true ones."""
    chance = random.Random(1)
    joined = {(pair.form, pair.name) for pair in read_pairs()}
    names_of: dict[str, set[str]] = {}
    for form, name in joined:
        names_of.setdefault(form, {form}).add(name)
    for pair in pairs:
        other = chance.choice([other for other in pairs if other.sex == pair.sex])
        if names_of[pair.form].isdisjoint(names_of[other.form]):
            yield pair.form, other.form


def joins(first: str, second: str) -> bool:
    """Return whether the relation holds two names for forms of one."""
    return bool(reasons_to_join(first, second, kind="given"))


def forget() -> None:
    """Clear what was computed from the tables."""
    for function in (
        *(relation.form_index, relation.variants, relation.forms_between),
        *(relation._sexes, relation._accented_forms, relation._accented_words, relation._nicknames),
    ):
        function.cache_clear()


if __name__ == "__main__":
    sys.exit(main())
