"""Forebear: a search engine for genealogy that ranks, explains and learns.

    import forebear

    with forebear.open("county.forebear") as archive:
        for hit in archive.search("Mary Brown b. 1851 Layham")[:5]:
            print(hit.rank, hit.name, hit.date, hit.place)

The names below are the public API, documented in docs/reference/python.md.  Each is loaded when it
is first used, so that importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forebear.archive.archive import Archive
    from forebear.archive.learning import Training
    from forebear.archive.opening import create_archive as create
    from forebear.archive.opening import open_archive as open
    from forebear.archive.opening import restore_archive as restore
    from forebear.archive.result import Hit, Result
    from forebear.errors import ForebearError
    from forebear.ingest.report import ImportReport
    from forebear.learning.registry import ModelEntry
    from forebear.records.collections import Collection
    from forebear.records.record import Record
    from forebear.search.query.person_query import PersonQuery
    from forebear.search.results.explain import Explanation
    from forebear.search.search_result import SearchOptions
    from forebear.storage.port import ClusterAccess, ClusterAddress

__version__ = "0.1.0"
__all__ = [
    "Archive",
    "ClusterAccess",
    "ClusterAddress",
    "Collection",
    "Explanation",
    "ForebearError",
    "Hit",
    "ImportReport",
    "ModelEntry",
    "PersonQuery",
    "Record",
    "Result",
    "SearchOptions",
    "Training",
    "__version__",
    "create",
    "open",
    "restore",
]

# Where each name is defined, as "module:attribute".
_DEFINITIONS = {
    "Archive": "forebear.archive.archive:Archive",
    "ClusterAccess": "forebear.storage.port:ClusterAccess",
    "ClusterAddress": "forebear.storage.port:ClusterAddress",
    "Collection": "forebear.records.collections:Collection",
    "Explanation": "forebear.search.results.explain:Explanation",
    "ForebearError": "forebear.errors:ForebearError",
    "Hit": "forebear.archive.result:Hit",
    "ImportReport": "forebear.ingest.report:ImportReport",
    "ModelEntry": "forebear.learning.registry:ModelEntry",
    "PersonQuery": "forebear.search.query.person_query:PersonQuery",
    "Record": "forebear.records.record:Record",
    "Result": "forebear.archive.result:Result",
    "SearchOptions": "forebear.search.search_result:SearchOptions",
    "Training": "forebear.archive.learning:Training",
    "create": "forebear.archive.opening:create_archive",
    "open": "forebear.archive.opening:open_archive",
    "restore": "forebear.archive.opening:restore_archive",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in _DEFINITIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _DEFINITIONS[name].partition(":")
    value = globals()[name] = getattr(import_module(module), attribute)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
