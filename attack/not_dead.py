"""What stands where a date of death should, of people who may be living; and what a death is.

Each form is written, in five kinds of files, into the death (and burial) of somebody born in 1985.
None of them may make that person public.
"""

import json
from collections.abc import Callable, Iterable
from html import escape

from forebear.normalize.dates import read_date

BORN = 1985
LAST_DAY = {"end": f"{BORN}-12-31"}
NOT_DEAD_FORMS = (
    *("living", "Living", "LIVING", "(living)", "living?", "living 2020", "Living 1 Jan 2020"),
    *("still alive 2020", "alive", "alive 2019", "alive in 2020", "2020 (alive)", "2020 alive"),
    *("still living", "lebt", "lebt 2020", "lebend", "levend", "leeft nog", "vivant", "vivo"),
    *("en vie", "vivant en 2020", "vive", "vivente", "żyje", "levande", "i live", "жив", "žije"),
    *("-", "--", "?", "??", "*", "n/a", "N/A", "na", "none", "null", "nil", "no", "No", "N"),
    *("not dead", "not yet", "unknown", "unknown 2020", "not known", "private", "present", "x"),
    *("0", "00", "0000", "00/00/0000", "0000-00-00", "9999", "31 Dec 9999", "2090", "ca. 2090"),
    *("7 May 2099", "bef 2099", "1985-", "1985 -", "from 1985", "since 1985", "after 2000"),
    *("to 2020", "> 2020", "b. 1985", "born 1985", "*1985", "bapt. 1986", "married 2010"),
    *("resident 2015", "mentioned 2019", "fl. 2015", "census 2011", "01/01/1900", "30 Dec 1899"),
    *("age 35", "35", "2020+", "last seen 2019", "1990 (guess)", "INT 2020 (alive)", "Layham"),
)
DEAD_FORMS = (
    *("1990", "12 Mar 1990", "abt 1990", "bef 2000", "bet 1986 and 1990", "d. 1990", "† 1990"),
    *("buried 1990", "Mar 1990", "1990s", "overleden 3 mei 1990", "gest. 1990", "1990-03-12"),
)

TABLE_MAPPING = """
[collection]
name = "people"
title = "People"
record_type = "birth"
[record]
id = "id"
date = "born"
[[persona]]
role = "child"
kin = "self"
principal = true
given = "given"
surname = "surname"
events.death = { date = "died", place = "died_at" }
events.burial = { date = "buried", place = "buried_at" }
"""


def as_table(forms: Iterable[str]) -> str:
    """Return a table whose columns of death and burial have the forms."""
    lines = ["id\tborn\tgiven\tsurname\tdied\tdied_at\tburied\tburied_at"]
    for number, form in enumerate(forms):
        lines.append(f"d{number}\t{BORN}\tJohn\tSmith\t{form}\tLayham\t\t")
        lines.append(f"b{number}\t{BORN}\tJohn\tSmith\t\t\t{form}\tLayham")
    return "\n".join([*lines, ""])


def as_gedcom(forms: Iterable[str]) -> str:
    """Return a tree with the forms as dates, as payloads and as phrases of DEAT, BURI, ..."""
    lines = ["0 HEAD", "1 GEDC", "2 VERS 5.5.1", "1 CHAR UTF-8"]
    person = 0
    for form in forms:
        for tag in ("DEAT", "BURI", "CREM", "PROB"):
            below = [[f"1 {tag}", f"2 DATE {form}"], [f"1 {tag}", f"2 PLAC {form}"]]
            if read_date(form).last_year is None and form.upper() != "Y":
                below += [[f"1 {tag} {form}"], [f"1 {tag} Y", f"2 DATE {form}"]]
            for death in below:
                person += 1
                lines += [f"0 @I{person}@ INDI", "1 NAME John /Smith/", "1 BIRT"]
                lines += [f"2 DATE {BORN}", *death]
    return "\n".join([*lines, "0 TRLR", ""])


