"""Documents of Scriptorium in LlamaIndex. Requires the extra `llama-index`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from ._chunks import read_chunks
from ._sync.client import Scriptorium

_NOT_EMBEDDED = ["object_id", "job_id", "index", "boxes", "tokens"]
"""Metadata that says nothing about the text."""


class ScriptoriumReader(BaseReader):
    """Loads documents as chunks, recognised and, if you want, redacted by the service.

    Each `Document` is a chunk; its metadata has `source` (the filename), `object_id`, `job_id`,
    `index`, `headings`, `pages`, `boxes` and `tokens`.

    redact: The profile of a redaction before anything is read, such as `personal`.
    chunk_tokens: The maximum number of tokens in a chunk. Default: that of the service.
    overlap_tokens: How many tokens of the previous chunk are repeated. Default: that of the service.
    """

    def __init__(
        self,
        client: Scriptorium,
        *,
        redact: str | None = None,
        chunk_tokens: int | None = None,
        overlap_tokens: int | None = None,
    ) -> None:
        self._client = client
        self._redact = redact
        self._chunk_tokens = chunk_tokens
        self._overlap_tokens = overlap_tokens

    def lazy_load_data(
        self, sources: Sequence[str | os.PathLike[str]], *args: Any, **load_kwargs: Any
    ) -> Iterable[Document]:
        """Yields the chunks of one source after another.

        sources: Identifiers of objects (`obj_…`), or paths of files, which are uploaded.
        """
        for chunk in read_chunks(
            self._client,
            sources,
            redact=self._redact,
            chunk_tokens=self._chunk_tokens,
            overlap_tokens=self._overlap_tokens,
        ):
            yield Document(
                id_=f"{chunk.metadata['object_id']}-{chunk.metadata['index']}",
                text=chunk.text,
                metadata=chunk.metadata,
                excluded_embed_metadata_keys=_NOT_EMBEDDED,
                excluded_llm_metadata_keys=_NOT_EMBEDDED,
            )
