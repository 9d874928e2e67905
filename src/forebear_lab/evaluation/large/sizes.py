"""Is a file so large that compiled loops read it sooner, though they take a while to load?"""

from pathlib import Path

LARGE_BYTES = 8_000_000  # about where both ways take the same time
_COMPRESSION = 4  # how much gzip makes of such files, roughly


def is_large(*paths: Path) -> bool:
    """Say whether files together are large; one that is not there is not."""
    return sum(_size(path) for path in paths) >= LARGE_BYTES


def _size(path: Path) -> int:
    try:
        size = path.stat().st_size
    except OSError:
        return 0
    return size * _COMPRESSION if path.suffix == ".gz" else size
