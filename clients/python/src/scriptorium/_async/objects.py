"""Objects: stored files."""

from __future__ import annotations

import hashlib
import os
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from .. import types as t
from .._files import Uploadable, filename_of, free_path, safe_filename
from .._options import RequestOptions
from ..errors import content_mismatch
from ..net import NetError
from ..net.asynchronous import AsyncResponse, run
from ..progress import UploadBar
from . import resources
from .upload import OnUploadProgress, UploadSettings, upload

OnDownloadProgress: TypeAlias = "Callable[[int, int | None], object]"
"""Called with the number of received bytes and the total, which is None if it is unknown."""


class AsyncObjects(resources.AsyncObjects):
    """Objects: stored files."""

    async def upload(
        self,
        file: Uploadable,
        *,
        filename: str | None = None,
        content_type: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, object] | None = None,
        on_duplicate: Literal["reuse", "allow"] | None = None,
        size: int | None = None,
        progress: bool = False,
        on_progress: OnUploadProgress | None = None,
        on_upload: Callable[[str], object] | None = None,
        upload_id: str | None = None,
        request_options: RequestOptions | None = None,
    ) -> t.Upload:
        """Uploads the path of a file, an open binary file, bytes, or an iterable of bytes.

        Returns an existing object with the same bytes and filename, if any (`deduplicated`). A file of
        more than 8 MiB, or with tags or metadata, is sent in chunks and continues after a lost
        connection.

        filename: Required if the file has no name. Default: the name of the file.
        content_type: The declared media type. The service detects the type from the bytes.
        on_duplicate: `allow` creates a new object even if one with the same bytes and name exists.
        size: The size of a stream in bytes. Without it, a stream cannot be resumed.
        progress: Shows a progress bar, with tqdm if it is installed.
        on_progress: Called with the number of stored bytes and the total (None if unknown).
        on_upload: Called with the id of an upload in chunks before its first byte. Store it to resume
            after a crash.
        upload_id: Resumes this upload where it stopped.
        """
        bar = UploadBar(filename or filename_of(file) or _path_name(file)) if progress else None
        settings = UploadSettings(
            filename=filename,
            content_type=content_type,
            tags=tags,
            metadata=metadata,
            on_duplicate=on_duplicate,
            on_progress=_both(bar, on_progress),
            on_upload=on_upload,
            upload_id=upload_id,
            options=request_options,
        )
        try:
            return await upload(self._transport, file, size, settings)
        finally:
            if bar:
                bar.close()

    async def download_to(
        self,
        id: str,
        path: str | os.PathLike[str],
        /,
        *,
        overwrite: bool = False,
        on_progress: OnDownloadProgress | None = None,
        request_options: RequestOptions | None = None,
    ) -> int:
        """Downloads an object to a file, which appears once it is complete and its SHA-256 is verified.

        Returns the number of bytes. Raises FileExistsError if the file exists, unless `overwrite`.
        """
        target = Path(path)
        response = await self.download(id, request_options=request_options)
        partial = target.with_name(f"{target.name}.part-{uuid.uuid4().hex[:8]}")
        try:
            with await run(partial.open, "xb") as file:
                received, digest = await self._receive(response, file, on_progress)
            found = re.match(r'"([0-9a-f]{64})', response.headers.get("etag", ""))
            if found and found[1] != digest:
                raise content_mismatch(id)
            # Claims the name first, so that an existing file is not overwritten.
            if not overwrite:
                target.open("xb").close()
            partial.replace(target)
            return received
        finally:
            await response.aclose()
            partial.unlink(missing_ok=True)

    async def download_into(
        self,
        object: t.Object | t.Upload,
        folder: str | os.PathLike[str],
        /,
        *,
        on_progress: OnDownloadProgress | None = None,
        request_options: RequestOptions | None = None,
    ) -> Path:
        """Downloads an object into a folder under its sanitised filename; returns the path.

        If the name is taken, appends a number: `name-2.pdf`.
        """
        path = free_path(folder, safe_filename(object["filename"]) or object["id"])
        await self.download_to(
            object["id"], path, on_progress=on_progress, request_options=request_options
        )
        return path

    async def _receive(
        self, response: AsyncResponse, file: BinaryIO, on_progress: OnDownloadProgress | None
    ) -> tuple[int, str]:
        length = response.headers.get("content-length")
        total = None if length is None else int(length)
        hash = hashlib.sha256()
        received = 0
        try:
            async for part in response.iter_bytes():
                await run(file.write, part)
                hash.update(part)
                received += len(part)
                if on_progress:
                    on_progress(received, total)
        except NetError as error:
            raise self._transport.connection_error(error, self._transport.timeout) from error
        return received, hash.hexdigest()


def _both(bar: UploadBar | None, on_progress: OnUploadProgress | None) -> OnUploadProgress | None:
    if bar is None or on_progress is None:
        return bar or on_progress
    shown, called = bar, on_progress

    def report(sent: int, total: int | None) -> None:
        shown(sent, total)
        called(sent, total)

    return report


def _path_name(file: object) -> str:
    return os.path.basename(os.fspath(file)) if isinstance(file, (str, os.PathLike)) else "upload"
