"""Which other forms of a name mean the same name, and of which sex is a given name?

Polly is Mary, Wm is William, Gulielmus is William too.  The tables list, for a full given name,
its nicknames, abbreviations, spellings, translations and Latin forms.  A form may be short for
several names (Jacobus for James and Jacob), so the variants of a name are the name, the names it
may stand for, and the forms of all of these, and no further: through Jacobus, James does not
become Jacob, nor through Nelly Eleanor Helen.  Where the sex is known, forms of names of the other
sex do not count: Pat is Patrick for a man, and Patricia for a woman.

Surnames have other spellings, translations, and in many languages an ending for women: Kowalski
and Kowalska, Novák and Nováková, Jónsson and Jónsdóttir.  The forms of a surname are ASCII forms:
how an archive writes one is looked up there.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from anyascii import anyascii

from forebear.normalize.spelling import ascii_forms, is_ascii_form, normalize_name
from forebear.records.record import Sex
from forebear.tables import read_table

FormKind = Literal["nickname", "abbreviation", "spelling", "latin", "translation"]
MIN_STEM = 2  # letters before a woman's ending


class NameForm(NamedTuple):
    """A form of a full name, for people of one sex or (``None``) either."""

    form: str
    name: str
    kind: FormKind
    sex: Sex | None


class FormIndex(NamedTuple):
    """The name forms, found from either end."""

    by_form: dict[str, list[NameForm]]
    by_name: dict[str, list[NameForm]]


@lru_cache(maxsize=1 << 16)
def variants(given: str, *, sex: Sex | None = None) -> frozenset[str]:
    """Return every form of the same name as this normalized one, itself included.

    Accents do not matter: a query says Lluis for Lluís.

    >>> "mary" in variants("polly"), "molly" in variants("polly"), "jacob" in variants("james")
    (True, True, False)
    """
    by_name = form_index().by_name
    names = {given, *(form.name for form in _of_sex(_forms_written(given), sex))}
    forms = {form.form for name in names for form in _of_sex(by_name.get(name, ()), sex)}
    return frozenset(names | forms)


def abbreviations(given: str) -> frozenset[str]:
    """Return what abbreviates this normalized name, and what it is an abbreviation of.

    >>> sorted(abbreviations("wm")), "wm" in abbreviations("william")
    (['william'], True)
    """
    index = form_index()
    shorter = {f.form for f in index.by_name.get(given, ()) if f.kind == "abbreviation"}
    longer = {f.name for f in index.by_form.get(given, ()) if f.kind == "abbreviation"}
    return frozenset((shorter | longer) - {given})


@lru_cache(maxsize=1 << 16)
def forms_between(first: str, second: str) -> frozenset[FormKind]:
    """Return in which ways two normalized names, accents aside, are forms of one name.

    >>> sorted(forms_between("polly", "mary")), forms_between("james", "jacob")
    (['nickname'], frozenset())
    """
    a, b = _full_names(first), _full_names(second)
    return frozenset(kind for name in a.keys() & b.keys() for kind in a[name] | b[name])


def _full_names(given: str) -> dict[str, frozenset[FormKind]]:
    """Return the full names that a name may be a form of, itself too, and which kind of form."""
    names: dict[str, frozenset[FormKind]] = dict.fromkeys((given, *ascii_forms(given)), frozenset())
    for form in _forms_written(given):
        names[form.name] = names.get(form.name, frozenset[FormKind]()) | {form.kind}
    return names


def _forms_written(given: str) -> list[NameForm]:
    """Return the forms of the tables that are written like this name, accents aside."""
    by_form, accented = form_index().by_form, _accented_forms()
    is_short = any(form.kind == "abbreviation" for form in by_form.get(given, ()))
    return [
        form
        for word in dict.fromkeys((given, *ascii_forms(given)))
        for form in (*by_form.get(word, ()), *accented.get(word, ()))
        # Jas is short for James, not Jaś without its accent.
        if not (is_short and form.form != given and form.kind == "nickname")
    ]


def sex_of_given(word: str) -> Sex | None:
    """Return the sex of a given name in any spelling, or None if it is unknown or both.

    >>> sex_of_given("Thos."), sex_of_given("Mary"), sex_of_given("Christian")
    ('m', 'f', None)
    """
    sexes = _sexes(_key(word))
    return next(iter(sexes)) if len(sexes) == 1 else None


def is_given_name(word: str) -> bool:
    """Return whether a word is a given name of the tables, in any form."""
    return bool(_sexes(_key(word)))


def is_used_as_given(word: str) -> bool:
    """Return whether a word is a given name of the tables, even if rather a surname: Ellis."""
    return is_given_name(word) or _key(word) in _surnames_given()


def is_nickname(word: str) -> bool:
    """Return whether a word is a pet form of a given name."""
    return _key(word) in _nicknames()


@lru_cache(maxsize=1 << 14)
def surname_variants(name: str) -> frozenset[str]:
    """Return the ASCII forms of the other spellings of a surname.

    >>> sorted(surname_variants("smyth"))
    ['smith', 'smithe', 'smythe']
    """
    forms = ascii_forms(name)
    others = frozenset(other for form in forms for other in surname_spellings().get(form, ()))
    return others - frozenset(forms)


@lru_cache(maxsize=1 << 14)
def surname_translations(name: str) -> frozenset[str]:
    """Return the ASCII forms of a surname in other languages.

    >>> "schmidt" in surname_translations("smith"), "smith" in surname_translations("schmidt")
    (True, True)
    """
    forms = ascii_forms(name)
    from_english, to_english = surnames_abroad(), surname_meanings()
    others = {other for form in forms for other in from_english.get(form, ())}
    others |= {other for form in forms for other in to_english.get(form, ())}
    return frozenset(others) - frozenset(forms)


@lru_cache(maxsize=1 << 14)
def gendered_surnames(name: str) -> frozenset[str]:
    """Return the ASCII forms of a surname with another ending for a man or a woman.

    >>> "kowalska" in gendered_surnames("kowalski"), "nowak" in gendered_surnames("nowakowa")
    (True, True)
    """
    men = _masculine_forms(anyascii(name).lower())
    women = {
        stem + feminine
        for man in men
        for feminine, masculine in _surname_endings()
        for ending in masculine
        for stem in [man.removesuffix(ending)]
        if (stem != man or not ending) and len(stem) >= MIN_STEM
    }
    forms = frozenset(form for other in men | women for form in ascii_forms(other))
    return forms - frozenset(ascii_forms(name))


def differ_by_ending(first: str, second: str) -> bool:
    """Return whether one normalized surname is the other with a woman's ending.

    >>> differ_by_ending("kowalski", "kowalska"), differ_by_ending("jansz", "jansdr")
    (True, True)
    """
    a, b = anyascii(first).lower(), anyascii(second).lower()
    return a != b and not _masculine_forms(a).isdisjoint(_masculine_forms(b))


def _masculine_forms(name: str) -> frozenset[str]:
    """Return the name, and what it would be for a man if its ending is a woman's."""
    forms = {name}
    for feminine, masculine in _surname_endings():
        stem = name.removesuffix(feminine)
        if stem != name and len(stem) >= MIN_STEM:
            forms |= {stem + ending for ending in masculine}
    return frozenset(forms)


