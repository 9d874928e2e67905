"""Does what the public may not see change anything that the public sees?

Two archives are made at random.  One has people who may be living, embargoed cases, records that
were taken down, a wholly hidden collection, and trees with relatives who may be living; the other
is the same without them, with these relatives masked.  Two servers answer the same requests, and
every answer must be the same, byte for byte, but for ids.
"""

import http.client
import random
import re
import string
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

from attack.outcome import Attack, Outcome, Plan, Tries
from attack.running import CannotRun, Serving, missing_feature, serving
from attack.web import address_of
from forebear.archive import create_archive
from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.collections import Collection
from forebear.records.privacy import BUILD_YEAR, mask, public_years
from forebear.records.record import Event, Kin, Name, Persona, Record

PROBES_PER_WORLD = 25
PER_ADDRESS = 5  # probes of about twenty requests each
THIS_YEAR = BUILD_YEAR
BAPTISMS = """
[collection]
name = "baptisms"
title = "Baptisms"
record_type = "baptism"
country = "England"
[record]
id = "id"
date = "date"
place = "place"
[[persona]]
role = "child"
kin = "self"
principal = true
given = "given"
surname = "surname"
[[persona]]
role = "father"
kin = "parent"
sex = "m"
given = "father"
surname = "surname"
occupation = "trade"
"""
COURTS = BAPTISMS.replace("baptisms", "courts").replace('"baptism"', '"court"') + ""
COURTS = COURTS.replace('title = "Baptisms"', 'title = "Courts"\nembargo_years = 150')
SECRET = BAPTISMS.replace("baptisms", "secret").replace('"Baptisms"', '"A secret collection"')
SECRET = SECRET.replace('"baptism"', '"military"')
TREES = Collection(name="trees", title="Trees", record_type="family_tree")
HEADINGS = "id,date,place,given,surname,father,trade"
GIVEN = ("John", "Mary", "Ann", "William", "Eve", "Job", "Thomas", "Ruth")
SURNAMES = ("Smith", "Smyth", "Green", "Hill", "Xanthos", "Kersey")
PLACES = ("Layham", "Hadleigh", "Raydon", "Polstead")
TRADES = ("miller", "thatcher", "smith", "labourer", "")
# What is different in two searches that are the same: their ids, and how long they took.
PASSING = re.compile(rb"\bs[0-9a-f]{16}\b|[\d.,]+ ?(?:ms|seconds?|s)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Rows of people by collection: those that the public may see, and the others."""

    visible: dict[str, list[list[str]]]
    hidden: dict[str, list[list[str]]]
    taken_down: list[str]  # keys of hidden records that only a takedown hides
    trees: list[Record]  # of the dead, with relatives who may be living


def run(plan: Plan) -> Outcome:
    """Ask both archives the same again and again."""
    rng = random.Random(plan.seed)
    failures: list[str] = []
    compared = done = 0
    try:
        while done < plan.tries:
            folder = plan.folder / f"world{done}"
            folder.mkdir()
            world = make_world(rng)
            full = make_archive(folder / "full", world, with_hidden=True)
            bare = make_archive(folder / "bare", world, with_hidden=False)
            with ExitStack() as stack:
                servers = [stack.enter_context(serving(path)) for path in (full, bare)]
                for number in range(done, min(done + PROBES_PER_WORLD, plan.tries)):
                    source = address_of(number // PER_ADDRESS, plan.seed)
                    requests = list(probe(rng, world))
                    answers = [ask_all(server, requests, source) for server in servers]
                    for request, with_hidden, without in zip(requests, *answers, strict=True):
                        compared += 1
                        if with_hidden != without:
                            failures.append(
                                f"probe {number}, seed {plan.seed}: {request} differs: "
                                f"{difference(with_hidden, without)}"
                            )
                    plan.progress(number + 1)
            done += PROBES_PER_WORLD
    except CannotRun as missing:
        return missing_feature(missing, plan.tries)
    return Outcome(
        tries=plan.tries, failures=tuple(failures), worst=f"{compared:,} pairs of answers compared"
    )


def make_world(rng: random.Random) -> World:
    """Return people at random; some hidden ones share the names of visible ones."""
    rare = ["".join(rng.choices(string.ascii_lowercase, k=8)).title() for _ in range(12)]

    def row(number: int, year: int, words: list[str] | None = None) -> list[str]:
        place, given, surname, father, trade = words or [
            rng.choice(PLACES),
            rng.choice(GIVEN),
            rng.choice(SURNAMES),
            rng.choice(GIVEN),
            rng.choice(TRADES),
        ]
        return [f"n{number}", f"{1 + number % 28} May {year}", place, given, surname, father, trade]

    def hidden_words() -> list[str] | None:
        return rng.sample(rare, 5) if rng.random() < 0.5 else None

    count = rng.randint(6, 20)
    visible = {
        "baptisms": [row(number, rng.randint(1780, 1890)) for number in range(count)],
        "courts": [row(number, rng.randint(1780, 1860)) for number in range(rng.randint(2, 8))],
    }
    hidden = {
        "baptisms": [
            row(100 + number, rng.randint(1985, 2020), hidden_words())
            for number in range(rng.randint(1, 12))
        ],
        "courts": [
            row(100 + number, rng.randint(1900, 2020), hidden_words())
            for number in range(rng.randint(1, 6))
        ],
        "secret": [
            row(100 + number, rng.randint(1985, 2020), hidden_words())
            for number in range(rng.randint(1, 4))
        ],
    }
    old = [row(200 + number, rng.randint(1780, 1890), hidden_words()) for number in range(2)]
    hidden["baptisms"] += old
    return World(
        visible=visible,
        hidden=hidden,
        taken_down=[f"baptisms:{entry[0]}" for entry in old],
        trees=[make_tree(rng, number, rare) for number in range(rng.randint(2, 6))],
    )


def make_tree(rng: random.Random, number: int, rare: list[str]) -> Record:
    """Return a record of a dead man whose wife and child may be living, and what names them."""
    born = rng.randint(1870, 1910)
    surname = rng.choice(SURNAMES)
    wife = Name(given=rng.choice((*GIVEN, *rare)), surname=rng.choice(rare))
    child = Name(given=rng.choice((*GIVEN, *rare)), surname=rng.choice((surname, *rare)))
    place = read_place(f"{rng.choice(PLACES)}, Suffolk").place

    def event(kind: str, year: int) -> Event:
        return Event(kind=kind, date=read_date(str(year)), place=place)

    def relative(role: str, kin: Kin, name: Name, *events: Event) -> Persona:
        return Persona(role=role, kin=kin, names=(name,), events=events)

    record = Record(
        collection=TREES.name,
        id=f"I{number}",
        record_type=TREES.record_type,
        event=event("birth", born),
        personas=(
            Persona(
                role="self",
                kin="self",
                is_principal=True,
                names=(Name(given=rng.choice(GIVEN), surname=surname),),
                events=(event("birth", born), event("death", born + rng.randint(30, 80))),
                occupation=rng.choice(TRADES),
            ),
            relative("wife", "spouse", wife),
            relative("child", "child", child, event("birth", rng.randint(1945, 1960))),
            relative("father", "parent", Name(given=rng.choice(GIVEN), surname=surname)),
        ),
        text=f"His widow {wife.given} lives with {child.given} in {rng.choice(rare)}.",
        row=(("NOTE", f"{wife.given} {wife.surname}"),),
        source=f"tree.ged:{number}",
    )
    years = public_years((record,), TREES)
    if not years.masked <= THIS_YEAR < years.full:
        raise RuntimeError(f"nobody is masked on {record}")
    return record


def make_archive(folder: Path, world: World, *, with_hidden: bool) -> Path:
    """Make an archive of a world; hidden rows come last, so that lines have the same numbers."""
    folder.mkdir()
    path = folder / "archive.forebear"
    with create_archive(path) as archive:
        archive.storage.put_collection(TREES)
        for record in world.trees:
            archive.storage.write([(record,) if with_hidden else mask((record,), TREES)])
        for name, mapping in (("baptisms", BAPTISMS), ("courts", COURTS), ("secret", SECRET)):
            rows = [*world.visible.get(name, []), *(world.hidden[name] if with_hidden else [])]
            if not rows:
                continue
            file, mapping_file = folder / f"{name}.csv", folder / f"{name}.toml"
            lines = [HEADINGS, *(",".join(cells) for cells in rows), ""]
            file.write_text("\n".join(lines), "utf-8")
            mapping_file.write_text(mapping, "utf-8")
            archive.import_file(file, mapping=str(mapping_file))
        if with_hidden:
            for key in world.taken_down:
                archive.takedown(key, reason="asked by the family")
    return path


def probe(rng: random.Random, world: World) -> Iterator[str]:
    """Yield the requests of one probe: one person at every door, and some doors by themselves."""
    yield from probe_tree(rng, rng.choice(world.trees))
    groups = [world.visible, world.hidden, world.hidden]
    rows = rng.choice(groups)
    collection = rng.choice(list(rows))
    entry = rng.choice(rows[collection])
    _, date, place, given, surname, father, trade = entry
    year = date.split()[-1]
    facts = {"given": given, "surname": surname, "birth": year, "birth_place": place}
    facts |= {"father": f"{father} {surname}", "occupation": trade}
    chosen = {name: text for name, text in facts.items() if text and rng.random() < 0.6}
    if rng.random() < 0.3:
        chosen["surname"] = surname[:3] + "*"
    if rng.random() < 0.3:
        chosen["given"] = given[:-1]
    query = urlencode(chosen or {"surname": surname})
    key = quote(f"{collection}:{entry[0]}")
    yield f"/?{query}"
    yield f"/api/1/search?{query}&size=100"
    yield f"/api/1/facets?{query}"
    yield f"/api/1/explanation?{query}&record={key}"
    yield f"/missing?{query}&record={key}"
    yield f"/record/{key}?{query}"
    yield f"/beside/{key}"
    yield f"/api/1/records/{key}"
    yield f"/browse/{collection}?place={quote(place)}&year={year}"
    yield f"/browse/{rng.choice(('baptisms', 'courts', 'secret'))}"
    yield f"/api/1/search?{urlencode({'text': f'{given} {surname} {year} {place}'})}"
    yield f"/?{query}&type={rng.choice(('baptism', 'court', 'military'))}"
    yield rng.choice(("/", "/health", "/api/1/collections"))


def probe_tree(rng: random.Random, tree: Record) -> Iterator[str]:
    """Yield requests for a record of a tree, by the man that it is about and by his relatives."""
    man, wife, child, father = (persona.names[0] for persona in tree.personas)
    facts = {"given": man.given, "surname": man.surname, "father": f"{father.given} {man.surname}"}
    facts["spouse"] = f"{wife.given} {wife.surname}"
    chosen = {name: text for name, text in facts.items() if rng.random() < 0.6}
    if rng.random() < 0.4:
        sought = rng.choice((wife, child))
        chosen |= {"given": sought.given, "surname": sought.surname[: rng.choice((3, 7))] + "*"}
    query = urlencode(chosen or facts)
    key = quote(tree.key)
    yield f"/?{query}"
    yield f"/api/1/search?{query}&size=100"
    yield f"/api/1/facets?{query}"
    yield f"/api/1/explanation?{query}&record={key}"
    yield f"/missing?{query}&record={key}"
    yield f"/record/{key}?{query}"
    yield f"/api/1/records/{key}"
    yield f"/api/1/search?{urlencode({'text': f'{child.given} {child.surname} 1950'})}"
    yield "/browse/trees"


def ask_all(server: Serving, requests: list[str], source: str) -> list[bytes]:
    """Return the answers to requests, without what passes."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", server.port, timeout=60, source_address=(source, 0)
    )
    answers = []
    port = f":{server.port}".encode()  # with the colon: a probability may have the same digits
    try:
        for request in requests:
            connection.request("GET", request)
            response = connection.getresponse()
            body = PASSING.sub(b"-", response.read()).replace(port, b":PORT")
            answers.append(b"%d\n" % response.status + body)
    finally:
        connection.close()
    return answers


def difference(first: bytes, second: bytes) -> str:
    """Return where two answers begin to differ."""
    start = next(
        (place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    part = slice(max(0, start - 30), start + 60)
    return f"{first[part]!r} / {second[part]!r}"


ATTACK = Attack(
    name="non-interference",
    question="Does what is hidden change anything that the public sees?",
    tries=Tries(quick=6, normal=100, full=1_000),
    run=run,
)
