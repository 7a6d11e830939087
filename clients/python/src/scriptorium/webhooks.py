"""Verifies and signs webhooks: Standard Webhooks 1.0, `v1` (HMAC-SHA256) and `v1a` (Ed25519).

See https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypedDict, cast

from . import _ed25519
from .types import Actor

if TYPE_CHECKING:
    from typing_extensions import NotRequired

_DEFAULT_TOLERANCE = 300
"""The tolerance for clock skew and delay, in seconds."""

WebhookFault: TypeAlias = Literal[
    "headers_missing",
    "timestamp_invalid",
    "timestamp_too_old",
    "timestamp_too_new",
    "signature_mismatch",
    "secret_invalid",
    "body_invalid",
]


class WebhookEvent(TypedDict):
    """An event as sent to webhooks. Thin payloads have no `data`."""

    id: str
    type: str
    timestamp: str
    project_id: str
    resource_type: str
    resource_id: str
    category: Literal["domain", "audit"]
    sequence: int
    occurred_at: str
    actor: Actor
    request_id: str | None
    data: NotRequired[dict[str, Any]]


class WebhookVerificationError(Exception):
    """A message that could not be verified. Respond with 400 and ignore it."""

    def __init__(self, code: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.code = code


def verify(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Iterable[str],
    *,
    tolerance: int = _DEFAULT_TOLERANCE,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a webhook and returns its event. Raises WebhookVerificationError.

    body: The raw body, before parsing.
    headers: The headers of the request; the case of their names is ignored.
    secret: The secret (`whsec_…`), one of the `public_keys` (`whpk_…`), or several during a rotation:
        one match is enough.
    tolerance: The tolerance for clock skew and delay, in seconds.
    now: Seconds since 1970. Default: the current time.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    id = lower.get("webhook-id")
    timestamp = lower.get("webhook-timestamp")
    signature = lower.get("webhook-signature")
    if not id or not timestamp or not signature:
        message = "The headers webhook-id, webhook-timestamp and webhook-signature are required."
        raise WebhookVerificationError("headers_missing", message)
    _check_time(timestamp, tolerance, time.time() if now is None else now)
    keys = [_read_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    content = _content_of(id, timestamp, body)
    signatures = [_read_signature(entry) for entry in signature.split(" ")]
    # Checks all signatures, so that the time does not reveal which one matched.
    matches = [
        key.matches(content, given)
        for key in keys
        for version, given in signatures
        if version == key.version
    ]
    if not any(matches):
        message = "No signature matches. Check the secret, and that the body is unmodified."
        raise WebhookVerificationError("signature_mismatch", message)
    return _parse_event(body)


def sign(body: bytes | str, secret: str, *, id: str, timestamp: int | None = None) -> dict[str, str]:
    """Signs a body like the service does, to test receivers; returns the headers of the message.

    secret: `whsec_…`.
    timestamp: Whole Unix seconds. Default: now.
    """
    seconds = str(int(time.time()) if timestamp is None else timestamp)
    digest = hmac.digest(_read_secret(secret), _content_of(id, seconds, body), hashlib.sha256)
    return {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": seconds,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }


class _Key(NamedTuple):
    version: Literal["v1", "v1a"]
    raw: bytes

    def matches(self, content: bytes, signature: bytes) -> bool:
        if self.version == "v1a":
            return _ed25519.verify(self.raw, content, signature)
        return hmac.compare_digest(hmac.digest(self.raw, content, hashlib.sha256), signature)


def _read_key(secret: str) -> _Key:
    if not secret.startswith("whpk_"):
        return _Key("v1", _read_secret(secret))
    raw = _decode_base64(secret.removeprefix("whpk_"))
    if raw is None or len(raw) != 32:
        message = "A public key must be whpk_ and the base64 of 32 bytes."
        raise WebhookVerificationError("secret_invalid", message)
    return _Key("v1a", raw)


def _read_secret(secret: str) -> bytes:
    raw = _decode_base64(secret.removeprefix("whsec_")) if secret.startswith("whsec_") else None
    if raw is None or not 24 <= len(raw) <= 64:
        message = "A secret must be whsec_ and the base64 of 24 to 64 bytes."
        raise WebhookVerificationError("secret_invalid", message)
    return raw


def _read_signature(entry: str) -> tuple[str, bytes]:
    version, comma, encoded = entry.partition(",")
    return (version if comma else "", _decode_base64(encoded) or b"")


def _check_time(timestamp: str, tolerance: int, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        message = f"webhook-timestamp must be whole Unix seconds, but is '{timestamp[:40]}'."
        raise WebhookVerificationError("timestamp_invalid", message)
    age = int(now) - int(timestamp)
    if abs(age) <= tolerance:
        return
    code: WebhookFault = "timestamp_too_old" if age > 0 else "timestamp_too_new"
    place = "old" if age > 0 else "ahead of the clock"
    message = f"The message is {abs(age)} s {place}. The tolerance is {tolerance} s."
    raise WebhookVerificationError(code, message)


def _parse_event(body: bytes | str) -> WebhookEvent:
    try:
        event = json.loads(body)
    except ValueError as error:
        raise WebhookVerificationError("body_invalid", "The body is not valid JSON.") from error
    if not isinstance(event, dict) or "id" not in event or "type" not in event:
        raise WebhookVerificationError("body_invalid", "The body is not an event.")
    # Signed by the service, which validates every event against its schema.
    return cast(WebhookEvent, event)


def _content_of(id: str, timestamp: str, body: bytes | str) -> bytes:
    return f"{id}.{timestamp}.".encode() + (body.encode() if isinstance(body, str) else body)


def _decode_base64(text: str) -> bytes | None:
    if not re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", text) or len(text) % 4 != 0:
        return None
    return base64.b64decode(text)
