"""An open archive: the one place that connects the packages.

Everything a command or a page offers is a method of `Archive`, so that both do the same.
"""

from forebear.archive.archive import Archive
from forebear.archive.opening import create_archive, open_archive, restore_archive
from forebear.archive.searching import new_search_id

__all__ = ["Archive", "create_archive", "new_search_id", "open_archive", "restore_archive"]
