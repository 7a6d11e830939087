"""Uploads of the command line."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from ..types import Upload
from .command import CommandContext
from .exit_codes import UsageError
from .terminal import format_size, printable, progress_bar


class SendOptions(TypedDict, total=False):
    """The options of an upload."""

    filename: str | None
    tags: Sequence[str] | None
    metadata: Mapping[str, Any] | None
    on_duplicate: Literal["reuse", "allow"] | None
    upload_id: str | None


def is_object_id(text: str) -> bool:
    """Whether an argument is the id of an object."""
    return re.fullmatch(r"obj_[0-9a-z]{26}", text) is not None


def send_file(call: CommandContext, path: str, options: SendOptions) -> Upload:
    """Uploads a file, or stdin for `-`, with progress on the terminal."""
    output = call.output
    line = output.progress_line()
    name = printable(options.get("filename") or path)
    upload_id = options.get("upload_id")

    def remember(id: str) -> None:
        nonlocal upload_id
        upload_id = id

    def report(sent: int, total: int | None) -> None:
        percent = sent * 100 // total if total else 0
        size = format_size(sent) if total is None else f"{format_size(sent)} of {format_size(total)}"
        bar = progress_bar(percent) if total else ""
        if not output.json:
            line.show(f"{bar} {percent} %  {size}  {name}")

    if path == "-" and not options.get("filename"):
        raise UsageError("--filename is required with stdin.")
    try:
        return call.client.objects.upload(
            sys.stdin.buffer if path == "-" else path,
            on_upload=remember,
            on_progress=report,
            **options,
        )
    except BaseException:
        line.clear()
        if upload_id and path != "-":
            output.note(f"To continue: scriptorium upload --resume {upload_id} {name}")
        raise
    finally:
        line.clear()
