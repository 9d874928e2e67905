"""Which other forms of a given name mean the same name?

Polly is Mary, Wm is William, Gulielmus is William too.  The tables list, for a full name,
its nicknames, abbreviations, spellings and Latin forms.  A form may stand for several
names (Jacobus for James and Jacob), so the variants of a name are the name, the names it
may stand for, and the forms of all of these, and no further: through Jacobus, James does
not become Jacob, nor through Nelly Eleanor Helen.

Where the sex is known, forms of names of the other sex are left out: Pat is Patrick for
a man, and Patricia for a woman.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from forebear.normalize.spelling import ascii_forms, is_ascii_form
from forebear.records.record import Sex
from forebear.tables import read_table

FormKind = Literal["nickname", "abbreviation", "spelling", "latin", "translation"]


class NameForm(NamedTuple):
    """A form that stands for a full name, for people of one sex or (``None``) either."""

    form: str
    name: str
    kind: FormKind
    sex: Sex | None


class FormIndex(NamedTuple):
    """The name forms, found from either end."""

    by_form: dict[str, list[NameForm]]
    by_name: dict[str, list[NameForm]]


@lru_cache(maxsize=65_536)
def variants(given: str, *, sex: Sex | None = None) -> frozenset[str]:
    """Return every form known to be the same name as this spelled one, itself included.

    >>> "mary" in variants("polly"), "molly" in variants("polly"), "jacob" in variants("james")
    (True, True, False)
    """
    names = {given, *(form.name for form in _of_sex(form_index().by_form, given, sex))}
    forms = {form.form for name in names for form in _of_sex(form_index().by_name, name, sex)}
    return frozenset(names | forms)


def abbreviations(given: str) -> frozenset[str]:
    """Return what abbreviates this spelled name, and what it is itself an abbreviation of.

    >>> sorted(abbreviations("wm")), "wm" in abbreviations("william")
    (['william'], True)
    """
    index = form_index()
    shorter = {f.form for f in index.by_name.get(given, ()) if f.kind == "abbreviation"}
    longer = {f.name for f in index.by_form.get(given, ()) if f.kind == "abbreviation"}
    return frozenset((shorter | longer) - {given})


@lru_cache(maxsize=65_536)
def forms_between(first: str, second: str) -> frozenset[FormKind]:
    """Return in which ways two spelled names, accents aside, are forms of one name.

    >>> sorted(forms_between("polly", "mary")), forms_between("james", "jacob")
    (['nickname'], frozenset())
    """
    a, b = _standing_for(first), _standing_for(second)
    return frozenset(kind for name in a.keys() & b.keys() for kind in a[name] | b[name])


def _standing_for(given: str) -> dict[str, frozenset[FormKind]]:
    """Return the full names a name may stand for, itself too, and how it stands for each."""
    names: dict[str, frozenset[FormKind]] = {}
    by_form, accented = form_index().by_form, _accented_forms()
    is_short = any(form.kind == "abbreviation" for form in by_form.get(given, ()))
    for fold in (given, *ascii_forms(given)):
        names.setdefault(fold, frozenset())
        for form in (*by_form.get(fold, ()), *accented.get(fold, ())):
            if is_short and form.form != given and form.kind == "nickname":
                continue  # Jas is short for James, not Jaś without its accent
            known = names.get(form.name, frozenset[FormKind]())
            names[form.name] = known | {form.kind}
    return names


@cache
def _accented_forms() -> dict[str, list[NameForm]]:
    """Return the forms that do not fold to themselves, by their folds."""
    forms: dict[str, list[NameForm]] = defaultdict(list)
    for word, found in form_index().by_form.items():
        if not is_ascii_form(word):
            for fold in {*ascii_forms(word)} - {word}:
                forms[fold] += found
    return dict(forms)


def _of_sex(forms: dict[str, list[NameForm]], key: str, sex: Sex | None) -> Iterator[NameForm]:
    return (form for form in forms.get(key, ()) if sex is None or form.sex in (sex, None))


@cache
def known_forms() -> tuple[NameForm, ...]:
    """Return every form of the tables."""
    return tuple(_name_forms())


@cache
def form_index() -> FormIndex:
    """Return every form of the tables, to be found from either end."""
    by_form, by_name = defaultdict(list), defaultdict(list)
    for form in known_forms():
        by_form[form[0]].append(form)  # by number: a search begins with thousands of them
        by_name[form[1]].append(form)
    return FormIndex(by_form=dict(by_form), by_name=dict(by_name))


def _name_forms() -> Iterator[NameForm]:
    yield from _listed_forms("nicknames", "nickname")
    yield from _listed_forms("abbreviations", "abbreviation")
    yield from _listed_forms("spellings", "spelling", table="name_spellings")
    yield from _listed_forms("translations", "translation", table="name_translations")
    for row in read_table("normalize/latin_names"):
        for name in row["names"].split():
            for form in _latin_cases(row["latin"], row["genitive"]):
                yield NameForm(form, name, "latin", _sex(row["sex"]))


def _listed_forms(column: str, kind: FormKind, table: str = "") -> Iterator[NameForm]:
    for row in read_table(f"normalize/{table or column}"):
        name, sex = row["name"], _sex(row["sex"])
        for form in row[column].split():
            yield NameForm(form, name, kind, sex)


def _latin_cases(nominative: str, genitive: str) -> set[str]:
    """Return the forms of a Latin name; its genitive tells the declension.

    Registers need them: "filius Johannis", "uxor Mariae", medieval "Marie".
    """
    endings = {"ae": ("ae", "e", "am", "a"), "is": ("is", "i", "em", "e"), "i": ("i", "o", "um")}
    for ending, cases in endings.items():
        if genitive.endswith(ending):
            stem = genitive.removesuffix(ending)
            return {nominative, *(stem + case for case in cases)}
    return {nominative}


def _sex(text: str) -> Sex | None:
    return "f" if text == "f" else "m" if text == "m" else None
