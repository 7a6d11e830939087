"""Files: what is uploaded, and the names of downloads."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias, cast

Uploadable: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | BinaryIO | Iterable[bytes]"
"""The path of a file, bytes, a file that is open for reading in binary mode, or an iterable of bytes."""


class Source(Protocol):
    """The bytes of an upload, read in chunks."""

    filename: str | None
    size: int

    def read(self, start: int, length: int) -> bytes:
        """Reads up to `length` bytes from `start`."""

    def close(self) -> None:
        """Closes what was opened for the upload."""


class BytesSource:
    """Bytes in memory."""

    filename: str | None = None

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.size = len(content)

    def read(self, start: int, length: int) -> bytes:
        return self._content[start : start + length]

    def close(self) -> None:
        pass


class FileSource:
    """A file that can be read from any position."""

    def __init__(self, file: BinaryIO, *, owned: bool) -> None:
        self._file = file
        self._owned = owned
        self.filename = filename_of(file)
        self._start = file.tell()
        self.size = file.seek(0, os.SEEK_END) - self._start

    def read(self, start: int, length: int) -> bytes:
        wanted = min(length, self.size - start)
        self._file.seek(self._start + start)
        content = self._file.read(wanted)
        if len(content) < wanted:
            raise ValueError(f"'{self.filename}' was truncated while being read.")
        return content

    def close(self) -> None:
        if self._owned:
            self._file.close()


class SizedStream:
    """A stream of known size. Keeps the last chunk for a retry; earlier chunks cannot be read again."""

    def __init__(self, stream: Stream, size: int) -> None:
        self._stream = stream
        self._buffer = b""
        self._buffer_start = 0
        self.filename = stream.filename
        self.size = size

    def read(self, start: int, length: int) -> bytes:
        if start < self._buffer_start:
            raise ValueError("A stream cannot be read again from the start.")
        buffered = self._buffer[start - self._buffer_start :]
        if len(buffered) >= length:
            return buffered[:length]
        self._buffer = buffered + self._stream.take(length - len(buffered))
        self._buffer_start = start
        if len(self._buffer) < min(length, self.size - start):
            received = start + len(self._buffer)
            raise ValueError(f"The stream ended after {received} bytes. Expected {self.size} bytes.")
        return self._buffer

    def close(self) -> None:
        pass


class Stream:
    """A stream of unknown size."""

    def __init__(self, parts: Iterator[bytes], filename: str | None) -> None:
        self._parts = parts
        self._rest = b""
        self.filename = filename

    def take(self, length: int) -> bytes:
        """Returns the next `length` bytes, or less at the end."""
        parts = [self._rest]
        count = len(self._rest)
        while count < length and (part := next(self._parts, None)) is not None:
            parts.append(part)
            count += len(part)
        content = b"".join(parts)
        self._rest = content[length:]
        return content[:length]

    def __iter__(self) -> Iterator[bytes]:
        if self._rest:
            rest, self._rest = self._rest, b""
            yield rest
        yield from self._parts


def source_of(file: Uploadable, size: int | None) -> Source | Stream:
    """Opens what is uploaded. A stream without a size stays a stream.

    Raises OSError for a path that cannot be opened.
    """
    if isinstance(file, (str, os.PathLike)):
        if not stat.S_ISREG(os.stat(file).st_mode):
            raise ValueError(f"'{os.fspath(file)}' is not a file.")
        return FileSource(open(file, "rb"), owned=True)
    if isinstance(file, (bytes, bytearray)):
        return BytesSource(bytes(file))
    if hasattr(file, "read"):
        opened = cast(BinaryIO, file)
        if size is None and opened.seekable():
            return FileSource(opened, owned=False)
        stream = Stream(iter(lambda: opened.read(64 * 1024), b""), filename_of(opened))
    else:
        stream = Stream(iter(file), None)
    return stream if size is None else SizedStream(stream, size)


def filename_of(file: object) -> str | None:
    """The name of an open file. Files without a path, such as stdin, have a number or none."""
    name = getattr(file, "name", None)
    return os.path.basename(name) if isinstance(name, str) and not name.startswith("<") else None


def safe_filename(filename: str) -> str:
    """Removes folders, and characters that are special in terminals and shells, from a filename."""
    name = re.split(r"[/\\]", filename)[-1]
    unsafe = ("Cc", "Cf", "Zl", "Zp")
    replaced = [
        "_" if character in ':*?"<>|' or unicodedata.category(character) in unsafe else character
        for character in name
    ]
    return re.sub(r"^[.\s-]+", "", "".join(replaced))[:200]


def free_path(folder: str | os.PathLike[str], filename: str) -> Path:
    """The path of a new file in a folder, which is created. Appends a number if the name is taken."""
    directory = Path(folder)
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / filename
    number = 1
    while path.exists():
        number += 1
        path = directory / f"{Path(filename).stem}-{number}{Path(filename).suffix}"
    return path
