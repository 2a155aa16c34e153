from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Generic, TypeVar

import httpx

from ..errors import APIConnectionError, APIError, APITimeoutError, api_error
from ..shared import LONGEST_SILENCE, Lines, Request, is_temporary, pause_after

Page = TypeVar("Page")
Entry = TypeVar("Entry")


class AsyncTransport:
    """Sends requests, and repeats those that may be repeated: connection errors, 408, 409 `idempotency_key_in_flight`, 429 and 5xx."""

    def __init__(self, http: httpx.AsyncClient, max_retries: int, timeout: float) -> None:
        self.http = http
        self._max_retries = max_retries
        self._timeout = timeout

    async def send(self, request: Request, stream: bool = False) -> httpx.Response:
        """The answer, read whole unless it is a stream. Raises APIError and APIConnectionError."""
        headers = request.all_headers()
        most = request.options.get("max_retries", self._max_retries)
        unanswered = False
        retries = 0
        while True:
            try:
                return await self._attempt(request, headers, stream)
            except (APIError, APIConnectionError) as error:
                if request.method == "DELETE" and unanswered and isinstance(error, APIError) and error.status == 404:
                    return httpx.Response(204)  # the attempt without an answer has deleted it
                unanswered = unanswered or isinstance(error, APIConnectionError)
                if retries >= most or not is_temporary(error):
                    raise
                await asyncio.sleep(pause_after(error, retries))
                retries += 1

    async def _attempt(self, request: Request, headers: dict[str, str], stream: bool) -> httpx.Response:
        timeout = request.options.get("timeout", self._timeout)
        try:
            sent = self.http.build_request(
                request.method,
                request.path,
                params=request.parameters(),
                content=request.content(),
                headers=headers,
                timeout=httpx.Timeout(timeout, read=max(timeout, LONGEST_SILENCE) if stream else timeout),
            )
            response = await self.http.send(sent, stream=True)
            try:
                if stream and response.is_success:
                    return response
                await response.aread()
            except BaseException:
                await response.aclose()
                raise
        except httpx.TimeoutException as error:
            raise APITimeoutError(f"{request.method} {request.path} got no answer in {timeout:g} s.") from error
        except httpx.TransportError as error:
            raise APIConnectionError(f"{request.method} {request.path} got no answer: {error}") from error
        if not response.is_success:
            raise api_error(response.status_code, response.headers, response.text)
        return response

    @asynccontextmanager
    async def lines(self, request: Request) -> AsyncIterator[AsyncIterator[str]]:
        """The lines of an answer, as they arrive."""
        response = await self.send(request, stream=True)
        try:
            yield self._lines_of(response, request)
        finally:
            await response.aclose()

    async def _lines_of(self, response: httpx.Response, request: Request) -> AsyncIterator[str]:
        lines = Lines()
        try:
            async for piece in response.aiter_bytes():
                for line in lines.add(piece):
                    yield line
        except httpx.TransportError as error:
            raise APIConnectionError(f"The answer of {request.path} was cut off: {error}") from error
        for line in lines.end():
            yield line


class AsyncList(Generic[Page, Entry]):
    """A list: iteration reads all its entries, page after page; `page` reads one page."""

    def __init__(self, transport: AsyncTransport, request: Request) -> None:
        self._transport = transport
        self._request = request

    async def page(self, cursor: str | None = None) -> Page:
        """The page of the query, with `next_cursor` for the next one."""
        query = {**self._request.query, "cursor": cursor}
        return (await self._transport.send(replace(self._request, query=query))).json()

    async def __aiter__(self) -> AsyncIterator[Entry]:
        cursor: str | None = None
        while True:
            page: Any = await self.page(cursor)
            for entry in page["data"]:
                yield entry
            cursor = page.get("next_cursor")
            if not cursor:
                return

    async def all(self) -> list[Entry]:
        return [entry async for entry in self]
