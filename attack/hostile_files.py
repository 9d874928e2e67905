"""Does any file that is imported cause a traceback, a hang, or memory out of proportion?

Large files are made to take long: deep XML, archives that unpack to gigabytes, 200,000 lines of one
note, 100,000 columns.  Small files are good ones of every format, damaged at random.  A file passes
if the import ends in time with an exit status of 0 to 3 and a short message, and if the archive is
sound afterwards.
"""

import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.growth_shapes import FILES, TABLE_MAPPING

from attack.commands import MAX_MESSAGE
from attack.outcome import Attack, Outcome, Plan, Tries
from attack.running import Driver, Finished, run_forebear
from attack.worlds import copy_archive
from forebear.archive import create_archive, open_archive
from forebear.printing import printable

MAX_SECONDS = 60  # the machine may be busy; what is not proportional takes hours
MAX_MEGABYTES = 1_500  # an archive in a file may unpack to a gigabyte
PLAIN_MEGABYTES, MEGABYTES_PER_MEGABYTE = 400, 60  # of files that are not packed
LARGE_SHARE = 0.2  # of the tries; a large file takes as long as ten small ones
SHAPE_CHARACTERS = 300_000
SMALL_CHARACTERS = 2_000
SUFFIXES = {
    "table": ".csv",
    "spreadsheet": ".xlsx",
    "freereg_baptisms": ".csv",
    "gedcom": ".ged",
    "gedzip": ".gdz",
    "gramps": ".gramps",
    "a2a": ".xml",
    "jsonl": ".jsonl",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HostileFile:
    """A file to import: what it is, the format that it pretends to have, and its content."""

    name: str
    format: str
    make: Callable[[], bytes]
    is_packed: bool = False


def run(plan: Plan) -> Outcome:
    """Import one hostile file after the other."""
    rng = random.Random(plan.seed)
    mapping = plan.folder / "table.toml"
    mapping.write_text(TABLE_MAPPING, "utf-8")
    empty, path = plan.folder / "empty.forebear", plan.folder / "archive.forebear"
    create_archive(empty).close()
    failures: list[str] = []
    longest: tuple[float, str] = (0.0, "")
    largest: tuple[float, str] = (0.0, "")
    large_files = draw_large_files(rng, max(1, round(plan.tries * LARGE_SHARE)))
    with Driver(seconds=MAX_SECONDS) as driver:
        for number in range(plan.tries):
            is_large = number < len(large_files)
            hostile = large_files[number] if is_large else damaged_file(rng)
            file = plan.folder / f"file{number}{SUFFIXES[hostile.format]}"
            file.write_bytes(hostile.make())
            copy_archive(empty, path)
            words = words_to_import(hostile, file, mapping, path)
            if is_large:
                finished = run_forebear(*words, seconds=MAX_SECONDS, measured=True)
            else:
                finished = driver.run(*words)
            megabytes = file.stat().st_size / 1e6
            problems = [*faults_of(finished, hostile, megabytes), *faults_of_archive(path)]
            failures += [
                f"{problem}: {hostile.name} as {hostile.format} (try {number}, seed {plan.seed})"
                for problem in problems
            ]
            longest = max(longest, (finished.seconds, hostile.name))
            largest = max(largest, (finished.peak_megabytes, hostile.name))
            file.unlink()
            plan.progress(number + 1)
    return Outcome(
        tries=plan.tries,
        failures=tuple(failures),
        worst=f"longest {longest[0]:.1f} s ({longest[1]}), "
        f"most memory {largest[0]:.0f} MB ({largest[1]})",
    )


def words_to_import(
    hostile: HostileFile, file: Path, mapping: Path, path: Path
) -> tuple[str | Path, ...]:
    """Return the command that imports a file."""
    is_table = hostile.format in ("table", "spreadsheet")
    name = "gedcom" if hostile.format == "gedzip" else hostile.format
    return ("import", file, "--mapping", mapping if is_table else name, "--archive", path)


def faults_of(finished: Finished, hostile: HostileFile, megabytes: float) -> list[str]:
    """Return what is wrong with how an import ended."""
    problems = [finished.fault] if finished.fault else []
    message = finished.error
    if finished.code and not message.strip():
        problems.append("no message")
    if len(message) > MAX_MESSAGE:
        problems.append(f"a message of {len(message):,} characters")
    if printable(message) != message:
        problems.append("a message with control characters")
    limit = (
        MAX_MEGABYTES if hostile.is_packed else PLAIN_MEGABYTES + MEGABYTES_PER_MEGABYTE * megabytes
    )
    if finished.peak_megabytes > limit:
        problems.append(f"{finished.peak_megabytes:.0f} MB of memory for {megabytes:.1f} MB")
    return problems


def faults_of_archive(path: Path) -> list[str]:
    """Return what ``check`` finds after an import."""
    with open_archive(path) as archive:
        return [f"check afterwards: {fault}" for fault in archive.check().faults]


def draw_large_files(rng: random.Random, count: int) -> list[HostileFile]:
    """Return files made to take long: first those of this module, then shapes that grow."""
    shapes = [
        HostileFile(
            name=name,
            format=kind,
            make=lambda shape=shape: shape(SHAPE_CHARACTERS),  # type: ignore[misc]
        )
        for kind in SUFFIXES
        for name, shape in FILES[kind].items()
    ]
    files = rng.sample(LARGE_FILES, min(count, len(LARGE_FILES)))
    return files + rng.sample(shapes, min(count - len(files), len(shapes)))


def damaged_file(rng: random.Random) -> HostileFile:
    """Return a small file of a format, damaged at random."""
    kind = rng.choice(list(SUFFIXES))
    name = rng.choice(list(FILES[kind]))
    good = FILES[kind][name](SMALL_CHARACTERS)
    change, content = rng.choice(DAMAGES)(rng, good)
    return HostileFile(name=f"{name}, {change}", format=kind, make=lambda: content)


Damage = Callable[[random.Random, bytes], tuple[str, bytes]]


def change_bytes(rng: random.Random, content: bytes) -> tuple[str, bytes]:
    """Write bytes at random over some."""
    changed = bytearray(content)
    for _ in range(rng.choice((1, 3, 30))):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return "bytes changed", bytes(changed)


def cut_off(rng: random.Random, content: bytes) -> tuple[str, bytes]:
    """Cut off the end."""
    return "cut off", content[: rng.randrange(len(content))]


def move_part(rng: random.Random, content: bytes) -> tuple[str, bytes]:
    """Repeat a part in another place."""
    start, place = rng.randrange(len(content)), rng.randrange(len(content))
    part = content[start : start + rng.choice((1, 10, 200))] * rng.choice((1, 50))
    return "a part repeated", content[:place] + part + content[place:]


def insert_signs(rng: random.Random, content: bytes) -> tuple[str, bytes]:
    """Insert what parsers stumble over."""
    place = rng.randrange(len(content))
    return "signs inserted", content[:place] + rng.choice(SIGNS) + content[place:]


def encode_otherwise(rng: random.Random, content: bytes) -> tuple[str, bytes]:
    """Write the text in another encoding than it says."""
    encoding = rng.choice(("utf-16", "utf-16-be", "utf-32", "utf-7", "cp037", "utf-8-sig"))
    return f"in {encoding}", content.decode("latin-1").encode(encoding, "replace")


def wrap(rng: random.Random, content: bytes) -> tuple[str, bytes]:
    """Pack a file into others."""
    match rng.choice(("gzip", "zip", "zips", "cut gzip")):
        case "gzip":
            return "in gzip", gzip.compress(content)
        case "zip":
            return "in a zip", zip_of({"gedcom.ged": content})
        case "zips":
            return "in zips", zip_of({"../a.ged": zip_of({"gedcom.ged": content})})
        case _:
            return "in gzip, cut off", gzip.compress(content)[:-9]


SIGNS = (
    *(b"\0", b"\0" * 5_000, b"\xff\xfe", b"\xed\xa0\x80", b"\x1b[2J\x07", b'"', b"<", b"]]>", b"&"),
    *(b"&#0;", b"&#xd800;", b"<![CDATA[", b"<!--", b"<!DOCTYPE a [", b"\r", b"\r\n\r\n", b"\x1a"),
    *(b"@", b"@#DHEBREW@", b"9" * 400, b"-1", b"1e999", b"\\ud800", b"{", b"[" * 3_000, b"null"),
    *("\u202e\u2028".encode(), b"=cmd|'/c calc'!A0", b"x" * 100_000, b",\n" * 100),
)
DAMAGES: tuple[Damage, ...] = (
    change_bytes,
    cut_off,
    move_part,
    insert_signs,
    insert_signs,
    encode_otherwise,
    wrap,
)


def zip_of(files: dict[str, bytes]) -> bytes:
    """Return an archive with these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def zip_bomb(name: str, start: bytes = b"") -> bytes:
    """Return an archive whose file unpacks to more than a gigabyte."""
    out, zeros = io.BytesIO(), bytes(1 << 24)
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open(name, "w", force_zip64=True) as member,
    ):
        member.write(start)
        for _ in range(68):
            member.write(zeros)
    return out.getvalue()


def lying_zip() -> bytes:
    """Return an archive that says of its largest file that it is small."""
    content = bytes(1 << 26)
    packed = zip_of({"gedcom.ged": content})
    size = len(content).to_bytes(4, "little")
    return packed.replace(size, (100).to_bytes(4, "little"))


def gedcom(*lines: str) -> bytes:
    """Return a GEDCOM file with one person and these lines."""
    head = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Mary /Brown/\n"
    return (head + "\n".join(lines) + "\n0 TRLR\n").encode()


def table(*, headings: str = "", cell: str = "") -> bytes:
    """Return a table with more headings, or with a large cell."""
    first = "id,household,name,date,place,age,sex,occupation,notes"
    return f"{first}{headings}\n1,h,Mary Brown,1851,Layham,{cell},f,,x\n".encode()


def entities() -> bytes:
    """Return XML whose entities unfold to a billion words."""
    lines = ['<!ENTITY l0 "ha">']
    lines += [f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12)]
    return f"<?xml version='1.0'?><!DOCTYPE A2A [{''.join(lines)}]><A2A>&l11;</A2A>".encode()


LARGE_FILES = (
    HostileFile(name="deep XML", format="a2a", make=lambda: b"<A2A>" + b"<a>" * 300_000),
    HostileFile(name="deep XML", format="gramps", make=lambda: b"<database>" + b"<a>" * 300_000),
    HostileFile(name="entities in entities", format="a2a", make=entities),
    HostileFile(name="entities in entities", format="gramps", make=entities),
    HostileFile(
        name="an attribute of 5 MB", format="a2a", make=lambda: b'<A2A a="' + b"b" * 5_000_000
    ),
    HostileFile(
        name="a zip bomb", format="gedzip", make=lambda: zip_bomb("gedcom.ged"), is_packed=True
    ),
    HostileFile(
        name="a zip bomb",
        format="spreadsheet",
        make=lambda: zip_bomb("xl/workbook.xml"),
        is_packed=True,
    ),
    HostileFile(
        name="a zip that lies about sizes", format="gedzip", make=lying_zip, is_packed=True
    ),
    HostileFile(
        name="a zip of 120,000 files",
        format="gedzip",
        make=lambda: zip_of({f"{number}.ged": b"" for number in range(120_000)}),
        is_packed=True,
    ),
    HostileFile(
        name="a gzip bomb",
        format="gramps",
        make=lambda: gzip.compress(bytes(1 << 26), 1) * 17,
        is_packed=True,
    ),
    HostileFile(
        name="200,000 CONC lines",
        format="gedcom",
        make=lambda: gedcom("1 NOTE a", *["2 CONC " + "b" * 60] * 200_000),
    ),
    HostileFile(
        name="a family of 3,000 children",
        format="gedcom",
        make=lambda: gedcom(
            *(f"0 @C{n}@ INDI\n1 NAME Ann{n} /Brown/\n1 FAMC @F1@" for n in range(3_000)),
            "0 @F1@ FAM\n1 HUSB @I1@",
            *(f"1 CHIL @C{n}@" for n in range(3_000)),
        ),
    ),
    HostileFile(
        name="people who are their own parents",
        format="gedcom",
        make=lambda: gedcom(
            "1 FAMC @F1@", "1 FAMS @F1@", "0 @F1@ FAM", "1 HUSB @I1@", "1 WIFE @I1@", "1 CHIL @I1@"
        ),
    ),
    HostileFile(
        name="levels that jump",
        format="gedcom",
        make=lambda: gedcom(*[f"{n * 37 % 99} NOTE x" for n in range(50_000)]),
    ),
    HostileFile(
        name="no line ends", format="gedcom", make=lambda: gedcom("1 NOTE " + "x" * 20_000_000)
    ),
    HostileFile(
        name="100,000 columns",
        format="table",
        make=lambda: table(headings="".join(f",c{number}" for number in range(100_000))),
    ),
    HostileFile(
        name="a cell of 100,000 characters", format="table", make=lambda: table(cell="?" * 100_000)
    ),
    HostileFile(name="a cell of 20 MB", format="table", make=lambda: table(cell="?" * 20_000_000)),
    HostileFile(name="noise", format="table", make=lambda: random.Random(1).randbytes(1_000_000)),
    HostileFile(name="zeros", format="table", make=lambda: bytes(5_000_000)),
    HostileFile(
        name="deep JSON",
        format="jsonl",
        make=lambda: b'{"id": "1", "personas": ' + b'[{"a":' * 500_000 + b"\n",
    ),
    HostileFile(
        name="deep JSON that ends", format="jsonl", make=lambda: b"[" * 900_000 + b"]" * 900_000
    ),
    HostileFile(
        name="a record of 30,000 people",
        format="jsonl",
        make=lambda: json.dumps(
            {
                "id": "1",
                "record_type": "census",
                "personas": [
                    {"role": "x", "names": [{"given": f"a{number}"}]} for number in range(30_000)
                ],
            }
        ).encode(),
    ),
    HostileFile(
        name="noise", format="spreadsheet", make=lambda: random.Random(2).randbytes(500_000)
    ),
    HostileFile(
        name="deep XML",
        format="spreadsheet",
        make=lambda: zip_of({"xl/workbook.xml": b"<workbook>" + b"<a>" * 300_000}),
    ),
)
ATTACK = Attack(
    name="hostile files",
    question="Does any file that is imported cause a traceback, a hang or much memory?",
    tries=Tries(quick=10, normal=120, full=1_200),
    run=run,
)
