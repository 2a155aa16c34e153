"""Follows the events of a run and answers its questions, for both clients."""

from __future__ import annotations

import inspect
import json
from contextlib import aclosing
from typing import Any, AsyncGenerator, Awaitable, Callable, Dict, List, Optional, Union

from .core import Core, RequestOptions, backoff, without_key
from .errors import ApiConnectionError, ApiError, api_error
from .generated import types as t
from .streams import server_sent_events

ENDS = ("completed", "failed", "canceled")
#: Types of events after which a question needs no answer.
SETTLED = ("run.input_received", "run.input_expired", "run.input_withdrawn")
#: How many times in a row a stream breaks before it brings another event.
_MOST_BREAKS = 8
_NEEDLESS = ("already_answered", "interaction_expired", "interaction_canceled")

#: Sees the calls to models that are under way: dictionaries with ``step``, ``role``, ``model`` and ``since``.
OnCalls = Callable[[List[Dict[str, Any]]], None]
OnQuestion = Callable[[t.Interaction], Optional[t.Answer]]
AsyncOnEvent = Callable[[t.Event], Optional[Awaitable[None]]]
AsyncOnQuestion = Callable[[t.Interaction], Union[Optional[t.Answer], Awaitable[Optional[t.Answer]]]]


async def follow(
    core: Core, id: str, after: int, on_calls: Optional[OnCalls], options: RequestOptions
) -> AsyncGenerator[t.Event, None]:
    """Events of the run until it has ended: each once and in order, however often the connection breaks."""
    seq, breaks, had_ended, ended = after, 0, False, False
    while True:
        try:
            async with aclosing(_connect(core, id, seq, on_calls, options)) as events:
                async for event in events:
                    if event["seq"] <= seq:
                        continue
                    seq, breaks = event["seq"], 0
                    ended = event["type"].removeprefix("run.") in ENDS
                    yield event
            if ended or had_ended:
                return
            # Without another event the stream ends where the run had ended before: at the next connection it is known.
            run = await core.json("GET", "/v1/runs/{id}", {"id": id}, options=options)
            had_ended = run["status"] in ENDS
        except ApiConnectionError:
            breaks += 1
            if breaks > _MOST_BREAKS:
                raise
        await core.driver.sleep(0 if had_ended else backoff(max(0, breaks - 1)))


async def _connect(
    core: Core, id: str, seq: int, on_calls: Optional[OnCalls], options: RequestOptions
) -> AsyncGenerator[Any, None]:
    """One connection. Raises ApiConnectionError when it is cut off."""
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(seq)}
    query = {"calls": "true"} if on_calls else {}
    pieces = core.stream("GET", "/v1/runs/{id}/events", {"id": id}, headers=headers, query=query, options=options)
    async with aclosing(pieces), aclosing(server_sent_events(pieces)) as messages:
        async for kind, text in messages:
            data = json.loads(text)
            if kind == "stream.closed":
                raise api_error(data["status"], {}, text)
            if kind != "stream.calls":
                yield data
            elif on_calls:
                on_calls(data["calls"])


async def answer(core: Core, id: str, on_question: AsyncOnQuestion, options: RequestOptions) -> None:
    """Asks for an answer to a question that is still open, and sends it; None leaves it to others."""
    options = without_key(options)
    interaction = await core.json("GET", "/v1/interactions/{id}", {"id": id}, options=options)
    if interaction["status"] != "open":
        return
    body = on_question(interaction)
    if inspect.isawaitable(body):
        body = await body
    if body is None:
        return
    try:
        await core.json("POST", "/v1/interactions/{id}/answer", {"id": id}, body=body, options=options)
    except ApiError as error:
        if error.code not in _NEEDLESS:
            raise
