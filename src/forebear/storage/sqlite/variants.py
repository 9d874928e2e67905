"""Which name variants has an archive file learned?"""

from collections.abc import Iterable
from dataclasses import astuple

from forebear.search.expansion.learned_variants import LearnedVariant
from forebear.storage.sqlite.checksums import require_table
from forebear.storage.sqlite.connection import Connection

COLUMNS = (
    *("kind", "first", "second", "persons", "searchers", "expected", "chance"),
    *("learned_at", "revoked_at"),
)


def read_variants(connection: Connection) -> tuple[LearnedVariant, ...]:
    """Return all learned variants, also those that were revoked."""
    require_table(connection, "name_variants")
    rows = connection.rows(
        f"SELECT {', '.join(COLUMNS)} FROM name_variants ORDER BY kind, first, second"
    )
    return tuple(LearnedVariant(**dict(zip(COLUMNS, row, strict=True))) for row in rows)


def write_variants(connection: Connection, variants: Iterable[LearnedVariant]) -> None:
    """Store learned variants; searches that begin now use them."""
    with connection.transaction():
        connection.execute_many(
            f"REPLACE INTO name_variants ({', '.join(COLUMNS)})"
            f" VALUES ({', '.join('?' * len(COLUMNS))})",
            [astuple(variant) for variant in variants],
        )
        connection.execute("UPDATE changes SET counter = counter + 1")
