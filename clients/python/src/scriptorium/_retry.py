"""When requests are retried, and after which delay. The rules are those of the TypeScript client."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Literal, TypeAlias

from .errors import ConnectionFailedError, ScriptoriumError

_INITIAL_DELAY = 0.5
_MAX_DELAY = 8.0
_MAX_RETRY_AFTER = 60
"""A longer Retry-After is reported as an error instead of waiting, in seconds."""
_MAX_SILENCE = 300.0
"""How long streams keep trying without a response, in seconds."""

Repeatable: TypeAlias = Literal["always", "untouched"]
"""`always`: the request is idempotent. `untouched`: only if it certainly had no effect."""

OnBreak: TypeAlias = "Callable[[ScriptoriumError], object]"
"""Called for each failure of a stream that is retried."""


def retry_delay(error: ScriptoriumError, attempts: int, repeatable: Repeatable) -> float | None:
    """The delay before a retry in seconds; None if the request must not be retried.

    `attempts` is the number of attempts so far.
    """
    if not _can_retry(error, repeatable):
        return None
    if error.retry_after is not None:
        return None if error.retry_after > _MAX_RETRY_AFTER else float(error.retry_after)
    return backoff(attempts)


def backoff(attempts: int) -> float:
    """Exponential backoff from 0.5 to 8 seconds, with 50 to 100 % of each."""
    longest = min(_INITIAL_DELAY * 2.0 ** (attempts - 1), _MAX_DELAY)
    return longest * (0.5 + random.random() / 2)


def _can_retry(error: ScriptoriumError, repeatable: Repeatable) -> bool:
    is_connection = isinstance(error, ConnectionFailedError)
    # Rejected without an effect.
    if error.status == 429 or (isinstance(error, ConnectionFailedError) and not error.connected):
        return True
    # The same request is in progress, or a dependency is being prepared.
    if error.status == 409:
        return error.code == "idempotency_in_progress" or error.retryable
    if repeatable == "untouched":
        return False
    return error.status == 408 or error.status >= 500 or is_connection


class ReconnectPolicy:
    """Decides how long to wait before reconnecting a stream, and when to give up."""

    def __init__(self, on_break: OnBreak | None = None) -> None:
        self._on_break = on_break
        self._failures = 0
        self._last_response: float | None = None

    @property
    def has_responded(self) -> bool:
        """Whether there has been a response."""
        return self._last_response is not None

    def record_response(self) -> None:
        """Records a response."""
        self._failures = 0
        self._last_response = time.monotonic()

    def delay_after(self, error: ScriptoriumError) -> float:
        """The delay after an error, in seconds.

        Raises the error if it is permanent, or if there has been no response yet or for too long.
        """
        last = self._last_response
        if not error.retryable or last is None or time.monotonic() - last > _MAX_SILENCE:
            raise error
        self._failures += 1
        if self._on_break:
            self._on_break(error)
        return backoff(self._failures) if error.retry_after is None else float(error.retry_after)
