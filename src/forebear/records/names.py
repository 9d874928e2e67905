"""A name as a record or a query gives it, in its parts but in its own spelling."""

from dataclasses import dataclass
from typing import Literal

NameKind = Literal["birth", "married", "alias"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """One name of one person; empty parts were not given."""

    given: str = ""  # all given names, in order: "Mary Ann"
    surname: str = ""
    kind: NameKind = "birth"
    suffix: str = ""  # Jr, Sr, III
    title: str = ""  # Rev, Mrs, Capt
    prefix: str = ""  # the particle with which the surname begins: van der
    patronymic: str = ""  # Jansz, Jónsdóttir, where it stands beside a surname
    nickname: str = ""
