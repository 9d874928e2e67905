"""In which script is a name, and where does a surname of East Asia end?

Chinese, Japanese and Korean names have the surname first.  Without a space it is one character, or
two for the compound surnames of the table; a Japanese name of four characters is halved.
"""

import unicodedata

from forebear.tables import word_set

_SCRIPTS = {
    "CYRILLIC": "cyrillic",
    "HEBREW": "hebrew",
    "GREEK": "greek",
    "ARABIC": "arabic",
    "CJK": "han",
    "HIRAGANA": "kana",
    "KATAKANA": "kana",
    "HANGUL": "hangul",
}
SURNAME_FIRST = frozenset({"han", "kana", "hangul"})


def script_of(text: str) -> str:
    """Return the script of the first letter that is not Latin, or ""."""
    for letter in text:
        if letter.isalpha() and not letter.isascii():
            script = _SCRIPTS.get(unicodedata.name(letter, "").partition(" ")[0])
            if script:
                return script
    return ""


def split_surname_first(text: str) -> tuple[str, str]:
    """Return the surname and the given name of an East Asian name.

    >>> split_surname_first("欧阳修"), split_surname_first("山田 太郎")
    (('欧阳', '修'), ('山田', '太郎'))
    """
    words = text.replace("・", " ").split()
    if len(words) > 1:
        return words[0], " ".join(words[1:])
    length = 2 if text[:2] in word_set("scripts.compound") or len(text) > 3 else 1
    return text[:length], text[length:]
