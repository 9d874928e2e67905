"""Every error this package raises on purpose.

    ForebearError
    ├── InputError           what the user gave us is wrong; also a ValueError
    │   ├── QueryError       a search that cannot be understood
    │   ├── MappingError     a mapping file that cannot be understood
    │   ├── RecordError      a source row that cannot become a record
    │   └── NotFoundError    a record, search, model or collection that is not there
    ├── ArchiveError         the archive on disk is missing, locked or too new
    ├── StorageError         SQLite or OpenSearch failed
    ├── ServerError          the page cannot be served
    ├── AccessError          a visitor of the page may not do this
    └── ModelError           learned weights are absent or cannot be read

An error carries a stable ``code`` (the heading under which docs/reference/errors.md
explains it), a message that names the offending value and, where we know one, a hint.
Both are short and printable, however long the value is.
The command line turns codes into exit statuses and the server into HTTP statuses;
nothing else in the package knows about either.
"""

from typing import ClassVar

from forebear.printing import shorten


class ForebearError(Exception):
    """Base of all our errors; catch this to catch everything we raise."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = shorten(message)
        super().__init__(self.message)
        self.hint = None if hint is None else shorten(hint)

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"


class InputError(ForebearError, ValueError):
    """What the user gave us is wrong."""

    code = "input"


class QueryError(InputError):
    """A search that cannot be understood."""

    code = "query"


class MappingError(InputError):
    """A mapping file that cannot be understood."""

    code = "mapping"


class RecordError(InputError):
    """A source row that cannot become a record."""

    code = "record"


class NotFoundError(InputError):
    """A record, search, model or collection that is not in the archive."""

    code = "not-found"


class ArchiveError(ForebearError):
    """The archive on disk is missing, locked or too new."""

    code = "archive"


class StorageError(ForebearError):
    """The storage behind an archive failed."""

    code = "storage"


class ServerError(ForebearError):
    """The page cannot be served."""

    code = "server"


class AccessError(ForebearError):
    """A visitor of the page may not do this."""

    code = "access"


class ModelError(ForebearError):
    """Learned weights are absent or cannot be read."""

    code = "model"
