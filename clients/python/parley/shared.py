"""Parts that the synchronous and the asynchronous client have in common; nothing here waits or reads."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypedDict

from .errors import APIConnectionError, APIError

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
# A longer `Retry-After` is left to the caller, as an error. Seconds.
LONGEST_RETRY_AFTER = 120
# Server-sent events come with a comment every 15 seconds: after three times as long without one the connection counts as cut. Seconds.
LONGEST_SILENCE = 45.0
# How many times in a row a stream breaks before it brings another event.
MOST_BREAKS = 8
# Of one request of an upload.
MOST_BYTES = 4 * 1024 * 1024
MOST_LINES = 1000
# Between two looks at an upload that is being indexed. Seconds.
LOOK_EVERY = 1.0
NDJSON = {"Content-Type": "application/x-ndjson"}

ENDS = ("completed", "failed", "canceled")
# Codes of answers to a question that needs none any more.
NEEDLESS = ("already_answered", "interaction_expired", "interaction_canceled")


class RequestOptions(TypedDict, total=False):
    """Settings of one request, different from its client's."""

    max_retries: int
    # For one attempt, in seconds; of a stream, until it begins.
    timeout: float
    # Of a POST; by default a random one.
    idempotency_key: str
    headers: dict[str, str]


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, Any] = field(default_factory=dict)
    # JSON, or text that is sent as it is.
    body: Any = None
    options: RequestOptions = field(default_factory=lambda: RequestOptions())
    headers: dict[str, str] = field(default_factory=dict)

    def parameters(self) -> dict[str, Any]:
        """The query without arguments that are None; the entries of a dict are sent as `name[key]`."""
        given = {name: value for name, value in self.query.items() if value is not None}
        for name, value in list(given.items()):
            if isinstance(value, dict):
                del given[name]
                given.update({f"{name}[{key}]": entry for key, entry in value.items()})
        return given

    def content(self) -> bytes | None:
        if self.body is None:
            return None
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()

    def all_headers(self) -> dict[str, str]:
        """The headers; a POST has an Idempotency-Key, the same in all its attempts."""
        headers = {**self.headers, **self.options.get("headers", {})}
        if self.body is not None:
            headers.setdefault("Content-Type", "application/json")
        if self.method == "POST":
            headers.setdefault("Idempotency-Key", self.options.get("idempotency_key") or str(uuid.uuid4()))
        return headers


def backoff(failures: int) -> float:
    """Twice as long after each failure, with jitter. Seconds."""
    return min(FIRST_PAUSE * 2**failures, LONGEST_PAUSE) * (0.75 + random.random() / 4)


def is_temporary(error: Exception) -> bool:
    if not isinstance(error, APIError):
        return isinstance(error, APIConnectionError)
    if (error.retry_after or 0) > LONGEST_RETRY_AFTER:
        return False
    return error.status in (408, 429) or error.status >= 500 or error.code == "idempotency_key_in_flight"


def pause_after(error: Exception, retries: int) -> float:
    """Seconds until the next attempt: as the answer says, or twice as long each time."""
    if isinstance(error, APIError) and error.retry_after is not None:
        return error.retry_after
    return backoff(retries)


class Lines:
    """Cuts pieces of bytes into lines."""

    def __init__(self) -> None:
        self._rest = b""

    def add(self, piece: bytes) -> list[str]:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        return [line.removesuffix(b"\r").decode() for line in lines]

    def end(self) -> list[str]:
        return [self._rest.decode()] if self._rest else []


class ServerSentEvents:
    """Server-sent events that arrived whole (HTML Standard, 9.2.6): their types and data."""

    def __init__(self) -> None:
        self._type = ""
        self._data: list[str] = []

    def add(self, line: str) -> tuple[str, Any] | None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._type = value
        if name == "data":
            self._data.append(value)
        if line:
            return None
        message = (self._type, json.loads("\n".join(self._data))) if self._data else None
        self._type, self._data = "", []
        return message


def batches_of(values: Iterable[Any]) -> Iterator[tuple[str, int]]:
    """NDJSON in bodies of requests, each with its number of lines. Values that are texts are lines already."""
    lines: list[str] = []
    size = 0
    for value in values:
        line = value.rstrip("\r\n") if isinstance(value, str) else json.dumps(value)
        if not line.strip():
            continue
        more = len(line.encode()) + 1
        if lines and (size + more > MOST_BYTES or len(lines) == MOST_LINES):
            yield "\n".join(lines) + "\n", len(lines)
            lines, size = [], 0
        lines.append(line)
        size += more
    if lines:
        yield "\n".join(lines) + "\n", len(lines)
