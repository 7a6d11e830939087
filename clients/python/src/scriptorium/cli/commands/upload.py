"""The command `upload`."""

from __future__ import annotations

import json
from typing import Any

from ...types import Upload
from ..command import MANY, Command, CommandContext, Option
from ..exit_codes import UsageError, exit_code_of_many
from ..send_file import SendOptions, send_file
from ..terminal import format_size, printable


def _run(call: CommandContext) -> int:
    options = _read_options(call)
    errors: list[BaseException] = []
    for path in call.args:
        try:
            created = send_file(call, path, options)
            call.output.result(created, _describe(created))
        except UsageError:
            # An invalid option applies to all files.
            raise
        except Exception as error:
            call.output.error(error, path)
            errors.append(error)
    return exit_code_of_many(errors, len(call.args))


def _describe(created: Upload) -> str:
    parts = [
        created["id"],
        printable(created["filename"]),
        printable(created["mime"]),
        format_size(created["bytes"]),
        *(["already exists"] if created["deduplicated"] else []),
    ]
    return "  ".join(parts)


def _read_options(call: CommandContext) -> SendOptions:
    options = call.options
    filename = options.text("filename")
    upload_id = options.text("resume")
    if (filename or upload_id) and len(call.args) > 1:
        raise UsageError("--filename and --resume require a single file.")
    return {
        "tags": options.list("tag"),
        "metadata": _read_metadata(options.text("metadata")),
        "filename": filename,
        "upload_id": upload_id,
        "on_duplicate": "allow" if options.flag("allow-duplicate") else None,
    }


def _read_metadata(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if isinstance(value, dict):
        return value
    raise UsageError(f"--metadata must be a JSON object, not '{text}'.")


UPLOAD = Command(
    name="upload",
    summary="Upload files. Large uploads can be resumed.",
    usage="FILE…",
    arity=(1, MANY),
    options={
        "tag": Option("a tag for the object", value="TAG", many=True),
        "metadata": Option("metadata as a JSON object", value="JSON"),
        "filename": Option("the filename; required with - (stdin)", value="NAME"),
        "allow-duplicate": Option("create a new object even if the same file exists"),
        "resume": Option("resume this upload (upl_…)", value="UPLOAD"),
    },
    help="Prints the id, name, type and size of each object.",
    examples=(
        "upload scan.pdf",
        "upload *.jpg --tag 2026 --tag harbour",
        "upload - --filename a.txt",
    ),
    run=_run,
)
