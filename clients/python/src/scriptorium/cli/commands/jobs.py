"""The commands about jobs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from ... import types as t
from ..command import Command, CommandContext, Option
from ..exit_codes import Exit, Interrupted, UsageError
from ..job_view import page_exceptions, state_text, watch_job
from ..terminal import format_size, printable
from .documents import exit_code_of_job, report_job
from .limit import LIMIT, given, read_limit, take


def _watch(call: CommandContext) -> int:
    id = call.args[0]
    try:
        return exit_code_of_job(watch_job(call, id, call.output.result_line()))
    except Interrupted:
        call.output.note(f"\nThe job continues. To cancel it: scriptorium jobs cancel {id}")
        raise


def _list(call: CommandContext) -> int:
    limit = read_limit(call.options)
    # The API validates the values.
    query = given(
        state=call.options.list("state"), source_object_id=call.options.text("source"), limit=limit
    )
    jobs = take(call.client.jobs.list(**cast("t.ListJobsQuery", query)), limit)
    call.output.table(
        jobs,
        lambda job: [
            job["id"],
            state_text(job["state"]),
            f"{job['progress']['percent']} %",
            " ".join(one["op"] for one in job["operations"]),
            job["source_object_id"],
            job["created_at"],
        ],
    )
    return Exit.SUCCESS


def _get(call: CommandContext) -> int:
    job = call.client.jobs.get(call.args[0])
    percent = job["progress"]["percent"]
    lines = [f"{job['id']}  {state_text(job['state'])}  {percent} %  {job['source_object_id']}"]
    for operation in job["operations"]:
        pages = operation["progress"]
        total = "?" if pages["pages_total"] is None else pages["pages_total"]
        exceptions = page_exceptions(pages["pages_failed"], pages["pages_skipped"])
        counts = ", ".join([f"{pages['pages_succeeded']}/{total} pages", *exceptions])
        lines.append(f"  {operation['op']}  {state_text(operation['state'])}  {counts}")
    for one in job["outputs"]:
        lines.append(f"  {one['object_id']}  {one['kind']}  {format_size(one['bytes'])}")
    call.output.result(job, "\n".join(lines))
    return Exit.SUCCESS


def _cancel(call: CommandContext) -> int:
    job = call.client.jobs.cancel(call.args[0])
    call.output.result(job, f"{job['id']}  {job['state']}")
    return Exit.SUCCESS


def _retry(call: CommandContext) -> int:
    is_all = call.options.flag("all")
    job = call.client.jobs.retry(call.args[0], scope="all" if is_all else "failed_pages")
    return report_job(call, job)


def _certificate(call: CommandContext) -> int:
    id = call.args[0]
    path = Path(call.options.text("output") or "certificate.pdf")
    if path.suffix.lower() not in (".pdf", ".json"):
        raise UsageError("--output must end with .pdf or .json.")
    if path.suffix.lower() == ".pdf":
        content = call.client.jobs.certificate_pdf(id).read()
    else:
        certificate = call.client.jobs.certificate(id)
        content = f"{json.dumps(certificate, indent=2, ensure_ascii=False)}\n".encode()
    with path.open("xb") as file:
        file.write(content)
    record = {"job_id": id, "path": str(path.resolve()), "bytes": len(content)}
    call.output.result(record, printable(str(path)))
    return Exit.SUCCESS


JOB_COMMANDS = (
    Command(
        name="jobs watch",
        summary="Watch a job until it ends, page by page.",
        usage="JOB",
        arity=(1, 1),
        help="Shows a progress bar on a terminal, a line per step in a pipe, or the job after each change with --json.",
        examples=("jobs watch job_…", "jobs watch job_… --json | jq .progress.percent"),
        run=_watch,
    ),
    Command(
        name="jobs list",
        summary="List jobs, newest first.",
        usage="",
        arity=(0, 0),
        options={
            "state": Option("queued, running, succeeded, failed, …", value="STATE", many=True),
            "source": Option("only jobs of this object", value="OBJECT"),
            "limit": LIMIT,
        },
        examples=(
            "jobs list --state failed --state partially_succeeded",
            "jobs list --json --limit 1000",
        ),
        run=_list,
    ),
    Command(
        name="jobs get",
        summary="Show a job with its operations, outputs and errors.",
        usage="JOB",
        arity=(1, 1),
        examples=("jobs get job_…", "jobs get job_… --json | jq -r '.outputs[].object_id'"),
        run=_get,
    ),
    Command(
        name="jobs cancel",
        summary="Cancel a job. Existing outputs are kept.",
        usage="JOB",
        arity=(1, 1),
        examples=("jobs cancel job_…",),
        run=_cancel,
    ),
    Command(
        name="jobs retry",
        summary="Retry the failed pages of a job as a new job.",
        usage="JOB",
        arity=(1, 1),
        options={
            "all": Option("all pages instead of the failed ones"),
            "wait": Option("watch the new job until it ends"),
            "output": Option("wait, and download the outputs into this folder", value="DIR"),
        },
        examples=("jobs retry job_… --wait",),
        run=_retry,
    ),
    Command(
        name="jobs certificate",
        summary="Save the signed certificate of a redaction.",
        usage="JOB",
        arity=(1, 1),
        options={
            "output": Option(
                "a name that ends with .pdf or .json (default: certificate.pdf)", value="FILE"
            ),
        },
        help="The PDF is for people and has the signed JSON attached. Never overwrites a file.",
        examples=("jobs certificate job_…", "jobs certificate job_… --output certificate.json"),
        run=_certificate,
    ),
)
