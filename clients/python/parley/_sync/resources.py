"""Written by clients/python/generate.py. Do not edit."""

from __future__ import annotations

from typing import Literal, Unpack
from urllib.parse import quote as percent

from ..shared import Request, RequestOptions
from ..types import *  # noqa: F403
from .transport import List, Transport


def quote(part: str) -> str:
    return percent(part, safe="")


class RunsMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateRun, **options: Unpack[RequestOptions]) -> Run:
        return (self._transport.send(Request("POST", "/v1/runs", body=body, options=options))).json()

    def estimate(self, body: CreateRun, **options: Unpack[RequestOptions]) -> RunEstimate:
        return (self._transport.send(Request("POST", "/v1/runs/estimate", body=body, options=options))).json()

    def list(self, *, limit: int | None = None, workflow: str | None = None, parent_id: str | None = None, status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled'] | None = None, created_after: str | None = None, created_before: str | None = None, metadata: dict[str, str] | None = None, **options: Unpack[RequestOptions]) -> List[RunPage, RunEntry]:
        return List(self._transport, Request("GET", "/v1/runs", query={"limit": limit, "workflow": workflow, "parent_id": parent_id, "status": status, "created_after": created_after, "created_before": created_before, "metadata": metadata}, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> Run:
        return (self._transport.send(Request("GET", f"/v1/runs/{quote(id)}", options=options))).json()

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        (self._transport.send(Request("DELETE", f"/v1/runs/{quote(id)}", options=options)))

    def cancel(self, id: str, body: NoFields | None = None, **options: Unpack[RequestOptions]) -> Run:
        return (self._transport.send(Request("POST", f"/v1/runs/{quote(id)}/cancel", body=body, options=options))).json()

    def pause(self, id: str, body: NoFields | None = None, **options: Unpack[RequestOptions]) -> Run:
        return (self._transport.send(Request("POST", f"/v1/runs/{quote(id)}/pause", body=body, options=options))).json()

    def resume(self, id: str, body: NoFields | None = None, **options: Unpack[RequestOptions]) -> Run:
        return (self._transport.send(Request("POST", f"/v1/runs/{quote(id)}/resume", body=body, options=options))).json()

    def retry(self, id: str, body: RetryRun | None = None, **options: Unpack[RequestOptions]) -> Run:
        return (self._transport.send(Request("POST", f"/v1/runs/{quote(id)}/retry", body=body, options=options))).json()

    def manifest(self, id: str, **options: Unpack[RequestOptions]) -> Manifest:
        return (self._transport.send(Request("GET", f"/v1/runs/{quote(id)}/manifest", options=options))).json()

    def list_events(self, id: str, *, limit: int | None = None, after: str | None = None, calls: Literal['true', 'false'] | None = None, **options: Unpack[RequestOptions]) -> List[EventPage, Event]:
        return List(self._transport, Request("GET", f"/v1/runs/{quote(id)}/events", query={"limit": limit, "after": after, "calls": calls}, options=options))


class ArtifactsMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, id: str, *, limit: int | None = None, kind: str | None = None, stage: str | None = None, role: str | None = None, **options: Unpack[RequestOptions]) -> List[ArtifactPage, Artifact]:
        return List(self._transport, Request("GET", f"/v1/runs/{quote(id)}/artifacts", query={"limit": limit, "kind": kind, "stage": stage, "role": role}, options=options))

    def get(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> ArtifactWithContent:
        return (self._transport.send(Request("GET", f"/v1/runs/{quote(id)}/artifacts/{quote(artifact_id)}", options=options))).json()


class InteractionsMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None, run_id: str | None = None, status: InteractionStatus | None = None, **options: Unpack[RequestOptions]) -> List[InteractionPage, Interaction]:
        return List(self._transport, Request("GET", "/v1/interactions", query={"limit": limit, "run_id": run_id, "status": status}, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> Interaction:
        return (self._transport.send(Request("GET", f"/v1/interactions/{quote(id)}", options=options))).json()

    def answer(self, id: str, body: Answer, **options: Unpack[RequestOptions]) -> Interaction:
        return (self._transport.send(Request("POST", f"/v1/interactions/{quote(id)}/answer", body=body, options=options))).json()

    def extend(self, id: str, body: ExtendInteraction, **options: Unpack[RequestOptions]) -> Interaction:
        return (self._transport.send(Request("POST", f"/v1/interactions/{quote(id)}/extend", body=body, options=options))).json()

    def readdress(self, id: str, body: ReaddressInteraction, **options: Unpack[RequestOptions]) -> Interaction:
        return (self._transport.send(Request("POST", f"/v1/interactions/{quote(id)}/readdress", body=body, options=options))).json()

    def withdraw(self, id: str, body: NoFields | None = None, **options: Unpack[RequestOptions]) -> Interaction:
        return (self._transport.send(Request("POST", f"/v1/interactions/{quote(id)}/withdraw", body=body, options=options))).json()


class CallbacksMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, token: str, **options: Unpack[RequestOptions]) -> Interaction:
        return (self._transport.send(Request("GET", f"/v1/callbacks/{quote(token)}", options=options))).json()

    def answer(self, token: str, body: Answer, **options: Unpack[RequestOptions]) -> Interaction:
        return (self._transport.send(Request("POST", f"/v1/callbacks/{quote(token)}", body=body, options=options))).json()


class WorkflowsMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **options: Unpack[RequestOptions]) -> List[WorkflowList, Workflow]:
        return List(self._transport, Request("GET", "/v1/workflows", options=options))

    def get(self, name: str, **options: Unpack[RequestOptions]) -> Workflow:
        return (self._transport.send(Request("GET", f"/v1/workflows/{quote(name)}", options=options))).json()


class AgentsMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateAgent, **options: Unpack[RequestOptions]) -> Agent:
        return (self._transport.send(Request("POST", "/v1/agents", body=body, options=options))).json()

    def list(self, *, limit: int | None = None, built_in: Literal['true', 'false'] | None = None, **options: Unpack[RequestOptions]) -> List[AgentPage, Agent]:
        return List(self._transport, Request("GET", "/v1/agents", query={"limit": limit, "built_in": built_in}, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> Agent:
        return (self._transport.send(Request("GET", f"/v1/agents/{quote(id)}", options=options))).json()

    def update(self, id: str, body: UpdateAgent, **options: Unpack[RequestOptions]) -> Agent:
        return (self._transport.send(Request("PATCH", f"/v1/agents/{quote(id)}", body=body, options=options))).json()

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        (self._transport.send(Request("DELETE", f"/v1/agents/{quote(id)}", options=options)))


class CorporaMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateCorpus, **options: Unpack[RequestOptions]) -> Corpus:
        return (self._transport.send(Request("POST", "/v1/corpora", body=body, options=options))).json()

    def list(self, *, limit: int | None = None, **options: Unpack[RequestOptions]) -> List[CorpusPage, Corpus]:
        return List(self._transport, Request("GET", "/v1/corpora", query={"limit": limit}, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> Corpus:
        return (self._transport.send(Request("GET", f"/v1/corpora/{quote(id)}", options=options))).json()

    def update(self, id: str, body: UpdateCorpus, **options: Unpack[RequestOptions]) -> Corpus:
        return (self._transport.send(Request("PATCH", f"/v1/corpora/{quote(id)}", body=body, options=options))).json()

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        (self._transport.send(Request("DELETE", f"/v1/corpora/{quote(id)}", options=options)))

    def search(self, id: str, body: SearchCorpus, **options: Unpack[RequestOptions]) -> SearchResult:
        return (self._transport.send(Request("POST", f"/v1/corpora/{quote(id)}/search", body=body, options=options))).json()

    def list_uploads(self, id: str, *, limit: int | None = None, **options: Unpack[RequestOptions]) -> List[UploadPage, Upload]:
        return List(self._transport, Request("GET", f"/v1/corpora/{quote(id)}/uploads", query={"limit": limit}, options=options))

    def get_upload(self, id: str, upload_id: str, **options: Unpack[RequestOptions]) -> Upload:
        return (self._transport.send(Request("GET", f"/v1/corpora/{quote(id)}/uploads/{quote(upload_id)}", options=options))).json()


class DocumentsMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, id: str, body: CreateDocument, **options: Unpack[RequestOptions]) -> Document:
        return (self._transport.send(Request("POST", f"/v1/corpora/{quote(id)}/documents", body=body, options=options))).json()

    def list(self, id: str, *, limit: int | None = None, external_id: str | None = None, status: Literal['indexing', 'embedding', 'ready'] | None = None, **options: Unpack[RequestOptions]) -> List[DocumentPage, Document]:
        return List(self._transport, Request("GET", f"/v1/corpora/{quote(id)}/documents", query={"limit": limit, "external_id": external_id, "status": status}, options=options))

    def get(self, id: str, document_id: str, **options: Unpack[RequestOptions]) -> Document:
        return (self._transport.send(Request("GET", f"/v1/corpora/{quote(id)}/documents/{quote(document_id)}", options=options))).json()

    def delete(self, id: str, document_id: str, **options: Unpack[RequestOptions]) -> None:
        (self._transport.send(Request("DELETE", f"/v1/corpora/{quote(id)}/documents/{quote(document_id)}", options=options)))

    def text(self, id: str, document_id: str, **options: Unpack[RequestOptions]) -> str:
        return (self._transport.send(Request("GET", f"/v1/corpora/{quote(id)}/documents/{quote(document_id)}/content", options=options))).text


class DatasetsMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateDataset, **options: Unpack[RequestOptions]) -> Dataset:
        return (self._transport.send(Request("POST", "/v1/datasets", body=body, options=options))).json()

    def list(self, *, limit: int | None = None, name: str | None = None, workflow: str | None = None, content_hash: str | None = None, status: Literal['open', 'closed'] | None = None, **options: Unpack[RequestOptions]) -> List[DatasetPage, Dataset]:
        return List(self._transport, Request("GET", "/v1/datasets", query={"limit": limit, "name": name, "workflow": workflow, "content_hash": content_hash, "status": status}, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> Dataset:
        return (self._transport.send(Request("GET", f"/v1/datasets/{quote(id)}", options=options))).json()

    def update(self, id: str, body: UpdateDataset, **options: Unpack[RequestOptions]) -> Dataset:
        return (self._transport.send(Request("PATCH", f"/v1/datasets/{quote(id)}", body=body, options=options))).json()

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        (self._transport.send(Request("DELETE", f"/v1/datasets/{quote(id)}", options=options)))

    def close(self, id: str, body: NoFields | None = None, **options: Unpack[RequestOptions]) -> Dataset:
        return (self._transport.send(Request("POST", f"/v1/datasets/{quote(id)}/close", body=body, options=options))).json()

    def list_items(self, id: str, *, limit: int | None = None, **options: Unpack[RequestOptions]) -> List[DatasetItemPage, DatasetItem]:
        return List(self._transport, Request("GET", f"/v1/datasets/{quote(id)}/items", query={"limit": limit}, options=options))


class TemplatesMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateTemplate, **options: Unpack[RequestOptions]) -> Template:
        return (self._transport.send(Request("POST", "/v1/templates", body=body, options=options))).json()

    def list(self, *, limit: int | None = None, **options: Unpack[RequestOptions]) -> List[TemplatePage, Template]:
        return List(self._transport, Request("GET", "/v1/templates", query={"limit": limit}, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> Template:
        return (self._transport.send(Request("GET", f"/v1/templates/{quote(id)}", options=options))).json()

    def update(self, id: str, body: UpdateTemplate, **options: Unpack[RequestOptions]) -> Template:
        return (self._transport.send(Request("PATCH", f"/v1/templates/{quote(id)}", body=body, options=options))).json()

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        (self._transport.send(Request("DELETE", f"/v1/templates/{quote(id)}", options=options)))

    def start(self, id: str, body: StartTemplate | None = None, **options: Unpack[RequestOptions]) -> Run:
        return (self._transport.send(Request("POST", f"/v1/templates/{quote(id)}/runs", body=body, options=options))).json()


class SchedulesMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateSchedule, **options: Unpack[RequestOptions]) -> Schedule:
        return (self._transport.send(Request("POST", "/v1/schedules", body=body, options=options))).json()

    def list(self, *, limit: int | None = None, template_id: str | None = None, **options: Unpack[RequestOptions]) -> List[SchedulePage, Schedule]:
        return List(self._transport, Request("GET", "/v1/schedules", query={"limit": limit, "template_id": template_id}, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> Schedule:
        return (self._transport.send(Request("GET", f"/v1/schedules/{quote(id)}", options=options))).json()

    def update(self, id: str, body: UpdateSchedule, **options: Unpack[RequestOptions]) -> Schedule:
        return (self._transport.send(Request("PATCH", f"/v1/schedules/{quote(id)}", body=body, options=options))).json()

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        (self._transport.send(Request("DELETE", f"/v1/schedules/{quote(id)}", options=options)))

    def list_occurrences(self, id: str, *, limit: int | None = None, **options: Unpack[RequestOptions]) -> List[OccurrencePage, Occurrence]:
        return List(self._transport, Request("GET", f"/v1/schedules/{quote(id)}/occurrences", query={"limit": limit}, options=options))


class KeysMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateKey, **options: Unpack[RequestOptions]) -> CreatedKey:
        return (self._transport.send(Request("POST", "/v1/keys", body=body, options=options))).json()

    def list(self, *, limit: int | None = None, **options: Unpack[RequestOptions]) -> List[KeyPage, Key]:
        return List(self._transport, Request("GET", "/v1/keys", query={"limit": limit}, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> Key:
        return (self._transport.send(Request("GET", f"/v1/keys/{quote(id)}", options=options))).json()

    def update(self, id: str, body: UpdateKey, **options: Unpack[RequestOptions]) -> Key:
        return (self._transport.send(Request("PATCH", f"/v1/keys/{quote(id)}", body=body, options=options))).json()

    def revoke(self, id: str, **options: Unpack[RequestOptions]) -> None:
        (self._transport.send(Request("DELETE", f"/v1/keys/{quote(id)}", options=options)))

    def roll(self, id: str, body: RollKey | None = None, **options: Unpack[RequestOptions]) -> CreatedKey:
        return (self._transport.send(Request("POST", f"/v1/keys/{quote(id)}/roll", body=body, options=options))).json()


class ProvidersMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **options: Unpack[RequestOptions]) -> List[ProviderList, Provider]:
        return List(self._transport, Request("GET", "/v1/providers", options=options))

    def get(self, provider: str, **options: Unpack[RequestOptions]) -> Provider:
        return (self._transport.send(Request("GET", f"/v1/providers/{quote(provider)}", options=options))).json()

    def put_key(self, provider: str, body: ProviderKey, **options: Unpack[RequestOptions]) -> Provider:
        return (self._transport.send(Request("PUT", f"/v1/providers/{quote(provider)}/key", body=body, options=options))).json()

    def delete_key(self, provider: str, **options: Unpack[RequestOptions]) -> None:
        (self._transport.send(Request("DELETE", f"/v1/providers/{quote(provider)}/key", options=options)))


class AuditMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None, key_id: str | None = None, action: str | None = None, object_type: str | None = None, object_id: str | None = None, outcome: Literal['done', 'refused'] | None = None, created_after: str | None = None, created_before: str | None = None, **options: Unpack[RequestOptions]) -> List[AuditPage, AuditEntry]:
        return List(self._transport, Request("GET", "/v1/audit", query={"limit": limit, "key_id": key_id, "action": action, "object_type": object_type, "object_id": object_id, "outcome": outcome, "created_after": created_after, "created_before": created_before}, options=options))


class TenantMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, **options: Unpack[RequestOptions]) -> Tenant:
        return (self._transport.send(Request("GET", "/v1/tenant", options=options))).json()

    def delete(self, *, confirm: str | None = None, **options: Unpack[RequestOptions]) -> None:
        (self._transport.send(Request("DELETE", "/v1/tenant", query={"confirm": confirm}, options=options)))

    def metrics(self, **options: Unpack[RequestOptions]) -> Metrics:
        return (self._transport.send(Request("GET", "/v1/metrics", options=options))).json()

    def usage(self, *, from_: str | None = None, to: str | None = None, group_by: str | None = None, **options: Unpack[RequestOptions]) -> UsageReport:
        return (self._transport.send(Request("GET", "/v1/usage", query={"from": from_, "to": to, "group_by": group_by}, options=options))).json()


class WebhookEndpointsMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateWebhookEndpoint, **options: Unpack[RequestOptions]) -> WebhookEndpointWithSecret:
        return (self._transport.send(Request("POST", "/v1/webhook-endpoints", body=body, options=options))).json()

    def list(self, *, limit: int | None = None, run_id: str | None = None, status: WebhookEndpointStatus | None = None, **options: Unpack[RequestOptions]) -> List[WebhookEndpointPage, WebhookEndpoint]:
        return List(self._transport, Request("GET", "/v1/webhook-endpoints", query={"limit": limit, "run_id": run_id, "status": status}, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> WebhookEndpoint:
        return (self._transport.send(Request("GET", f"/v1/webhook-endpoints/{quote(id)}", options=options))).json()

    def update(self, id: str, body: UpdateWebhookEndpoint, **options: Unpack[RequestOptions]) -> WebhookEndpoint:
        return (self._transport.send(Request("PATCH", f"/v1/webhook-endpoints/{quote(id)}", body=body, options=options))).json()

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        (self._transport.send(Request("DELETE", f"/v1/webhook-endpoints/{quote(id)}", options=options)))

    def rotate_secret(self, id: str, body: RotateWebhookSecret | None = None, **options: Unpack[RequestOptions]) -> WebhookEndpointWithSecret:
        return (self._transport.send(Request("POST", f"/v1/webhook-endpoints/{quote(id)}/rotate-secret", body=body, options=options))).json()

    def ping(self, id: str, body: NoFields | None = None, **options: Unpack[RequestOptions]) -> Delivery:
        return (self._transport.send(Request("POST", f"/v1/webhook-endpoints/{quote(id)}/ping", body=body, options=options))).json()

    def list_deliveries(self, id: str, *, limit: int | None = None, run_id: str | None = None, status: DeliveryStatus | None = None, **options: Unpack[RequestOptions]) -> List[DeliveryPage, Delivery]:
        return List(self._transport, Request("GET", f"/v1/webhook-endpoints/{quote(id)}/deliveries", query={"limit": limit, "run_id": run_id, "status": status}, options=options))

    def lease(self, id: str, body: LeaseDeliveries | None = None, **options: Unpack[RequestOptions]) -> LeasedDeliveries:
        return (self._transport.send(Request("POST", f"/v1/webhook-endpoints/{quote(id)}/lease", body=body, options=options))).json()

    def acknowledge(self, id: str, body: AcknowledgeDeliveries, **options: Unpack[RequestOptions]) -> AcknowledgedDeliveries:
        return (self._transport.send(Request("POST", f"/v1/webhook-endpoints/{quote(id)}/acknowledge", body=body, options=options))).json()


class DeliveriesMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, id: str, **options: Unpack[RequestOptions]) -> Delivery:
        return (self._transport.send(Request("GET", f"/v1/deliveries/{quote(id)}", options=options))).json()

    def redeliver(self, id: str, body: NoFields | None = None, **options: Unpack[RequestOptions]) -> Delivery:
        return (self._transport.send(Request("POST", f"/v1/deliveries/{quote(id)}/redeliver", body=body, options=options))).json()


class ServiceMethods:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def health(self, **options: Unpack[RequestOptions]) -> Health:
        return (self._transport.send(Request("GET", "/healthz", options=options))).json()
