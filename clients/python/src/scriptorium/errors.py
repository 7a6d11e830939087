"""The errors of the client."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from math import ceil
from typing import Any

from .types import Fault


class ScriptoriumError(Exception):
    """The base of all errors of the client: a problem document of the API (RFC 9457), or a local error."""

    status: int
    """The HTTP status; 0 without a response."""
    code: str
    """The error code, such as `policy_denied`."""
    detail: str
    """A description for people."""
    request_id: str | None
    """Include it when you contact support. None without a response."""
    retryable: bool
    """Whether the same request may succeed later."""
    errors: list[Fault]
    """The faults in the request and their places."""
    retry_after: int | None
    """Seconds to wait before a retry; None if unknown."""
    problem: dict[str, Any]
    """The whole problem document, with members of specific codes such as `violations`."""

    def __init__(self, problem: Mapping[str, Any], retry_after: int | None = None) -> None:
        super().__init__(problem["detail"])
        self.status = problem.get("status", 0)
        self.code = problem["code"]
        self.detail = problem["detail"]
        self.request_id = problem.get("request_id")
        self.retryable = problem.get("retryable", False)
        self.errors = problem.get("errors", [])
        self.retry_after = retry_after
        self.problem = dict(problem)

    @property
    def field(self) -> str | None:
        """The place of the first fault: a JSON pointer, or the name of a parameter or header."""
        for fault in self.errors:
            return fault.get("pointer") or fault.get("parameter") or fault.get("header")
        return None

    def __str__(self) -> str:
        suffix = f", {self.request_id}" if self.request_id else ""
        return f"{self.detail} ({self.code}{suffix})"


class BadRequestError(ScriptoriumError):
    """400, 405, 406, 413, 415, 416: the request is malformed."""


class AuthenticationError(ScriptoriumError):
    """401: the key is missing, invalid, expired or revoked."""


class PermissionDeniedError(ScriptoriumError):
    """403: a scope, the project, the address or a policy denies the request."""


class NotFoundError(ScriptoriumError):
    """404, 410: the resource does not exist, or no longer."""


class ConflictError(ScriptoriumError):
    """409: the state of the resource does not allow the request."""


class PreconditionFailedError(ScriptoriumError):
    """412, 428: the resource has changed since you read it, or `if_match` is missing."""


class ValidationError(ScriptoriumError):
    """422: the body breaks a rule. `errors` contains all faults."""


class RateLimitError(ScriptoriumError):
    """429: too many requests. `retry_after` contains the seconds to wait."""


class ServerError(ScriptoriumError):
    """5xx: the service, or one of its dependencies, failed."""


class ConnectionFailedError(ScriptoriumError):
    """The connection could not be opened, or it broke."""

    connected: bool = True
    """False if no connection was established, so nothing was sent."""


class RequestTimeoutError(ConnectionFailedError):
    """The response did not arrive in time."""


class UnexpectedResponseError(ScriptoriumError):
    """The response is not from the API: a page of a proxy, or invalid JSON."""


class ContentMismatchError(ScriptoriumError):
    """The downloaded bytes have the wrong checksum."""


_CLASSES: dict[int, type[ScriptoriumError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    412: PreconditionFailedError,
    422: ValidationError,
    428: PreconditionFailedError,
    429: RateLimitError,
}


def error_from_response(status: int, headers: Mapping[str, str], body: bytes) -> ScriptoriumError:
    """Creates the error of a response."""
    retry_after = read_retry_after(headers.get("retry-after"))
    document = _parse_object(body) if is_json(headers) else None
    may_repeat = status == 429 or status >= 500
    if document and isinstance(document.get("code"), str) and isinstance(document.get("detail"), str):
        document["retryable"] = document.get("retryable", may_repeat) is True
        document["status"] = status
        kind = _CLASSES.get(status, ServerError if status >= 500 else BadRequestError)
        return kind(document, retry_after)
    detail = (
        f"The response with status {status} is not from the API. "
        "Check the URL, and whether a proxy is in between."
    )
    problem: dict[str, Any] = {"status": status, "code": "unexpected_answer", "detail": detail}
    problem["retryable"] = status >= 500
    if headers.get("x-request-id"):
        problem["request_id"] = headers["x-request-id"]
    return UnexpectedResponseError(problem, retry_after)


def connection_failed(base_url: str, reason: str, *, connected: bool = True) -> ConnectionFailedError:
    """Creates the error of a connection that could not be opened, or broke."""
    detail = f"{base_url} could not be reached, or the connection broke ({reason})."
    problem = {"code": "connection_failed", "detail": detail, "retryable": True}
    error = ConnectionFailedError(problem)
    error.connected = connected
    return error


def request_timeout(base_url: str, timeout: float, *, connected: bool = True) -> RequestTimeoutError:
    """Creates the error of a response that did not arrive in time."""
    detail = f"{base_url} did not respond within {timeout:g} s."
    error = RequestTimeoutError({"code": "timeout", "detail": detail, "retryable": True})
    error.connected = connected
    return error


def unexpected_answer(detail: str) -> UnexpectedResponseError:
    """Creates the error of a response that is not one of the API."""
    return UnexpectedResponseError({"code": "unexpected_answer", "detail": detail})


def content_mismatch(object_id: str) -> ContentMismatchError:
    """Creates the error of a download with the wrong checksum."""
    detail = f"The SHA-256 of the download of {object_id} does not match. Try again."
    return ContentMismatchError({"code": "content_mismatch", "detail": detail})


def is_json(headers: Mapping[str, str]) -> bool:
    """Whether a response is JSON, including problem documents."""
    pattern = r"application/([\w.+-]+\+)?json\b"
    return re.match(pattern, headers.get("content-type") or "", re.IGNORECASE) is not None


def read_retry_after(value: str | None) -> int | None:
    """Parses seconds or a date (RFC 9110 §10.2.3)."""
    if value is None:
        return None
    if re.fullmatch(r"\d+", value):
        return int(value)
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=timezone.utc)
    return max(0, ceil((until - datetime.now(timezone.utc)).total_seconds()))


def _parse_object(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
