"""The sync client."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Iterator, Optional, Union, Unpack

import httpx

from . import files, runs
from .core import Core, RequestOptions, without_key
from .drivers import SyncDriver, drain, run
from .generated import sync_client as generated
from .generated import types as t
from .settings import settings_of
from .webhooks import Webhooks


class Runs(generated.Runs):
    def events(
        self, id: str, *, after: int = 0, on_calls: Optional[runs.OnCalls] = None, **options: Unpack[RequestOptions]
    ) -> Iterator[t.Event]:
        """Events of the run behind ``after``, past and future, until it has ended: each once and in order, however often the connection breaks."""
        return drain(runs.follow(self._core, id, after, on_calls, options))

    def wait(
        self,
        id: str,
        *,
        on_question: Optional[runs.OnQuestion] = None,
        on_event: Optional[Callable[[t.Event], None]] = None,
        **options: Unpack[RequestOptions],
    ) -> t.Run:
        """Waits until the run has ended, and returns it: completed, failed or canceled.

        on_question: returns the answer to a question of the run, or None to leave it to others
        on_event: sees every event of the run, from the first
        """
        after = 0
        while True:
            for event in self.events(id, after=after, **options):
                after = event["seq"]
                if on_event:
                    on_event(event)
                if on_question and event["type"] == "run.input_required":
                    run(runs.answer(self._core, event["data"]["interaction_id"], on_question, options))
            ended = self.get(id, **options)
            if ended["status"] in runs.ENDS:
                return ended

    def create_and_wait(
        self,
        body: t.CreateRun,
        *,
        on_question: Optional[runs.OnQuestion] = None,
        on_event: Optional[Callable[[t.Event], None]] = None,
        **options: Unpack[RequestOptions],
    ) -> t.Run:
        """Starts a run and waits until it has ended."""
        started = self.create(body, **options)
        return self.wait(started["id"], on_question=on_question, on_event=on_event, **without_key(options))


class Artifacts(generated.Artifacts):
    def text(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> str:
        return self.bytes(id, artifact_id, **options).decode()

    def json(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> Any:
        return json.loads(self.bytes(id, artifact_id, **options))


class Corpora(generated.Corpora):
    def upload(
        self,
        id: str,
        documents: files.Source,
        *,
        on_progress: Optional[Callable[[files.CorpusUpload], None]] = None,
        **options: Unpack[RequestOptions],
    ) -> files.CorpusUpload:
        """Adds documents and waits until they are split and embedded. Documents with an ``external_id`` can be uploaded again."""
        return run(files.upload_documents(self._core, id, documents, on_progress, options))


class Datasets(generated.Datasets):
    def upload(
        self,
        target: Union[str, t.CreateDataset],
        items: files.Source,
        *,
        on_progress: Optional[Callable[[files.DatasetProgress], None]] = None,
        **options: Unpack[RequestOptions],
    ) -> t.Dataset:
        """Adds items to a data set that is open (its id), or creates one (its request), and closes it."""
        return run(files.upload_items(self._core, target, items, on_progress, options))


class Tenant(generated.Tenant):
    def export(self, **options: Unpack[RequestOptions]) -> Iterator[Dict[str, Any]]:
        """Everything that the tenant has, resource by resource."""
        return drain(files.export_tenant(self._core, options))


class Parley(generated.Client):
    """A client of the API. Every operation of the OpenAPI document is a method of one of its resources."""

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        max_retries: int = 2,
        timeout: float = 60.0,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        """api_key and base_url come from PARLEY_API_KEY and PARLEY_BASE_URL by default; timeout is in seconds."""
        key, url = settings_of(api_key, base_url)
        core = Core(SyncDriver(http_client or httpx.Client()), key, url, max_retries, timeout)
        super().__init__(core)
        self.runs: Runs = Runs(core)
        self.artifacts: Artifacts = Artifacts(core)
        self.corpora: Corpora = Corpora(core)
        self.datasets: Datasets = Datasets(core)
        self.tenant: Tenant = Tenant(core)
        self.webhooks = Webhooks()

    def close(self) -> None:
        """Closes the connections."""
        run(self._core.driver.close())

    def __enter__(self) -> Parley:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
