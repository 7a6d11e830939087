"""What the tests share: both kinds of clients, and a server that responds as told."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import TestCase

from scriptorium import AsyncScriptorium, Scriptorium


class Kind:
    """The synchronous or the asynchronous client, used in the same way."""

    def __init__(self, name: str) -> None:
        self.name = name

    def client(self, *args: Any, **options: Any) -> Any:
        """A client; its methods return results or awaitables."""
        return AsyncScriptorium(*args, **options) if self.name == "async" else Scriptorium(*args, **options)

    def get(self, value: Any) -> Any:
        """The result of a call."""
        return asyncio.run(value) if self.name == "async" else value

    def take(
        self, items: Any, count: int, after_each: Callable[[int], None] = lambda _: None
    ) -> list[Any]:
        """The first items of a list or stream. `after_each` gets the number of items so far."""
        if self.name == "async":
            return asyncio.run(_take(items, count, after_each))
        taken = []
        for item in items:
            taken.append(item)
            after_each(len(taken))
            if len(taken) == count:
                break
        return taken


async def _take(items: Any, count: int, after_each: Callable[[int], None]) -> list[Any]:
    taken = []
    async for item in items:
        taken.append(item)
        after_each(len(taken))
        if len(taken) == count:
            break
    return taken


def both(test: Callable[[Any, Kind], None]) -> Callable[[TestCase], None]:
    """Runs a test with both kinds of clients."""

    def run(self: TestCase) -> None:
        for name in ("sync", "async"):
            with self.subTest(client=name):
                test(self, Kind(name))

    run.__doc__ = test.__doc__
    return run


@dataclass
class Received:
    """A request that the server received."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Reply:
    """A response of the server."""

    status: int = 200
    body: bytes = b"{}"
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "application/json"),)
    cut: bool = False
    """Closes the connection in the middle of the body."""


def problem(status: int, code: str, **fields: Any) -> Reply:
    """An error response of the API."""
    body = {"status": status, "code": code, "detail": f"It is {code}.", "request_id": "req_1", **fields}
    headers = [("Content-Type", "application/problem+json")]
    if "retry_after" in body:
        headers.append(("Retry-After", str(body.pop("retry_after"))))
    return Reply(status, json.dumps(body).encode(), tuple(headers))


class Server:
    """Responds with one reply after another; the last one repeats. None breaks the connection."""

    def __init__(self, *replies: Reply | None) -> None:
        self.replies = list(replies)
        self.received: list[Received] = []
        self.url = ""

    def next_reply(self, received: Received) -> Reply | None:
        self.received.append(received)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@contextmanager
def serve(*replies: Reply | None) -> Iterator[Server]:
    """Starts a server on a free port."""
    server = Server(*replies)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            body = self._body()
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = server.next_reply(Received(self.command, self.path, headers, body))
            self.close_connection = True
            if reply is None:
                return
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            if reply.status not in (204, 304):
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body[: len(reply.body) // 2] if reply.cut else reply.body)

        def _body(self) -> bytes:
            if self.headers.get("Transfer-Encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length", 0)))
            parts = []
            while size := int(self.rfile.readline(), 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)

        do_GET = do_POST = do_PATCH = do_DELETE = respond

        def log_message(self, format: str, *args: object) -> None:
            """Prints nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