def _key(word: str) -> str:
    return (ascii_forms(normalize_name(word)) or ("",))[0]


@lru_cache(maxsize=1 << 16)
def _sexes(key: str) -> frozenset[Sex | None]:
    """Return of which sexes a name is, none if it is not a given name of the tables."""
    index = form_index()
    sexes: set[Sex | None] = set()
    for word in (key, *_accented_words().get(key, ())) if key else ():
        for form in (*index.by_form.get(word, ()), *index.by_name.get(word, ())):
            sexes.add(form.sex)
    return frozenset(sexes) or _sexes_without_forms().get(key, frozenset())


@cache
def form_index() -> FormIndex:
    """Return every form of the tables, to be found from either end."""
    by_form, by_name = defaultdict(list), defaultdict(list)
    for form in all_forms():
        by_form[form[0]].append(form)  # by number: a search begins with thousands of them
        by_name[form[1]].append(form)
    return FormIndex(by_form=dict(by_form), by_name=dict(by_name))


@cache
def all_forms() -> tuple[NameForm, ...]:
    """Return every form of the tables."""
    return tuple(_read_forms())


def _read_forms() -> Iterator[NameForm]:
    kinds: tuple[FormKind, ...] = ("nickname", "abbreviation", "spelling", "translation")
    for kind in kinds:
        for row in read_table(f"normalize/names/{kind}s"):
            for form in row[f"{kind}s"].split():
                yield NameForm(form, row["name"], kind, _sex(row["sex"]))
    for row in read_table("normalize/names/languages"):
        name, sex, *languages, _ = row.values()  # the last column is the source
        for form in dict.fromkeys(" ".join(languages).split()):
            if form != name:
                yield NameForm(form, name, "translation", _sex(sex))
    for row in read_table("normalize/names/latin"):
        for name in row["names"].split():
            for form in _latin_cases(row["latin"], row["genitive"]):
                yield NameForm(form, name, "latin", _sex(row["sex"]))


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


