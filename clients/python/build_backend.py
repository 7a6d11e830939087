"""Builds the wheel and the source archive (PEP 517), with the standard library only.

The same sources give the same bytes: names are sorted, and times are fixed.
"""

from __future__ import annotations

import base64
import hashlib
import io
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_ROOT = Path(__file__).resolve().parent
_FIRST_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time of a ZIP archive."""


def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Builds the wheel; returns its name."""
    project = _project()
    stem = f"{project['name']}-{project['version']}"
    info = f"{stem}.dist-info"
    files = {
        path.relative_to(_ROOT / "src").as_posix(): path.read_bytes()
        for path in _sources()
    }
    files[f"{info}/METADATA"] = _metadata(project).encode()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: build_backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files[f"{info}/entry_points.txt"] = _entry_points(project).encode()
    files[f"{info}/licenses/LICENSE"] = (_ROOT / "LICENSE").read_bytes()
    record = [_record_line(name, content) for name, content in sorted(files.items())]
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    name = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(files.items()):
            entry = zipfile.ZipInfo(path, _FIRST_TIME)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory: str, config_settings: Mapping[str, Any] | None = None) -> str:
    """Builds the source archive; returns its name."""
    project = _project()
    stem = f"{project['name']}-{project['version']}"
    own = ["pyproject.toml", "build_backend.py", "README.md", "LICENSE"]
    paths = [*(_ROOT / name for name in own), *_sources()]
    files = {path.relative_to(_ROOT).as_posix(): path.read_bytes() for path in paths}
    files["PKG-INFO"] = _metadata(project).encode()
    name = f"{stem}.tar.gz"
    with tarfile.open(Path(sdist_directory) / name, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{stem}/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return name


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def _sources() -> list[Path]:
    files = [path for path in (_ROOT / "src").rglob("*") if path.is_file()]
    return sorted(path for path in files if path.suffix == ".py" or path.name == "py.typed")


def _metadata(project: Mapping[str, Any]) -> str:
    """See https://packaging.python.org/en/latest/specifications/core-metadata/."""
    extras = project["optional-dependencies"]
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {one}" for one in project["dependencies"]),
        *(f"Provides-Extra: {extra}" for extra in extras),
        *(
            f"Requires-Dist: {one}; extra == '{extra}'"
            for extra, needed in extras.items()
            for one in needed
        ),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (_ROOT / str(project["readme"])).read_text("utf-8")


def _entry_points(project: Mapping[str, Any]) -> str:
    lines = [f"{name} = {target}" for name, target in project["scripts"].items()]
    return "\n".join(["[console_scripts]", *lines, ""])


def _record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"
