"""Is anybody shown who may be living?

Every form that may be where a date of death should be is written into the death of a person born
in 1985, in tables, GEDCOM, Gramps, A2A and JSON lines.  The public must see none of these people,
while the owner sees all of them.
"""

import random
from pathlib import Path

from attack.not_dead import NOT_DEAD_FORMS, TABLE_MAPPING, WRITERS
from attack.outcome import Attack, Outcome, Plan, Tries
from forebear.archive import create_archive

TABLE = "people.tsv"


def run(plan: Plan) -> Outcome:
    """Import each form in each kind of file."""
    rng = random.Random(plan.seed)
    mapping = plan.folder / "people.toml"
    mapping.write_text(TABLE_MAPPING, "utf-8")
    count = max(1, plan.tries // len(WRITERS))
    forms = rng.sample(NOT_DEAD_FORMS, min(count, len(NOT_DEAD_FORMS)))
    failures = []
    people = public = tries = 0
    for name in WRITERS:
        owners, publics = import_forms(plan.folder, name, forms)
        people += owners
        public += publics
        tries += len(forms)
        if not owners:
            failures.append(f"{name}: nothing was imported (seed {plan.seed})")
        if publics:
            shown = [form for form in forms if import_forms(plan.folder, name, [form])[1]]
            failures += [f"{name}: {form!r} as a death shows the person" for form in shown]
        plan.progress(tries)
    return Outcome(
        tries=tries, failures=tuple(failures), worst=f"{public} of {people:,} people shown"
    )


def import_forms(folder: Path, name: str, forms: list[str]) -> tuple[int, int]:
    """Return how many of the people in a file the owner sees, and how many the public."""
    file, path = folder / name, folder / "living.forebear"
    file.write_text(WRITERS[name](forms), "utf-8")
    for old in folder.glob(f"{path.name}*"):
        old.unlink()
    with create_archive(path) as archive:
        mapping = str(folder / "people.toml") if name == TABLE else None
        archive.import_file(file, mapping=mapping)
        owners = sum(archive.counts(viewer="owner").values())
        publics = sum(archive.counts(viewer="public").values())
        hits = archive.search(given="John", surname="Smith", viewer="public", log=False)[:]
    return owners, max(publics, len(hits))


ATTACK = Attack(
    name="living",
    question="Is anybody shown who may be living?",
    tries=Tries(quick=100, normal=5 * len(NOT_DEAD_FORMS), full=5 * len(NOT_DEAD_FORMS)),
    run=run,
)
