"""Uploads: a small file in one request; a larger one, or one with tags or metadata, with tus."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal, TypeAlias, cast
from urllib.parse import quote

from .. import types as t
from .._files import BytesSource, Source, Stream, Uploadable, source_of
from .._options import RequestOptions, with_headers
from .._retry import backoff
from ..errors import ScriptoriumError
from ..net.asynchronous import run, sleep
from .transport import AsyncTransport
from .uploads import AsyncUploads, UploadOffset

_MIB = 1024 * 1024
_MAX_SINGLE_REQUEST_BYTES = 8 * _MIB
"""Smaller files are sent in one request."""
_MIN_CHUNK_BYTES = 256 * 1024
_FIRST_CHUNK_BYTES = _MIB
_MAX_CHUNK_BYTES = 16 * _MIB
_FAILURES_PER_RETRY = 3
"""The maximum number of successive failures, as a multiple of `max_retries`: a large upload is
expensive to begin again."""

OnUploadProgress: TypeAlias = "Callable[[int, int | None], object]"
"""Called with the number of stored bytes and the total (None if unknown)."""


@dataclass(frozen=True)
class UploadSettings:
    """The settings of an upload; `objects.upload` explains them."""

    filename: str | None
    content_type: str | None
    tags: Sequence[str] | None
    metadata: Mapping[str, object] | None
    on_duplicate: Literal["reuse", "allow"] | None
    on_progress: OnUploadProgress | None
    on_upload: Callable[[str], object] | None
    upload_id: str | None
    options: RequestOptions | None

    @property
    def name(self) -> str:
        """The filename. Raises ValueError if it is missing."""
        if not self.filename:
            raise ValueError("The file has no name. Set `filename`.")
        return self.filename

    def report(self, sent: int, total: int | None) -> None:
        """Reports progress."""
        if self.on_progress:
            self.on_progress(sent, total)


async def upload(
    transport: AsyncTransport, file: Uploadable, size: int | None, settings: UploadSettings
) -> t.Upload:
    """Uploads a file. Resumes after a lost connection."""
    source = await run(source_of, file, size)
    named = replace(settings, filename=settings.filename or source.filename)
    if isinstance(source, Stream):
        return await _send_stream(transport, source, named)
    try:
        return await _send_source(transport, source, named)
    finally:
        source.close()


async def _send_source(
    transport: AsyncTransport, source: Source, settings: UploadSettings
) -> t.Upload:
    is_plain = settings.tags is None and settings.metadata is None and settings.upload_id is None
    # A tus upload must not be empty. Sent whole, an empty file is rejected by the service.
    if (is_plain and source.size <= _MAX_SINGLE_REQUEST_BYTES) or source.size == 0:
        settings.report(0, source.size)
        content = await run(source.read, 0, source.size)
        created = await _send(transport, content, settings)
        settings.report(source.size, source.size)
        return created
    return await _ChunkedUpload(transport, source, settings).send()


async def _send_stream(
    transport: AsyncTransport, stream: Stream, settings: UploadSettings
) -> t.Upload:
    """Sends a stream of unknown size. A short one is buffered; a longer one cannot be retried."""
    first = await run(stream.take, _MAX_SINGLE_REQUEST_BYTES)
    if len(first) < _MAX_SINGLE_REQUEST_BYTES:
        return await _send_source(transport, BytesSource(first), settings)
    if settings.tags is not None or settings.metadata is not None or settings.upload_id is not None:
        raise ValueError(
            f"A stream of more than {_MAX_SINGLE_REQUEST_BYTES // _MIB} MiB can have tags or "
            "metadata, or be resumed, only if `size` is set."
        )

    def parts() -> Iterator[bytes]:
        sent = 0
        for part in chain((first,), stream):
            sent += len(part)
            settings.report(sent, None)
            yield part

    return await _send(transport, parts(), settings)


async def _send(
    transport: AsyncTransport, content: bytes | Iterator[bytes], settings: UploadSettings
) -> t.Upload:
    headers = {
        "Content-Type": settings.content_type or "application/octet-stream",
        "X-Filename": quote(settings.name, safe=""),
    }
    response = await transport.send(
        "uploadObject",
        query={"on_duplicate": settings.on_duplicate},
        content=content,
        options=with_headers(settings.options, headers),
    )
    return cast("t.Upload", await transport.read_json(response))


class _ChunkedUpload:
    """An upload in chunks, which continues at the stored offset after a failure."""

    def __init__(self, transport: AsyncTransport, source: Source, settings: UploadSettings) -> None:
        self._transport = transport
        self._uploads = AsyncUploads(transport)
        self._source = source
        self._settings = settings
        # The key is that of the creation. Chunks have offsets.
        self._options: RequestOptions = {**(settings.options or {})}
        self._options.pop("idempotency_key", None)

    async def send(self) -> t.Upload:
        settings = self._settings
        id = settings.upload_id or await self._create()
        if settings.upload_id:
            progress = await self._fetch_offset(id)
        else:
            progress = UploadOffset(0, None)
            if settings.on_upload:
                settings.on_upload(id)
        settings.report(progress.offset, self._source.size)
        return await self._result(id, await self._append_from(id, progress))

    async def _create(self) -> str:
        settings = self._settings
        return await self._uploads.create(
            filename=settings.name,
            size=self._source.size,
            content_type=settings.content_type,
            tags=settings.tags,
            metadata=settings.metadata,
            on_duplicate=settings.on_duplicate,
            request_options=settings.options,
        )

    async def _append_from(self, id: str, progress: UploadOffset) -> str:
        """Appends chunks until the end; returns the id of the object."""
        most = self._options.get("max_retries", self._transport.max_retries) * _FAILURES_PER_RETRY
        chunk_bytes = _FIRST_CHUNK_BYTES
        failures = 0
        while progress.object_id is None:
            length = min(chunk_bytes, self._source.size - progress.offset)
            content = await run(self._source.read, progress.offset, length)
            started_at = time.monotonic()
            try:
                progress = await self._uploads.append(
                    id, offset=progress.offset, content=content, request_options=self._options
                )
                failures = 0
                chunk_bytes = _next_chunk(chunk_bytes, time.monotonic() - started_at)
            except ScriptoriumError as error:
                if not _can_resume(error) or failures >= most:
                    raise
                failures += 1
                chunk_bytes = _MIN_CHUNK_BYTES
                await sleep(backoff(failures))
                progress = await self._fetch_offset(id)
            self._settings.report(progress.offset, self._source.size)
        return progress.object_id

    async def _fetch_offset(self, id: str) -> UploadOffset:
        """Returns the offset. Raises ValueError if it was started with a file of another size."""
        record = await self._uploads.get(id, request_options=self._options)
        if record["bytes"] != self._source.size:
            raise ValueError(
                f"Upload {id} has {record['bytes']} bytes, but this file has {self._source.size}."
            )
        return UploadOffset(record["offset"], record["object_id"])

    async def _result(self, id: str, object_id: str) -> t.Upload:
        options = self._options
        stored: dict[str, Any] = await self._transport.call(
            "getObject", path={"id": object_id}, options=options
        )
        record = await self._uploads.get(id, request_options=options)
        deduplicated = record["deduplicated"] or False
        has_labels = self._settings.tags is not None or self._settings.metadata is not None
        stored["image_id"] = record["image_id"]
        stored["deduplicated"] = deduplicated
        stored["warnings"] = ["tags_ignored"] if deduplicated and has_labels else []
        return cast("t.Upload", stored)


def _next_chunk(chunk_bytes: int, took: float) -> int:
    """Adapts the chunk size so that progress is reported about once a second."""
    if took < 0.5:
        return min(chunk_bytes * 2, _MAX_CHUNK_BYTES)
    return max(chunk_bytes // 2, _MIN_CHUNK_BYTES) if took > 2 else chunk_bytes


def _can_resume(error: ScriptoriumError) -> bool:
    """Whether to get the offset and continue after an error."""
    # 460: the checksum of a chunk did not match.
    is_position = error.code in ("offset_mismatch", "upload_locked")
    return error.retryable or error.status == 460 or is_position
