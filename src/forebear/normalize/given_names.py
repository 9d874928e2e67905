"""Is a word a given name, of which sex, and is it a pet name?

What is known comes from the tables of forms: a form has the sex of the names it stands for.
A word that stands for names of both sexes has none.
"""

from collections import defaultdict
from functools import cache, lru_cache

from forebear.normalize.name_variants import form_index, known_forms
from forebear.normalize.spelling import ascii_forms, is_ascii_form, normalize_name
from forebear.records.record import Sex
from forebear.tables import read_table


def sex_of_given(word: str) -> Sex | None:
    """Return the sex of a given name in any spelling, or None if it is unknown or both.

    >>> sex_of_given("Thos."), sex_of_given("Mary"), sex_of_given("Christian")
    ('m', 'f', None)
    """
    sexes = _sexes(_key(word))
    return next(iter(sexes)) if len(sexes) == 1 else None


def is_given_name(word: str) -> bool:
    """Say whether a word is known as a given name, in any form."""
    return bool(_sexes(_key(word)))


def is_used_as_given(word: str) -> bool:
    """Say whether a word is known as a given name, even if it is rather a surname: Ellis."""
    return is_given_name(word) or _key(word) in _surnames_given()


def is_nickname(word: str) -> bool:
    """Say whether a word is known as a pet form of a given name."""
    return _key(word) in _nicknames()


def _key(word: str) -> str:
    return (ascii_forms(normalize_name(word)) or ("",))[0]


@lru_cache(maxsize=65_536)
def _sexes(key: str) -> frozenset[Sex | None]:
    """Return of which sexes a name is, none if it is not known as a given name."""
    index = form_index()
    found: set[Sex | None] = set()
    for word in (key, *_other_spellings().get(key, ())) if key else ():
        for form in (*index.by_form.get(word, ()), *index.by_name.get(word, ())):
            found.add(form.sex)
    return frozenset(found) or _without_forms().get(key, frozenset())


@cache
def _other_spellings() -> dict[str, list[str]]:
    """Return the words of the tables that are not their own keys, by those; all are spelled."""
    index = form_index()
    found: defaultdict[str, list[str]] = defaultdict(list)
    for word in {**index.by_form, **index.by_name}:
        if not is_ascii_form(word):
            for key in ascii_forms(word)[:1]:
                found[key].append(word)
    return dict(found)


@cache
def _without_forms() -> dict[str, frozenset[Sex | None]]:
    """Return the given names that have no other form, with their sex."""
    sexes: dict[str, frozenset[Sex | None]] = {}
    for row in read_table("normalize/given_names"):
        sex: frozenset[Sex | None] = frozenset({"f" if row["sex"] == "f" else "m"})
        for word in row["names"].split() if row["alone"] == "given" else ():
            sexes.setdefault(word if is_ascii_form(word) else _key(word), sex)
    return sexes


@cache
def _surnames_given() -> frozenset[str]:
    rows = [row for row in read_table("normalize/given_names") if row["alone"] == "surname"]
    return frozenset(_key(word) for row in rows for word in row["names"].split())


@cache
def _nicknames() -> frozenset[str]:
    return frozenset(_key(form.form) for form in known_forms() if form.kind == "nickname")
