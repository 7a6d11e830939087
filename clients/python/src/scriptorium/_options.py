"""The options of requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypedDict

Version: TypeAlias = "int | str"
"""The `version` that you read, for `if_match`: 412 `etag_mismatch` if it has changed since."""


class RequestOptions(TypedDict, total=False):
    """The options of one request, as `request_options`."""

    timeout: float
    """Seconds without any progress after which the request fails. Default: that of the client."""
    max_retries: int
    """The maximum number of retries. Default: that of the client."""
    idempotency_key: str
    """Your own key, if several processes may send the same request. Default: generated."""
    request_id: str
    """Your own X-Request-Id: 1 to 64 letters, digits, `-` and `_`."""
    headers: Mapping[str, str]
    """Further headers."""


def with_headers(options: RequestOptions | None, headers: Mapping[str, str]) -> RequestOptions:
    """Returns options with additional headers; those of the caller take precedence."""
    merged: RequestOptions = {**(options or {})}
    merged["headers"] = {**headers, **merged.get("headers", {})}
    return merged
