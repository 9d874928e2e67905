"""Is an occupation read as a place, and is a place lost as an occupation?  Cells of real columns.

    python -m benchmarks.quality.place_cells [--series fresh] [--half judging] [--show 20]

Every cell of the occupation, status and note columns of the shared records must name no place,
every cell of their place columns must name one (``place_cells_data`` says which, and how they are
divided).  Each is read alone and within the county of its source; what is no place also before
the name of a county ("Coal Miner, Durham"), a place before the county that its source states.  A
cell is right if all its readings are.  ``right`` counts distinct cells, ``of rows`` each as often
as the columns have it.
"""

import argparse
from collections.abc import Iterator

from benchmarks.quality.place_cells_data import COUNTIES, Cell, digest, read_cells
from forebear.normalize.places import PlaceReading, read_place
from forebear_lab.evaluation.tables import Table


def main() -> None:
    """Print the shares of cells that are read rightly."""
    options = _options()
    cells = [
        cell
        for cell in read_cells()
        if cell.half == options.half and options.series in ("both", cell.series)
    ]
    rows = []
    for group in sorted({(cell.kind, cell.series, cell.source) for cell in cells}):
        members = [cell for cell in cells if (cell.kind, cell.series, cell.source) == group]
        wrong = [cell for cell in members if not is_right(cell)]
        of_rows = 1 - sum(cell.rows for cell in wrong) / sum(cell.rows for cell in members)
        rows.append((*group, len(members), len(wrong), 1 - len(wrong) / len(members), of_rows))
        for cell in sorted(wrong, key=lambda cell: -cell.rows)[: options.show]:
            print(f"    {' '.join(group)}: {cell.rows:5d} {cell.text}")
    headings = ("cells", "series", "source", "distinct", "wrong", "right", "of rows")
    print(Table(headings=headings, rows=rows).as_text())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--series", choices=("old", "fresh", "both"), default="both")
    parser.add_argument("--half", choices=("tuning", "judging"), default="tuning")
    parser.add_argument("--show", type=int, default=0, help="most frequent errors of each source")
    return parser.parse_args()


def is_right(cell: Cell) -> bool:
    """Return whether all readings of the cell name a place, or none of them does."""
    is_place = cell.kind == "place"
    return all((reading.place is not None) == is_place for reading in _readings(cell))


def _readings(cell: Cell) -> Iterator[PlaceReading]:
    within = (cell.within,) if cell.within else ()
    yield read_place(cell.text, within=within)
    yield read_place(cell.text)
    if cell.kind != "place":
        county = COUNTIES[digest(cell.text) % len(COUNTIES)]
        yield read_place(f"{cell.text}, {county}")
    elif cell.county:
        yield read_place(f"{cell.text}, {cell.county}")


if __name__ == "__main__":
    main()
