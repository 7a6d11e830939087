"""Lists of limited length."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

from ..command import Option, OptionValues
from ..exit_codes import UsageError

T = TypeVar("T")

LIMIT = Option("the maximum number (default: 20)", value="N")


def read_limit(options: OptionValues) -> int:
    """Returns the value of --limit, 20 by default."""
    limit = options.number("limit")
    if limit is None:
        return 20
    if isinstance(limit, int) and limit > 0:
        return limit
    raise UsageError(f"--limit must be a positive whole number, not '{limit}'.")


def take(items: Iterable[T], limit: int) -> list[T]:
    """Returns the first `limit` items of a list."""
    return list(islice(items, limit))


def given(**values: object) -> dict[str, object]:
    """The values that are set."""
    return {name: value for name, value in values.items() if value is not None}
