"""Waits for jobs and packs."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Literal, NamedTuple

from .._options import RequestOptions, with_headers
from .._retry import OnBreak, ReconnectPolicy
from ..errors import ScriptoriumError, unexpected_answer
from ..net import NetError
from ..net.asynchronous import sleep
from .sse import IDLE_SECONDS, read_server_sent_events
from .transport import AsyncTransport

_WAIT_SECONDS = 20
"""The maximum time that the service waits for a change, in seconds."""


class WaitTarget(NamedTuple):
    """What to wait for: the operation that reads it, and the name of the events of its stream."""

    operation: Literal["getJob", "getPack"]
    event: Literal["job", "pack"]
    id: str


def is_final_state(state: str) -> bool:
    """Whether this state of a job or pack is final."""
    return state in ("succeeded", "partially_succeeded", "failed", "cancelled")


async def wait_for(
    transport: AsyncTransport,
    target: WaitTarget,
    on_progress: Callable[[Any], object] | None,
    on_break: OnBreak | None,
    options: RequestOptions | None,
) -> Any:
    """Waits until a job or pack has ended.

    Follows its stream with reconnects, and falls back to `Prefer: wait` if streams are blocked.
    """
    reconnects = ReconnectPolicy(on_break)
    latest: dict[str, Any] | None = None
    uses_stream = True
    while True:
        request: RequestOptions = {**(options or {})}
        if reconnects.has_responded:
            request["max_retries"] = 0
        has_news = False
        try:
            if uses_stream:
                states = _follow_stream(transport, target, request)
            else:
                states = _poll(transport, target, latest, request)
            async for current in states:
                reconnects.record_response()
                if latest is None or current["version"] != latest["version"]:
                    has_news = True
                    latest = current
                    if on_progress:
                        on_progress(current)
                if is_final_state(current["state"]):
                    return current
        except ScriptoriumError as error:
            await sleep(reconnects.delay_after(error))
        # A stream without news is probably buffered by a proxy.
        uses_stream = uses_stream and has_news


async def _follow_stream(
    transport: AsyncTransport, target: WaitTarget, options: RequestOptions
) -> AsyncIterator[dict[str, Any]]:
    """The states from the stream, until it ends or the connection breaks."""
    streaming = with_headers(options, {"Accept": "text/event-stream"})
    response = await transport.send(target.operation, path={"id": target.id}, options=streaming)
    async with response:
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            return
        try:
            async for message in read_server_sent_events(response):
                if message.event == target.event:
                    yield json.loads(message.data)
        except NetError as error:
            raise transport.connection_error(error, IDLE_SECONDS) from error


async def _poll(
    transport: AsyncTransport,
    target: WaitTarget,
    latest: dict[str, Any] | None,
    options: RequestOptions,
) -> AsyncIterator[dict[str, Any]]:
    """Polls once: responds after a change, or after `_WAIT_SECONDS`."""
    waiting = options
    if latest is not None:
        prefer = {"Prefer": f"wait={_WAIT_SECONDS}", "If-None-Match": f'"{latest["version"]}"'}
        waiting = with_headers(options, prefer)
    response = await transport.send(target.operation, path={"id": target.id}, options=waiting)
    if response.status == 304 and latest is not None:
        await response.aclose()
        yield latest
        return
    current = await transport.read_json(response)
    if not isinstance(current, dict) or "state" not in current or "version" not in current:
        raise unexpected_answer(f"The response is not a {target.event}.")
    yield current
