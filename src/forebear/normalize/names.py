"""What does a full name say: given names, surname, other names, and who the relatives are?

Nothing is expanded or put in another case: Thos. and Thomae stay.
"""

# The grammar, from the outside in.  What is taken by one rule is not seen by the next.
#
#   name       = long text                      more than 200 characters: not understood
#              | "王小明"                        Han, Kana, Hangul: the surname first
#              | given "/" surname "/" [given | suffix]      as GEDCOM writes it
#              | person { "," (suffix | title | marked) }
#              | surname "," person             "Green, Rev. Thomas Jr"
#   bracket    = "(" marked | suffix | unknown | "widow" | nickname | surname ")" anywhere:
#                a known nickname, a quoted word, or else the name at birth; what begins with a
#                small letter is a remark, "[Smith]" is a reading, "[sic]" only a flag
#   person     = {title} [description] names {suffix} {marked}
#   marked     = born surname                   née, geb., formerly: the name at birth
#              | previous surname               late: by an earlier marriage
#              | "now" surname                  what was before is the name at birth
#              | alias (surname | given | names)            alias, or, dit, genannt
#              | relation person ["and" person]             wife of, son of
#   names      = given... surname | SURNAME given... | given... patronymic [surname]
#                A single word is a given name if the tables have it, else a surname; after a
#                title other than Sir it is a surname.  "Mrs John Smith" names her husband.

import re
from functools import lru_cache
from typing import Literal

from msgspec.structs import replace

from forebear.normalize.name_reading import (
    APOSTROPHE_SIGNS,
    NameBuilder,
    NamedRelative,
    NameReading,
    make_name,
    with_apostrophe_as_written,
)
from forebear.normalize.name_words import (
    Marked,
    are_suffixes,
    are_titles,
    count_names,
    count_suffixes,
    count_titles,
    description_flag,
    is_initials,
    is_marked,
    is_unknown,
    particle_kind,
    split_at_markers,
    split_particle,
    title_kinds,
)
from forebear.normalize.spelling import compose, normalize_name
from forebear.normalize.surnames import (
    SURNAME_FIRST_SCRIPTS,
    TWO_SURNAMES,
    before_particles,
    is_ordinary,
    script_of,
    split_surname_first,
    split_words,
)
from forebear.normalize.variants import is_given_name, is_nickname, sex_of_given, variants
from forebear.records.record import Name, NameKind, Sex

MAX_LENGTH = 200  # characters; longer text is prose
_NOMEN_NESCIO = re.compile(r"\bN\.\s+N\.(?!\w)|^N\s+N$")
_APOSTROPHES = str.maketrans(
    dict.fromkeys(APOSTROPHE_SIGNS, "'") | dict.fromkeys("“”„«»", '"'),
)
_EDITORIAL = re.compile(
    r"\[\s*(sic|recte|rectius|deleted|crossed out|inserted|interlined)\s*[.!]?\s*\]", re.I
)
_BRACKETS = re.compile(
    r"\(([^()]*)\)|\"([^\"]+)\"|(?<!\w)\[([^\[\]]+)\](?!\w)|(?<!\w)'([^'\s]{2,})'(?!\w)"
)
_SLASHES = re.compile(r"([^/]*)/([^/]*)/([^/]*)|(|[^/]*\s)/([^/]+)()")
_COMMA = re.compile(r",(?![^{}]*\})")  # not that of an uncertain reading: Wil_{1,2}am
_ITALIAN = re.compile(r"^(.*?\S)\s+(di|fu|del fu|in)\s+(\S.*)$", re.I)
_AND = frozenset({"&", "and", "et", "und", "en", "og", "och", "y", "e", "i"})
_REMARKS = re.compile(
    r"[\s,]*\b(?:his wife|her husband|ux(?:or)? ejus|ux(?:or)?\.? eius|deceased|decd)\b.*$", re.I
)
_LATE = frozenset({"late", "the", "ye", "of", "feu", "fu", "deceased"})
_CHILDREN = frozenset({"son", "daughter", "child"})


@lru_cache(maxsize=1 << 16)
def read_name(
    text: str, *, sex: Sex | None = None, order: str = "", kind: NameKind = "birth"
) -> NameReading:
    """Return what a full name says.

    ``order`` is what the source says of its names: surname_first, patronymic, spanish, portuguese
    or italian.  ``kind`` is the kind of name that the source gives.

    >>> reading = read_name("Mary, wife of Thomas Green")
    >>> reading.name.given, reading.relatives[0].kind, reading.relatives[0].name.surname
    ('Mary', 'spouse', 'Green')
    >>> name = read_name("Jan van der Berg").name
    >>> name.given, name.surname, name.prefix
    ('Jan', 'van der Berg', 'van der')
    """
    ordinary = None if order else _read_ordinary(text, kind)
    return ordinary or _read_any(text, sex, order, kind)


