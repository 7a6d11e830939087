"""HTTP/1.1 over the streams of asyncio."""

from __future__ import annotations

import asyncio
import http.client
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import ParamSpec, TypeVar

from . import PART_BYTES, NetError, Request, net_error

P = ParamSpec("P")
T = TypeVar("T")

_MAX_HEAD_BYTES = 256 * 1024
_FAILURES = (
    OSError,
    EOFError,
    ValueError,
    asyncio.TimeoutError,
    asyncio.LimitOverrunError,
    http.client.HTTPException,
)


class AsyncResponse:
    """A response whose body has not been read yet. Read it whole, or close it."""

    def __init__(
        self,
        status: int,
        headers: Mapping[str, str],
        streams: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        timeout: float,
    ) -> None:
        self.status = status
        """The HTTP status."""
        self.headers = headers
        """The headers; their names are in lower case."""
        self._reader, self._writer = streams
        self._timeout = timeout

    def set_timeout(self, seconds: float) -> None:
        """Sets how long the next parts may take."""
        self._timeout = seconds

    async def iter_bytes(self) -> AsyncIterator[bytes]:
        """Yields the body as it arrives, and closes the connection."""
        try:
            if self.status in (204, 304):
                return
            if self.headers.get("transfer-encoding", "").lower().endswith("chunked"):
                async for part in self._chunks():
                    yield part
            elif "content-length" in self.headers:
                async for part in self._exactly(int(self.headers["content-length"])):
                    yield part
            else:
                while part := await self._read(PART_BYTES):
                    yield part
        except _FAILURES as error:
            raise _net_error(error) from error
        finally:
            await self.aclose()

    async def read(self) -> bytes:
        """Returns the whole body."""
        return b"".join([part async for part in self.iter_bytes()])

    async def aclose(self) -> None:
        """Closes the connection."""
        # Not `close`, after which TLS would wait for the other side to say goodbye.
        self._writer.transport.abort()

    async def __aenter__(self) -> AsyncResponse:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _chunks(self) -> AsyncIterator[bytes]:
        """Decodes RFC 9112 §7.1."""
        while size := int((await self._line()).split(b";")[0], 16):
            async for part in self._exactly(size):
                yield part
            await self._line()
        # Trailers end with an empty line.
        while (await self._line()).strip():
            pass

    async def _exactly(self, count: int) -> AsyncIterator[bytes]:
        while count > 0:
            part = await self._read(min(count, PART_BYTES))
            if not part:
                raise EOFError("the response is incomplete")
            count -= len(part)
            yield part

    async def _line(self) -> bytes:
        line = await asyncio.wait_for(self._reader.readline(), self._timeout)
        if not line.endswith(b"\n"):
            raise EOFError("the response is incomplete")
        return line

    async def _read(self, count: int) -> bytes:
        return await asyncio.wait_for(self._reader.read(count), self._timeout)


async def send(request: Request, timeout: float) -> AsyncResponse:
    """Sends a request; returns as soon as the headers of the response are there. Raises NetError."""
    try:
        opening = asyncio.open_connection(
            request.host, request.port, ssl=request.tls, limit=_MAX_HEAD_BYTES
        )
        reader, writer = await asyncio.wait_for(opening, timeout)
    except (OSError, asyncio.TimeoutError) as error:
        raise _net_error(error, connected=False) from error
    try:
        await _write(request, writer, timeout)
        status, headers = await _read_head(reader, timeout)
        return AsyncResponse(status, headers, (reader, writer), timeout)
    except _FAILURES as error:
        writer.close()
        raise _net_error(error) from error
    except BaseException:
        writer.close()
        raise


async def _write(request: Request, writer: asyncio.StreamWriter, timeout: float) -> None:
    lines = [f"{name}: {value}\r\n" for name, value in request.head_fields().items()]
    head = f"{request.method} {request.target} HTTP/1.1\r\n{''.join(lines)}\r\n".encode("latin-1")
    if head.count(b"\n") != len(lines) + 2:
        raise ValueError("Headers must not contain line breaks.")
    try:
        writer.write(head)
        parts = iter(request.body_parts())
        while (part := await _next(request, parts)) is not None:
            writer.write(part)
            await asyncio.wait_for(writer.drain(), timeout)
        await asyncio.wait_for(writer.drain(), timeout)
    except (BrokenPipeError, ConnectionResetError):
        # The service may have responded before the end of the body. Otherwise, the read fails.
        pass


async def _next(request: Request, parts: Iterator[bytes]) -> bytes | None:
    # Parts that are not in memory come from a file, which may block.
    if isinstance(request.body, bytes):
        return next(parts, None)
    return await run(next, parts, None)


async def _read_head(
    reader: asyncio.StreamReader, timeout: float
) -> tuple[int, Mapping[str, str]]:
    while True:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), timeout)
        line, _, fields = head.partition(b"\r\n")
        version, _, rest = line.partition(b" ")
        if not version.startswith(b"HTTP/1."):
            raise ValueError("the response is not HTTP/1.1")
        status = int(rest[:3])
        # Interim responses, such as 100 Continue, precede the final one.
        if status >= 200:
            parsed = http.client.parse_headers(io.BytesIO(fields))
            return status, {name.lower(): value for name, value in parsed.items()}


def _net_error(error: Exception, *, connected: bool = True) -> NetError:
    # Until Python 3.10, the timeout of asyncio is another class.
    if isinstance(error, asyncio.TimeoutError):
        return NetError("timeout", connected=connected, timed_out=True)
    return net_error(error, connected=connected)


async def sleep(seconds: float) -> None:
    """Waits."""
    await asyncio.sleep(seconds)


def run(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
    """Runs a function that reads or writes files in a thread."""
    return asyncio.to_thread(function, *args, **kwargs)
