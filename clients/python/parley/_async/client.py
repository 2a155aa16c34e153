from __future__ import annotations

import asyncio
import builtins
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from types import TracebackType
from typing import Any, Self, Unpack

import httpx

from .. import types
from ..errors import APIConnectionError, APIError, api_error
from ..shared import ENDS, LOOK_EVERY, MOST_BREAKS, NDJSON, NEEDLESS, Request, RequestOptions, ServerSentEvents, backoff, batches_of
from . import resources
from .resources import quote
from .transport import AsyncTransport

Ask = Callable[[types.Interaction], Awaitable["types.Answer | None"]]
See = Callable[[types.Event], Awaitable[None]]


class AsyncRuns(resources.AsyncRunsMethods):
    async def events(self, id: str, *, after: int = 0, **options: Unpack[RequestOptions]) -> AsyncIterator[types.Event]:
        """Events of the run, past and future, until it has ended: each once and in order, however often the connection breaks."""
        seq, breaks, ended, had_ended = after, 0, False, False
        while True:
            try:
                async for event in self._connect(id, seq, options):
                    if event["seq"] <= seq:
                        continue
                    seq, breaks = event["seq"], 0
                    ended = event["type"].removeprefix("run.") in ENDS
                    yield event
                if ended or had_ended:
                    return
                # Without another event the stream ends where the run had ended before: at the next connection it is known.
                had_ended = (await self.get(id, **options))["status"] in ENDS
            except APIConnectionError:
                breaks += 1
                if breaks > MOST_BREAKS:
                    raise
            if not had_ended:
                await asyncio.sleep(backoff(max(0, breaks - 1)))

    async def _connect(self, id: str, seq: int, options: RequestOptions) -> AsyncIterator[types.Event]:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(seq)}
        messages = ServerSentEvents()
        async with self._transport.lines(Request("GET", f"/v1/runs/{quote(id)}/events", headers=headers, options=options)) as lines:
            async for line in lines:
                message = messages.add(line)
                if message is None:
                    continue
                kind, data = message
                if kind == "stream.closed":
                    raise api_error(data["status"], {}, json.dumps(data))
                yield data

    async def wait(
        self, id: str, *, on_question: Ask | None = None, on_event: See | None = None, **options: Unpack[RequestOptions]
    ) -> types.Run:
        """Waits until the run has ended, and returns it: completed, failed or canceled.

        `on_question` answers a question of the run; None leaves it to others. `on_event` sees every event, from the first. The next event is read
        once they have returned.
        """
        after = 0
        while True:
            async for event in self.events(id, after=after, **options):
                after = event["seq"]
                if on_event:
                    await on_event(event)
                if on_question and event["type"] == "run.input_required":
                    await self._answer(event["data"]["interaction_id"], on_question, options)
            run = await self.get(id, **options)
            if run["status"] in ENDS:
                return run

    async def _answer(self, id: str, on_question: Ask, options: RequestOptions) -> None:
        """Asks for an answer to a question that is still open, and sends it."""
        path = f"/v1/interactions/{quote(id)}"
        interaction = (await self._transport.send(Request("GET", path, options=options))).json()
        if interaction["status"] != "open":
            return
        answer = await on_question(interaction)
        if answer is None:
            return
        try:
            await self._transport.send(Request("POST", f"{path}/answer", body=answer, options=options))
        except APIError as error:
            if error.code not in NEEDLESS:
                raise

    async def create_and_wait(
        self, body: types.CreateRun, *, on_question: Ask | None = None, on_event: See | None = None, **options: Unpack[RequestOptions]
    ) -> types.Run:
        """Starts a run and waits until it has ended."""
        run = await self.create(body, **options)
        options.pop("idempotency_key", None)
        return await self.wait(run["id"], on_question=on_question, on_event=on_event, **options)


