"""Who searched?  A name that tells searchers apart, and tells nobody who they are.

What is known of a searcher (an address, an account) is hashed with a secret of the archive and
never stored itself.  Without the secret nobody can try addresses until one fits; with the
archive's file in hand one can, so the file is to be kept as what it is.
"""

import hashlib


def pseudonym(identity: str, key: bytes) -> str:
    """Return the name under which a searcher stands in the log; "" for one of no identity.

    >>> pseudonym("192.0.2.7", b"secret")
    'ue6d049677a'
    """
    if not identity:
        return ""
    return "u" + hashlib.blake2b(identity.encode(), key=key, digest_size=5).hexdigest()
