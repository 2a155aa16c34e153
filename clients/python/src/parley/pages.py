"""Lists, which are read page by page."""

from __future__ import annotations

from typing import Any, AsyncIterator, Coroutine, Generic, Iterator, List, Mapping, Optional, TypeVar, cast

from .core import Core, RequestOptions
from .drivers import drain, run

Entry = TypeVar("Entry")
Page = TypeVar("Page")


class _Query:
    """A list that can be read. Short lists have no cursor."""

    def __init__(
        self,
        core: Core,
        path: str,
        ids: Mapping[str, str],
        *,
        query: Optional[Mapping[str, Any]] = None,
        options: RequestOptions,
    ) -> None:
        self._core = core
        self._path = path
        self._ids = ids
        self._query = query or {}
        self._options = options

    def _page(self, **more: Any) -> Coroutine[Any, Any, Any]:
        query = {**self._query, **more}
        return self._core.json("GET", self._path, self._ids, query=query, options=self._options)

    async def _entries(self) -> AsyncIterator[Any]:
        page = await self._page()
        while True:
            for entry in page["data"]:
                yield entry
            if not page.get("next_cursor"):
                return
            page = await self._page(cursor=page["next_cursor"])


class Pages(_Query, Generic[Entry, Page]):
    """Iterating reads all entries, page after page; ``page`` reads one page."""

    def __iter__(self) -> Iterator[Entry]:
        return drain(self._entries())

    def page(self) -> Page:
        """The page of the query, with ``next_cursor`` for the next one."""
        return cast(Page, run(self._page()))

    def all(self) -> List[Entry]:
        return list(self)


class AsyncPages(_Query, Generic[Entry, Page]):
    """``async for`` reads all entries, page after page; ``page`` reads one page."""

    def __aiter__(self) -> AsyncIterator[Entry]:
        return self._entries()

    async def page(self) -> Page:
        """The page of the query, with ``next_cursor`` for the next one."""
        return cast(Page, await self._page())

    async def all(self) -> List[Entry]:
        return [entry async for entry in self]
