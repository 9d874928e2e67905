"""What does a full name say: given names, surname, title, alias, and who the relatives are?

A name is read from the outside in.  Scripts that put the surname first are split at once;
brackets, slashes and commas are taken as what they mark; words such as née, alias or "wife of"
begin another name; titles, suffixes and descriptions ("infant", "stillborn") come off the ends.
What is left are the names themselves.  Nothing is expanded or put in another case: Thos. and
Thomae stay.
"""

import re
import unicodedata
from dataclasses import replace

from forebear.normalize.name_forms.draft import Draft, finish
from forebear.normalize.name_forms.other_names import ITALIAN, read_italian, read_marked
from forebear.normalize.name_forms.own_names import read_given, read_person
from forebear.normalize.name_forms.parsed_name import ParsedName
from forebear.normalize.name_forms.punctuation import (
    BRACKETS,
    COMMA,
    EDITORIAL,
    SLASHES,
    join_segments,
    read_bracket,
    read_slashed,
)
from forebear.normalize.name_forms.scripts import SURNAME_FIRST, script_of, split_surname_first
from forebear.records.record import Sex

_NOMEN_NESCIO = re.compile(r"\bN\.\s+N\.(?!\w)|^N\s+N$")
LONGEST_NAME = 200  # characters; longer text is prose
_APOSTROPHE_SIGNS = frozenset("’‘ʼ`´′")
_APOSTROPHES = str.maketrans(
    dict.fromkeys(_APOSTROPHE_SIGNS, "'") | dict.fromkeys("“”„«»", '"'),
)


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
    draft = Draft()
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
    return _as_written(finish(text, draft, order))


def _as_written(name: ParsedName) -> ParsedName:
    """Return the name with the apostrophe of its text, if that is another and only one."""
    written = set(name.text) & (_APOSTROPHE_SIGNS | {"'"})
    if len(written) != 1 or "'" in written:
        return name
    sign = written.pop()
    return replace(
        name,
        given=name.given.replace("'", sign),
        surname=name.surname.replace("'", sign),
        particle=name.particle.replace("'", sign),
        suffix=name.suffix.replace("'", sign),
        alias=name.alias.replace("'", sign),
        relation=tuple((key, value.replace("'", sign)) for key, value in name.relation),
    )


def _read(text: str, draft: Draft, sex: Sex | None, order: str) -> None:
    plain = EDITORIAL.sub(" ", text)
    if plain != text:
        draft.flags.add("editorial")
    plain = _NOMEN_NESCIO.sub("N.N.", plain)
    if SLASHES.match(plain):
        plain = BRACKETS.sub(lambda bracket: read_bracket(bracket, draft, plain), plain)
    if slashed := SLASHES.match(plain):
        read_slashed(slashed, draft)
        return
    if order == "italian" and (italian := ITALIAN.match(plain)):
        plain = read_italian(italian, draft, sex)
    plain = BRACKETS.sub(lambda bracket: read_bracket(bracket, draft, plain), plain)
    segments = [segment.split() for segment in COMMA.split(plain)]
    main, given = join_segments(segments, draft)
    if given is None:
        head = read_marked(main, draft)
        read_person(head, draft, order)
    else:
        surname = read_marked(main, draft)
        read_given(read_marked(given, draft), surname, draft)