def _read_any(text: str, sex: Sex | None, order: str, kind: NameKind) -> NameReading:
    clean = " ".join(compose(text[: 4 * MAX_LENGTH]).translate(_APOSTROPHES).split())
    builder = NameBuilder()
    script = script_of(clean)
    if script:
        builder.flags.add(f"script_{script}")
    if len(clean) > MAX_LENGTH:
        return NameReading(
            text=text, name=Name(kind=kind), flags=frozenset({"unknown_given", "unknown_surname"})
        )
    if script in SURNAME_FIRST_SCRIPTS:
        surname, given = split_surname_first(clean)
        builder.surname, builder.given = [surname], given.split()
        builder.flags.add("surname_first")
    else:
        _read_text(clean, builder, sex, order)
    return with_apostrophe_as_written(builder.build(text, order, kind))


def _read_ordinary(text: str, kind: NameKind) -> NameReading | None:
    """Read "Mary Ann Green" and "Green, Mary Ann", as most names are, in a short way."""
    before, comma, after = text.partition(",")
    given, surname = after.split(), before.split()
    if not comma:
        if not (before.isupper() or all(word[-1].islower() for word in surname)):
            return None  # "GREEN Mary"
        given, surname = surname[:-1], surname[-1:]
    if not given or not surname or len(text) > MAX_LENGTH:
        return None
    if not (all(map(is_ordinary, surname)) and all(map(is_ordinary, given))):
        return None
    return NameReading(text, Name(given=" ".join(given), surname=" ".join(surname), kind=kind))


def _read_text(text: str, builder: NameBuilder, sex: Sex | None, order: str) -> None:
    clean = _EDITORIAL.sub(" ", text)
    if clean != text:
        builder.flags.add("editorial")
    clean = _NOMEN_NESCIO.sub("N.N.", clean)
    if _SLASHES.fullmatch(clean):
        clean = _BRACKETS.sub(lambda bracket: _read_bracket(bracket, builder, clean), clean)
    if slashed := _SLASHES.fullmatch(clean):
        _read_slashed(slashed, builder)
        return
    if order == "italian" and (italian := _ITALIAN.match(clean)):
        clean = _read_italian(italian, builder, sex)
    clean = _BRACKETS.sub(lambda bracket: _read_bracket(bracket, builder, clean), clean)
    main, given = _join_segments([part.split() for part in _COMMA.split(clean)], builder)
    if given is None:
        _read_person(_read_marked(main, builder), builder, order)
    else:
        surname = _read_marked(main, builder)
        _read_given(_read_marked(given, builder), surname, builder)


def _join_segments(
    segments: list[list[str]], builder: NameBuilder
) -> tuple[list[str], list[str] | None]:
    """Return the words before a comma that ends a surname, and the given names after it."""
    main, given = segments[0], None
    for words in segments[1:]:
        is_name = given is None and len(main) == 1 and all(map(is_initials, words))
        if are_suffixes(words) and not is_name:
            builder.suffix += words
        elif are_titles(words) and "widow" in title_kinds(words):
            builder.flags.add("widow")
        elif are_titles(words):
            builder.title = " ".join([builder.title, *words]).strip()
            builder.flags |= title_kinds(words) & {"married"}
        elif words and given is None and (is_marked(words) or not main):
            main = main + words
        elif words and given is None:
            given = words
        elif given is not None:
            given = given + words
    if len(segments) == 2 and not segments[1]:  # "Green,"
        given = []
    return main, given


def _read_slashed(match: re.Match[str], builder: NameBuilder) -> None:
    """Read a name as GEDCOM writes it, the surname between slashes."""
    first = 1 if match[2] is not None else 4
    before, written, after = (match[group].split() for group in range(first, first + 3))
    surname = _read_marked(written, builder)
    titles = count_titles([*before, ""])
    builder.flags |= title_kinds(before[:titles]) & {"married", "widow"}
    builder.title, before = " ".join(before[:titles]), before[titles:]
    after = [word for word in after if word.strip(",/")]
    if are_suffixes(after):
        builder.suffix, after = after, []
    if not before and after:
        builder.flags.add("surname_first")
    builder.given, builder.surname = [*before, *after], surname
    if len(surname) - split_particle(surname)[0].count(" ") > 1 and count_names(surname) > 1:
        builder.flags.add("double_surname")
    _move_husband(builder)


