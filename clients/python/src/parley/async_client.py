"""The async client, for asyncio."""

from __future__ import annotations

import asyncio
import json
from typing import Any, AsyncIterator, Callable, Dict, Optional, Set, Union, Unpack

import httpx

from . import files, runs
from .core import Core, RequestOptions, without_key
from .drivers import AsyncDriver
from .generated import async_client as generated
from .generated import types as t
from .settings import settings_of
from .webhooks import Webhooks


class AsyncRuns(generated.Runs):
    def events(
        self, id: str, *, after: int = 0, on_calls: Optional[runs.OnCalls] = None, **options: Unpack[RequestOptions]
    ) -> AsyncIterator[t.Event]:
        """Events of the run behind ``after``, past and future, until it has ended: each once and in order, however often the connection breaks."""
        return runs.follow(self._core, id, after, on_calls, options)

    async def wait(
        self,
        id: str,
        *,
        on_question: Optional[runs.AsyncOnQuestion] = None,
        on_event: Optional[runs.AsyncOnEvent] = None,
        **options: Unpack[RequestOptions],
    ) -> t.Run:
        """Waits until the run has ended, and returns it: completed, failed or canceled.

        on_question: returns the answer to a question of the run, or None to leave it to others. It may be asynchronous: events are read meanwhile,
            and it is canceled once the question needs no answer any more.
        on_event: sees every event of the run, from the first; it may be asynchronous
        """
        asked: Dict[str, asyncio.Task[None]] = {}

        async def read() -> t.Run:
            after = 0
            while True:
                async for event in self.events(id, after=after, **options):
                    after = event["seq"]
                    told = on_event(event) if on_event else None
                    if told is not None:
                        await told
                    question = str(event["data"].get("interaction_id"))
                    if event["type"] in runs.SETTLED and question in asked:
                        asked[question].cancel()
                    if on_question and event["type"] == "run.input_required":
                        asked[question] = asyncio.create_task(runs.answer(self._core, question, on_question, options))
                        asked[question].add_done_callback(ended)
                run = await self.get(id, **options)
                if run["status"] in runs.ENDS:
                    return run

        failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def ended(task: asyncio.Task[None]) -> None:
            error = None if task.cancelled() else task.exception()
            if error and not failed.done():
                failed.set_exception(error)

        reading = asyncio.create_task(read())
        try:
            both: Set[asyncio.Future[Any]] = {reading, failed}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if failed.done():
                failed.result()
            return reading.result()
        finally:
            failed.cancel()
            tasks = [reading, *asked.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def create_and_wait(
        self,
        body: t.CreateRun,
        *,
        on_question: Optional[runs.AsyncOnQuestion] = None,
        on_event: Optional[runs.AsyncOnEvent] = None,
        **options: Unpack[RequestOptions],
    ) -> t.Run:
        """Starts a run and waits until it has ended."""
        started = await self.create(body, **options)
        return await self.wait(started["id"], on_question=on_question, on_event=on_event, **without_key(options))


class AsyncArtifacts(generated.Artifacts):
    async def text(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> str:
        return (await self.bytes(id, artifact_id, **options)).decode()

    async def json(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> Any:
        return json.loads(await self.bytes(id, artifact_id, **options))


class AsyncCorpora(generated.Corpora):
    async def upload(
        self,
        id: str,
        documents: files.Source,
        *,
        on_progress: Optional[Callable[[files.CorpusUpload], None]] = None,
        **options: Unpack[RequestOptions],
    ) -> files.CorpusUpload:
        """Adds documents and waits until they are split and embedded. Documents with an ``external_id`` can be uploaded again."""
        return await files.upload_documents(self._core, id, documents, on_progress, options)


class AsyncDatasets(generated.Datasets):
    async def upload(
        self,
        target: Union[str, t.CreateDataset],
        items: files.Source,
        *,
        on_progress: Optional[Callable[[files.DatasetProgress], None]] = None,
        **options: Unpack[RequestOptions],
    ) -> t.Dataset:
        """Adds items to a data set that is open (its id), or creates one (its request), and closes it."""
        return await files.upload_items(self._core, target, items, on_progress, options)


class AsyncTenant(generated.Tenant):
    def export(self, **options: Unpack[RequestOptions]) -> AsyncIterator[Dict[str, Any]]:
        """Everything that the tenant has, resource by resource."""
        return files.export_tenant(self._core, options)


class AsyncParley(generated.Client):
    """An async client of the API. Every operation of the OpenAPI document is a method of one of its resources."""

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        max_retries: int = 2,
        timeout: float = 60.0,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        """api_key and base_url come from PARLEY_API_KEY and PARLEY_BASE_URL by default; timeout is in seconds."""
        key, url = settings_of(api_key, base_url)
        core = Core(AsyncDriver(http_client or httpx.AsyncClient()), key, url, max_retries, timeout)
        super().__init__(core)
        self.runs: AsyncRuns = AsyncRuns(core)
        self.artifacts: AsyncArtifacts = AsyncArtifacts(core)
        self.corpora: AsyncCorpora = AsyncCorpora(core)
        self.datasets: AsyncDatasets = AsyncDatasets(core)
        self.tenant: AsyncTenant = AsyncTenant(core)
        self.webhooks = Webhooks()

    async def close(self) -> None:
        """Closes the connections."""
        await self._core.driver.close()

    async def __aenter__(self) -> AsyncParley:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
