"""HTTP/1.1 over http.client."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from typing import ParamSpec, TypeVar

from . import PART_BYTES, Request, net_error

P = ParamSpec("P")
T = TypeVar("T")


class Response:
    """A response whose body has not been read yet. Read it whole, or close it."""

    def __init__(self, raw: http.client.HTTPResponse, connection: socket.socket) -> None:
        self._raw = raw
        self._socket = connection
        self.status = raw.status
        """The HTTP status."""
        self.headers: Mapping[str, str] = {name.lower(): value for name, value in raw.getheaders()}
        """The headers; their names are in lower case."""

    def set_timeout(self, seconds: float) -> None:
        """Sets how long the next parts may take."""
        self._socket.settimeout(seconds)

    def iter_bytes(self) -> Iterator[bytes]:
        """Yields the body as it arrives, and closes the connection."""
        expected = self._raw.length
        received = 0
        try:
            while part := self._raw.read1(PART_BYTES):
                received += len(part)
                yield part
            if expected is not None and received < expected:
                raise http.client.IncompleteRead(b"", expected - received)
        except (OSError, http.client.HTTPException) as error:
            raise net_error(error, connected=True) from error
        finally:
            self.close()

    def read(self) -> bytes:
        """Returns the whole body."""
        return b"".join(self.iter_bytes())

    def close(self) -> None:
        """Closes the connection."""
        self._raw.close()
        self._socket.close()

    def __enter__(self) -> Response:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def send(request: Request, timeout: float) -> Response:
    """Sends a request; returns as soon as the headers of the response are there. Raises NetError."""
    connection = http.client.HTTPConnection(request.host, request.port, timeout=timeout)
    if request.scheme == "https":
        connection = http.client.HTTPSConnection(
            request.host, request.port, timeout=timeout, context=request.tls
        )
    try:
        connection.connect()
    except OSError as error:
        connection.close()
        raise net_error(error, connected=False) from error
    opened: socket.socket = connection.sock
    try:
        connection.putrequest(
            request.method, request.target, skip_host=True, skip_accept_encoding=True
        )
        for name, value in request.head_fields().items():
            connection.putheader(name, value.encode("latin-1"))
        try:
            connection.endheaders()
            for part in request.body_parts():
                opened.sendall(part)
        except (BrokenPipeError, ConnectionResetError):
            # The service may have responded before the end of the body. Otherwise, the read fails.
            pass
        return Response(connection.getresponse(), opened)
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        raise net_error(error, connected=True) from error
    except BaseException:
        connection.close()
        raise


def sleep(seconds: float) -> None:
    """Waits."""
    time.sleep(seconds)


def run(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs a function that reads or writes files."""
    return function(*args, **kwargs)
