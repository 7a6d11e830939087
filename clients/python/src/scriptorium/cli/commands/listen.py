"""The command `webhooks listen`."""

from __future__ import annotations

import base64
import json
import os
import secrets
import ssl
import time
from typing import TypedDict, cast
from urllib.parse import urlsplit

from ... import types as t
from ... import webhooks
from ...net import NetError, Request
from ...net.synchronous import send
from ..command import Command, CommandContext, Option
from ..exit_codes import Exit, Interrupted, UsageError
from ..terminal import printable
from .limit import given

_TIMEOUT = 15.0
"""The timeout of the service for webhooks, in seconds."""

_FEED_FIELDS = ("address", "published", "published_at")
"""Fields of the feed that webhooks do not have."""


class _Result(TypedDict):
    """The outcome of a message."""

    event_id: str
    type: str
    status: int | None
    error: str | None
    duration_ms: int


def _listen(call: CommandContext) -> int:
    options, output = call.options, call.output
    url = _read_target(options.text("forward"))
    secret = _read_secret(options.text("secret-file"))
    query = given(type=options.list("type"), after=options.text("after"))
    output.result({"secret": secret, "forward": url}, f"Your webhook secret is {secret}")
    output.note(f"Forwarding to {printable(url)}. Press Ctrl-C to stop.")
    try:
        for event in call.client.events.stream(
            on_break=output.report_break, **cast("t.StreamEventsQuery", query)
        ):
            result = _forward(url, secret, event)
            output.result(result, _describe(call, result))
    except Interrupted:
        # Ctrl-C is the only way to stop.
        pass
    return Exit.SUCCESS


def _forward(url: str, secret: str, event: t.TypedEvent) -> _Result:
    fields = {name: value for name, value in event.items() if name not in _FEED_FIELDS}
    # A webhook is the event with a timestamp, without the fields of the feed.
    message = {**fields, "timestamp": event["occurred_at"]}
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    headers = webhooks.sign(body, secret, id=event["id"])
    started_at = time.monotonic()
    status, error = _post(url, headers, body)
    duration = round((time.monotonic() - started_at) * 1000)
    return {
        "event_id": event["id"],
        "type": event["type"],
        "status": status,
        "error": error,
        "duration_ms": duration,
    }


def _post(url: str, headers: dict[str, str], body: bytes) -> tuple[int | None, str | None]:
    parts = urlsplit(url)
    is_secure = parts.scheme == "https"
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    request = Request(
        "POST",
        parts.scheme,
        parts.hostname or "",
        parts.port or (443 if is_secure else 80),
        target,
        headers,
        body,
        ssl.create_default_context() if is_secure else None,
    )
    try:
        response = send(request, _TIMEOUT)
        # Like the service, waits for the whole response.
        response.read()
    except NetError as error:
        if error.timed_out:
            return None, f"no response in {_TIMEOUT:g} s"
        return None, f"unreachable ({error.reason})"
    return response.status, None


def _describe(call: CommandContext, result: _Result) -> str:
    paint, status = call.output.paint, result["status"]
    is_success = status is not None and 200 <= status < 300
    outcome = result["error"] or str(status)
    parts = [
        paint.green(outcome) if is_success else paint.red(outcome),
        f"{result['duration_ms']} ms",
        result["type"],
        result["event_id"],
        *([] if is_success else ["not retried"]),
    ]
    return "  ".join(parts)


def _read_target(text: str | None) -> str:
    if text is None:
        raise UsageError("--forward URL is required.")
    parts = urlsplit(text)
    if parts.scheme in ("http", "https") and parts.hostname:
        return text
    raise UsageError(f"--forward must be an http or https URL, not '{text}'.")


def _read_secret(file: str | None) -> str:
    """Returns a new secret or, with a file, the secret in it. A missing file is created."""
    secret = f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"
    if file is None:
        return secret
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        with open(file, encoding="utf-8") as existing:
            return existing.read().strip()
    with os.fdopen(descriptor, "w", encoding="utf-8") as created:
        created.write(f"{secret}\n")
    return secret


LISTEN = Command(
    name="webhooks listen",
    summary="Forward events to a local URL, signed like webhooks.",
    usage="",
    arity=(0, 0),
    options={
        "forward": Option(
            "the target, such as http://localhost:3000/hook (required)", value="URL"
        ),
        "type": Option(
            "only these event types; 'documents.*' matches a prefix", value="TYPE", many=True
        ),
        "after": Option(
            "start after this event (evt_…) or sequence (default: now)", value="WHERE"
        ),
        "secret-file": Option("store the secret in this file to reuse it", value="FILE"),
    },
    help="""Prints the webhook secret, then a line per event with the response status of your receiver and the
duration. Each event is sent once, one at a time; failures are reported but not retried. Nothing is
registered with the service. Press Ctrl-C to stop.""",
    examples=(
        "webhooks listen --forward http://localhost:3000/hook",
        "webhooks listen --forward http://localhost:3000/hook --type 'documents.job.*' --after 0",
    ),
    run=_listen,
)
