"""What does a full name say: given names, surname, title, alias, and who the relatives are?

A name is read from the outside in.  Scripts that put the surname first are split at once;
brackets, slashes and commas are taken as what they mark; words such as née, alias or "wife of"
begin another name; titles, suffixes and descriptions ("infant", "stillborn") come off the ends.
What is left are the names themselves.  Nothing is expanded or put in another case: Thos. and
Thomae stay.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache

from forebear.normalize.given_names import is_nickname, sex_of_given
from forebear.normalize.name_forms.markers import Marked, is_marked, split_at_markers
from forebear.normalize.name_forms.parsed_name import ParsedName
from forebear.normalize.name_forms.relatives import relation_facts
from forebear.normalize.name_forms.scripts import SURNAME_FIRST, script_of, split_surname_first
from forebear.normalize.name_forms.split import TWO_SURNAMES, split_particle, split_words
from forebear.normalize.name_forms.words import (
    is_initials,
    is_suffix,
    is_uncertain,
    is_unknown,
    key_of,
    leading_title,
    particle_kind,
    title_kinds,
    trailing_suffixes,
)
from forebear.normalize.name_variants import variants
from forebear.normalize.names import spell
from forebear.normalize.read_table import read_table
from forebear.records.personas import Sex

LONGEST_NAME = 200  # characters; longer text is prose
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'") | dict.fromkeys("“”„«»", '"'))
_EDITORIAL = re.compile(
    r"\[\s*(sic|recte|rectius|deleted|crossed out|inserted|interlined)\s*[.!]?\s*\]", re.I
)
_BRACKETS = re.compile(r"\(([^()]*)\)|\"([^\"]+)\"|(?<!\w)\[([^\[\]]+)\](?!\w)")
_SLASHES = re.compile(r"^([^/]*)/([^/]*)/([^/]*)$")
_ITALIAN = re.compile(r"^(.*?\S)\s+(di|fu|del fu|in)\s+(\S.*)$", re.I)
_COMMA = re.compile(r",(?![^{}]*\})")  # not that of an uncertain reading: Wil_{1,2}am
_HYPHENED = re.compile(r"[^\W\d_]{2,}['’]?[^\W\d_]*-(?:[^\W\d_]+ )*[^\W\d_]{2,}")


@dataclass(slots=True)
class _Draft:
    """The parts of a name found so far."""

    given: list[str] = field(default_factory=list)
    surname: list[str] = field(default_factory=list)
    title: str = ""
    suffix: list[str] = field(default_factory=list)
    alias: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)


def parse_name(text: str, *, sex: Sex | None = None, order: str = "") -> ParsedName:
    """Return the parts of a full name.

    ``order`` is what the source says of its names: surname_first, patronymic, spanish,
    portuguese or italian.

    >>> name = parse_name("Mrs. J. W. Smith")
    >>> name.given, name.surname, name.related("spouse_given"), sorted(name.flags)
    ('', 'Smith', 'J. W.', ['married', 'unknown_given'])
    >>> parse_name("Jan van der Berg").particle
    'van der'
    """
    clean = " ".join(
        unicodedata.normalize("NFC", text[: 4 * LONGEST_NAME]).translate(_APOSTROPHES).split()
    )
    draft = _Draft()
    script = script_of(clean)
    if script:
        draft.flags.add(f"script_{script}")
    if len(clean) > LONGEST_NAME:
        return ParsedName(text=text, flags=frozenset({"unknown_given", "unknown_surname"}))
    if script in SURNAME_FIRST:
        surname, given = split_surname_first(clean)
        draft.surname, draft.given = [surname], given.split()
        draft.flags.add("surname_first")
    else:
        _read(clean, draft, sex, order)
    return _finish(text, draft, order)


def _read(text: str, draft: _Draft, sex: Sex | None, order: str) -> None:
    plain = _EDITORIAL.sub(" ", text)
    if plain != text:
        draft.flags.add("editorial")
    if slashed := _SLASHES.match(plain):
        _read_slashed(slashed, draft)
        return
    if order == "italian" and (italian := _ITALIAN.match(plain)):
        plain = _read_italian(italian, draft, sex)
    plain = _BRACKETS.sub(lambda bracket: _read_bracket(bracket, draft, plain), plain)
    segments = [segment.split() for segment in _COMMA.split(plain)]
    main, given = _join_segments(segments, draft)
    if given is None:
        head = _read_marked(main, draft)
        _read_person(head, draft, order)
    else:
        surname = _read_marked(main, draft)
        _read_given(_read_marked(given, draft), surname, draft)


def _join_segments(segments: list[list[str]], draft: _Draft) -> tuple[list[str], list[str] | None]:
    """Return the words before a comma that ends a surname, and the given names after it."""
    main, given = segments[0], None
    for words in segments[1:]:
        if is_suffix(words):
            draft.suffix += words
        elif words and "widow" in title_kinds(words) and leading_title([*words, ""]) == len(words):
            draft.flags.add("widow")
        elif words and leading_title([*words, ""]) == len(words):
            draft.title = " ".join([draft.title, *words]).strip()
        elif words and given is None and (is_marked(words) or not main):
            main = main + words
        elif words and given is None:
            given = words
        elif given is not None:
            given = given + words
    return main, given


def _read_slashed(match: re.Match[str], draft: _Draft) -> None:
    before, surname, after = (part.split() for part in match.groups())
    titles = leading_title([*before, ""])
    draft.title, before = " ".join(before[:titles]), before[titles:]
    if is_suffix(after):
        draft.suffix, after = after, []
    if not before and after:
        draft.flags.add("surname_first")
    draft.given, draft.surname = [*before, *after], surname
    if len(surname) - split_particle(surname).particle.count(" ") > 1 and _counts(surname) > 1:
        draft.flags.add("double_surname")


def _counts(surname: list[str]) -> int:
    return sum(not particle_kind(word) for word in surname)


def _read_italian(match: re.Match[str], draft: _Draft, sex: Sex | None) -> str:
    """Read "Rossi di Giuseppe" (his child) and "Rossi in Bianchi" (his wife)."""
    name, word, other = match.groups()
    if len(name.split()) < 2:
        return match[0]
    if word.lower() == "in":
        draft.facts += [("relation", "wife"), ("spouse_surname", other)]
    else:
        child_sex = sex or sex_of_given(name.split()[0])
        relation = "daughter" if child_sex == "f" else "son"
        draft.facts += [("relation", relation), ("father_given", other)]
    return name


def _read_bracket(bracket: re.Match[str], draft: _Draft, text: str) -> str:
    """Return what a bracket leaves in the text: nothing if it was a name of its own."""
    words = (bracket[1] or bracket[2] or bracket[3] or "").replace(",", " ").split()
    if is_marked(words):
        _read_marked(["", *words], draft)
        return " "
    if is_suffix(words):
        draft.suffix += words
    elif all(map(is_unknown, words)):
        return " ? " if bracket[3] else " "
    elif "widow" in title_kinds(words):
        draft.flags.add("widow")
    elif bracket[3]:
        return " " + " ".join(words) + " "
    elif bracket[2] or _is_pet_name(words, text[: bracket.start()].split()):
        draft.alias = " ".join(words)
        draft.flags.add("nickname")
    else:
        draft.facts.append(("birth_surname", " ".join(words)))
        draft.flags.add("nee")
    return " "


def _is_pet_name(words: list[str], before: list[str]) -> bool:
    if len(words) > 1 or not before:
        return False
    known = {form for given in before for form in variants(spell(given))}
    return spell(words[0]) in known or is_nickname(words[0])


def _read_marked(words: list[str], draft: _Draft) -> list[str]:
    """Take the other names out of the words, and return what stands before them."""
    head, marked = split_at_markers(words)
    for other in marked:
        kind = other.marker.kind
        if kind == "relation":
            head = _read_relation(head, other, draft)
        elif kind in ("alias", "dit", "genannt"):
            head = _read_alias(head, other, draft)
        elif kind == "now" and len(head) > 1:
            draft.facts.append(("birth_surname", head[-1]))
            draft.flags.add("nee")
            head = [*head[:-1], *other.words]
        else:
            key = "previous_surname" if kind == "previous" else "birth_surname"
            draft.facts.append((key, " ".join(other.words)))
            draft.flags.add("nee")
    return head


def _read_relation(head: list[str], other: Marked, draft: _Draft) -> list[str]:
    if other.marker.relation in ("widow", "widower"):
        draft.flags.add(other.marker.relation)
    if other.words:
        draft.facts += relation_facts(other)
    while head and key_of(head[-1]) in _descriptions():
        draft.flags |= {_descriptions()[key_of(head[-1])]} - {""}
        head = head[:-1]
    return head


def _read_alias(head: list[str], other: Marked, draft: _Draft) -> list[str]:
    """Take an alias; after a single given name it is one too, and the surname follows."""
    words = other.words
    if len(head) == 1 and len(words) > 1 and other.marker.kind == "alias":
        draft.alias, head = words[0], [*head, *words[1:]]
        draft.flags.add("nickname" if is_nickname(words[0]) else "alias")
    else:
        draft.alias = " ".join(words)
        draft.flags.add(other.marker.kind)
    return head


def _read_person(words: list[str], draft: _Draft, order: str) -> None:
    """Read the words of a name in their natural order, or that of the source."""
    words = _take_ends(words, draft)
    if not words:
        return
    split = split_words(words, order)
    given, surname = split.given, split.surname
    if len(words) == 1:
        is_own = bool(draft.facts) or "nickname" in draft.flags
        is_surname = bool(draft.title) and "honor" not in title_kinds(draft.title.split())
        is_surname = is_surname or "described" in draft.flags
        given, surname = (words, []) if is_own and not is_surname else (given, surname)
        given, surname = ([], words) if is_surname else (given, surname)
    elif draft.facts and draft.facts[0][0] == "relation" and _are_given(words):
        given, surname = words, []
    if split.is_surname_first:
        draft.flags.add("surname_first")
    if split.father and surname:
        draft.facts += [("patronymic", split.patronymic), ("father_given", split.father)]
        draft.flags.add("patronymic")
    if order in TWO_SURNAMES and _counts(surname) > 1:
        draft.flags.add("double_surname")
    draft.given, draft.surname = given, surname
    _move_husband(draft)


def _read_given(words: list[str], surname: list[str], draft: _Draft) -> None:
    """Read given names that stand after the surname and a comma."""
    words = _take_ends(words, draft) if words else []
    count = trailing_suffixes(surname) if surname else 0
    if count:
        draft.suffix, surname = [*surname[-count:], *draft.suffix], surname[:-count]
    titles = leading_title(surname) if surname else 0
    draft.title, surname = " ".join([*surname[:titles], draft.title]).strip(), surname[titles:]
    moved = len(words)
    while moved > 1 and particle_kind(words[moved - 1]) == "plain" and words[moved - 1].islower():
        moved -= 1  # "Berg, Jan van der"
    draft.given, draft.surname = words[:moved], [*words[moved:], *surname]
    _move_husband(draft)


def _are_given(words: list[str]) -> bool:
    return len(words) > 1 and all(sex_of_given(word) is not None for word in words)


def _take_ends(words: list[str], draft: _Draft) -> list[str]:
    """Take titles, suffixes and descriptions off the words."""
    count = leading_title(words)
    if count:
        draft.title, words = " ".join([draft.title, *words[:count]]).strip(), words[count:]
        draft.flags |= title_kinds(draft.title.split()) & {"married", "widow", "widower"}
    count = trailing_suffixes(words)
    if count:
        draft.suffix, words = [*words[-count:], *draft.suffix], words[:-count]
    return _take_descriptions(words, draft)


def _take_descriptions(words: list[str], draft: _Draft) -> list[str]:
    count = 0
    while count < len(words) and key_of(words[count]) in _descriptions():
        count += 1
    described = {_descriptions()[key_of(word)] for word in words[:count]}
    is_article = count == 1 and key_of(words[0]) in ("a", "an", "the")
    if not count or (is_article and len(words) > 1):
        return words
    draft.flags |= (described - {""}) | {"described"}
    return words[count:]


def _move_husband(draft: _Draft) -> None:
    """Make the man's name after Mrs or Widow the husband's."""
    relation = "wife" if "married" in draft.flags else "widow"
    kinds = title_kinds(draft.title.split()) & {"married", "widow"}
    if not kinds or not draft.given or not draft.surname:
        return
    first = draft.given[0]
    if sex_of_given(first) == "m" or all(map(is_initials, draft.given)):
        surname = " ".join(draft.surname)
        facts = [("relation", relation), ("spouse_given", " ".join(draft.given))]
        draft.facts = [*facts, ("spouse_surname", surname), *draft.facts]
        draft.given = []


def _finish(text: str, draft: _Draft, order: str) -> ParsedName:
    """Return the name with its flags, unknown parts left empty."""
    given = [word for word in draft.given if not is_unknown(word)]
    surname = [word for word in draft.surname if not is_unknown(word)]
    birth = dict(draft.facts).get("birth_surname", "")
    if not surname and birth:
        surname = birth.split()
    parts = split_particle(surname)
    flags = draft.flags - {"described"}
    flags |= {"unknown_given"} if not given else set()
    flags |= {"unknown_surname"} if not surname else set()
    if given and all(map(is_initials, given)) and "script_han" not in flags:
        flags.add("initials")
    if any(map(is_uncertain, [*given, *surname])):
        flags.add("ucf")
    is_joined = any(particle_kind(word) == "joint" for word in surname[1:-1])
    if _HYPHENED.search(parts.surname) or is_joined:
        flags.add("double_surname")
    if order == "surname_first" and surname and given:
        flags.add("surname_first")
    return ParsedName(
        text=text,
        given=" ".join(given),
        surname=parts.surname,
        particle=parts.particle,
        suffix=" ".join(draft.suffix),
        title=draft.title,
        alias=draft.alias,
        relation=tuple(draft.facts),
        flags=frozenset(flags),
    )


@cache
def _descriptions() -> dict[str, str]:
    return {row["word"]: row["flag"] for row in read_table("name_descriptions")}
