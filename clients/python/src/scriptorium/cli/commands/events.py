"""The command `events tail`."""

from __future__ import annotations

from typing import cast

from ... import types as t
from ..command import Command, CommandContext, Option
from ..exit_codes import Exit, Interrupted
from ..terminal import printable
from .limit import given, read_limit


def _tail(call: CommandContext) -> int:
    options = call.options
    most = None if options.text("limit") is None else read_limit(options)
    resource = options.text("resource")
    query = given(
        type=options.list("type"),
        after=options.text("after"),
        resource_id=None if resource is None else [resource],
        category="audit" if options.flag("audit") else None,
    )
    count = 0
    try:
        for event in call.client.events.stream(
            on_break=call.output.report_break, **cast("t.StreamEventsQuery", query)
        ):
            line = [event["occurred_at"], str(event["sequence"]), event["type"]]
            call.output.result(event, "  ".join([*line, printable(event["resource_id"])]))
            count += 1
            if most is not None and count >= most:
                break
    except Interrupted:
        # Ctrl-C is the usual way to stop.
        pass
    return Exit.SUCCESS


EVENT_COMMANDS = (
    Command(
        name="events tail",
        summary="Follow events as they happen. Reconnects automatically.",
        usage="",
        arity=(0, 0),
        options={
            "type": Option(
                "only these event types; 'documents.*' matches a prefix", value="TYPE", many=True
            ),
            "after": Option(
                "start after this event (evt_…) or sequence; 0 starts at the first", value="WHERE"
            ),
            "resource": Option("only events of this resource", value="ID"),
            "audit": Option("audit events; requires audit:read"),
            "limit": Option("stop after this many events", value="N"),
        },
        help="Prints time, sequence, type and resource, or with --json the whole event. Press Ctrl-C to stop.",
        examples=(
            "events tail --type 'documents.*'",
            "events tail --after 0 --json | jq -r .type",
            "events tail --resource job_… --limit 1",
        ),
        run=_tail,
    ),
)
