"""Which words does a free text hold, for finding it again by any of them?"""

import re
import unicodedata

_WORD = re.compile(r"\w+(?:'\w+)*")


def text_words(text: str) -> tuple[str, ...]:
    """Return the different words and numbers of a text, lower case, in order.

    >>> text_words("Twin; drowned 1851, a twin's brother")
    ('twin', 'drowned', '1851', 'a', "twin's", 'brother')
    """
    plain = unicodedata.normalize("NFC", text).lower().replace("’", "'")
    return tuple(dict.fromkeys(_WORD.findall(plain)))
