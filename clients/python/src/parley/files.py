"""Uploads and exports, for both clients."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import Any, AsyncIterable, AsyncGenerator, Callable, Dict, Iterable, List, Optional, Tuple, TypedDict, Union

from .core import Core, RequestOptions, without_key
from .errors import ApiConnectionError
from .generated import types as t
from .streams import iterate, lines_of

#: Values, or NDJSON in pieces, such as a file: dictionaries, texts or bytes.
Source = Union[Iterable[Any], AsyncIterable[Any]]

#: Of one request of an upload.
_MOST_BYTES = 4 * 1024 * 1024
_MOST_LINES = 1000
#: Between two looks at an upload that is being indexed. Seconds.
_LOOK_EVERY = 1.0

_NDJSON = "application/x-ndjson"


class DatasetProgress(TypedDict):
    #: Items sent so far.
    sent: int


class CorpusUpload(TypedDict):
    """The state or the result of an upload to a corpus."""

    #: Lines that the API has, read or not.
    sent: int
    added: int
    unchanged: int
    invalid: int
    #: Documents that are split and embedded.
    ready: int
    #: Invalid lines, counted from 1 over the whole upload: of each request the first 100.
    errors: List[Dict[str, Any]]
    uploads: List[t.Upload]


async def _text_of(source: Source) -> AsyncGenerator[Union[str, bytes], None]:
    async for piece in iterate(source):
        yield piece if isinstance(piece, (str, bytes)) else json.dumps(piece) + "\n"


async def batches_of(source: Source) -> AsyncGenerator[Tuple[bytes, int], None]:
    """NDJSON in bodies of requests, each with its number of lines. A line larger than a body may be is sent alone, and refused by the API."""
    lines: List[bytes] = []
    size = 0
    async for line in lines_of(_text_of(source)):
        if not line.strip():
            continue
        encoded = line.encode() + b"\n"
        if lines and (size + len(encoded) > _MOST_BYTES or len(lines) == _MOST_LINES):
            yield b"".join(lines), len(lines)
            lines, size = [], 0
        lines.append(encoded)
        size += len(encoded)
    if lines:
        yield b"".join(lines), len(lines)


async def upload_documents(
    core: Core,
    id: str,
    documents: Source,
    on_progress: Optional[Callable[[CorpusUpload], None]],
    options: RequestOptions,
) -> CorpusUpload:
    options = without_key(options)
    uploads: List[Any] = []
    starts: List[int] = []
    sent = 0

    def report() -> CorpusUpload:
        counts = {name: sum(it["counts"][name] for it in uploads) for name in ("added", "unchanged", "invalid", "ready")}
        errors = [
            {**error, "line": error["line"] + start} for it, start in zip(uploads, starts) for error in it["errors"]
        ]
        state: Any = {"sent": sent, **counts, "errors": errors, "uploads": list(uploads)}
        if on_progress:
            on_progress(state)
        return state

    async with aclosing(batches_of(documents)) as batches:
        async for content, lines in batches:
            path = "/v1/corpora/{id}/documents"
            given: Any = {"content": content, "media_type": _NDJSON, "options": options}
            uploads.append(await core.json("POST", path, {"id": id}, **given))
            starts.append(sent)
            sent += lines
            state = report()
    for index, upload in enumerate(uploads):
        ids = {"id": id, "upload_id": upload["id"]}
        while uploads[index]["status"] != "completed":
            await core.driver.sleep(_LOOK_EVERY)
            uploads[index] = await core.json("GET", "/v1/corpora/{id}/uploads/{upload_id}", ids, options=options)
            state = report()
    return state if uploads else report()


async def upload_items(
    core: Core,
    target: Any,
    items: Source,
    on_progress: Optional[Callable[[DatasetProgress], None]],
    options: RequestOptions,
) -> t.Dataset:
    """Adds items to a data set that is open (its id), or creates one (its request), and closes it."""
    if isinstance(target, str):
        ids = {"id": target}
    else:
        ids = {"id": (await core.json("POST", "/v1/datasets", {}, body=target, options=options))["id"]}
    options = without_key(options)
    sent = 0
    async with aclosing(batches_of(items)) as batches:
        async for content, lines in batches:
            given: Any = {"content": content, "media_type": _NDJSON, "options": options}
            await core.json("POST", "/v1/datasets/{id}/items", ids, **given)
            sent += lines
            if on_progress:
                on_progress({"sent": sent})
    dataset: t.Dataset = await core.json("POST", "/v1/datasets/{id}/close", ids, options=options)
    return dataset


async def export_tenant(core: Core, options: RequestOptions) -> AsyncGenerator[Dict[str, Any], None]:
    """Everything that the tenant has, resource by resource. Raises ApiConnectionError when the export is cut off."""
    after = None
    while True:
        last: Dict[str, Any] = {}
        async with aclosing(core.lines("GET", "/v1/export", {}, query={"after": after}, options=options)) as lines:
            async for last in lines:
                if last["type"] not in ("continue", "end"):
                    yield last
        if last.get("type") == "end":
            return
        if last.get("type") != "continue":
            raise ApiConnectionError("The export was cut off before its last line.")
        after = last["data"]["after"]
