"""The output of a command: results on stdout, everything else on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from ..errors import ScriptoriumError
from .exit_codes import Interrupted, UsageError, exit_code_of, file_fault
from .terminal import LiveLine, Paint, columns, json_line, printable

T = TypeVar("T")

_FILE_FAULTS = {
    "ENOENT": "no such file or folder.",
    "EACCES": "permission denied.",
    "EPERM": "permission denied.",
    "EEXIST": "the file already exists. Choose another name with --output.",
    "EISDIR": "is a folder.",
    "ENOTDIR": "part of the path is not a folder.",
    "ENOSPC": "the disk is full.",
    "EMFILE": "too many files are open.",
}


class Output:
    """Prints results, notes and errors."""

    def __init__(self, json: bool, env: Mapping[str, str]) -> None:
        self.json = json
        self.paint = Paint(sys.stdout, env)
        self._env = env
        self._stderr_paint = Paint(sys.stderr, env)

    def result(self, record: object, line: str) -> None:
        """Prints a result: the record with --json, otherwise the line."""
        sys.stdout.write(f"{json_line(record) if self.json else line}\n")

    def table(self, records: Sequence[T], row: Callable[[T], Sequence[str]]) -> None:
        """Prints several results: JSON lines with --json, otherwise a table."""
        if self.json:
            lines = [json_line(record) for record in records]
        else:
            lines = columns([row(record) for record in records], sys.stdout)
        for line in lines:
            sys.stdout.write(f"{line}\n")

    def note(self, line: str) -> None:
        """Prints a note for people; does nothing with --json."""
        if not self.json:
            sys.stderr.write(f"{line}\n")

    def report_break(self, error: ScriptoriumError) -> None:
        """Reports a broken connection that is retried."""
        self.note(self._stderr_paint.dim(f"{printable(error.detail)} Retrying."))

    def progress_line(self) -> LiveLine:
        """A progress line on stderr."""
        return LiveLine(sys.stderr, self._env)

    def result_line(self) -> LiveLine:
        """A progress line on stdout, for commands whose result is the progress."""
        return LiveLine(sys.stdout, self._env)

    def error(self, error: BaseException, about: str | None = None) -> None:
        """Reports an error on stderr, with advice."""
        if self.json:
            if isinstance(error, ScriptoriumError):
                record = {**error.problem, "retry_after": error.retry_after}
            else:
                record = {"code": _code_of(error), "detail": str(error)}
            if about:
                record["about"] = about
            record["exit_code"] = int(exit_code_of(error))
            sys.stderr.write(f"{json_line({'error': record})}\n")
            return
        first, *rest = _explain(error)
        # File system errors already include the file.
        subject = f"{printable(about)}: " if about and not file_fault(error) else ""
        sys.stderr.write(f"{self._stderr_paint.red('error')}: {subject}{first}\n")
        for line in rest:
            sys.stderr.write(f"  {line}\n")


def _code_of(error: BaseException) -> str:
    if isinstance(error, UsageError):
        return "usage"
    if isinstance(error, Interrupted):
        return "interrupted"
    return file_fault(error) or "failed"


def _explain(error: BaseException) -> list[str]:
    """Describes an error: the problem, its location, and the remedy."""
    if isinstance(error, ScriptoriumError):
        return _explain_problem(error)
    fault = file_fault(error)
    if fault and isinstance(error, OSError):
        path = "a file" if error.filename is None else str(error.filename)
        return [f"{printable(path)}: {_FILE_FAULTS.get(fault, f'system error {fault}.')}"]
    return [printable(str(error))]


def _explain_problem(error: ScriptoriumError) -> list[str]:
    faults: list[str] = []
    for fault in error.errors:
        place = fault.get("pointer") or fault.get("parameter") or fault.get("header")
        detail = fault["detail"]
        allowed = [str(one) for one in fault.get("allowed", [])]
        # Most details name the field, in backticks, and list the allowed values.
        subject = f"{place}: " if place and not detail.startswith("`") else ""
        is_listed = all(one in detail for one in allowed)
        values = "" if is_listed else f" Allowed: {', '.join(allowed)}."
        faults.append(printable(f"{subject}{detail}{values}"))
    is_repeated = len(error.errors) == 1 and error.errors[0]["detail"] == error.detail
    lines = [faults[0]] if is_repeated else [printable(error.detail), *faults]
    lines += _violations_of(error)
    advice = _advice_for(error)
    if advice:
        lines.append(advice)
    lines.append(", ".join(printable(part) for part in (error.code, error.request_id) if part))
    return lines


def _violations_of(error: ScriptoriumError) -> list[str]:
    """The policy violations of a problem."""
    violations = error.problem.get("violations")
    if not isinstance(violations, list):
        return []
    return [printable(f"{one['detail']} ({one.get('policy_id')})") for one in violations if "detail" in one]


def _advice_for(error: ScriptoriumError) -> str | None:
    scopes = error.problem.get("required_scopes")
    if error.code == "connection_failed":
        return "Check that the service is running and that SERVICE_URL is correct."
    if error.code == "insufficient_scope" and isinstance(scopes, list):
        return f"Use a key with {printable(', '.join(scopes))}."
    if error.status == 401:
        return "Check API_KEY (or --key-file)."
    if error.code == "project_forbidden":
        return "Check that PROJECT_ID (or --project) is the project of the key."
    if error.code == "not_found":
        return "Check the id, and that it belongs to this project."
    if error.retry_after is not None:
        return f"Try again in {error.retry_after} s."
    return None
