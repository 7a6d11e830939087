"""Server-sent events."""

from __future__ import annotations

import codecs
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

from ..net.asynchronous import AsyncResponse

IDLE_SECONDS = 45.0
"""The service sends a message at least every 15 seconds."""


@dataclass(frozen=True)
class ServerSentEvent:
    """One server-sent event."""

    event: str
    data: str
    id: str
    """The last `id` so far; empty if none."""
    retry: int | None
    """The last `retry` so far, in milliseconds."""


async def read_server_sent_events(response: AsyncResponse) -> AsyncIterator[ServerSentEvent]:
    """Parses server-sent events.

    Messages that only set `id` or `retry` are returned with empty `data`, so that a caller that
    reconnects knows its position. See
    https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation.
    """
    id = ""
    retry: int | None = None
    event = ""
    data: list[str] = []
    has_update = False
    async for line in _read_lines(response):
        if line == "":
            if data or has_update:
                yield ServerSentEvent(event or "message", "\n".join(data), id, retry)
            event, data, has_update = "", [], False
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name == "event":
            event = value
        elif name == "id" and "\0" not in value:
            id, has_update = value, True
        elif name == "retry" and re.fullmatch(r"[0-9]+", value):
            retry, has_update = int(value), True


async def _read_lines(response: AsyncResponse) -> AsyncIterator[str]:
    response.set_timeout(IDLE_SECONDS)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    buffer = ""
    async for part in response.iter_bytes():
        buffer += decoder.decode(part)
        # A \r at the end may be the first half of \r\n.
        lines = re.split(r"\r\n|\n|\r(?!\Z)", buffer)
        buffer = lines.pop()
        for line in lines:
            yield line
