"""Which other names stand beside a name: one at birth, an alias, a relative's?"""

import re

from forebear.normalize.given_names import is_nickname, sex_of_given
from forebear.normalize.name_forms.draft import Draft
from forebear.normalize.name_forms.markers import Marked, split_at_markers
from forebear.normalize.name_forms.relatives import relation_facts
from forebear.normalize.name_forms.words import description_flags, key_of
from forebear.records.record import Sex

ITALIAN = re.compile(r"^(.*?\S)\s+(di|fu|del fu|in)\s+(\S.*)$", re.I)


def read_marked(words: list[str], draft: Draft) -> list[str]:
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


def _read_relation(head: list[str], other: Marked, draft: Draft) -> list[str]:
    if other.marker.relation in ("widow", "widower"):
        draft.flags.add(other.marker.relation)
    if other.words:
        draft.facts += relation_facts(other)
    while head and key_of(head[-1]) in description_flags():
        draft.flags |= {description_flags()[key_of(head[-1])]} - {""}
        head = head[:-1]
    return head


def _read_alias(head: list[str], other: Marked, draft: Draft) -> list[str]:
    """Take an alias; after a single given name it is one too, and the surname follows."""
    words = other.words
    if len(head) == 1 and len(words) > 1 and other.marker.kind == "alias":
        draft.alias, head = words[0], [*head, *words[1:]]
        draft.flags.add("nickname" if is_nickname(words[0]) else "alias")
    else:
        draft.alias = " ".join(words)
        draft.flags.add(other.marker.kind)
    return head


def read_italian(match: re.Match[str], draft: Draft, sex: Sex | None) -> str:
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
