"""The commands that start jobs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ... import types as t
from ..command import MANY, Command, CommandContext, Option, OptionValues
from ..exit_codes import Exit, Interrupted, UsageError, exit_code_of
from ..job_view import watch_job
from ..send_file import is_object_id, send_file
from ..terminal import printable
from .limit import given

_JOB_OPTIONS = {
    "pages": Option("the pages, such as 1-3,7 (default: all)", value="PAGES"),
    "wait": Option("watch each job until it ends"),
    "output": Option("wait, and download the outputs into this folder", value="DIR"),
}


def _operation_command(
    name: str,
    op: str,
    *,
    summary: str,
    options: Mapping[str, Option],
    examples: Sequence[str],
    read: Callable[[OptionValues], dict[str, object]],
) -> Command:
    """Returns a command that starts a job with one operation on each object or file.

    `read` returns the options of the operation; the API validates their values.
    """

    def run(call: CommandContext) -> int:
        work = {"operations": [{"op": op, "options": read(call.options)}]}
        return _start_jobs(call, call.args, work)

    return Command(
        name=name,
        summary=summary,
        usage="OBJECT_OR_FILE…",
        arity=(1, MANY),
        options={**options, **_JOB_OPTIONS},
        help="Local files are uploaded first. Prints the job, or with --wait its result.",
        examples=examples,
        run=run,
    )


def _start_jobs(call: CommandContext, sources: Sequence[str], work: dict[str, Any]) -> int:
    """Starts a job on each object or file before it waits for any of them."""
    codes: list[int] = []
    jobs: list[t.Job] = []
    for source in sources:
        try:
            jobs.append(_start_job(call, source, work))
        except UsageError:
            raise
        except Exception as error:
            call.output.error(error, source)
            codes.append(exit_code_of(error))
    codes += [report_job(call, job) for job in jobs]
    # The common code, or partial success.
    return codes[0] if len(set(codes)) == 1 else Exit.PARTIAL


def _start_job(call: CommandContext, source: str, work: dict[str, Any]) -> t.Job:
    id = source if is_object_id(source) else send_file(call, source, {})["id"]
    body = given(source_object_id=id, pages=call.options.text("pages"), **work)
    return call.client.jobs.create(**cast("t.CreateJobBody", body))


def report_job(call: CommandContext, job: t.Job) -> int:
    """Prints a started job; --wait watches it, --output downloads its outputs."""
    output = call.output
    folder = call.options.text("output")
    if not call.options.flag("wait") and folder is None:
        operations = " ".join(one["op"] for one in job["operations"])
        output.result(job, f"{job['id']}  {job['state']}  {operations}")
        return Exit.SUCCESS
    try:
        ended = watch_job(call, job["id"], output.progress_line())
        if not output.json:
            sys.stdout.write(f"{ended['id']}  {ended['state']}\n")
        if folder is not None:
            _download_outputs(call, ended, folder)
        return exit_code_of_job(ended)
    except Interrupted:
        id = job["id"]
        output.note(f"\nThe job {id} continues. To cancel it: scriptorium jobs cancel {id}")
        raise


def _download_outputs(call: CommandContext, job: t.Job, folder: str) -> None:
    for one in job["outputs"]:
        found = call.client.objects.get(one["object_id"])
        path = str(call.client.objects.download_into(found, folder))
        record = {"object_id": one["object_id"], "kind": one["kind"], "path": path}
        call.output.result(record, printable(path))


def exit_code_of_job(job: t.Job) -> int:
    """The exit code for the state of a job."""
    if job["state"] == "succeeded":
        return Exit.SUCCESS
    return Exit.PARTIAL if job["state"] == "partially_succeeded" else Exit.FAILED


def _entities_of(options: OptionValues) -> object:
    types = options.list("entity")
    profile = options.one_of("profile", "personal", "hipaa", "pci", "gdpr", "all")
    if types and profile:
        raise UsageError("Use --profile or --entity, not both.")
    return types or profile


_OCR = _operation_command(
    "ocr",
    "ocr",
    summary="Recognise text and produce a searchable PDF, plain text or words.",
    options={
        "language": Option("an ISO 639-2 code: eng, deu, …", value="CODE", many=True),
        "kind": Option("searchable_pdf, text or words", value="KIND", many=True),
        "existing-text": Option("skip, redo or force", value="HOW"),
        "deskew": Option("straighten skewed pages"),
        "pdfa": Option("write the searchable PDF as PDF/A-2b"),
    },
    examples=("ocr scan.pdf --output out", "ocr obj_… --kind text --kind words --wait"),
    read=lambda options: given(
        languages=options.list("language"),
        output=options.list_of("kind", "searchable_pdf", "text", "words"),
        existing_text=options.one_of("existing-text", "skip", "redo", "force"),
        deskew=options.flag("deskew") or None,
        pdfa=options.flag("pdfa") or None,
    ),
)

_REDACT = _operation_command(
    "redact",
    "redact_pii",
    summary="Find personal data, remove it, and verify that it is gone.",
    options={
        "profile": Option(
            "personal, hipaa, pci, gdpr or all (default: personal)", value="NAME"
        ),
        "entity": Option(
            "PERSON, EMAIL_ADDRESS, …, in place of a profile", value="TYPE", many=True
        ),
        "min-confidence": Option("the minimum confidence of findings, 0 to 1", value="N"),
        "style": Option("blackbox or label", value="STYLE"),
        "box": Option("tight, padded or to_edge (default: to_edge)", value="EXTENT"),
        "review": Option(
            "required or below: a person decides about findings before they are removed",
            value="HOW",
        ),
        "no-text-layer": Option("no searchable text in the redacted PDF of a scan"),
    },
    examples=(
        "redact letter.pdf --output out",
        "redact obj_… --profile hipaa --wait",
        "redact obj_… --entity PERSON --style label --wait",
        "redact letter.pdf --review required",
    ),
    read=lambda options: given(
        entities=_entities_of(options),
        min_confidence=options.number("min-confidence"),
        style=options.one_of("style", "blackbox", "label"),
        box=options.one_of("box", "tight", "padded", "to_edge"),
        review=options.one_of("review", "required", "below"),
        text_layer=False if options.flag("no-text-layer") else None,
    ),
)

_CLASSIFY = _operation_command(
    "classify",
    "classify",
    summary="Detect the type of a document.",
    options={"top-k": Option("how many labels to return", value="N")},
    examples=("classify scan.pdf --wait", "classify obj_… --top-k 1 --wait --json"),
    read=lambda options: given(top_k=options.number("top-k")),
)

_NORMALIZE = _operation_command(
    "normalize",
    "normalize_for_llm",
    summary="Produce text for language models: Markdown, JSON, chunks.",
    options={
        "format": Option("markdown, json or chunks", value="FORMAT", many=True),
        "chunk-tokens": Option("the maximum number of tokens in a chunk", value="N"),
        "overlap-tokens": Option("how many tokens of the previous chunk to repeat", value="N"),
    },
    examples=("normalize report.docx --output out", "normalize obj_… --format chunks --wait"),
    read=lambda options: given(
        format=options.list_of("format", "markdown", "json", "chunks"),
        chunk_tokens=options.number("chunk-tokens"),
        overlap_tokens=options.number("overlap-tokens"),
    ),
)


def _run_preset(call: CommandContext) -> int:
    preset, *sources = call.args
    return _start_jobs(call, sources, _find_preset(call, preset))


def _find_preset(call: CommandContext, name_or_id: str) -> dict[str, Any]:
    """Finds the preset with a name or identifier; those of the project come first."""
    wanted = name_or_id.lower()
    names: list[str] = []
    for preset in call.client.presets.list():
        if preset["id"] == name_or_id or preset["name"].lower() == wanted:
            return {"preset_id": preset["id"]}
        names.append(preset["name"])
    for of_service in call.client.capabilities()["presets"]:
        if of_service["name"].lower() == wanted:
            return {"operations": of_service["operations"]}
        names.append(of_service["name"])
    raise UsageError(f"Preset '{name_or_id}' not found. Presets: {', '.join(names)}.")


_RUN = Command(
    name="run",
    summary="Start a job with a preset.",
    usage="PRESET OBJECT_OR_FILE…",
    arity=(2, MANY),
    options=_JOB_OPTIONS,
    help="PRESET is the name or identifier of a preset of the project, or the name of one of the service. Local files are uploaded first.",
    examples=("run 'Searchable PDF' scan.pdf --output out", "run Claims claim.pdf --wait"),
    run=_run_preset,
)

DOCUMENT_COMMANDS = (_OCR, _REDACT, _CLASSIFY, _NORMALIZE, _RUN)
