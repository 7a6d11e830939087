"""Sends requests: URLs, headers, retries and errors."""

from __future__ import annotations

import json
import ssl
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from .._operations import OPERATIONS
from .._options import RequestOptions, Version
from .._retry import Repeatable, retry_delay
from ..errors import (
    ScriptoriumError,
    connection_failed,
    error_from_response,
    is_json,
    request_timeout,
    unexpected_answer,
)
from ..net import Body, NetError, Request
from ..net.asynchronous import AsyncResponse, send, sleep

_READ_ONLY_POSTS = ("evaluatePolicies",)
"""POST operations without an Idempotency-Key that only read."""


class AsyncTransport:
    """Sends requests with the headers, retries and errors of the client."""

    def __init__(
        self,
        base_url: str,
        project_id: str,
        api_key: str,
        *,
        max_retries: int,
        timeout: float,
        ssl_context: ssl.SSLContext | None,
    ) -> None:
        required = (
            ("base_url", base_url, "SERVICE_URL"),
            ("project_id", project_id, "PROJECT_ID"),
            ("api_key", api_key, "API_KEY"),
        )
        for name, value, variable in required:
            if not value:
                raise ValueError(f"{name} is required: pass it, or set {variable}.")
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ValueError(f"base_url must start with http:// or https://, but is '{base_url}'.")
        self.base_url = base_url.rstrip("/")
        self.project_id = project_id
        self.max_retries = max_retries
        self.timeout = timeout
        self._api_key = api_key
        self._scheme = url.scheme
        self._host = url.hostname
        self._port = url.port or (443 if url.scheme == "https" else 80)
        self._prefix = url.path.rstrip("/")
        self._tls: ssl.SSLContext | None = None
        if url.scheme == "https":
            self._tls = ssl_context or ssl.create_default_context()

    async def call(
        self,
        operation: str,
        *,
        path: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        if_match: Version | None = None,
        options: RequestOptions | None = None,
    ) -> Any:
        """Runs an operation and returns the JSON of its response; None if it is empty."""
        response = await self.send(
            operation, path=path, query=query, body=body, if_match=if_match, options=options
        )
        return await self.read_json(response)

    async def read_json(self, response: AsyncResponse) -> Any:
        """Parses the JSON of a response; None for an empty response."""
        content = await self._read(response)
        if response.status == 204:
            return None
        if not is_json(response.headers):
            raise error_from_response(response.status, response.headers, content)
        try:
            return json.loads(content)
        except ValueError as error:
            raise unexpected_answer("The response is not valid JSON.") from error

    async def send(
        self,
        operation: str,
        *,
        path: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        content: Body = None,
        if_match: Version | None = None,
        accept: str = "application/json",
        options: RequestOptions | None = None,
    ) -> AsyncResponse:
        """Runs an operation; returns the response without reading its body.

        `body` is sent as JSON, `content` as it is.
        """
        method, template, keyed, commas = OPERATIONS[operation]
        settings = options or {}
        headers = {"Accept": accept}
        if keyed:
            headers["Idempotency-Key"] = settings.get("idempotency_key") or str(uuid.uuid4())
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(_api_names(body), ensure_ascii=False).encode()
        if if_match is not None:
            headers["If-Match"] = _etag_of(if_match)
        target = self._prefix + _fill_path(template, path or {}) + _query_string(_api_names(query or {}), commas)
        is_safe = keyed or method in ("GET", "DELETE", "OPTIONS") or operation in _READ_ONLY_POSTS
        return await self._send_with_retries(
            self._request(method, target, headers, content, settings),
            settings,
            "always" if is_safe else "untouched",
        )

    async def post(self, path: str, content: bytes, *, accept: str) -> bytes:
        """Posts JSON to a path that is not an operation; returns the body of the response."""
        headers = {"Accept": accept, "Content-Type": "application/json"}
        request = self._request("POST", self._prefix + path, headers, content, {})
        return await self._read(await self._send_with_retries(request, {}, "untouched"))

    def _request(
        self,
        method: str,
        target: str,
        headers: dict[str, str],
        content: Body,
        options: RequestOptions,
    ) -> Request:
        if "request_id" in options:
            headers["X-Request-Id"] = options["request_id"]
        headers.update(options.get("headers", {}))
        headers["Authorization"] = f"Bearer {self._api_key}"
        headers["X-Service-Project-ID"] = self.project_id
        return Request(
            method, self._scheme, self._host, self._port, target, headers, content, self._tls
        )

    async def _send_with_retries(
        self, request: Request, options: RequestOptions, repeatable: Repeatable
    ) -> AsyncResponse:
        most = options.get("max_retries", self.max_retries)
        # A stream can only be read once.
        is_stream = request.body is not None and not isinstance(request.body, bytes)
        attempt = 1
        while True:
            try:
                return await self._send_once(request, options.get("timeout", self.timeout))
            except ScriptoriumError as error:
                delay = retry_delay(error, attempt, repeatable)
                if is_stream or attempt > most or delay is None:
                    raise
            await sleep(delay)
            attempt += 1

    async def _send_once(self, request: Request, timeout: float) -> AsyncResponse:
        try:
            response = await send(request, timeout)
        except NetError as error:
            raise self.connection_error(error, timeout) from error
        # Redirects are not followed: they could leak the key to another host.
        if 200 <= response.status < 300 or response.status == 304:
            return response
        content = await self._read(response)
        raise error_from_response(response.status, response.headers, content)

    async def _read(self, response: AsyncResponse) -> bytes:
        try:
            return await response.read()
        except NetError as error:
            raise self.connection_error(error, self.timeout) from error

    def connection_error(self, error: NetError, timeout: float) -> ScriptoriumError:
        """The error for a failed connection, with its cause."""
        if error.timed_out:
            return request_timeout(self.base_url, timeout, connected=error.connected)
        return connection_failed(self.base_url, error.reason, connected=error.connected)


def _api_names(keywords: Mapping[str, object]) -> dict[str, object]:
    """The names of the API: `with_` is `with`, which Python reserves."""
    return {name.removesuffix("_"): value for name, value in keywords.items()}


def _etag_of(version: Version) -> str:
    """A version as the API's ETag; quoted values are kept."""
    text = str(version)
    return text if text.startswith(('"', 'W/"')) or text == "*" else f'"{text}"'


def _fill_path(template: str, path: Mapping[str, object]) -> str:
    filled = template
    for name, value in path.items():
        text = str(value)
        # An empty value would produce the URL of another operation.
        if value is None or text == "":
            raise ValueError(f"The {name} of {template} must be a non-empty string.")
        filled = filled.replace("{" + name + "}", quote(text, safe=""))
    return filled


def _query_string(query: Mapping[str, object], commas: tuple[str, ...]) -> str:
    """Encodes lists as repeated parameters or separated by commas, as the API expects for each."""
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if value is None:
            continue
        if not isinstance(value, (list, tuple)):
            pairs.append((name, _text_of(value)))
        elif name in commas:
            pairs.append((name, ",".join(_text_of(item) for item in value)))
        else:
            pairs.extend((name, _text_of(item)) for item in value)
    return f"?{urlencode(pairs)}" if pairs else ""


def _text_of(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
