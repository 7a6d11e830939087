"""Lists, which are read page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Generic, TypeVar, cast

from .._options import RequestOptions
from .transport import AsyncTransport

Item = TypeVar("Item")
Page = TypeVar("Page")


class AsyncListing(Generic[Item, Page]):
    """A lazily read list: iterate over it, or read single pages with `page()`."""

    def __init__(
        self,
        transport: AsyncTransport,
        operation: str,
        *,
        path: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        options: RequestOptions | None = None,
    ) -> None:
        self._transport = transport
        self._operation = operation
        self._path = path
        self._query = query or {}
        self._options = options

    async def page(self, cursor: str | None = None) -> Page:
        """Reads one page, including `total` and `facets`. Pass its `next_cursor` to read the next."""
        return cast(Page, await self._read(cursor))

    async def pages(self) -> AsyncIterator[Page]:
        """Reads all pages."""
        async for page in self._pages():
            yield cast(Page, page)

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self._pages():
            for item in page["data"]:
                yield item

    async def _pages(self) -> AsyncIterator[dict[str, Any]]:
        cursor: str | None = None
        while True:
            page = await self._read(cursor)
            yield page
            cursor = page["next_cursor"]
            if not page["has_more"] or cursor is None:
                return

    async def _read(self, cursor: str | None) -> dict[str, Any]:
        query = {**self._query, "cursor": cursor} if cursor else self._query
        page: dict[str, Any] = await self._transport.call(
            self._operation, path=self._path, query=query, options=self._options
        )
        return page
