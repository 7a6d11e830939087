"""Progress bars on stderr: those of tqdm if it is installed, otherwise a line of text."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import Any, Protocol

from .types import Job, Pack


class _Bar(Protocol):
    n: float

    def refresh(self) -> object: ...

    def close(self) -> object: ...


class _TextBar:
    """`[██████░░░░] 60 %  scan.pdf`, redrawn on a terminal and silent elsewhere."""

    def __init__(self, total: float, desc: str) -> None:
        self.n = 0.0
        self._total = total or 1
        self._desc = desc

    def refresh(self) -> None:
        percent = int(min(self.n / self._total, 1) * 100)
        filled = round(percent / 100 * 24)
        if sys.stderr.isatty():
            bar = "█" * filled + "░" * (24 - filled)
            sys.stderr.write(f"\r\x1b[2K[{bar}] {percent} %  {self._desc}")
            sys.stderr.flush()

    def close(self) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\n")


def _open_bar(total: float, desc: str, **tqdm_options: Any) -> _Bar:
    if importlib.util.find_spec("tqdm") is None:
        return _TextBar(total, desc)
    bar: _Bar = importlib.import_module("tqdm").tqdm(total=total, desc=desc, **tqdm_options)
    return bar


class UploadBar:
    """Shows the bytes of an upload; pass it as `on_progress`."""

    def __init__(self, description: str) -> None:
        self._description = description
        self._bar: _Bar | None = None

    def __call__(self, sent: int, total: int | None) -> None:
        if self._bar is None:
            self._bar = _open_bar(total or 0, self._description, unit="B", unit_scale=True)
        self._bar.n = sent
        self._bar.refresh()

    def close(self) -> None:
        """Ends the line."""
        if self._bar is not None:
            self._bar.close()


class PercentBar:
    """Shows the percentage of a job or pack; pass it as `on_progress`."""

    def __init__(self) -> None:
        self._bar: _Bar | None = None

    def __call__(self, current: Job | Pack) -> None:
        if self._bar is None:
            self._bar = _open_bar(100, current["id"], bar_format="{desc}: {n:.0f}%|{bar}| {elapsed}")
        self._bar.n = current["progress"]["percent"]
        self._bar.refresh()

    def close(self) -> None:
        """Ends the line."""
        if self._bar is not None:
            self._bar.close()
