"""The event feed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, cast

from .. import types as t
from .._options import RequestOptions, with_headers
from .._retry import OnBreak, ReconnectPolicy
from ..errors import NotFoundError, ScriptoriumError
from ..net import NetError
from ..net.asynchronous import sleep
from . import resources
from .sse import IDLE_SECONDS, ServerSentEvent, read_server_sent_events

if TYPE_CHECKING:
    from typing_extensions import Unpack

_WAIT_SECONDS = 20
"""How long the service waits for events of a consumer, in seconds."""


class AsyncEvents(resources.AsyncEvents):
    """The event feed."""

    async def stream(
        self,
        *,
        on_break: OnBreak | None = None,
        request_options: RequestOptions | None = None,
        **query: Unpack[t.StreamEventsQuery],
    ) -> AsyncIterator[t.TypedEvent]:
        """Streams events as they happen, starting now or after `after`.

        If the connection ends, it reconnects and continues without loss. It gives up after five
        minutes without a response. Raises ScriptoriumError for a permanent error: a revoked key, 410
        `cursor_expired`.
        """
        reconnects = ReconnectPolicy(on_break)
        position = ""
        while True:
            delay = 0.0
            options: RequestOptions = {**(request_options or {})}
            # After the first response, the policy decides about retries.
            if reconnects.has_responded:
                options["max_retries"] = 0
            try:
                async for message in self._connection(query, position, options):
                    reconnects.record_response()
                    position = message.id or position
                    delay = delay if message.retry is None else message.retry / 1000
                    if message.event == "end":
                        raise _end_error(message.data)
                    # The service validates every event against its schema.
                    if message.data:
                        yield cast("t.TypedEvent", json.loads(message.data))
            except ScriptoriumError as error:
                delay = reconnects.delay_after(error)
            await sleep(delay)

    async def follow(
        self,
        *,
        consumer: str,
        ack: bool = False,
        on_break: OnBreak | None = None,
        request_options: RequestOptions | None = None,
    ) -> AsyncIterator[t.TypedEvent]:
        """Yields the events of a consumer, and commits each batch once you have processed it.

        Events that were yielded but not committed are yielded again after a crash, so make the
        processing idempotent. Waits for events at the end of the feed. Reconnects as `stream` does.

        consumer: The id (`con_…`) or the name of a consumer. Create it once with `consumers.create`.
        ack: Also marks the committed events as `published`.
        """
        id = await self._consumer_id(consumer, request_options)
        reconnects = ReconnectPolicy(on_break)
        committed: int | None = None
        while True:
            options: RequestOptions = {**(request_options or {})}
            if reconnects.has_responded:
                options["max_retries"] = 0
            try:
                if committed is not None:
                    await self._commit(id, committed, ack, options)
                    committed = None
                batch = await self._transport.call(
                    "readConsumerEvents",
                    path={"id": id},
                    query={"wait_seconds": _WAIT_SECONDS},
                    options=options,
                )
                reconnects.record_response()
            except ScriptoriumError as error:
                await sleep(reconnects.delay_after(error))
                continue
            for event in batch["data"]:
                yield event
            committed = batch["commit_sequence"]

    async def _commit(
        self, id: str, sequence: int, ack: bool, options: RequestOptions
    ) -> None:
        body = {"sequence": sequence, "ack": ack}
        await self._transport.call("commitConsumer", path={"id": id}, body=body, options=options)

    async def _consumer_id(self, consumer: str, options: RequestOptions | None) -> str:
        if consumer.startswith("con_"):
            return consumer
        found = await self._transport.call(
            "listConsumers", query={"name": consumer}, options=options
        )
        for record in found["data"]:
            return cast(str, record["id"])
        detail = f"The consumer '{consumer}' does not exist. Create it with consumers.create()."
        raise NotFoundError({"code": "not_found", "detail": detail})

    async def _connection(
        self, query: t.StreamEventsQuery, position: str, options: RequestOptions
    ) -> AsyncIterator[ServerSentEvent]:
        headers = {"Accept": "text/event-stream"}
        if position:
            headers["Last-Event-ID"] = position
        response = await self._transport.send(
            "streamEvents", query=query, options=with_headers(options, headers)
        )
        async with response:
            try:
                async for message in read_server_sent_events(response):
                    yield message
            except NetError as error:
                raise self._transport.connection_error(error, IDLE_SECONDS) from error


def _end_error(data: str) -> ScriptoriumError:
    """The reason why the service ended a stream permanently."""
    reason = json.loads(data)
    return ScriptoriumError({"code": str(reason["code"]), "detail": str(reason["detail"])})
