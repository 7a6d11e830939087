"""The commands about shared links."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import cast

from ... import types as t
from ..command import Command, CommandContext, Option, OptionValues
from ..exit_codes import Exit, UsageError
from ..terminal import pluralise
from .limit import LIMIT, given, read_limit, take

_MAX_DAYS = 36_500
"""The longest validity of a link."""

_COMMON_OPTIONS = {
    "title": Option("what visitors see instead of the name", value="TEXT"),
    "message": Option("a message to visitors", value="TEXT"),
    "days": Option("days until the link expires", value="N"),
    "password-file": Option("a file with the password that visitors must enter", value="FILE"),
}


def _common_fields(options: OptionValues) -> dict[str, object]:
    file = options.text("password-file")
    return given(
        title=options.text("title"),
        message=options.text("message"),
        expires_at=_read_expiry(options),
        password=None if file is None else _read_password(file),
    )


def _read_expiry(options: OptionValues) -> str | None:
    days = options.number("days")
    if days is None:
        return None
    if days <= 0:
        raise UsageError(f"--days must be a positive number, not '{days}'.")
    if days > _MAX_DAYS:
        raise UsageError(f"--days must be at most {_MAX_DAYS}, not '{days}'.")
    expires_at = datetime.now(timezone.utc) + timedelta(days=days)
    return expires_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _read_password(file: str) -> str:
    """Reads a password without the line end that editors add. Other white space belongs to it."""
    return re.sub(r"\r?\n\Z", "", Path(file).read_bytes().decode())


def _create_share(call: CommandContext, body: dict[str, object]) -> int:
    share = call.client.shares.create(**cast("t.ShareCreate", body))
    call.output.result(share, share["url"] or share["id"])
    return Exit.SUCCESS


def _create(call: CommandContext) -> int:
    target, options = call.args[0], call.options
    body = given(
        **_common_fields(options),
        collection_id=target if target.startswith("col_") else None,
        object_id=None if target.startswith("col_") else target,
        allow_download=False if options.flag("no-download") else None,
        max_views=options.number("max-views"),
        max_downloads=options.number("max-downloads"),
    )
    return _create_share(call, body)


def _request(call: CommandContext) -> int:
    options = call.options
    body = given(
        **_common_fields(options),
        kind="upload",
        collection_id=call.args[0] if call.args else None,
        accept=options.list("accept"),
        max_bytes=options.number("max-bytes"),
        max_files=options.number("max-files"),
    )
    return _create_share(call, body)


def _list(call: CommandContext) -> int:
    limit = read_limit(call.options)
    state = None if call.options.flag("all") else ["active"]
    query = cast("t.ListSharesQuery", given(state=state, limit=limit))
    call.output.table(
        take(call.client.shares.list(**query), limit),
        lambda share: [
            share["id"],
            share["kind"],
            share["state"],
            # The shared resource, or the collection that receives uploads.
            share["object_id"] or share["collection_id"] or "",
            _uses_of(share),
            share["title"] or "",
            share["url"] or "",
        ],
    )
    return Exit.SUCCESS


def _uses_of(share: t.Share) -> str:
    if share["kind"] == "upload":
        return pluralise(share["uploads"], "upload")
    return f"{pluralise(share['views'], 'view')}, {pluralise(share['downloads'], 'download')}"


def _revoke(call: CommandContext) -> int:
    for id in call.args:
        call.client.shares.revoke(id)
        call.output.result({"id": id, "state": "revoked"}, f"{id}  revoked")
    return Exit.SUCCESS


SHARE_COMMANDS = (
    Command(
        name="share create",
        summary="Share an object or a collection by a link, and print the link.",
        usage="OBJECT|COLLECTION",
        arity=(1, 1),
        options={
            **_COMMON_OPTIONS,
            "no-download": Option("previews only"),
            "max-views": Option("the maximum number of visits", value="N"),
            "max-downloads": Option("the maximum number of downloads", value="N"),
        },
        examples=("share create col_…", "share create obj_… --days 7 --max-downloads 3"),
        run=_create,
    ),
    Command(
        name="share request",
        summary="Let people upload files by a link, and print the link.",
        usage="[COLLECTION]",
        arity=(0, 1),
        options={
            **_COMMON_OPTIONS,
            "accept": Option("only this media type, such as image/*", value="TYPE", many=True),
            "max-bytes": Option("the maximum size of a file in bytes", value="N"),
            "max-files": Option("the maximum number of files in total", value="N"),
        },
        examples=("share request col_… --accept image/* --days 14",),
        run=_request,
    ),
    Command(
        name="share list",
        summary="List links, newest first.",
        usage="",
        arity=(0, 0),
        options={"all": Option("also expired, used-up and revoked links"), "limit": LIMIT},
        examples=("share list", "share list --all --json"),
        run=_list,
    ),
    Command(
        name="share revoke",
        summary="Revoke links.",
        usage="SHARE…",
        arity=(1, 100),
        examples=("share revoke shr_…",),
        run=_revoke,
    ),
)
