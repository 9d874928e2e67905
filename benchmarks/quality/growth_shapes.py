"""Which input makes a parser slow?  Shapes of any size, for `benchmarks.quality.growth`.

A shape takes a size and returns text that grows in proportion to it.
"""

import io
import json
import zipfile
from collections.abc import Callable

TextShape = Callable[[int], str]
FileShape = Callable[[int], bytes]

# One sign or word over and over, alone and in the middle of a name.
_REPEATED = (
    *(
        "?",
        "(",
        ")",
        "[",
        "]",
        "{",
        "/",
        "-",
        ".",
        ",",
        ";",
        ":",
        "'",
        '"',
        "*",
        "_",
        "1",
        " ",
        "&",
    ),
    *("a", "A", "s", "\u0301", "ß", "\u202e", "王", "é", "ᵐ", "\n", "\t", "@", "=", "+", "~"),
    *("? ", "( ", "()", "[]", "[?]", "[a]", "a[b]", "(a", "a(", "{1,", "_{1}", "/a", "a-", "a. "),
    *("a, ", "'a ", "1 ", "1-", "1/", "1.", "12 ", "1850 ", "1850-", "a1", "o'", "mc ", "'s "),
    *("and ", "or ", "von ", "de ", "van der ", "alias ", "née ", "about ", "between ", "to "),
    *("jun ", "Mr ", "Dr. ", "wife of ", "son of ", "the ", "late ", "of ", "St ", "nr. ", "co. "),
    *("Mary ", "Mary, ", "Mary John ", "B. 1851 ", "b. 1851 Layham, ", "Jan van ", "MARY a "),
    *("employing ", "2 acres ", "master ", "app ", "(employing ", "weeks ", "abt 3 ", "months, "),
    *("q.givenName=a&", "in the county of ", "parish of ", "illegible ", "\\", "%41", "%", "#d"),
)


