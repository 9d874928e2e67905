"""Which of the words left are given names, and which the surname?"""

from forebear.normalize.given_names import sex_of_given
from forebear.normalize.name_forms.draft import Draft
from forebear.normalize.name_forms.split import TWO_SURNAMES, split_words
from forebear.normalize.name_forms.words import (
    count_names,
    description_flags,
    is_initials,
    key_of,
    leading_title,
    particle_kind,
    title_kinds,
    trailing_suffixes,
)


def read_person(words: list[str], draft: Draft, order: str) -> None:
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
    if order in TWO_SURNAMES and count_names(surname) > 1:
        draft.flags.add("double_surname")
    draft.given, draft.surname = given, surname
    move_husband(draft)


def read_given(words: list[str], surname: list[str], draft: Draft) -> None:
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
    move_husband(draft)


def move_husband(draft: Draft) -> None:
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


def _are_given(words: list[str]) -> bool:
    """Say whether several words are given names of one sex: "Mary Ann", not "Mary Thomas"."""
    sexes = {sex_of_given(word) for word in words}
    return len(words) > 1 and len(sexes) == 1 and None not in sexes


def _take_ends(words: list[str], draft: Draft) -> list[str]:
    """Take titles, suffixes and descriptions off the words."""
    count = leading_title(words)
    if count:
        draft.title, words = " ".join([draft.title, *words[:count]]).strip(), words[count:]
        draft.flags |= title_kinds(draft.title.split()) & {"married", "widow", "widower"}
    count = trailing_suffixes(words)
    is_name = len(words) - count == 1 and not draft.title and all(map(is_initials, words[-count:]))
    if count and not is_name:  # "Smith M A" has initials, "John Smith M A" a degree
        draft.suffix, words = [*words[-count:], *draft.suffix], words[:-count]
    return _take_descriptions(words, draft)


def _take_descriptions(words: list[str], draft: Draft) -> list[str]:
    count = 0
    while count < len(words) and key_of(words[count]) in description_flags():
        count += 1
    described = {description_flags()[key_of(word)] for word in words[:count]}
    is_article = count == 1 and key_of(words[0]) in ("a", "an", "the")
    if not count or (is_article and len(words) > 1):
        return words
    draft.flags |= (described - {""}) | {"described"}
    return words[count:]
