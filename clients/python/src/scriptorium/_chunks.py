"""Chunks of documents for language models, which the integrations share."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from . import types as t
from ._sync.client import Scriptorium
from .errors import ScriptoriumError


class Chunk(NamedTuple):
    """A part of a document with its origin."""

    text: str
    metadata: dict[str, Any]


def read_chunks(
    client: Scriptorium,
    sources: Iterable[str | os.PathLike[str]],
    *,
    redact: str | None,
    chunk_tokens: int | None,
    overlap_tokens: int | None,
) -> Iterator[Chunk]:
    """Uploads files, starts a job on each source, and yields the chunks of one after another."""
    options: dict[str, Any] = {"format": ["chunks"]}
    if chunk_tokens is not None:
        options["chunk_tokens"] = chunk_tokens
    if overlap_tokens is not None:
        options["overlap_tokens"] = overlap_tokens
    operations: list[Any] = [{"op": "normalize_for_llm", "options": options}]
    if redact is not None:
        operations.insert(0, {"op": "redact_pii", "options": {"entities": redact}})
    started: list[tuple[t.Object | t.Upload, str]] = []
    for source in sources:
        found = _object_of(client, source)
        job = client.jobs.create(source_object_id=found["id"], operations=operations)
        started.append((found, job["id"]))
    for found, job_id in started:
        yield from _chunks_of(client, found, client.jobs.wait(job_id))


def _object_of(client: Scriptorium, source: str | os.PathLike[str]) -> t.Object | t.Upload:
    if isinstance(source, str) and re.fullmatch(r"obj_[0-9a-z]{26}", source):
        return client.objects.get(source)
    return client.objects.upload(source)


def _chunks_of(client: Scriptorium, found: t.Object | t.Upload, job: t.Job) -> Iterator[Chunk]:
    outputs = [one["object_id"] for one in job["outputs"] if one["kind"] == "chunks"]
    if not outputs:
        error = job["error"]
        reason = error["message"] if error else f"The job is {job['state']}."
        detail = f"{found['filename']} has no chunks: {reason} ({job['id']})"
        raise ScriptoriumError({"code": error["code"] if error else "failed", "detail": detail})
    for line in client.objects.download(outputs[0]).read().decode().splitlines():
        chunk = json.loads(line)
        fields = {name: chunk[name] for name in ("index", "headings", "pages", "boxes", "tokens")}
        origin = {"source": found["filename"], "object_id": found["id"], "job_id": job["id"]}
        yield Chunk(chunk["text"], {**origin, **fields})
