"""The commands about the library, and `whoami`."""

from __future__ import annotations

import os
import sys
from typing import cast

from ... import types as t
from ..command import Command, CommandContext, Option
from ..exit_codes import Exit, UsageError
from ..terminal import format_size, printable, progress_bar
from .limit import LIMIT, given, read_limit, take


def _search(call: CommandContext) -> int:
    limit = read_limit(call.options)
    kind = call.options.one_of("kind", "image", "object")
    query = given(
        q=call.args[0], tag=call.options.list("tag"), limit=limit, kind=kind and [kind]
    )
    results = take(call.client.search.list(**cast("t.SearchQuery", query)), limit)
    call.output.table(
        results,
        lambda one: [
            one["id"],
            one["title"],
            "" if one["page"] is None else f"page {one['page']}",
            "".join(part["text"] for part in one["excerpt"] or ()),
        ],
    )
    return Exit.SUCCESS


def _collections(call: CommandContext) -> int:
    limit = read_limit(call.options)
    holding = call.options.text("holding")
    query = given(limit=limit)
    if holding:
        kind = "image" if holding.startswith("img_") else "object"
        query.update(resource_type=kind, resource_id=holding)
    found = call.client.collections.list(**cast("t.ListCollectionsQuery", query))
    call.output.table(
        take(found, limit),
        lambda one: [
            one["id"],
            " / ".join([*(above["name"] for above in one["path"]), one["name"]]),
            one["kind"],
            str(one["member_count"]),
        ],
    )
    return Exit.SUCCESS


def _download(call: CommandContext) -> int:
    id = call.args[0]
    objects = call.client.objects
    target = call.options.text("output") or "."
    if target == "-":
        if sys.stdout.isatty():
            raise UsageError("Cannot write bytes to a terminal. Use a pipe or a file.")
        for part in objects.download(id).iter_bytes():
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
        return Exit.SUCCESS
    line = call.output.progress_line()

    def report(received: int, total: int | None) -> None:
        percent = received * 100 // total if total else 0
        if not call.output.json:
            line.show(f"{progress_bar(percent)} {percent} %  {format_size(received)}")

    try:
        found = objects.get(id)
        path = target
        if target.endswith("/") or os.path.isdir(target):
            path = str(objects.download_into(found, target, on_progress=report))
        else:
            objects.download_to(id, target, on_progress=report)
    finally:
        line.clear()
    record = {"object_id": id, "path": os.path.abspath(path), "bytes": found["bytes"]}
    call.output.result(record, printable(path))
    return Exit.SUCCESS


def _whoami(call: CommandContext) -> int:
    key = call.client.keys.self()
    url, project_id = call.client.transport.base_url, call.client.transport.project_id
    lines = [url, project_id, f"{key['prefix']}…  {printable(key['name'])}", " ".join(key["scopes"])]
    call.output.result({"url": url, "project_id": project_id, **key}, "\n".join(lines))
    return Exit.SUCCESS


LIBRARY_COMMANDS = (
    Command(
        name="search",
        summary="Search images and files, with their text.",
        usage="QUERY",
        arity=(1, 1),
        options={
            "kind": Option("only results of this kind: image or object", value="KIND"),
            "tag": Option(
                "only with this tag; a,b means either, -a means without", value="TAG", many=True
            ),
            "limit": LIMIT,
        },
        help='Words are combined with AND. Supports "a phrase", -not and OR. The last word matches as a prefix.',
        examples=(
            "search 'harbour -night'",
            "search invoice --kind object --json",
            "search pier --tag sea",
        ),
        run=_search,
    ),
    Command(
        name="collections list",
        summary="List collections.",
        usage="",
        arity=(0, 0),
        options={
            "holding": Option("only collections that contain this image or object", value="ID"),
            "limit": LIMIT,
        },
        examples=("collections list", "collections list --holding img_…"),
        run=_collections,
    ),
    Command(
        name="download",
        summary="Download an object and verify its SHA-256.",
        usage="OBJECT",
        arity=(1, 1),
        options={"output": Option("a file, a folder, or - for stdout", value="PATH")},
        help="Saves to the current folder under its own name by default. Never overwrites a file.",
        examples=(
            "download obj_…",
            "download obj_… --output scan.pdf",
            "download obj_… --output - | less",
        ),
        run=_download,
    ),
    Command(
        name="whoami",
        summary="Show the service, project and key in use, and the scopes of the key.",
        usage="",
        arity=(0, 0),
        examples=("whoami",),
        run=_whoami,
    ),
)
