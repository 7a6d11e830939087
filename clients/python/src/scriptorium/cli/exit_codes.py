"""The exit codes. The README and `--help` list them too."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from enum import IntEnum

from ..errors import ScriptoriumError


class Exit(IntEnum):
    """The exit codes."""

    SUCCESS = 0
    FAILED = 1
    """The job failed or was cancelled."""
    USAGE = 2
    REJECTED = 3
    """The API rejected the request: 4xx."""
    UNREACHABLE = 4
    """The service is unreachable, overloaded or sent an unexpected response."""
    PARTIAL = 5
    """Only some pages, files or messages succeeded."""
    FILE = 6
    """A local file could not be read or written."""
    INTERRUPTED = 130


EXIT_CODES = """0 success · 1 job failed or cancelled · 2 usage error · 3 rejected by the API
4 service unreachable or overloaded · 5 partial success · 6 file could not be read or written
130 interrupted"""


class UsageError(Exception):
    """An invalid command line."""


class Interrupted(BaseException):
    """Ctrl-C or SIGTERM."""


def exit_code_of(error: BaseException) -> int:
    """The exit code of an error."""
    if isinstance(error, UsageError):
        return Exit.USAGE
    if isinstance(error, Interrupted):
        return Exit.INTERRUPTED
    if isinstance(error, ScriptoriumError):
        is_rejection = 400 <= error.status < 500 and error.status != 429
        return Exit.REJECTED if is_rejection else Exit.UNREACHABLE
    return Exit.FILE if file_fault(error) else Exit.FAILED


def file_fault(error: BaseException) -> str | None:
    """The name of a file system error, such as ENOENT; None for other errors."""
    if not isinstance(error, OSError) or error.errno is None:
        return None
    return errno.errorcode.get(error.errno)


def exit_code_of_many(errors: Sequence[BaseException], total: int) -> int:
    """The exit code for several items, some of which failed."""
    if not errors:
        return Exit.SUCCESS
    return Exit.PARTIAL if len(errors) < total else exit_code_of(errors[0])
