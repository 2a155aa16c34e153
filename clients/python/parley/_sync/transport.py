"""Written by clients/python/generate.py. Do not edit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Generic, TypeVar

import httpx

from ..errors import APIConnectionError, APIError, APITimeoutError, api_error
from ..shared import LONGEST_SILENCE, Lines, Request, is_temporary, pause_after

Page = TypeVar("Page")
Entry = TypeVar("Entry")


class Transport:
    """Sends requests, and repeats those that may be repeated: connection errors, 408, 409 `idempotency_key_in_flight`, 429 and 5xx."""

    def __init__(self, http: httpx.Client, max_retries: int, timeout: float) -> None:
        self.http = http
        self._max_retries = max_retries
        self._timeout = timeout

    def send(self, request: Request, stream: bool = False) -> httpx.Response:
        """The answer, read whole unless it is a stream. Raises APIError and APIConnectionError."""
        headers = request.all_headers()
        most = request.options.get("max_retries", self._max_retries)
        unanswered = False
        retries = 0
        while True:
            try:
                return self._attempt(request, headers, stream)
            except (APIError, APIConnectionError) as error:
                if request.method == "DELETE" and unanswered and isinstance(error, APIError) and error.status == 404:
                    return httpx.Response(204)  # the attempt without an answer has deleted it
                unanswered = unanswered or isinstance(error, APIConnectionError)
                if retries >= most or not is_temporary(error):
                    raise
                time.sleep(pause_after(error, retries))
                retries += 1

    def _attempt(self, request: Request, headers: dict[str, str], stream: bool) -> httpx.Response:
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
            response = self.http.send(sent, stream=True)
            try:
                if stream and response.is_success:
                    return response
                response.read()
            except BaseException:
                response.close()
                raise
        except httpx.TimeoutException as error:
            raise APITimeoutError(f"{request.method} {request.path} got no answer in {timeout:g} s.") from error
        except httpx.TransportError as error:
            raise APIConnectionError(f"{request.method} {request.path} got no answer: {error}") from error
        if not response.is_success:
            raise api_error(response.status_code, response.headers, response.text)
        return response

    @contextmanager
    def lines(self, request: Request) -> Iterator[Iterator[str]]:
        """The lines of an answer, as they arrive."""
        response = self.send(request, stream=True)
        try:
            yield self._lines_of(response, request)
        finally:
            response.close()

    def _lines_of(self, response: httpx.Response, request: Request) -> Iterator[str]:
        lines = Lines()
        try:
            for piece in response.iter_bytes():
                for line in lines.add(piece):
                    yield line
        except httpx.TransportError as error:
            raise APIConnectionError(f"The answer of {request.path} was cut off: {error}") from error
        for line in lines.end():
            yield line


class List(Generic[Page, Entry]):
    """A list: iteration reads all its entries, page after page; `page` reads one page."""

    def __init__(self, transport: Transport, request: Request) -> None:
        self._transport = transport
        self._request = request

    def page(self, cursor: str | None = None) -> Page:
        """The page of the query, with `next_cursor` for the next one."""
        query = {**self._request.query, "cursor": cursor}
        return (self._transport.send(replace(self._request, query=query))).json()

    def __iter__(self) -> Iterator[Entry]:
        cursor: str | None = None
        while True:
            page: Any = self.page(cursor)
            for entry in page["data"]:
                yield entry
            cursor = page.get("next_cursor")
            if not cursor:
                return

    def all(self) -> list[Entry]:
        return [entry for entry in self]