def _read_bracket(bracket: re.Match[str], builder: NameBuilder, text: str) -> str:
    """Return what a bracket leaves in the text: nothing if it holds another name."""
    words = (next(filter(None, bracket.groups()), "")).replace(",", " ").split()
    if is_marked(words):
        _read_marked(["", *words], builder)
    elif are_suffixes(words):
        builder.suffix += words
    elif all(is_unknown(f"[{word}]") for word in words):
        return " ? " if bracket[3] else " "
    elif "widow" in title_kinds(words):
        builder.flags.add("widow")
    elif bracket[3]:
        return " " + " ".join(words) + " "
    elif bracket[2] or bracket[4] or _is_pet_name(words, text[: bracket.start()].split()):
        builder.nickname = " ".join(words)
        builder.flags.add("nickname")
    elif not words[0][0].islower() or text.islower():  # "(Jones)", not "(of Layham)"
        builder.former_surnames.append(("birth", words))
        builder.flags.add("nee")
    return " "


def _is_pet_name(words: list[str], before: list[str]) -> bool:
    if len(words) > 1 or not before:
        return False
    forms = {form for given in before for form in variants(normalize_name(given))}
    return normalize_name(words[0]) in forms or is_nickname(words[0])


def _read_marked(words: list[str], builder: NameBuilder) -> list[str]:
    """Take the other names out of the words, and return what is before them."""
    head, all_marked = split_at_markers(words)
    for marked in all_marked:
        kind = marked.marker.kind
        if kind == "relative":
            head = _read_relative(head, marked, builder)
        elif kind in ("alias", "dit", "genannt"):
            head = _read_alias(head, marked, builder)
        elif kind == "now" and len(head) > 1:
            builder.former_surnames.append(("birth", head[-1:]))
            builder.flags.add("nee")
            head = [*head[:-1], *marked.words]
        else:
            name_kind: NameKind = "married" if kind == "previous" else "birth"
            builder.former_surnames.append((name_kind, marked.words))
            builder.flags.add("nee")
    return head


def _read_alias(head: list[str], marked: Marked, builder: NameBuilder) -> list[str]:
    """Take an alias; after a single given name it is one too, and the surname follows."""
    words = marked.words
    if len(head) == 1 and len(words) > 1 and marked.marker.kind == "alias":
        if is_nickname(words[0]):
            builder.nickname = words[0]
            builder.flags.add("nickname")
        else:
            builder.given_alias = words[0]
            builder.flags.add("alias")
        return [*head, *words[1:]]
    builder.aliases.append(words)
    builder.flags.add(marked.marker.kind)
    return head


def _read_relative(head: list[str], marked: Marked, builder: NameBuilder) -> list[str]:
    """Take the relatives after a marker: "son of Henry & Ann Clark"."""
    relation = marked.marker.relation
    if relation in ("widow", "widower"):
        builder.flags.add(relation)
    text = _REMARKS.sub("", " ".join(marked.words))
    people = [_relative_name(words, marked.marker.alone) for words in _people(text.split())]
    if people and relation not in _CHILDREN:
        builder.relatives.append(NamedRelative(kind="spouse", relation=relation, name=people[0]))
    elif len(people) == 1:
        given = people[0].given.split()
        is_mother = bool(given) and sex_of_given(given[0]) == "f"
        kind: Literal["father", "mother"] = "mother" if is_mother else "father"
        builder.relatives.append(NamedRelative(kind=kind, relation=relation, name=people[0]))
    elif people:
        father, mother = people
        if not father.surname:  # "Henry & Ann Clark"
            father = replace(father, surname=mother.surname, prefix=mother.prefix)
            mother = replace(mother, surname="", prefix="")
        builder.relatives += [
            NamedRelative(kind="father", relation=relation, name=father),
            NamedRelative(kind="mother", relation=relation, name=mother),
        ]
    while head and (flag := description_flag(head[-1])) is not None:
        builder.flags |= {flag} - {""}
        head = head[:-1]
    return head


def _people(words: list[str]) -> list[list[str]]:
    people: list[list[str]] = [[]]
    for word in words:
        if word.lower() in _AND and people[-1]:
            people.append([])
        elif word.lower() not in _LATE or people[-1]:
            people[-1].append(word.strip(","))
    return [person for person in people if person][:2]


def _relative_name(words: list[str], alone: str) -> Name:
    """Return the name of a relative; ``alone`` is what a single word is."""
    words = words[count_titles(words) :]
    if len(words) == 1:
        is_surname = alone == "surname" or (alone == "either" and not is_given_name(words[0]))
        return make_name([], words, "birth") if is_surname else make_name(words, [], "birth")
    start = before_particles(words, len(words) - 1)
    return make_name(words[:start], words[start:], "birth")


