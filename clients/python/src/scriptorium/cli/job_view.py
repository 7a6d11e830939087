"""Shows the progress of jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import types as t
from .._sync.client import Scriptorium
from .._sync.waiting import is_final_state
from ..errors import ScriptoriumError
from .command import CommandContext
from .output import Output
from .terminal import LiveLine, format_size, pluralise, printable, progress_bar


def watch_job(call: CommandContext, id: str, line: LiveLine) -> t.Job:
    """Watches a job until it ends.

    Shows a progress bar per operation on a terminal, a line per step in a pipe, and the job after each
    change with --json. Failed pages are reported immediately.
    """
    client, output = call.client, call.output
    view = _JobView(line, output)

    def on_break(error: ScriptoriumError) -> None:
        line.clear()
        output.report_break(error)

    def on_progress(job: t.Job) -> None:
        if output.json:
            output.result(job, "")
            return
        view.show(job)
        if view.has_new_failures(job):
            _report_failures(client, view, id)

    try:
        job = client.jobs.wait(id, on_progress=on_progress, on_break=on_break)
    finally:
        line.clear()
    if not output.json:
        view.end(job)
    return job


def _report_failures(client: Scriptorium, view: _JobView, id: str) -> None:
    for page in client.jobs.pages(id, state=["failed"], limit=200):
        view.print_failure(page)


class _JobView:
    def __init__(self, line: LiveLine, output: Output) -> None:
        self._line = line
        self._output = output
        self._finished: set[int] = set()
        self._printed: set[tuple[str, int]] = set()
        self._failures = 0
        self._last_text = ""

    def show(self, job: t.Job) -> None:
        """Prints operations that have finished, and the progress of the current one."""
        for operation in job["operations"]:
            if operation["finished_at"] is None or operation["index"] in self._finished:
                continue
            self._finished.add(operation["index"])
            self._line.print(self._finished_line(operation))
        if is_final_state(job["state"]):
            return
        percent = job["progress"]["percent"]
        current = next((one for one in job["operations"] if one["finished_at"] is None), None)
        text = _progress_text(job, current) if current else f"{job['state']} {percent} %"
        if self._line.is_terminal:
            self._line.show(f"{progress_bar(percent)} {text}")
        elif text != self._last_text:
            self._line.print(text)
        self._last_text = text

    def has_new_failures(self, job: t.Job) -> bool:
        """Whether more pages have failed than before."""
        failed = job["progress"]["pages_failed"]
        has_more = failed > self._failures
        self._failures = failed
        return has_more

    def print_failure(self, page: t.Page) -> None:
        """Prints why a page failed, once."""
        key = (page["op"], page["page"])
        if key in self._printed:
            return
        self._printed.add(key)
        error = page["error"]
        reason = printable(error["message"] if error else "unknown reason")
        self._line.print(self._output.paint.red(f"✗ page {page['page']}, {page['op']}: {reason}"))

    def end(self, job: t.Job) -> None:
        """Prints the result and next steps."""
        paint = self._output.paint
        for warning in job["warnings"]:
            self._line.print(paint.yellow(f"! {printable(warning['message'])}"))
        if job["error"]:
            self._line.print(paint.red(f"✗ {printable(job['error']['message'])}"))
        mark = paint.green("✓") if job["state"] == "succeeded" else paint.yellow("!")
        self._line.print(f"{mark} {job['id']} {state_text(job['state'])}")
        for one in job["outputs"]:
            self._line.print(f"  {one['object_id']}  {one['kind']}  {format_size(one['bytes'])}")
        if job["progress"]["pages_failed"] > 0:
            self._line.print(f"  To retry: scriptorium jobs retry {job['id']} --wait")

    def _finished_line(self, operation: t.Operation) -> str:
        paint = self._output.paint
        mark = paint.green("✓") if operation["state"] == "succeeded" else paint.yellow("!")
        progress, error = operation["progress"], operation["error"]
        parts = [
            state_text(operation["state"]),
            pluralise(progress["pages_succeeded"], "page"),
            *page_exceptions(progress["pages_failed"], progress["pages_skipped"]),
            *([printable(error["message"])] if error else []),
            *_describe_result(operation["result"] or {}),
        ]
        return f"{mark} {operation['op']}  {', '.join(parts)}"


def _progress_text(job: t.Job, operation: t.Operation) -> str:
    pages = operation["progress"]
    total, failed, eta = pages["pages_total"], pages["pages_failed"], job["progress"]["eta_seconds"]
    done = pages["pages_succeeded"] + failed + pages["pages_skipped"]
    parts = [
        f"{job['progress']['percent']} %",
        "queued" if job["state"] == "queued" else operation["op"],
        *([] if total is None else [f"{done}/{total} pages"]),
        *([f"{failed} failed"] if failed > 0 else []),
        *([f"about {eta} s left"] if eta else []),
    ]
    return "  ".join(parts)


def page_exceptions(failed: int, skipped: int) -> list[str]:
    """Describes the number of pages that failed or were skipped."""
    parts = [f"{failed} failed"] if failed > 0 else []
    return parts + ([f"{skipped} skipped"] if skipped > 0 else [])


def _describe_result(result: Mapping[str, Any]) -> list[str]:
    parts: list[str] = []
    labels = result.get("labels")
    if labels:
        parts.append(" ".join(f"{one['label']} {_percent(one['score'])}" for one in labels))
    entities = result.get("entities_by_type")
    if isinstance(entities, dict):
        kinds = ", ".join(f"{count} {kind}" for kind, count in entities.items())
        parts.append(f"removed {kinds}" if kinds else "nothing found")
    if isinstance(result.get("verified"), bool):
        parts.append("verified" if result["verified"] else "NOT verified")
    confidence = result.get("mean_confidence")
    if confidence == 0:
        parts.append("no text found")
    elif isinstance(confidence, (int, float)):
        parts.append(f"confidence {_percent(confidence / 100 if confidence > 1 else confidence)}")
    if isinstance(result.get("chunks"), int):
        parts.append(pluralise(result["chunks"], "chunk"))
    return [printable(part) for part in parts]


def _percent(share: float) -> str:
    return f"{int(share * 100 + 0.5)} %"


def state_text(state: str) -> str:
    """A state in words: `partially succeeded`."""
    return state.replace("_", " ")
