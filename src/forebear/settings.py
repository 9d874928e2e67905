"""What the environment may say: the archive, the URL it is served under, its cluster."""

import os
from pathlib import Path

ARCHIVE_VARIABLE = "FOREBEAR_ARCHIVE"
PUBLIC_URL_VARIABLE = "FOREBEAR_PUBLIC_URL"
CLUSTER_VARIABLE = "FOREBEAR_CLUSTER"  # followed by _USER, _PASSWORD and so on


def archive_from_environment() -> Path | None:
    """Return the archive that the environment names, if it names one."""
    path = os.environ.get(ARCHIVE_VARIABLE)
    return Path(path) if path else None


def cluster_from_environment(setting: str) -> str:
    """Return a setting of the cluster, such as "password", or "" if the environment has none."""
    return os.environ.get(f"{CLUSTER_VARIABLE}_{setting.upper()}", "")
