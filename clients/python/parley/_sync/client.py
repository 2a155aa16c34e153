"""Written by clients/python/generate.py. Do not edit."""

from __future__ import annotations

import time
import builtins
import json
import os
from collections.abc import Iterator, Awaitable, Callable, Iterable
from types import TracebackType
from typing import Any, Self, Unpack

import httpx

from .. import types
from ..errors import APIConnectionError, APIError, api_error
from ..shared import ENDS, LOOK_EVERY, MOST_BREAKS, NDJSON, NEEDLESS, Request, RequestOptions, ServerSentEvents, backoff, batches_of
from . import resources
from .resources import quote
from .transport import Transport

Ask = Callable[[types.Interaction], "types.Answer | None"]
See = Callable[[types.Event], None]


class Runs(resources.RunsMethods):
    def events(self, id: str, *, after: int = 0, **options: Unpack[RequestOptions]) -> Iterator[types.Event]:
        """Events of the run, past and future, until it has ended: each once and in order, however often the connection breaks."""
        seq, breaks, ended, had_ended = after, 0, False, False
        while True:
            try:
                for event in self._connect(id, seq, options):
                    if event["seq"] <= seq:
                        continue
                    seq, breaks = event["seq"], 0
                    ended = event["type"].removeprefix("run.") in ENDS
                    yield event
                if ended or had_ended:
                    return
                # Without another event the stream ends where the run had ended before: at the next connection it is known.
                had_ended = (self.get(id, **options))["status"] in ENDS
            except APIConnectionError:
                breaks += 1
                if breaks > MOST_BREAKS:
                    raise
            if not had_ended:
                time.sleep(backoff(max(0, breaks - 1)))

    def _connect(self, id: str, seq: int, options: RequestOptions) -> Iterator[types.Event]:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(seq)}
        messages = ServerSentEvents()
        with self._transport.lines(Request("GET", f"/v1/runs/{quote(id)}/events", headers=headers, options=options)) as lines:
            for line in lines:
                message = messages.add(line)
                if message is None:
                    continue
                kind, data = message
                if kind == "stream.closed":
                    raise api_error(data["status"], {}, json.dumps(data))
                yield data

    def wait(
        self, id: str, *, on_question: Ask | None = None, on_event: See | None = None, **options: Unpack[RequestOptions]
    ) -> types.Run:
        """Waits until the run has ended, and returns it: completed, failed or canceled.

        `on_question` answers a question of the run; None leaves it to others. `on_event` sees every event, from the first. The next event is read
        once they have returned.
        """
        after = 0
        while True:
            for event in self.events(id, after=after, **options):
                after = event["seq"]
                if on_event:
                    on_event(event)
                if on_question and event["type"] == "run.input_required":
                    self._answer(event["data"]["interaction_id"], on_question, options)
            run = self.get(id, **options)
            if run["status"] in ENDS:
                return run

    def _answer(self, id: str, on_question: Ask, options: RequestOptions) -> None:
        """Asks for an answer to a question that is still open, and sends it."""
        path = f"/v1/interactions/{quote(id)}"
        interaction = (self._transport.send(Request("GET", path, options=options))).json()
        if interaction["status"] != "open":
            return
        answer = on_question(interaction)
        if answer is None:
            return
        try:
            self._transport.send(Request("POST", f"{path}/answer", body=answer, options=options))
        except APIError as error:
            if error.code not in NEEDLESS:
                raise

    def create_and_wait(
        self, body: types.CreateRun, *, on_question: Ask | None = None, on_event: See | None = None, **options: Unpack[RequestOptions]
    ) -> types.Run:
        """Starts a run and waits until it has ended."""
        run = self.create(body, **options)
        options.pop("idempotency_key", None)
        return self.wait(run["id"], on_question=on_question, on_event=on_event, **options)


class Artifacts(resources.ArtifactsMethods):
    def _content(self, id: str, artifact_id: str, options: RequestOptions) -> httpx.Response:
        return self._transport.send(Request("GET", f"/v1/runs/{quote(id)}/artifacts/{quote(artifact_id)}/content", options=options))

    def text(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> str:
        return (self._content(id, artifact_id, options)).content.decode()

    def json(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> Any:
        return (self._content(id, artifact_id, options)).json()

    def bytes(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> builtins.bytes:
        return (self._content(id, artifact_id, options)).content


class Corpora(resources.CorporaMethods):
    def upload(
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
            uploads.append((self._transport.send(request)).json())
            sent += lines
            if on_progress:
                on_progress(sent)
        for index, upload in enumerate(uploads):
            while uploads[index]["status"] != "completed":
                time.sleep(LOOK_EVERY)
                uploads[index] = self.get_upload(id, upload["id"], **options)
        return uploads


class Datasets(resources.DatasetsMethods):
    def upload(
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
            self._transport.send(Request("POST", f"/v1/datasets/{quote(id)}/items", body=text, headers=NDJSON, options=options))
            sent += lines
            if on_progress:
                on_progress(sent)
        return self.close(id, **options)

    def export(self, id: str, **options: Unpack[RequestOptions]) -> Iterator[types.DatasetItem]:
        """Its items, as they were uploaded."""
        with self._transport.lines(Request("GET", f"/v1/datasets/{quote(id)}/export", options=options)) as lines:
            for line in lines:
                if line:
                    yield json.loads(line)


class Tenant(resources.TenantMethods):
    def export(self, **options: Unpack[RequestOptions]) -> Iterator[dict[str, Any]]:
        """Everything that the tenant has, resource by resource. Raises APIConnectionError when the export is cut off."""
        after: str | None = None
        while True:
            last: dict[str, Any] = {}
            with self._transport.lines(Request("GET", "/v1/export", {"after": after}, options=options)) as lines:
                for line in lines:
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


class Parley:
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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        base_url = base_url or os.environ.get("PARLEY_BASE_URL")
        api_key = api_key or os.environ.get("PARLEY_API_KEY")
        if not base_url:
            raise ValueError("Give base_url, or set PARLEY_BASE_URL.")
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._http = httpx.Client(base_url=base_url.rstrip("/"), headers=headers, transport=transport)
        own = Transport(self._http, max_retries, timeout)
        self.runs = Runs(own)
        self.artifacts = Artifacts(own)
        self.interactions = resources.InteractionsMethods(own)
        self.callbacks = resources.CallbacksMethods(own)
        self.workflows = resources.WorkflowsMethods(own)
        self.agents = resources.AgentsMethods(own)
        self.corpora = Corpora(own)
        self.documents = resources.DocumentsMethods(own)
        self.datasets = Datasets(own)
        self.templates = resources.TemplatesMethods(own)
        self.schedules = resources.SchedulesMethods(own)
        self.keys = resources.KeysMethods(own)
        self.providers = resources.ProvidersMethods(own)
        self.audit = resources.AuditMethods(own)
        self.tenant = Tenant(own)
        self.webhook_endpoints = resources.WebhookEndpointsMethods(own)
        self.deliveries = resources.DeliveriesMethods(own)
        self.service = resources.ServiceMethods(own)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
