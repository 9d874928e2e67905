"""How are very many frozen values created fast?

A frozen dataclass refuses to be written to, so its own ``__init__`` goes round that refusal once
for every field; that takes five times as long as plain assignments.  A *maker* is a function that
does the same work: a value begins as a draft, a class with the same slots that may be written to,
gets its fields, and then becomes what it is.  The draft never leaves the function.
"""

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, ParamSpec, TypeVar

Fields = ParamSpec("Fields")
Value = TypeVar("Value")


def maker(kind: Callable[Fields, Value]) -> Callable[Fields, Value]:
    """Return a function that makes what a frozen, slotted, keyword-only dataclass makes.

    The class has neither a ``__post_init__`` nor factories of defaults.
    """
    dataclass: Any = kind
    names = [entry.name for entry in fields(dataclass)]
    defaults = {
        entry.name: entry.default for entry in fields(dataclass) if entry.default is not MISSING
    }
    given = {f"default_{name}": default for name, default in defaults.items()}
    given |= {"Draft": type("Draft", (), {"__slots__": tuple(names)}), "Kind": kind}
    parameters = [f"{name}=default_{name}" if name in defaults else name for name in names]
    lines = [
        f"def make(*, {', '.join(parameters)}):",
        "    value = Draft()",
        *(f"    value.{name} = {name}" for name in names),
        "    value.__class__ = Kind",
        "    return value",
    ]
    exec("\n".join(lines), given)  # as dataclasses makes its own
    make: Callable[Fields, Value] = given["make"]
    return make
