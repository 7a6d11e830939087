"""The documented interfaces of LangChain and LlamaIndex, for machines without these packages."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any


class _Document:
    """`Document` of LangChain (page_content) and of LlamaIndex (text, id_)."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def get_content(self, metadata_mode: str) -> str:
        shown = {
            name: value
            for name, value in self.metadata.items()  # type: ignore[attr-defined]
            if name not in self.excluded_embed_metadata_keys  # type: ignore[attr-defined]
        }
        lines = [f"{name}: {value}" for name, value in shown.items()]
        return "\n".join([*lines, "", self.text])  # type: ignore[attr-defined]


class _BaseLoader:
    def lazy_load(self) -> Iterator[Any]:
        raise NotImplementedError

    def load(self) -> list[Any]:
        return list(self.lazy_load())


class _BaseRetriever:
    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def invoke(self, query: str) -> list[Any]:
        found: list[Any] = self._get_relevant_documents(query, run_manager=None)  # type: ignore[attr-defined]
        return found

    async def ainvoke(self, query: str) -> list[Any]:
        return await asyncio.to_thread(self.invoke, query)


class _BaseReader:
    def lazy_load_data(self, *args: Any, **load_kwargs: Any) -> Iterable[Any]:
        raise NotImplementedError

    def load_data(self, *args: Any, **load_kwargs: Any) -> list[Any]:
        return list(self.lazy_load_data(*args, **load_kwargs))


class _MetadataMode:
    EMBED = "embed"


_MODULES: dict[str, dict[str, Any]] = {
    "langchain_core": {},
    "langchain_core.callbacks": {"CallbackManagerForRetrieverRun": object},
    "langchain_core.document_loaders": {"BaseLoader": _BaseLoader},
    "langchain_core.documents": {"Document": _Document},
    "langchain_core.retrievers": {"BaseRetriever": _BaseRetriever},
    "llama_index": {},
    "llama_index.core": {},
    "llama_index.core.readers": {},
    "llama_index.core.readers.base": {"BaseReader": _BaseReader},
    "llama_index.core.schema": {"Document": _Document, "MetadataMode": _MetadataMode},
}


def provide_missing() -> None:
    """Provides the interfaces of packages that are not installed."""
    missing = [
        package
        for package in ("langchain_core", "llama_index")
        if importlib.util.find_spec(package) is None
    ]
    for name, members in _MODULES.items():
        if name.partition(".")[0] in missing:
            module = ModuleType(name)
            module.__dict__.update(members)
            sys.modules[name] = module
