"""Documents of Scriptorium in LangChain. Requires the extra `langchain`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from ._chunks import read_chunks
from ._sync.client import Scriptorium


class ScriptoriumLoader(BaseLoader):
    """Loads documents as chunks, recognised and, if you want, redacted by the service.

    Each `Document` is a chunk; its metadata has `source` (the filename), `object_id`, `job_id`,
    `index`, `headings`, `pages`, `boxes` and `tokens`.

    sources: Identifiers of objects (`obj_…`), or paths of files, which are uploaded.
    redact: The profile of a redaction before anything is read, such as `personal`.
    chunk_tokens: The maximum number of tokens in a chunk. Default: that of the service.
    overlap_tokens: How many tokens of the previous chunk are repeated. Default: that of the service.
    """

    def __init__(
        self,
        client: Scriptorium,
        sources: Sequence[str | os.PathLike[str]],
        *,
        redact: str | None = None,
        chunk_tokens: int | None = None,
        overlap_tokens: int | None = None,
    ) -> None:
        self._client = client
        self._sources = sources
        self._redact = redact
        self._chunk_tokens = chunk_tokens
        self._overlap_tokens = overlap_tokens

    def lazy_load(self) -> Iterator[Document]:
        """Yields the chunks of one source after another."""
        for chunk in read_chunks(
            self._client,
            self._sources,
            redact=self._redact,
            chunk_tokens=self._chunk_tokens,
            overlap_tokens=self._overlap_tokens,
        ):
            yield Document(page_content=chunk.text, metadata=chunk.metadata)


class ScriptoriumRetriever(BaseRetriever):
    """Finds passages with `POST /v1/search/passages`, best match first.

    Each `Document` is a passage; its metadata has `source` (the filename), `object_id`, `page`,
    `last_page`, `heading_path`, `boxes`, `citation_id` and `score`.
    """

    client: Any
    """A `Scriptorium`."""
    k: int = 10
    """The maximum number of documents."""
    filter: dict[str, Any] = {}
    """Only passages of these objects, such as `{"tag": ["2026"]}`."""
    mode: Literal["lexical", "hybrid"] | None = None
    """`lexical` compares words, `hybrid` also meanings. Default: that of the service."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        client: Scriptorium = self.client
        mode: dict[str, Any] = {} if self.mode is None else {"mode": self.mode}
        found = client.search.passages(query=query, filter=self.filter, limit=self.k, **mode)
        return [
            Document(
                page_content=passage["text"],
                metadata={
                    "source": passage["filename"],
                    "object_id": passage["object_id"],
                    "page": passage["page"],
                    "last_page": passage["last_page"],
                    "heading_path": passage["heading_path"],
                    "boxes": passage["boxes"],
                    "citation_id": passage["citation_id"],
                    "score": passage["score"],
                },
            )
            for passage in found["data"]
        ]