def _repeat(unit: str, start: str = "") -> TextShape:
    return lambda n: start + unit * (n // len(unit))


TEXTS: dict[str, TextShape] = {
    **{repr(unit): _repeat(unit) for unit in _REPEATED},
    "nested ()": lambda n: "(" * (n // 2) + ")" * (n // 2),
    "nested (a )": lambda n: "(a " * (n // 6) + "b) " * (n // 6),
    "nested []": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "blank brackets nested": lambda n: "[(" * (n // 4) + "blank" + ")]" * (n // 4),
    "name, then signs": lambda n: "Mary Ann Brown" + "?" * n + "x",
    "name, then spaces": lambda n: "Mary Ann Brown" + " " * n + "x",
    "name, then commas": lambda n: "Mary Brown, b. 1851 " + "," * n + "x",
    "digits, then a letter": lambda n: "1" * n + "x",
    "different words": lambda n: " ".join(f"w{number}" for number in range(n // 6)),
    "different pieces": lambda n: ", ".join(f"w{number}" for number in range(n // 7)),
}


def _query_json(value: object) -> str:
    return json.dumps(value)


QUERIES: dict[str, TextShape] = {
    "JSON, many names": lambda n: _query_json(
        {"names": [{"given": f"a{number}", "surname": "b"} for number in range(n // 32)]}
    ),
    "JSON, many relatives": lambda n: _query_json(
        {"relatives": [{"kind": "child", "given": f"a{number}"} for number in range(n // 32)]}
    ),
    "JSON, many events": lambda n: _query_json(
        {"events": [{"kind": "birth", "date": str(number)} for number in range(n // 32)]}
    ),
    "JSON, many keys": lambda n: _query_json({f"key{number}": "" for number in range(n // 12)}),
    "JSON, nested": lambda n: '{"names":' + "[" * (n // 2) + "]" * (n // 2) + "}",
    "JSON, a long name": lambda n: _query_json({"names": [{"given": "?" * n, "surname": "b"}]}),
    "JSON, not closed": lambda n: '{"' * (n // 2),
    "familysearch": lambda n: "&".join(f"q.givenName.{i}=a" for i in range(n // 18)),
    "relatives in a line": lambda n: "Mary Brown" + ", wife of Thomas Green" * (n // 22),
    "children in a line": lambda n: "Mary Brown, children Ann" + " and Ann" * (n // 8),
    "event of many words": lambda n: "Mary Brown b. 1851 " + "Layham " * (n // 7),
    "event of many years": lambda n: "Mary Brown b. x" + " 1851" * (n // 5),
    "wildcards": lambda n: _query_json({"names": [{"given": "a*?" * (n // 3), "surname": "b"}]}),
}

_MAPPING = """
[collection]
name = "growth"
title = "Growth"
record_type = "census"
[record]
id = "id"
group = "household"
date = "date"
place = ["place"]
text = "notes"
[[persona]]
role = "person"
name = "name"
age = "age"
sex_column = "sex"
occupation = "occupation"
"""
TABLE_MAPPING = _MAPPING
_HEADINGS = ("id", "household", "name", "date", "place", "age", "sex", "occupation", "notes")

MAPPINGS: dict[str, TextShape] = {
    "many columns": lambda n: _MAPPING.replace(
        '["place"]', json.dumps([f"column {number}" for number in range(n // 12)])
    ),
    "many personas": lambda n: _MAPPING + '[[persona]]\nrole = "x"\nname = "y"\n' * (n // 36),
    "many words": lambda n: (
        _MAPPING + "[values.sex]\n" + "".join(f'w{number} = "m"\n' for number in range(n // 10))
    ),
    "nested lists": lambda n: "a = " + "[" * (n // 2) + "]" * (n // 2),
    "a long text": lambda n: _MAPPING.replace("Growth", "?" * n),
    "nested keys": lambda n: "a." * (n // 2) + "b = 1",
}


def _table(rows: list[dict[str, str]], *, more: tuple[str, ...] = ()) -> bytes:
    lines = [",".join((*_HEADINGS, *more))]
    for row in rows:
        cells = [row.get(heading, "") for heading in _HEADINGS]
        lines.append(",".join('"' + cell.replace('"', '""') + '"' for cell in cells))
    return ("\n".join(lines) + "\n").encode()


def _row(number: int, **cells: str) -> dict[str, str]:
    usual = {
        "id": f"r{number}",
        "name": "Mary Brown",
        "date": "1851",
        "place": "Layham",
        "age": "3",
    }
    return {**usual, **cells}


def _cell(heading: str, unit: str) -> FileShape:
    return lambda n: _table([_row(1, **{heading: unit * (n // len(unit))})])


_TABLES: dict[str, FileShape] = {
    "rows": lambda n: _table([_row(number) for number in range(n // 32)]),
    "rows with one id": lambda n: _table([_row(1) for number in range(n // 32)]),
    "one household": lambda n: _table([_row(i, household="h") for i in range(n // 32)]),
    "households apart": lambda n: _table([_row(i, household=f"h{i % 3}") for i in range(n // 32)]),
    "two households in turn": lambda n: _table(
        [_row(i, household=f"h{i // 2 % 2}") for i in range(n // 32)]
    ),
    "columns": lambda n: _table([_row(1)], more=tuple(f"column{i}" for i in range(n // 16))),
    "columns of one name": lambda n: _table([_row(1)], more=("same",) * (n // 16)),
    "columns without a name": lambda n: _table([_row(1)], more=("",) * (n // 16)),
    "cells beyond the headings": lambda n: _table([_row(1)]) + b"x," * (n // 2) + b"\n",
    **{
        f"{heading} of {unit!r}": _cell(heading, unit)
        for heading in ("name", "date", "place", "age", "occupation", "sex", "id", "notes")
        for unit in ("?", "(", "a ", "1 ", ",", '"', "\u0301")
    },
    "notes of lines": _cell("notes", "a\n"),
    "blank lines": lambda n: _table([_row(1)]) + b"\n" * n,
    "a word, not UTF-8": lambda n: _table([_row(1)]) + b'"' + b"a" * n + b' \xe9",h\n',
    "an open quotation mark": lambda n: _table([_row(1)]) + b'"' + b"a,\n" * (n // 3),
    "quotation marks": lambda n: _table([_row(1)]) + b'"' * n,
}


def _gedcom(*lines: str) -> bytes:
    head = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n"
    return (head + "\n".join(lines) + "\n0 TRLR\n").encode()


_PERSON = ("0 @I1@ INDI", "1 NAME Mary /Brown/", "1 SEX F", "1 BIRT", "2 DATE 1851")


def _people(count: int) -> list[str]:
    return [
        line
        for number in range(count)
        for line in (f"0 @I{number}@ INDI", f"1 NAME Mary{number} /Brown/", "1 FAMC @F1@")
    ]


def _family(count: int, tag: str = "CHIL") -> list[str]:
    return [*_people(count), "0 @F1@ FAM", *(f"1 {tag} @I{number}@" for number in range(count))]


_GEDCOMS: dict[str, FileShape] = {
    "CONC lines": lambda n: _gedcom(*_PERSON, "1 NOTE a", *["2 CONC " + "b" * 60] * (n // 16)),
    "CONT lines": lambda n: _gedcom(*_PERSON, "1 NOTE a", *["2 CONT b"] * (n // 8)),
    "lines without a level": lambda n: _gedcom(*_PERSON, "1 NOTE a", *["xyz"] * (n // 4)),
    "blank lines": lambda n: _gedcom(*_PERSON, *[""] * n),
    "children of one family": lambda n: _gedcom(*_family(n // 64)),
    "wives of one family": lambda n: _gedcom(*_family(n // 64, "WIFE")),
    "families of one person": lambda n: _gedcom(
        *_PERSON, *[f"0 @F{i}@ FAM\n1 HUSB @I1@\n1 MARR Y" for i in range(n // 32)]
    ),
    "families of one couple": lambda n: _gedcom(
        *_people(2), *[f"0 @F{i}@ FAM\n1 HUSB @I0@\n1 WIFE @I1@" for i in range(n // 32)]
    ),
    "families with other children": lambda n: _gedcom(
        *_people(n // 96), *[f"0 @F{i}@ FAM\n1 HUSB @I0@\n1 CHIL @I{i}@" for i in range(n // 96)]
    ),
    "families with one child": lambda n: _gedcom(
        *_people(3), *[f"0 @F{i}@ FAM\n1 HUSB @I0@\n1 CHIL @I2@" for i in range(n // 32)]
    ),
    "people": lambda n: _gedcom(*_people(n // 48)),
    "people of one number": lambda n: _gedcom(*_PERSON * (n // 64)),
    "names": lambda n: _gedcom(_PERSON[0], *[f"1 NAME Mary{i} /Brown/" for i in range(n // 24)]),
    "events": lambda n: _gedcom(*_PERSON, *[f"1 BIRT\n2 DATE {i % 2000}" for i in range(n // 20)]),
    "sources": lambda n: _gedcom(
        *_PERSON,
        *[f"1 SOUR @S{i}@" for i in range(n // 32)],
        *[f"0 @S{i}@ SOUR\n1 TITL t{i}" for i in range(n // 32)],
    ),
    "one source cited": lambda n: _gedcom(
        *_PERSON, *["1 SOUR @S1@"] * (n // 16), "0 @S1@ SOUR", *["1 TEXT t"] * (n // 16)
    ),
    "one long note cited": lambda n: _gedcom(
        *_PERSON, *["1 NOTE @N1@"] * (n // 16), "0 @N1@ NOTE a", *["1 CONT t"] * (n // 16)
    ),
    "one note of many people": lambda n: _gedcom(
        *[f"0 @I{i}@ INDI\n1 NAME Mary /Brown/\n1 NOTE @N1@" for i in range(n // 48)],
        "0 @N1@ NOTE a",
        *["1 CONT t"] * (n // 48),
    ),
    "sources in a chain": lambda n: _gedcom(
        *_PERSON, "1 SOUR @S0@", *[f"0 @S{i}@ SOUR\n1 SOUR @S{i + 1}@" for i in range(n // 24)]
    ),
    "deep levels": lambda n: _gedcom(
        *_PERSON, *[f"{level} NOTE a" for _ in range(n // 800) for level in range(1, 99)]
    ),
    "restrictions of a family": lambda n: _gedcom(
        *_family(n // 64), *["1 RESN privacy"] * (n // 64)
    ),
    "pointers to nothing": lambda n: _gedcom(*_PERSON, *["1 FAMS @F9@"] * (n // 12)),
    "a name of ?": lambda n: _gedcom(_PERSON[0], "1 NAME Mary /" + "?" * n + "/"),
    "a name of spaces": lambda n: _gedcom(_PERSON[0], "1 NAME Mary" + " " * n + "/Brown/"),
    "a date of (": lambda n: _gedcom(*_PERSON, "1 DEAT", "2 DATE " + "(" * n),
    "a place of ,": lambda n: _gedcom(*_PERSON, "1 DEAT", "2 PLAC a" + ", a" * (n // 3)),
    "a part of a name of ?": lambda n: _gedcom(_PERSON[0], "1 NAME", "2 GIVN a" + "?" * n + "b"),
    "a tag": lambda n: _gedcom(*_PERSON, "1 " + "A" * n),
    "a level": lambda n: _gedcom(*_PERSON, "1" * n + " NOTE a"),
    "spaces before a level": lambda n: _gedcom(*_PERSON, " " * n + "x"),
    "a cross-reference": lambda n: _gedcom(*_PERSON, "0 @" + "x" * n),
    "@ signs": lambda n: _gedcom(*_PERSON, "1 NOTE " + "@" * n),
    "addresses": lambda n: _gedcom(*_PERSON, "1 RESI", "2 ADDR a", *["3 CONT b"] * (n // 8)),
    "occupations": lambda n: _gedcom(*_PERSON, *["1 OCCU miller"] * (n // 12)),
    "pictures": lambda n: _gedcom(*_PERSON, *["1 OBJE\n2 FILE a.jpg"] * (n // 20)),
}


def _gedzip(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("gedcom.ged", data)
    return out.getvalue()


def _zipped(shape: FileShape) -> FileShape:
    return lambda n: _gedzip(shape(n))


def _gramps(*parts: str) -> bytes:
    head = "<?xml version='1.0'?><database xmlns='http://gramps-project.org/xml/1.7.1/'>"
    return (head + "\n".join(parts) + "</database>").encode()


def _gramps_person(number: int, inside: str = "") -> str:
    name = f"<name><first>Mary{number}</first><surname>Brown</surname></name>"
    return f"<person handle='p{number}' id='I{number}'>{name}{inside}</person>"


_GRAMPS: dict[str, FileShape] = {
    "people": lambda n: _gramps(*map(_gramps_person, range(n // 80))),
    "children of one family": lambda n: _gramps(
        *map(_gramps_person, range(n // 96)),
        "<family handle='f' id='F1'>",
        *(f"<childref hlink='p{i}'/>" for i in range(n // 96)),
        "</family>",
    ),
    "events": lambda n: _gramps(
        _gramps_person(1, "".join(f"<eventref hlink='e{i}'/>" for i in range(n // 80))),
        *(f"<event handle='e{i}'><type>Birth</type></event>" for i in range(n // 80)),
    ),
    "one note cited": lambda n: _gramps(
        _gramps_person(1, "<noteref hlink='n'/>" * (n // 32)),
        f"<note handle='n'><text>{'a' * (n // 32)}</text></note>",
    ),
    "places in a chain": lambda n: _gramps(
        _gramps_person(1, "<eventref hlink='e'/>"),
        "<event handle='e'><type>Birth</type><place hlink='l0'/></event>",
        *(
            f"<placeobj handle='l{i}'><placeref hlink='l{i + 1}'/></placeobj>"
            for i in range(n // 64)
        ),
    ),
    "names": lambda n: _gramps(
        "<person handle='p' id='I1'>",
        *["<name><first>Mary</first></name>"] * (n // 32),
        "</person>",
    ),
    "surnames": lambda n: _gramps(
        "<person handle='p' id='I1'><name><first>Mary</first>",
        *["<surname>Brown</surname>"] * (n // 24),
        "</name></person>",
    ),
    "text": lambda n: _gramps(_gramps_person(1), f"<note handle='n'><text>{'?' * n}</text></note>"),
    "entities": lambda n: _gramps(_gramps_person(1), "&amp;" * (n // 5)),
}


def _a2a(*parts: str) -> bytes:
    return ("<?xml version='1.0'?><A2A>" + "\n".join(parts) + "</A2A>").encode()


def _a2a_person(number: int, given: str = "Jan") -> str:
    name = f"<PersonName><PersonNameFirstName>{given}</PersonNameFirstName></PersonName>"
    return f"<Person pid='p{number}'>{name}</Person>"


_A2A: dict[str, FileShape] = {
    "entries": lambda n: b"<R>" + _a2a(_a2a_person(1))[21:] * (n // 120) + b"</R>",
    "people": lambda n: _a2a(*map(_a2a_person, range(n // 80))),
    "relations": lambda n: _a2a(
        *map(_a2a_person, range(n // 160)),
        *(
            f"<RelationPP><PersonKeyRef>p{i}</PersonKeyRef><PersonKeyRef>p{i + 1}</PersonKeyRef>"
            "<RelationType>Vader</RelationType></RelationPP>"
            for i in range(n // 160)
        ),
    ),
    "a name": lambda n: _a2a(_a2a_person(1, "a" + "?" * n + "b")),
    "professions": lambda n: _a2a(
        _a2a_person(1).replace("</Person>", "<Profession>a</Profession>" * (n // 25) + "</Person>")
    ),
    "remarks": lambda n: _a2a(_a2a_person(1), *["<Remark>a</Remark>"] * (n // 20)),
    "a date": lambda n: _a2a(
        _a2a_person(1),
        f"<Event><EventDate><LiteralDate>{'(' * n}</LiteralDate></EventDate></Event>",
    ),
}


def _json_line(**values: object) -> bytes:
    person = {"role": "self", "names": [{"given": "Mary", "surname": "Brown"}]}
    record = {"id": "1", "record_type": "census", "personas": [person], **values}
    return json.dumps(record).encode() + b"\n"


_JSON_LINES: dict[str, FileShape] = {
    "records": lambda n: b"".join(_json_line(id=str(i)) for i in range(n // 128)),
    "records of one id": lambda n: _json_line() * (n // 128),
    "records of one group": lambda n: b"".join(
        _json_line(id=str(i), group="g") for i in range(n // 128)
    ),
    "people": lambda n: _json_line(
        personas=[{"role": "x", "names": [{"given": f"a{i}"}]} for i in range(n // 48)]
    ),
    "a long text": lambda n: _json_line(text="?" * n),
    "nested": lambda n: b"[" * (n // 2) + b"]" * (n // 2) + b"\n",
    "a long number": lambda n: b'{"id": ' + b"1" * n + b"}\n",
    "no objects": lambda n: b"{x\n" * (n // 3),
}


def _encoded(shape: TextShape) -> FileShape:
    return lambda n: shape(n).encode()


_TEXT_FILES: dict[str, FileShape] = {
    **{
        repr(unit): _encoded(_repeat(unit, "Mr. John Green. "))
        for unit in (
            *(
                "Mary Brown. ",
                "Mary ",
                "A ",
                "A",
                "A.",
                "A van ",
                "de ",
                "\f",
                "Mr. ",
                "1 ",
                "of A ",
            ),
            *(
                "12 March ",
                "12 March 1850 ",
                "of St ",
                "of A, ",
                "\n",
                " ",
                "-",
                "'",
                "MARY BROWN ",
            ),
        )
    },
    "different people": lambda n: " and ".join(f"Mary Brown{i}x" for i in range(n // 20)).encode(),
}


def _freereg(*rows: str) -> bytes:
    head = "+INFO,a@b.c,password,SEQUENCED,BAPTISMS,utf-8\n#,CCC,name,x,FILE.CSV,1 Jan 2000\n"
    return (head + "#,CREDIT,name\n#,1 Jan 2000,remarks\n" + "\n".join(rows) + "\n").encode()


_FREEREG_ROW = "HRT,Caldecote,St Mary Magdalene,,,29 Jul 1726,Phillip,m,Thomas,Ann,Brown"
_FREEREG: dict[str, FileShape] = {
    "rows": lambda n: _freereg(*[_FREEREG_ROW] * (n // 80)),
    "cells": lambda n: _freereg(_FREEREG_ROW + "," * n),
    "a church": lambda n: _freereg(_FREEREG_ROW.replace("Magdalene", " " * n + "x")),
    "a name": lambda n: _freereg(_FREEREG_ROW.replace("Phillip", "?" * n)),
    "remarks": lambda n: _freereg(*["#,remark"] * (n // 9), _FREEREG_ROW),
}


def _spreadsheet(rows: list[list[str]]) -> bytes:
    """Return a small XLSX file with these rows as inline strings."""
    lines = [
        f"<row r='{number}'>"
        + "".join(f"<c t='inlineStr'><is><t>{cell}</t></is></c>" for cell in row)
        + "</row>"
        for number, row in enumerate(rows, start=1)
    ]
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    files = {
        "xl/workbook.xml": f"<workbook xmlns='{main}' xmlns:r='{relations}'><sheets>"
        "<sheet name='a' sheetId='1' r:id='r1'/></sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f"<Relationships xmlns='{package}'><Relationship Id='r1' "
        f"Type='{relations}/worksheet' Target='worksheets/sheet1.xml'/></Relationships>",
        "xl/worksheets/sheet1.xml": f"<worksheet xmlns='{main}'><sheetData>{''.join(lines)}"
        "</sheetData></worksheet>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def _sheet_row(**cells: str) -> list[str]:
    return [_row(1, **cells).get(heading, "") for heading in _HEADINGS]


_SPREADSHEETS: dict[str, FileShape] = {
    "rows": lambda n: _spreadsheet(
        [list(_HEADINGS), *[_sheet_row(id=str(i)) for i in range(n // 64)]]
    ),
    "columns": lambda n: _spreadsheet(
        [[*_HEADINGS, *(f"column{i}" for i in range(n // 32))], _sheet_row()]
    ),
    "a cell": lambda n: _spreadsheet([list(_HEADINGS), _sheet_row(notes="?" * n)]),
    "a tag not closed": lambda n: _spreadsheet(
        [list(_HEADINGS), _sheet_row(notes="<c " + "r" * n)]
    ),
}

# By the name of the built-in mapping, or of what else reads the file.
FILES: dict[str, dict[str, FileShape]] = {
    "table": _TABLES,
    "spreadsheet": _SPREADSHEETS,
    "freereg_baptisms": _FREEREG,
    "gedcom": _GEDCOMS,
    "gedzip": {
        name: _zipped(shape) for name, shape in _GEDCOMS.items() if name in ("CONC lines", "people")
    },
    "gramps": _GRAMPS,
    "a2a": _A2A,
    "jsonl": _JSON_LINES,
    "text": _TEXT_FILES,
    "propose_mapping": {
        name: shape
        for name, shape in _TABLES.items()
        if name.startswith(("rows", "col", "name of"))
    },
}