def as_gramps(forms: Iterable[str]) -> str:
    """Return a tree of Gramps with the forms as the text of a date, or as a description."""
    events = [f'<event handle="born" id="B"><type>Birth</type><dateval val="{BORN}"/></event>']
    people = []
    for number, form in enumerate(forms):
        text = escape(form)
        for kind in ("Death", "Burial", "Cremation", "Probate"):
            for name, stated in (
                ("t", f'<datestr val="{text}"/>'),
                ("d", f"<description>{text}</description>"),
                ("n", ""),
            ):
                handle = f"{kind}{name}{number}"
                events.append(
                    f'<event handle="{handle}" id="{handle}"><type>{kind}</type>{stated}</event>'
                )
                people.append(
                    f'<person handle="p{handle}" id="p{handle}"><gender>M</gender>'
                    "<name><first>John</first><surname>Smith</surname></name>"
                    '<eventref hlink="born" role="Primary"/>'
                    f'<eventref hlink="{handle}" role="Primary"/></person>'
                )
    body = f"<events>{''.join(events)}</events><people>{''.join(people)}</people>"
    start = '<?xml version="1.0"?><database xmlns="http://gramps-project.org/xml/1.7.2/">'
    return f"{start}{body}</database>"


def as_a2a(forms: Iterable[str]) -> str:
    """Return births in A2A, with the forms as a date of death and as a remark."""
    entries = [
        f"""<record><header><identifier>oai:{number}</identifier></header><metadata>
<A2A xmlns="http://Mindbus.nl/A2A"><Person pid="a"><PersonName><PersonNameFirstName>John
</PersonNameFirstName><PersonNameLastName>Smith</PersonNameLastName></PersonName>
<BirthDate><Year>{BORN}</Year></BirthDate>
<DeathDate><LiteralDate>{escape(form)}</LiteralDate></DeathDate>
<PersonRemark Key="overleden"><Value>{escape(form)}</Value></PersonRemark></Person>
<Event eid="e"><EventType>Geboorte</EventType>
<EventDate><Year>{BORN}</Year></EventDate></Event>
<Event eid="f"><EventType>Overlijden</EventType>
<EventDate><LiteralDate>{escape(form)}</LiteralDate></EventDate></Event>
<RelationEP><PersonKeyRef>a</PersonKeyRef><EventKeyRef>e</EventKeyRef>
<RelationType>Kind</RelationType></RelationEP>
<Source><SourceType>BS Geboorte</SourceType></Source></A2A></metadata></record>"""
        for number, form in enumerate(forms)
    ]
    return f"<?xml version='1.0'?><OAI-PMH><ListRecords>{''.join(entries)}</ListRecords></OAI-PMH>"


def as_json_lines(forms: Iterable[str]) -> str:
    """Return records in our own form, the dates as the parser reads them and as bare text."""
    lines = []
    for number, form in enumerate(forms):
        date = read_date(form)
        ends = {"start": date.start, "end": date.end}
        days = {name: str(day) for name, day in ends.items() if day}
        parsed = {"text": form, "qualifier": date.qualifier, "precision": date.precision, **days}
        for kind in ("death", "burial", "cremation", "probate"):
            for name, stated in (
                ("p", {"date": parsed}),
                ("t", {"date": {"text": form}}),
                ("d", {"detail": form}),
                ("l", {"place": {"text": form, "levels": ["layham"]}}),
            ):
                persona = {
                    "role": "self",
                    "kin": "self",
                    "is_principal": True,
                    "names": [{"given": "John", "surname": "Smith"}],
                    "events": [
                        {"kind": "birth", "date": {"start": f"{BORN}-01-01", **LAST_DAY}},
                        {"kind": kind, **stated},
                    ],
                }
                record = {
                    "collection": "tree",
                    "id": f"{kind}{name}{number}",
                    "record_type": "family_tree",
                    "event": {"kind": "birth"},
                    "personas": [persona],
                }
                lines.append(json.dumps(record, ensure_ascii=False))
    described = json.dumps({"name": "tree", "title": "Tree", "record_type": "family_tree"})
    return "\n".join([described, *lines, ""])


WRITERS: dict[str, Callable[[Iterable[str]], str]] = {
    "people.tsv": as_table,
    "tree.ged": as_gedcom,
    "tree.gramps": as_gramps,
    "births.xml": as_a2a,
    "tree.jsonl": as_json_lines,
}
