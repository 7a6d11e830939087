"""HTTP/1.1 with the standard library, synchronous and asynchronous."""

from __future__ import annotations

import errno
import ssl
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Body: TypeAlias = "bytes | Iterable[bytes] | None"
"""Bytes, or parts of unknown total length, which are sent chunked."""

PART_BYTES = 64 * 1024
"""How much is read or written at once."""


@dataclass(frozen=True)
class Request:
    """A request to one host."""

    method: str
    scheme: str
    host: str
    port: int
    target: str
    """The path with its query."""
    headers: Mapping[str, str] = field(repr=False)
    """They contain the key, which must not be printed."""
    body: Body = field(default=None, repr=False)
    tls: ssl.SSLContext | None = field(default=None, repr=False)

    def head_fields(self) -> dict[str, str]:
        """The headers, with those about the connection and the body."""
        default = {"http": 80, "https": 443}[self.scheme]
        host = f"[{self.host}]" if ":" in self.host else self.host
        fields = {"Host": host if self.port == default else f"{host}:{self.port}"}
        fields.update(self.headers)
        fields["Connection"] = "close"
        if isinstance(self.body, bytes):
            fields["Content-Length"] = str(len(self.body))
        elif self.body is not None:
            fields["Transfer-Encoding"] = "chunked"
        elif self.method in ("POST", "PATCH", "PUT"):
            fields["Content-Length"] = "0"
        return fields

    def body_parts(self) -> Iterable[bytes]:
        """The encoded body in parts."""
        if isinstance(self.body, bytes):
            view = memoryview(self.body)
            for start in range(0, len(view), PART_BYTES):
                yield bytes(view[start : start + PART_BYTES])
        elif self.body is not None:
            for part in self.body:
                if part:
                    yield b"%x\r\n%b\r\n" % (len(part), part)
            yield b"0\r\n\r\n"


class NetError(Exception):
    """A connection that could not be opened, or broke."""

    def __init__(self, reason: str, *, connected: bool, timed_out: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.connected = connected
        self.timed_out = timed_out


def net_error(error: Exception, *, connected: bool) -> NetError:
    """The error with the name of its system error, such as ECONNREFUSED."""
    name = None
    # The number of an SSLError is one of OpenSSL.
    if isinstance(error, OSError) and not isinstance(error, ssl.SSLError):
        name = errno.errorcode.get(error.errno or 0)
    timed_out = isinstance(error, TimeoutError)
    reason = name or str(error) or type(error).__name__
    return NetError(reason, connected=connected, timed_out=timed_out)
