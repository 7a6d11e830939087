"""The commands about packs."""

from __future__ import annotations

from typing import cast

from ... import types as t
from ..._sync.waiting import is_final_state
from ..command import Command, CommandContext, Option
from ..exit_codes import Exit, UsageError
from ..job_view import state_text
from ..terminal import format_size
from .limit import LIMIT, given, read_limit, take


def _summary_of(pack: t.Pack) -> str:
    progress, output = pack["progress"], pack["output"]
    counts = (
        f"  {progress['documents_completed']}/{progress['documents_total']} documents, "
        f"{progress['documents_failed']} failed, {progress['documents_withheld']} withheld"
    )
    lines = [
        f"{pack['id']}  {state_text(pack['state'])}  {progress['percent']} %  {pack['name']}",
        counts,
        *([f"  {output['object_id']}  {format_size(output['bytes'])}"] if output else []),
    ]
    return "\n".join(lines)


def _build(call: CommandContext) -> int:
    name, *ids = call.args
    options = call.options
    collection = options.text("collection")
    if (collection is None) == (not ids):
        raise UsageError("Name the objects, or a collection with --collection.")
    # The API validates the values.
    body = given(
        name=name,
        source={"collection_id": collection} if collection else {"object_ids": ids},
        options=given(redact=options.text("redact"), include=options.list("include")),
        refreshes=options.text("refreshes"),
    )
    return _wait(call, call.client.packs.create(**cast("t.NewPack", body))["id"])


def _wait(call: CommandContext, id: str) -> int:
    """Waits for a pack, and downloads it if a folder is given."""
    output = call.output
    line = output.result_line()

    def report(now: t.Pack) -> None:
        if output.json:
            output.result(now, "")
        elif not is_final_state(now["state"]):
            line.show(f"{state_text(now['state'])} {now['progress']['percent']} %")

    try:
        pack = call.client.packs.wait(id, on_progress=report)
    finally:
        line.clear()
    if not output.json:
        output.result(pack, _summary_of(pack))
    folder = call.options.text("output")
    if folder and pack["output"]:
        found = call.client.objects.get(pack["output"]["object_id"])
        call.client.objects.download_into(found, folder)
    if pack["state"] == "partially_succeeded":
        return Exit.PARTIAL
    return Exit.SUCCESS if pack["state"] == "succeeded" else Exit.FAILED


def _list(call: CommandContext) -> int:
    limit = read_limit(call.options)
    call.output.table(
        take(call.client.packs.list(limit=limit), limit),
        lambda pack: [
            pack["id"],
            state_text(pack["state"]),
            f"{pack['progress']['percent']} %",
            pack["name"],
            pack["created_at"],
        ],
    )
    return Exit.SUCCESS


def _get(call: CommandContext) -> int:
    pack = call.client.packs.get(call.args[0])
    missing = take(call.client.packs.documents(pack["id"], state=["failed", "withheld"]), 50)
    reasons = [
        f"  {one['filename']}  {one['state']}: {one['error']['message'] if one['error'] else ''}"
        for one in missing
    ]
    call.output.result(pack, "\n".join([_summary_of(pack), *reasons]))
    return Exit.SUCCESS


def _cite(call: CommandContext) -> int:
    citation = call.client.packs.citation(call.args[0])
    pages = "-".join(map(str, citation["pages"]))
    location = f"{citation['filename']}  {citation['object_id']}  pages {pages}"
    call.output.result(citation, f"{location}\n{citation['text']}")
    return Exit.SUCCESS


PACK_COMMANDS = (
    Command(
        name="pack build",
        summary="Build a pack of documents for language models, and wait for it.",
        usage="NAME [OBJECT…]",
        arity=(1, 10_001),
        options={
            "collection": Option(
                "the documents of this collection instead of a list", value="COLLECTION"
            ),
            "redact": Option(
                "redact each document first: personal, hipaa, pci, gdpr, all", value="PROFILE"
            ),
            "include": Option("markdown, chunks, blocks, pages", value="PART", many=True),
            "refreshes": Option("list what has changed since this pack", value="PACK"),
            "output": Option("download the archive into this folder", value="DIR"),
        },
        examples=(
            "pack build Contracts --collection col_… --output .",
            "pack build Letters obj_… obj_…",
        ),
        run=_build,
    ),
    Command(
        name="pack list",
        summary="List packs, newest first.",
        usage="",
        arity=(0, 0),
        options={"limit": LIMIT},
        examples=("pack list",),
        run=_list,
    ),
    Command(
        name="pack get",
        summary="Show a pack and the documents that are not in it.",
        usage="PACK",
        arity=(1, 1),
        examples=("pack get pack_…",),
        run=_get,
    ),
    Command(
        name="pack cite",
        summary="Show where the text of a chunk is.",
        usage="CHUNK",
        arity=(1, 1),
        examples=("pack cite chk_…",),
        run=_cite,
    ),
)
