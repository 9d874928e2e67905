"""What the environment may say: where the archive is, and under which URL it is served."""

import os
from pathlib import Path

ARCHIVE_VARIABLE = "FOREBEAR_ARCHIVE"
PUBLIC_URL_VARIABLE = "FOREBEAR_PUBLIC_URL"


def archive_from_environment() -> Path | None:
    """Return the archive that the environment names, if it names one."""
    path = os.environ.get(ARCHIVE_VARIABLE)
    return Path(path) if path else None
