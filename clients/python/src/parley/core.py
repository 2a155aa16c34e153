"""Sends requests, and repeats them where that is safe. One core for both clients."""

from __future__ import annotations

import json
import random
import uuid
from contextlib import aclosing
from typing import Any, AsyncGenerator, Dict, List, Mapping, Optional, Tuple, TypedDict, Union, cast
from urllib.parse import quote

import httpx

from .drivers import Driver
from .errors import ApiConnectionError, ApiError, ApiTimeoutError, api_error
from .streams import lines_of

#: Pauses between attempts, unless the answer names one. Seconds.
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
#: A longer ``Retry-After`` is left to the caller, as an error. Seconds.
_LONGEST_RETRY_AFTER = 120
#: Server-sent events come with a comment every 15 seconds: after three times as long without one the connection counts as cut. Seconds.
_LONGEST_SILENCE = 45.0


class RequestOptions(TypedDict, total=False):
    """Settings of one request that differ from those of its client."""

    #: How often a failed request is repeated.
    max_retries: int
    #: Seconds without an answer, or without a further part of it, for one attempt.
    timeout: float
    #: Of a POST; by default a random one.
    idempotency_key: str
    headers: Mapping[str, str]


def without_key(options: RequestOptions) -> RequestOptions:
    """The options for further requests, which have other effects than the first."""
    return cast(RequestOptions, {name: value for name, value in options.items() if name != "idempotency_key"})


class Core:
    def __init__(self, driver: Driver, api_key: Optional[str], base_url: str, max_retries: int, timeout: float) -> None:
        self.driver = driver
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._base_url = base_url.rstrip("/")
        self._max_retries = max_retries
        self._timeout = timeout

    async def json(self, method: str, path: str, ids: Mapping[str, str], **given: Any) -> Any:
        content = await self._read(method, path, ids, **given)
        return json.loads(content) if content else None

    async def none(self, method: str, path: str, ids: Mapping[str, str], **given: Any) -> None:
        await self._read(method, path, ids, **given)

    async def text(self, method: str, path: str, ids: Mapping[str, str], **given: Any) -> str:
        return (await self._read(method, path, ids, **given)).decode()

    async def content(self, method: str, path: str, ids: Mapping[str, str], **given: Any) -> bytes:
        return await self._read(method, path, ids, **given)

    async def lines(self, method: str, path: str, ids: Mapping[str, str], **given: Any) -> AsyncGenerator[Any, None]:
        """The values of NDJSON, as they arrive."""
        async with aclosing(self.stream(method, path, ids, **given)) as pieces:
            async with aclosing(lines_of(pieces)) as lines:
                async for line in lines:
                    if line:
                        yield json.loads(line)

    async def stream(self, method: str, path: str, ids: Mapping[str, str], **given: Any) -> AsyncGenerator[bytes, None]:
        """The body of the answer, as it arrives. Raises ApiConnectionError when it is cut off."""
        response, _ = await self._send(method, path, ids, streams=True, **given)
        try:
            async with aclosing(self.driver.pieces(response)) as pieces:
                async for piece in pieces:
                    yield piece
        except httpx.RequestError as error:
            raise ApiConnectionError(f"The answer to {method} {path} was cut off: {error!r}") from error
        finally:
            await self.driver.end(response)

    async def _read(self, method: str, path: str, ids: Mapping[str, str], **given: Any) -> bytes:
        return (await self._send(method, path, ids, **given))[1]

    async def _send(
        self,
        method: str,
        path: str,
        ids: Mapping[str, str],
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        content: Union[str, bytes, None] = None,
        media_type: str = "application/json",
        headers: Optional[Mapping[str, str]] = None,
        streams: bool = False,
        options: RequestOptions,
    ) -> Tuple[httpx.Response, bytes]:
        """Repeats connection errors, 408, 409 idempotency_key_in_flight, 429 and 5xx. All attempts of a POST have the same Idempotency-Key."""
        sent = {**self._headers, **(headers or {})}
        if method == "POST":
            sent["Idempotency-Key"] = options.get("idempotency_key") or str(uuid.uuid4())
        if body is not None:
            content = json.dumps(body)
        if content is not None:
            sent["Content-Type"] = media_type
        sent.update(options.get("headers", {}))
        timeout = options.get("timeout", self._timeout)
        request = {
            "headers": sent,
            "params": _params(query or {}),
            "content": content,
            "timeout": httpx.Timeout(timeout, read=_LONGEST_SILENCE) if streams else httpx.Timeout(timeout),
        }
        url = self._base_url + _path(path, ids)
        unanswered = False
        retries = 0
        while True:
            try:
                return await self._attempt(method, url, request, streams)
            except (ApiError, ApiConnectionError) as error:
                if method == "DELETE" and unanswered and isinstance(error, ApiError) and error.status == 404:
                    return httpx.Response(204), b""  # the attempt without an answer has deleted it
                unanswered = unanswered or isinstance(error, ApiConnectionError)
                if retries >= options.get("max_retries", self._max_retries) or not _is_temporary(error):
                    raise
                pause = _pause_after(error, retries)
            await self.driver.sleep(pause)
            retries += 1

    async def _attempt(
        self, method: str, url: str, given: Dict[str, Any], streams: bool
    ) -> Tuple[httpx.Response, bytes]:
        """The answer with its body; of a stream, which the caller ends, without it."""
        try:
            response = await self.driver.send(self.driver.build_request(method, url, **given))
            if streams and response.is_success:
                return response, b""
            try:
                async with aclosing(self.driver.pieces(response)) as pieces:
                    content = b"".join([piece async for piece in pieces])
            finally:
                await self.driver.end(response)
        except httpx.TimeoutException as error:
            raise ApiTimeoutError(f"{method} {url} got no answer in time: {error!r}") from error
        except httpx.RequestError as error:
            raise ApiConnectionError(f"{method} {url} got no answer: {error!r}") from error
        if not response.is_success and response.status_code != 304:
            raise api_error(response.status_code, response.headers, content.decode(errors="replace"))
        return response, content


def backoff(failures: int) -> float:
    """Twice as long after each failure, with jitter. Seconds."""
    return min(_FIRST_PAUSE * 2**failures, _LONGEST_PAUSE) * (0.75 + random.random() / 4)


def _is_temporary(error: Exception) -> bool:
    if not isinstance(error, ApiError):
        return True
    if (error.retry_after or 0) > _LONGEST_RETRY_AFTER:
        return False
    return error.status in (408, 429) or error.status >= 500 or error.code == "idempotency_key_in_flight"


def _pause_after(error: Exception, retries: int) -> float:
    told = error.retry_after if isinstance(error, ApiError) else None
    return backoff(retries) if told is None else told


def _path(template: str, ids: Mapping[str, str]) -> str:
    """The path with its parameters. Raises ValueError for an empty one, which would name another operation."""
    for name, value in ids.items():
        if not value:
            raise ValueError(f"{name} is empty.")
    return template.format(**{name: quote(value, safe="") for name, value in ids.items()})


def _params(query: Mapping[str, Any]) -> List[Tuple[str, Any]]:
    """The query; an object is written as ``name[key]=value``."""
    params: List[Tuple[str, Any]] = []
    for name, value in query.items():
        if isinstance(value, Mapping):
            params += [(f"{name}[{key}]", entry) for key, entry in value.items()]
        elif value is not None:
            params.append((name, value))
    return params