def _read_italian(match: re.Match[str], builder: NameBuilder, sex: Sex | None) -> str:
    """Read "Rossi di Giuseppe" (his child) and "Rossi in Bianchi" (his wife)."""
    name, word, other = match.groups()
    if len(name.split()) < 2:
        return match[0]
    if word.lower() == "in":
        husband = make_name([], other.split(), "birth")
        builder.relatives.append(NamedRelative(kind="spouse", relation="wife", name=husband))
    else:
        is_daughter = (sex or sex_of_given(name.split()[0])) == "f"
        relation = "daughter" if is_daughter else "son"
        father = Name(given=other)
        builder.relatives.append(NamedRelative(kind="father", relation=relation, name=father))
    return name


def _read_person(words: list[str], builder: NameBuilder, order: str) -> None:
    """Read the words of a name in their natural order, or that of the source."""
    words = _take_ends(words, builder)
    if not words:
        return
    split = split_words(words, order)
    given, surname = split.given, split.surname
    if len(words) == 1:
        is_given = bool(builder.relatives or builder.former_surnames or builder.nickname)
        is_titled = bool(builder.title) and "honor" not in title_kinds(builder.title.split())
        if is_titled or "described" in builder.flags:
            given, surname = [], words
        elif is_given:
            given, surname = words, []
    elif builder.relatives and _are_given_names(words):
        given, surname = words, []
    if split.is_surname_first:
        builder.flags.add("surname_first")
    if split.father and surname:
        is_surname = split.patronymic == " ".join(surname)
        builder.patronymic = "" if is_surname else split.patronymic
        builder.relatives.append(
            NamedRelative(kind="father", relation="patronymic", name=Name(given=split.father))
        )
        builder.flags.add("patronymic")
    if order in TWO_SURNAMES and count_names(surname) > 1:
        builder.flags.add("double_surname")
    builder.given, builder.surname = given, surname
    _move_husband(builder)


def _are_given_names(words: list[str]) -> bool:
    """Return whether several words are given names of one sex: "Mary Ann", not "Mary Thomas"."""
    sexes = {sex_of_given(word) for word in words}
    return len(words) > 1 and len(sexes) == 1 and None not in sexes


def _read_given(words: list[str], surname: list[str], builder: NameBuilder) -> None:
    """Read given names that follow the surname and a comma."""
    words = _take_ends(words, builder) if words else []
    count = count_suffixes(surname) if surname else 0
    if count:
        builder.suffix, surname = [*surname[-count:], *builder.suffix], surname[:-count]
    titles = count_titles(surname) if surname else 0
    builder.title = " ".join([*surname[:titles], builder.title]).strip()
    end = len(words)
    while end > 1 and particle_kind(words[end - 1]) == "plain" and words[end - 1].islower():
        end -= 1  # "Berg, Jan van der"
    builder.given, builder.surname = words[:end], [*words[end:], *surname[titles:]]
    _move_husband(builder)


def _move_husband(builder: NameBuilder) -> None:
    """Make the man's name after Mrs or Widow the husband's."""
    kinds = title_kinds(builder.title.split()) & {"married", "widow"}
    if not kinds or not builder.given or not builder.surname:
        return
    if sex_of_given(builder.given[0]) == "m" or all(map(is_initials, builder.given)):
        relation = "wife" if "married" in builder.flags else "widow"
        husband = make_name(builder.given, builder.surname, "birth")
        relative = NamedRelative(kind="spouse", relation=relation, name=husband)
        builder.relatives.insert(0, relative)
        builder.given = []


def _take_ends(words: list[str], builder: NameBuilder) -> list[str]:
    """Take titles, suffixes and descriptions off the words."""
    count = count_titles(words)
    if count:
        builder.title = " ".join([builder.title, *words[:count]]).strip()
        builder.flags |= title_kinds(builder.title.split()) & {"married", "widow", "widower"}
        words = words[count:]
    count = count_suffixes(words)
    is_name = (
        len(words) - count == 1 and not builder.title and all(map(is_initials, words[-count:]))
    )
    if count and not is_name:  # "Smith M A" has initials, "John Smith M A" a degree
        builder.suffix, words = [*words[-count:], *builder.suffix], words[:-count]
    count = 0
    flags = set[str]()
    while count < len(words) and (flag := description_flag(words[count])) is not None:
        flags.add(flag)
        count += 1
    is_article = count == 1 and words[0].lower() in ("a", "an", "the")
    if not count or (is_article and len(words) > 1):
        return words
    builder.flags |= (flags - {""}) | {"described"}
    return words[count:]
