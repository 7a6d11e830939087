"""Resumable uploads with tus 1.0."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from .._options import RequestOptions, with_headers
from ..errors import unexpected_answer
from ..net.asynchronous import AsyncResponse
from . import resources

_TUS = {"Tus-Resumable": "1.0.0"}


class UploadOffset(NamedTuple):
    """The progress of an upload."""

    offset: int
    """The number of stored bytes."""
    object_id: str | None
    """The resulting object, once complete."""


class AsyncUploads(resources.AsyncUploads):
    """Resumable uploads. `objects.upload` handles all steps."""

    async def describe(self, *, request_options: RequestOptions | None = None) -> dict[str, str]:
        """The supported tus version, extensions and maximum size."""
        response = await self._transport.send("describeUploads", options=request_options)
        await response.aclose()
        return {name: value for name, value in response.headers.items() if name.startswith("tus-")}

    async def create(
        self,
        *,
        filename: str,
        size: int,
        content_type: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, object] | None = None,
        on_duplicate: Literal["reuse", "allow"] | None = None,
        request_options: RequestOptions | None = None,
    ) -> str:
        """Creates an upload of `size` bytes; returns its id."""
        pairs = {
            "filename": filename,
            "filetype": content_type,
            "tags": None if tags is None else json.dumps(list(tags)),
            "metadata": None if metadata is None else json.dumps(metadata),
            "on_duplicate": on_duplicate,
        }
        encoded = [f"{key} {_base64(value)}" for key, value in pairs.items() if value is not None]
        headers = {**_TUS, "Upload-Length": str(size), "Upload-Metadata": ",".join(encoded)}
        response = await self._transport.send(
            "createUpload", options=with_headers(request_options, headers)
        )
        await response.aclose()
        found = re.search(r"/(upl_\w+)$", response.headers.get("location", ""))
        if found is None:
            raise unexpected_answer("The response has no Location header.")
        return found[1]

    async def append(
        self, id: str, /, *, offset: int, content: bytes, request_options: RequestOptions | None = None
    ) -> UploadOffset:
        """Appends bytes at `offset`."""
        headers = {
            **_TUS,
            "Content-Type": "application/offset+octet-stream",
            "Upload-Offset": str(offset),
        }
        response = await self._transport.send(
            "appendToUpload",
            path={"id": id},
            content=content,
            options=with_headers(request_options, headers),
        )
        await response.aclose()
        return _read_offset(response)

    async def terminate(self, id: str, /, *, request_options: RequestOptions | None = None) -> None:
        """Terminates an upload and deletes its bytes."""
        options = with_headers(request_options, _TUS)
        await self._transport.call("terminateUpload", path={"id": id}, options=options)


def _read_offset(response: AsyncResponse) -> UploadOffset:
    offset = response.headers.get("upload-offset", "")
    if not offset.isdecimal():
        raise unexpected_answer("The response has no Upload-Offset header.")
    return UploadOffset(int(offset), response.headers.get("object-id"))


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
