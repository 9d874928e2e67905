"""An archive, open: the one place that wires the rooms together.

Everything a door offers (the command line, the page) is a method of `Archive`, so that both do
the same thing.
"""

from forebear.archive.opening import Archive, create_archive, delete_archive, open_archive

__all__ = ["Archive", "create_archive", "delete_archive", "open_archive"]
