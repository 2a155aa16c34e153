"""Lines and server-sent events in pieces of bytes."""

from __future__ import annotations

import codecs
from contextlib import aclosing
from typing import Any, AsyncGenerator, AsyncIterator, List, Tuple


async def iterate(source: Any) -> AsyncGenerator[Any, None]:
    """Reads an iterable, asynchronous or not."""
    if hasattr(source, "__aiter__"):
        async for value in source:
            yield value
    else:
        for value in source:
            yield value


async def lines_of(source: AsyncIterator[Any]) -> AsyncGenerator[str, None]:
    """The lines of pieces of text or of UTF-8, without their ends. A line ends with LF or CRLF only."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    rest: List[str] = []
    async for piece in source:
        *lines, last = (piece if isinstance(piece, str) else decoder.decode(piece)).split("\n")
        for line in lines:
            rest.append(line)
            yield "".join(rest).removesuffix("\r")
            rest = []
        rest.append(last)
    end = "".join(rest) + decoder.decode(b"", final=True)
    if end:
        yield end


async def server_sent_events(source: AsyncIterator[bytes]) -> AsyncGenerator[Tuple[str, str], None]:
    """Type and data of server-sent events that arrived whole (HTML Standard, 9.2.6), without their ids, which their data has."""
    kind, data = "", []
    async with aclosing(lines_of(source)) as lines:
        async for line in lines:
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                kind = value
            elif field == "data":
                data.append(value)
            elif line == "":
                if data:
                    yield kind, "\n".join(data)
                kind, data = "", []