def _of_sex(forms: Iterable[NameForm], sex: Sex | None) -> Iterator[NameForm]:
    return (form for form in forms if sex is None or form.sex in (sex, None))


def _sex(text: str) -> Sex | None:
    return "f" if text == "f" else "m" if text == "m" else None


@cache
def _accented_forms() -> dict[str, list[NameForm]]:
    """Return the forms that are not their own ASCII form, by their ASCII forms."""
    accented: dict[str, list[NameForm]] = defaultdict(list)
    for word, forms in form_index().by_form.items():
        if not is_ascii_form(word):
            for ascii_form in {*ascii_forms(word)} - {word}:
                accented[ascii_form] += forms
    return dict(accented)


@cache
def _accented_words() -> dict[str, list[str]]:
    """Return the words of the tables that are not their own ASCII form, by the first of theirs."""
    index = form_index()
    words: defaultdict[str, list[str]] = defaultdict(list)
    for word in {**index.by_form, **index.by_name}:
        if not is_ascii_form(word):
            for key in ascii_forms(word)[:1]:
                words[key].append(word)
    return dict(words)


@cache
def _sexes_without_forms() -> dict[str, frozenset[Sex | None]]:
    """Return the given names that have no other form, with their sex."""
    sexes: dict[str, frozenset[Sex | None]] = {}
    for row in read_table("normalize/names/given_names"):
        sex: frozenset[Sex | None] = frozenset({"f" if row["sex"] == "f" else "m"})
        for word in row["names"].split() if row["alone"] == "given" else ():
            sexes.setdefault(word if is_ascii_form(word) else _key(word), sex)
    return sexes


@cache
def _surnames_given() -> frozenset[str]:
    rows = [row for row in read_table("normalize/names/given_names") if row["alone"] == "surname"]
    return frozenset(_key(word) for row in rows for word in row["names"].split())


@cache
def _nicknames() -> frozenset[str]:
    return frozenset(_key(form.form) for form in all_forms() if form.kind == "nickname")


@cache
def surname_spellings() -> dict[str, frozenset[str]]:
    """Return, for the ASCII form of a surname, its spellings, itself included."""
    spellings: dict[str, frozenset[str]] = {}
    for row in read_table("normalize/names/surname_variants"):
        group = frozenset(_all_ascii_forms(row["spellings"]))
        for form in group:
            spellings[form] = spellings.get(form, frozenset()) | group
    return spellings


@cache
def surnames_abroad() -> dict[str, frozenset[str]]:
    """Return, for the ASCII form of an English surname, its translations."""
    return {
        form: frozenset(_all_ascii_forms(row["translations"]))
        for row in read_table("normalize/names/surname_translations")
        for form in ascii_forms(row["name"])
    }


@cache
def surname_meanings() -> dict[str, frozenset[str]]:
    """Return, for the ASCII form of a foreign surname, the English ones that it translates."""
    meanings: defaultdict[str, set[str]] = defaultdict(set)
    for name, translations in surnames_abroad().items():
        for form in translations:
            meanings[form].add(name)
    return {form: frozenset(names) for form, names in meanings.items()}


@cache
def _surname_endings() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (row["feminine"], tuple(ending.strip("-") for ending in row["masculine"].split()))
        for row in read_table("normalize/names/surname_endings")
    )


def _all_ascii_forms(names: str) -> list[str]:
    words = names.split()
    if is_ascii_form("".join(words)):
        return words
    return [form for word in words for form in ascii_forms(word)]
