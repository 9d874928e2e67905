"""Is a word a given name, of which sex, and is it a pet name?

What is known comes from the tables of forms: a form has the sex of the names it stands for.
A word that stands for names of both sexes has none.
"""

from functools import cache

from forebear.normalize.name_variants import known_forms
from forebear.normalize.names import folds, spell
from forebear.normalize.read_table import read_table
from forebear.records.personas import Sex


def sex_of_given(word: str) -> Sex | None:
    """Return the sex of a given name in any spelling, or None if it is unknown or both.

    >>> sex_of_given("Thos."), sex_of_given("Mary"), sex_of_given("Christian")
    ('m', 'f', None)
    """
    sexes = _sexes().get(_key(word), frozenset())
    return next(iter(sexes)) if len(sexes) == 1 else None


def is_given_name(word: str) -> bool:
    """Say whether a word is known as a given name, in any form."""
    return _key(word) in _sexes()


def is_used_as_given(word: str) -> bool:
    """Say whether a word is known as a given name, even if it is rather a surname: Ellis."""
    return is_given_name(word) or _key(word) in _surnames_given()


def is_nickname(word: str) -> bool:
    """Say whether a word is known as a pet form of a given name."""
    return _key(word) in _nicknames()


def _key(word: str) -> str:
    return (folds(spell(word)) or ("",))[0]


@cache
def _sexes() -> dict[str, frozenset[Sex | None]]:
    sexes: dict[str, set[Sex | None]] = {}
    for form in known_forms():
        for word in (form.form, form.name):
            sexes.setdefault(_key(word), set()).add(form.sex)
    for row in read_table("given_names"):  # names that have no other form
        sex: Sex = "f" if row["sex"] == "f" else "m"
        for word in row["names"].split() if row["alone"] == "given" else ():
            sexes.setdefault(_key(word), {sex})
    return {word: frozenset(known) for word, known in sexes.items() if word}


@cache
def _surnames_given() -> frozenset[str]:
    rows = [row for row in read_table("given_names") if row["alone"] == "surname"]
    return frozenset(_key(word) for row in rows for word in row["names"].split())


@cache
def _nicknames() -> frozenset[str]:
    return frozenset(_key(form.form) for form in known_forms() if form.kind == "nickname")
