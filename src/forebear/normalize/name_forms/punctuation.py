"""What do the slashes, brackets and commas of a name mark?"""

import re

from forebear.normalize.given_names import is_nickname
from forebear.normalize.name_forms.draft import Draft
from forebear.normalize.name_forms.markers import is_marked
from forebear.normalize.name_forms.other_names import read_marked
from forebear.normalize.name_forms.own_names import move_husband
from forebear.normalize.name_forms.split import split_particle
from forebear.normalize.name_forms.words import (
    count_names,
    is_initials,
    is_suffix,
    is_unknown,
    leading_title,
    title_kinds,
)
from forebear.normalize.name_variants import variants
from forebear.normalize.spelling import normalize_name

EDITORIAL = re.compile(
    r"\[\s*(sic|recte|rectius|deleted|crossed out|inserted|interlined)\s*[.!]?\s*\]", re.I
)
BRACKETS = re.compile(
    r"\(([^()]*)\)|\"([^\"]+)\"|(?<!\w)\[([^\[\]]+)\](?!\w)|(?<!\w)'([^'\s]{2,})'(?!\w)"
)
SLASHES = re.compile(r"^([^/]*)/([^/]*)/([^/]*)$")
COMMA = re.compile(r",(?![^{}]*\})")  # not that of an uncertain reading: Wil_{1,2}am


def join_segments(segments: list[list[str]], draft: Draft) -> tuple[list[str], list[str] | None]:
    """Return the words before a comma that ends a surname, and the given names after it."""
    main, given = segments[0], None
    for words in segments[1:]:
        is_name = given is None and len(main) == 1 and all(map(is_initials, words))
        if is_suffix(words) and not is_name:
            draft.suffix += words
        elif words and "widow" in title_kinds(words) and leading_title([*words, ""]) == len(words):
            draft.flags.add("widow")
        elif words and leading_title([*words, ""]) == len(words):
            draft.title = " ".join([draft.title, *words]).strip()
            draft.flags |= title_kinds(words) & {"married"}
        elif words and given is None and (is_marked(words) or not main):
            main = main + words
        elif words and given is None:
            given = words
        elif given is not None:
            given = given + words
    return main, given


def read_slashed(match: re.Match[str], draft: Draft) -> None:
    """Read a name as GEDCOM writes it, the surname between slashes."""
    before, written, after = (part.split() for part in match.groups())
    surname = read_marked(written, draft)
    titles = leading_title([*before, ""])
    draft.flags |= title_kinds(before[:titles]) & {"married", "widow"}
    draft.title, before = " ".join(before[:titles]), before[titles:]
    if is_suffix(after):
        draft.suffix, after = after, []
    if not before and after:
        draft.flags.add("surname_first")
    draft.given, draft.surname = [*before, *after], surname
    if len(surname) - split_particle(surname).particle.count(" ") > 1 and count_names(surname) > 1:
        draft.flags.add("double_surname")
    move_husband(draft)


def read_bracket(bracket: re.Match[str], draft: Draft, text: str) -> str:
    """Return what a bracket leaves in the text: nothing if it was a name of its own."""
    words = (next(filter(None, bracket.groups()), "")).replace(",", " ").split()
    if is_marked(words):
        read_marked(["", *words], draft)
        return " "
    if is_suffix(words):
        draft.suffix += words
    elif all(map(is_unknown, words)):
        return " ? " if bracket[3] else " "
    elif "widow" in title_kinds(words):
        draft.flags.add("widow")
    elif bracket[3]:
        return " " + " ".join(words) + " "
    elif bracket[2] or bracket[4] or _is_pet_name(words, text[: bracket.start()].split()):
        draft.alias = " ".join(words)
        draft.flags.add("nickname")
    else:
        draft.facts.append(("birth_surname", " ".join(words)))
        draft.flags.add("nee")
    return " "


def _is_pet_name(words: list[str], before: list[str]) -> bool:
    if len(words) > 1 or not before:
        return False
    known = {form for given in before for form in variants(normalize_name(given))}
    return normalize_name(words[0]) in known or is_nickname(words[0])
