"""Runs the one core of the client with the sync and with the async httpx.

The core is written with ``async`` and ``await``. With SyncDriver nothing in it ever suspends, so that ``run`` runs a coroutine to its end in one step.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator, Protocol, TypeVar

import httpx

T = TypeVar("T")


class Driver(Protocol):
    build_request: Callable[..., httpx.Request]

    async def send(self, request: httpx.Request) -> httpx.Response: ...
    def pieces(self, response: httpx.Response) -> AsyncGenerator[bytes, None]: ...
    async def end(self, response: httpx.Response) -> None: ...
    async def sleep(self, seconds: float) -> None: ...
    async def close(self) -> None: ...


class SyncDriver:
    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self.build_request = client.build_request

    async def send(self, request: httpx.Request) -> httpx.Response:
        return self._client.send(request, stream=True)

    async def pieces(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        for piece in response.iter_bytes():
            yield piece

    async def end(self, response: httpx.Response) -> None:
        response.close()

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def close(self) -> None:
        self._client.close()


class AsyncDriver:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self.build_request = client.build_request

    async def send(self, request: httpx.Request) -> httpx.Response:
        return await self._client.send(request, stream=True)

    async def pieces(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        async for piece in response.aiter_bytes():
            yield piece

    async def end(self, response: httpx.Response) -> None:
        await response.aclose()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def close(self) -> None:
        await self._client.aclose()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine of a SyncDriver's core. Raises TypeError when it suspends: it was given something asynchronous."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    return work.throw(TypeError("The sync client cannot wait for something asynchronous: use AsyncParley."))


async def _next(source: AsyncIterator[T]) -> T:
    return await source.__anext__()


def drain(source: AsyncIterator[T]) -> Iterator[T]:
    """Iterates over an asynchronous generator of a SyncDriver's core, and closes it."""
    try:
        while True:
            try:
                value = run(_next(source))
            except StopAsyncIteration:
                return
            yield value
    finally:
        run(_close(source))


async def _close(source: Any) -> None:
    await source.aclose()