class AsyncArtifacts(resources.AsyncArtifactsMethods):
    async def _content(self, id: str, artifact_id: str, options: RequestOptions) -> httpx.Response:
        return await self._transport.send(Request("GET", f"/v1/runs/{quote(id)}/artifacts/{quote(artifact_id)}/content", options=options))

    async def text(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> str:
        return (await self._content(id, artifact_id, options)).content.decode()

    async def json(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> Any:
        return (await self._content(id, artifact_id, options)).json()

    async def bytes(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> builtins.bytes:
        return (await self._content(id, artifact_id, options)).content


class AsyncCorpora(resources.AsyncCorporaMethods):
    async def upload(
        self,
        id: str,
        documents: Iterable[types.CreateDocument | str],
        *,
        on_progress: Callable[[int], None] | None = None,
        **options: Unpack[RequestOptions],
    ) -> list[types.Upload]:
        """Adds documents, values or lines of NDJSON, and waits until they are split and embedded. `on_progress` gets the number of lines sent."""
        options.pop("idempotency_key", None)
        uploads: list[types.Upload] = []
        sent = 0
        for text, lines in batches_of(documents):
            request = Request("POST", f"/v1/corpora/{quote(id)}/documents", body=text, headers=NDJSON, options=options)
            uploads.append((await self._transport.send(request)).json())
            sent += lines
            if on_progress:
                on_progress(sent)
        for index, upload in enumerate(uploads):
            while uploads[index]["status"] != "completed":
                await asyncio.sleep(LOOK_EVERY)
                uploads[index] = await self.get_upload(id, upload["id"], **options)
        return uploads


class AsyncDatasets(resources.AsyncDatasetsMethods):
    async def upload(
        self,
        id: str,
        items: Iterable[types.DatasetItem | str],
        *,
        on_progress: Callable[[int], None] | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.Dataset:
        """Adds items, values or lines of NDJSON, to a data set that is open, and closes it."""
        options.pop("idempotency_key", None)
        sent = 0
        for text, lines in batches_of(items):
            await self._transport.send(Request("POST", f"/v1/datasets/{quote(id)}/items", body=text, headers=NDJSON, options=options))
            sent += lines
            if on_progress:
                on_progress(sent)
        return await self.close(id, **options)

    async def export(self, id: str, **options: Unpack[RequestOptions]) -> AsyncIterator[types.DatasetItem]:
        """Its items, as they were uploaded."""
        async with self._transport.lines(Request("GET", f"/v1/datasets/{quote(id)}/export", options=options)) as lines:
            async for line in lines:
                if line:
                    yield json.loads(line)


class AsyncTenant(resources.AsyncTenantMethods):
    async def export(self, **options: Unpack[RequestOptions]) -> AsyncIterator[dict[str, Any]]:
        """Everything that the tenant has, resource by resource. Raises APIConnectionError when the export is cut off."""
        after: str | None = None
        while True:
            last: dict[str, Any] = {}
            async with self._transport.lines(Request("GET", "/v1/export", {"after": after}, options=options)) as lines:
                async for line in lines:
                    if not line:
                        continue
                    last = json.loads(line)
                    if last["type"] not in ("continue", "end"):
                        yield last
            if last.get("type") == "end":
                return
            if last.get("type") != "continue":
                raise APIConnectionError("The export was cut off before its last line.")
            after = last["data"]["after"]


class AsyncParley:
    """A client of the API. Every operation of the OpenAPI document is a method of one of its resources.

    `api_key` and `base_url` come from PARLEY_API_KEY and PARLEY_BASE_URL by default. A request is repeated up to `max_retries` times. `timeout` is
    for one attempt, in seconds. `transport` is one of httpx, for proxies
    and the like.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        max_retries: int = 2,
        timeout: float = 60,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        base_url = base_url or os.environ.get("PARLEY_BASE_URL")
        api_key = api_key or os.environ.get("PARLEY_API_KEY")
        if not base_url:
            raise ValueError("Give base_url, or set PARLEY_BASE_URL.")
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._http = httpx.AsyncClient(base_url=base_url.rstrip("/"), headers=headers, transport=transport)
        own = AsyncTransport(self._http, max_retries, timeout)
        self.runs = AsyncRuns(own)
        self.artifacts = AsyncArtifacts(own)
        self.interactions = resources.AsyncInteractionsMethods(own)
        self.callbacks = resources.AsyncCallbacksMethods(own)
        self.workflows = resources.AsyncWorkflowsMethods(own)
        self.agents = resources.AsyncAgentsMethods(own)
        self.corpora = AsyncCorpora(own)
        self.documents = resources.AsyncDocumentsMethods(own)
        self.datasets = AsyncDatasets(own)
        self.templates = resources.AsyncTemplatesMethods(own)
        self.schedules = resources.AsyncSchedulesMethods(own)
        self.keys = resources.AsyncKeysMethods(own)
        self.providers = resources.AsyncProvidersMethods(own)
        self.audit = resources.AsyncAuditMethods(own)
        self.tenant = AsyncTenant(own)
        self.webhook_endpoints = resources.AsyncWebhookEndpointsMethods(own)
        self.deliveries = resources.AsyncDeliveriesMethods(own)
        self.service = resources.AsyncServiceMethods(own)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()
