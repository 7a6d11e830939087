"""Text for terminals: colours, columns, progress lines, and untrusted text made safe."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from typing import TextIO

# Characters that move the cursor, are invisible, change direction or end lines.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)


def printable(text: str) -> str:
    """Makes untrusted text safe for one line of a terminal: control characters are escaped."""

    def escape(found: re.Match[str]) -> str:
        code = ord(found[0])
        return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"

    return _UNSAFE.sub(escape, text)


def json_line(value: object) -> str:
    """A line of JSON with escaped control characters."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def is_terminal(stream: TextIO, env: Mapping[str, str]) -> bool:
    """Whether a stream is a terminal that can move its cursor."""
    return stream.isatty() and env.get("TERM") != "dumb"


class Paint:
    """Colours, which are off in a pipe, with NO_COLOR (https://no-color.org) or on a dumb terminal."""

    def __init__(self, stream: TextIO, env: Mapping[str, str]) -> None:
        self._is_coloured = is_terminal(stream, env) and not env.get("NO_COLOR")

    def _paint(self, text: str, on: int, off: int) -> str:
        return f"\x1b[{on}m{text}\x1b[{off}m" if self._is_coloured else text

    def dim(self, text: str) -> str:
        return self._paint(text, 2, 22)

    def red(self, text: str) -> str:
        return self._paint(text, 31, 39)

    def green(self, text: str) -> str:
        return self._paint(text, 32, 39)

    def yellow(self, text: str) -> str:
        return self._paint(text, 33, 39)


class LiveLine:
    """A line that is redrawn on a terminal, with other lines printed above."""

    def __init__(self, stream: TextIO, env: Mapping[str, str]) -> None:
        self._stream = stream
        self._is_drawn = False
        self.is_terminal = is_terminal(stream, env)

    def show(self, line: str) -> None:
        """Replaces the line. It must not contain colours, because it may be truncated."""
        if not self.is_terminal:
            return
        width = max(shutil.get_terminal_size().columns - 1, 10)
        self._stream.write(f"\r\x1b[2K{line[:width]}")
        self._stream.flush()
        self._is_drawn = True

    def print(self, line: str) -> None:
        """Prints a permanent line."""
        self.clear()
        self._stream.write(f"{line}\n")

    def clear(self) -> None:
        """Removes the line."""
        if self._is_drawn:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()
        self._is_drawn = False


def progress_bar(percent: float, width: int = 24) -> str:
    """`[██████░░░░]`"""
    filled = round(min(max(percent, 0), 100) / 100 * width)
    return f"[{'█' * filled}{'░' * (width - filled)}]"


def format_size(size: int) -> str:
    """A size in bytes as text."""
    value = float(size)
    units = ("B", "kB", "MB", "GB")
    unit = 0
    while value >= 1000 and unit < len(units) - 1:
        value /= 1000
        unit += 1
    # Rounds halves up, as people expect, not to even numbers.
    number = f"{value:.1f}" if value < 10 and unit > 0 else str(int(value + 0.5))
    return f"{number} {units[unit]}"


def columns(rows: Sequence[Sequence[str]], stream: TextIO) -> list[str]:
    """Formats rows in columns on a terminal, or with tabs in a pipe."""
    cells = [[printable(cell) for cell in row] for row in rows]
    if not stream.isatty():
        return ["\t".join(row) for row in cells]
    widths = [max(len(cell) for cell in column) for column in zip(*cells)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]


def pluralise(count: int, noun: str) -> str:
    """Returns a number with its noun: "1 upload", "2 uploads"."""
    return f"{count} {noun if count == 1 else f'{noun}s'}"
