"""Generated from openapi/openapi.json by scripts/python-client.ts. Do not edit."""

from __future__ import annotations

import builtins
from typing import Any, Iterator, Literal, Mapping, Optional, Union, Unpack

from ..core import Core, RequestOptions
from ..drivers import drain, run
from ..pages import Pages
from . import types as t


class Runs:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, workflow: Optional[str] = None, parent_id: Optional[str] = None, status: Optional[Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]] = None, created_after: Optional[str] = None, created_before: Optional[str] = None, metadata: Optional[Mapping[str, str]] = None, order: Optional[Literal["created", "updated"]] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.RunEntry, t.RunPage]:
        """List runs"""
        return Pages(self._core, "/v1/runs", {}, query={"limit": limit, "cursor": cursor, "workflow": workflow, "parent_id": parent_id, "status": status, "created_after": created_after, "created_before": created_before, "metadata": metadata, "order": order}, options=options)

    def create(self, body: t.CreateRun, **options: Unpack[RequestOptions]) -> t.Run:
        """Start a run"""
        return run(self._core.json("POST", "/v1/runs", {}, body=body, options=options))

    def estimate(self, body: t.CreateRun, **options: Unpack[RequestOptions]) -> t.RunEstimate:
        """Estimate a run"""
        return run(self._core.json("POST", "/v1/runs/estimate", {}, body=body, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> t.Run:
        """Read a run"""
        return run(self._core.json("GET", "/v1/runs/{id}", {"id": id}, options=options))

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Delete a run"""
        return run(self._core.none("DELETE", "/v1/runs/{id}", {"id": id}, options=options))

    def cancel(self, id: str, **options: Unpack[RequestOptions]) -> t.Run:
        """Cancel a run"""
        return run(self._core.json("POST", "/v1/runs/{id}/cancel", {"id": id}, options=options))

    def pause(self, id: str, **options: Unpack[RequestOptions]) -> t.Run:
        """Pause a run"""
        return run(self._core.json("POST", "/v1/runs/{id}/pause", {"id": id}, options=options))

    def resume(self, id: str, **options: Unpack[RequestOptions]) -> t.Run:
        """Resume a run"""
        return run(self._core.json("POST", "/v1/runs/{id}/resume", {"id": id}, options=options))

    def retry(self, id: str, body: Optional[t.RetryRun] = None, **options: Unpack[RequestOptions]) -> t.Run:
        """Retry a run"""
        return run(self._core.json("POST", "/v1/runs/{id}/retry", {"id": id}, body=body, options=options))

    def manifest(self, id: str, **options: Unpack[RequestOptions]) -> t.Manifest:
        """Read a run's manifest"""
        return run(self._core.json("GET", "/v1/runs/{id}/manifest", {"id": id}, options=options))

    def list_events(self, id: str, *, limit: Optional[int] = None, after: Optional[str] = None, calls: Optional[Literal["true", "false"]] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Event, t.EventPage]:
        """Read or follow a run's events"""
        return Pages(self._core, "/v1/runs/{id}/events", {"id": id}, query={"limit": limit, "cursor": cursor, "after": after, "calls": calls}, options=options)


class Artifacts:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, id: str, *, limit: Optional[int] = None, kind: Optional[str] = None, stage: Optional[str] = None, role: Optional[str] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Artifact, t.ArtifactPage]:
        """List a run's artifacts"""
        return Pages(self._core, "/v1/runs/{id}/artifacts", {"id": id}, query={"limit": limit, "cursor": cursor, "kind": kind, "stage": stage, "role": role}, options=options)

    def get(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> t.ArtifactWithContent:
        """Read an artifact"""
        return run(self._core.json("GET", "/v1/runs/{id}/artifacts/{artifact_id}", {"id": id, "artifact_id": artifact_id}, options=options))

    def bytes(self, id: str, artifact_id: str, **options: Unpack[RequestOptions]) -> builtins.bytes:
        """Read the content of an artifact"""
        return run(self._core.content("GET", "/v1/runs/{id}/artifacts/{artifact_id}/content", {"id": id, "artifact_id": artifact_id}, options=options))


class Interactions:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, run_id: Optional[str] = None, status: Optional[str] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Interaction, t.InteractionPage]:
        """List interactions"""
        return Pages(self._core, "/v1/interactions", {}, query={"limit": limit, "cursor": cursor, "run_id": run_id, "status": status}, options=options)

    def get(self, id: str, **options: Unpack[RequestOptions]) -> t.Interaction:
        """Read an interaction"""
        return run(self._core.json("GET", "/v1/interactions/{id}", {"id": id}, options=options))

    def answer(self, id: str, body: t.Answer, **options: Unpack[RequestOptions]) -> t.Interaction:
        """Answer an interaction"""
        return run(self._core.json("POST", "/v1/interactions/{id}/answer", {"id": id}, body=body, options=options))

    def extend(self, id: str, body: t.ExtendInteraction, **options: Unpack[RequestOptions]) -> t.Interaction:
        """Extend an interaction"""
        return run(self._core.json("POST", "/v1/interactions/{id}/extend", {"id": id}, body=body, options=options))

    def reassign(self, id: str, body: t.ReassignInteraction, **options: Unpack[RequestOptions]) -> t.Interaction:
        """Address an interaction to somebody else"""
        return run(self._core.json("POST", "/v1/interactions/{id}/reassign", {"id": id}, body=body, options=options))

    def withdraw(self, id: str, **options: Unpack[RequestOptions]) -> t.Interaction:
        """Withdraw an interaction"""
        return run(self._core.json("POST", "/v1/interactions/{id}/withdraw", {"id": id}, options=options))


class Callbacks:
    def __init__(self, core: Core) -> None:
        self._core = core

    def get(self, token: str, **options: Unpack[RequestOptions]) -> t.Interaction:
        """Read an interaction by its callback URL"""
        return run(self._core.json("GET", "/v1/callbacks/{token}", {"token": token}, options=options))

    def answer(self, token: str, body: t.Answer, **options: Unpack[RequestOptions]) -> t.Interaction:
        """Answer an interaction by its callback URL"""
        return run(self._core.json("POST", "/v1/callbacks/{token}", {"token": token}, body=body, options=options))


class Workflows:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, **options: Unpack[RequestOptions]) -> Pages[t.Workflow, t.WorkflowList]:
        """List workflows"""
        return Pages(self._core, "/v1/workflows", {}, options=options)

    def get(self, name: str, **options: Unpack[RequestOptions]) -> t.Workflow:
        """Read a workflow's contract"""
        return run(self._core.json("GET", "/v1/workflows/{name}", {"name": name}, options=options))


class Agents:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, built_in: Optional[Literal["true", "false"]] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Agent, t.AgentPage]:
        """List agents"""
        return Pages(self._core, "/v1/agents", {}, query={"limit": limit, "cursor": cursor, "built_in": built_in}, options=options)

    def create(self, body: t.CreateAgent, **options: Unpack[RequestOptions]) -> t.Agent:
        """Create an agent"""
        return run(self._core.json("POST", "/v1/agents", {}, body=body, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> t.Agent:
        """Read an agent"""
        return run(self._core.json("GET", "/v1/agents/{id}", {"id": id}, options=options))

    def update(self, id: str, body: t.UpdateAgent, **options: Unpack[RequestOptions]) -> t.Agent:
        """Change an agent"""
        return run(self._core.json("PATCH", "/v1/agents/{id}", {"id": id}, body=body, options=options))

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Delete an agent"""
        return run(self._core.none("DELETE", "/v1/agents/{id}", {"id": id}, options=options))


class Corpora:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Corpus, t.CorpusPage]:
        """List corpora"""
        return Pages(self._core, "/v1/corpora", {}, query={"limit": limit, "cursor": cursor}, options=options)

    def create(self, body: t.CreateCorpus, **options: Unpack[RequestOptions]) -> t.Corpus:
        """Create a corpus"""
        return run(self._core.json("POST", "/v1/corpora", {}, body=body, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> t.Corpus:
        """Read a corpus"""
        return run(self._core.json("GET", "/v1/corpora/{id}", {"id": id}, options=options))

    def update(self, id: str, body: t.UpdateCorpus, **options: Unpack[RequestOptions]) -> t.Corpus:
        """Change a corpus"""
        return run(self._core.json("PATCH", "/v1/corpora/{id}", {"id": id}, body=body, options=options))

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Delete a corpus"""
        return run(self._core.none("DELETE", "/v1/corpora/{id}", {"id": id}, options=options))

    def search(self, id: str, body: t.SearchCorpus, **options: Unpack[RequestOptions]) -> t.SearchResult:
        """Search a corpus"""
        return run(self._core.json("POST", "/v1/corpora/{id}/search", {"id": id}, body=body, options=options))

    def list_uploads(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Upload, t.UploadPage]:
        """List uploads"""
        return Pages(self._core, "/v1/corpora/{id}/uploads", {"id": id}, query={"limit": limit, "cursor": cursor}, options=options)

    def get_upload(self, id: str, upload_id: str, **options: Unpack[RequestOptions]) -> t.Upload:
        """Follow an upload"""
        return run(self._core.json("GET", "/v1/corpora/{id}/uploads/{upload_id}", {"id": id, "upload_id": upload_id}, options=options))


class Documents:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, id: str, *, limit: Optional[int] = None, external_id: Optional[str] = None, status: Optional[Literal["indexing", "embedding", "ready"]] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Document, t.DocumentPage]:
        """List documents"""
        return Pages(self._core, "/v1/corpora/{id}/documents", {"id": id}, query={"limit": limit, "cursor": cursor, "external_id": external_id, "status": status}, options=options)

    def create(self, id: str, body: t.CreateDocument, **options: Unpack[RequestOptions]) -> t.Document:
        """Add a document, or upload many"""
        return run(self._core.json("POST", "/v1/corpora/{id}/documents", {"id": id}, body=body, options=options))

    def get(self, id: str, document_id: str, **options: Unpack[RequestOptions]) -> t.Document:
        """Read a document"""
        return run(self._core.json("GET", "/v1/corpora/{id}/documents/{document_id}", {"id": id, "document_id": document_id}, options=options))

    def delete(self, id: str, document_id: str, **options: Unpack[RequestOptions]) -> None:
        """Delete a document"""
        return run(self._core.none("DELETE", "/v1/corpora/{id}/documents/{document_id}", {"id": id, "document_id": document_id}, options=options))

    def text(self, id: str, document_id: str, **options: Unpack[RequestOptions]) -> str:
        """Read the text of a document"""
        return run(self._core.text("GET", "/v1/corpora/{id}/documents/{document_id}/content", {"id": id, "document_id": document_id}, options=options))


class Templates:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Template, t.TemplatePage]:
        """List templates"""
        return Pages(self._core, "/v1/templates", {}, query={"limit": limit, "cursor": cursor}, options=options)

    def create(self, body: t.CreateTemplate, **options: Unpack[RequestOptions]) -> t.Template:
        """Save a request"""
        return run(self._core.json("POST", "/v1/templates", {}, body=body, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> t.Template:
        """Read a template"""
        return run(self._core.json("GET", "/v1/templates/{id}", {"id": id}, options=options))

    def update(self, id: str, body: t.UpdateTemplate, **options: Unpack[RequestOptions]) -> t.Template:
        """Change a template"""
        return run(self._core.json("PATCH", "/v1/templates/{id}", {"id": id}, body=body, options=options))

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Delete a template"""
        return run(self._core.none("DELETE", "/v1/templates/{id}", {"id": id}, options=options))

    def start(self, id: str, body: Optional[t.StartTemplate] = None, **options: Unpack[RequestOptions]) -> t.Run:
        """Start a run from a template"""
        return run(self._core.json("POST", "/v1/templates/{id}/runs", {"id": id}, body=body, options=options))


class Schedules:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, template_id: Optional[str] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Schedule, t.SchedulePage]:
        """List schedules"""
        return Pages(self._core, "/v1/schedules", {}, query={"limit": limit, "cursor": cursor, "template_id": template_id}, options=options)

    def create(self, body: t.CreateSchedule, **options: Unpack[RequestOptions]) -> t.Schedule:
        """Start runs at set times"""
        return run(self._core.json("POST", "/v1/schedules", {}, body=body, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> t.Schedule:
        """Read a schedule"""
        return run(self._core.json("GET", "/v1/schedules/{id}", {"id": id}, options=options))

    def update(self, id: str, body: t.UpdateSchedule, **options: Unpack[RequestOptions]) -> t.Schedule:
        """Change, pause or resume a schedule"""
        return run(self._core.json("PATCH", "/v1/schedules/{id}", {"id": id}, body=body, options=options))

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Delete a schedule"""
        return run(self._core.none("DELETE", "/v1/schedules/{id}", {"id": id}, options=options))

    def trigger(self, id: str, **options: Unpack[RequestOptions]) -> t.Run:
        """Start a run of a schedule now"""
        return run(self._core.json("POST", "/v1/schedules/{id}/trigger", {"id": id}, options=options))

    def list_occurrences(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Occurrence, t.OccurrencePage]:
        """List what became of a schedule's times"""
        return Pages(self._core, "/v1/schedules/{id}/occurrences", {"id": id}, query={"limit": limit, "cursor": cursor}, options=options)


class Datasets:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, name: Optional[str] = None, workflow: Optional[str] = None, content_hash: Optional[str] = None, status: Optional[Literal["open", "closed"]] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Dataset, t.DatasetPage]:
        """List data sets"""
        return Pages(self._core, "/v1/datasets", {}, query={"limit": limit, "cursor": cursor, "name": name, "workflow": workflow, "content_hash": content_hash, "status": status}, options=options)

    def create(self, body: t.CreateDataset, **options: Unpack[RequestOptions]) -> t.Dataset:
        """Create a data set"""
        return run(self._core.json("POST", "/v1/datasets", {}, body=body, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> t.Dataset:
        """Read a data set"""
        return run(self._core.json("GET", "/v1/datasets/{id}", {"id": id}, options=options))

    def update(self, id: str, body: t.UpdateDataset, **options: Unpack[RequestOptions]) -> t.Dataset:
        """Change a data set"""
        return run(self._core.json("PATCH", "/v1/datasets/{id}", {"id": id}, body=body, options=options))

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Delete a data set"""
        return run(self._core.none("DELETE", "/v1/datasets/{id}", {"id": id}, options=options))

    def close(self, id: str, **options: Unpack[RequestOptions]) -> t.Dataset:
        """Close a data set"""
        return run(self._core.json("POST", "/v1/datasets/{id}/close", {"id": id}, options=options))

    def list_items(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.DatasetItem, t.DatasetItemPage]:
        """List items"""
        return Pages(self._core, "/v1/datasets/{id}/items", {"id": id}, query={"limit": limit, "cursor": cursor}, options=options)

    def add_items(self, id: str, body: Union[str, bytes], **options: Unpack[RequestOptions]) -> t.Dataset:
        """Upload items"""
        return run(self._core.json("POST", "/v1/datasets/{id}/items", {"id": id}, content=body, media_type="application/x-ndjson", options=options))

    def export(self, id: str, **options: Unpack[RequestOptions]) -> Iterator[Any]:
        """Export the items"""
        return drain(self._core.lines("GET", "/v1/datasets/{id}/export", {"id": id}, options=options))


class Keys:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Key, t.KeyPage]:
        """List keys"""
        return Pages(self._core, "/v1/keys", {}, query={"limit": limit, "cursor": cursor}, options=options)

    def create(self, body: t.CreateKey, **options: Unpack[RequestOptions]) -> t.CreatedKey:
        """Create a key"""
        return run(self._core.json("POST", "/v1/keys", {}, body=body, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> t.Key:
        """Read a key"""
        return run(self._core.json("GET", "/v1/keys/{id}", {"id": id}, options=options))

    def update(self, id: str, body: t.UpdateKey, **options: Unpack[RequestOptions]) -> t.Key:
        """Change a key"""
        return run(self._core.json("PATCH", "/v1/keys/{id}", {"id": id}, body=body, options=options))

    def revoke(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Revoke a key"""
        return run(self._core.none("DELETE", "/v1/keys/{id}", {"id": id}, options=options))

    def roll(self, id: str, body: Optional[t.RollKey] = None, **options: Unpack[RequestOptions]) -> t.CreatedKey:
        """Roll a key"""
        return run(self._core.json("POST", "/v1/keys/{id}/roll", {"id": id}, body=body, options=options))


class Models:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, **options: Unpack[RequestOptions]) -> Pages[t.Model, t.ModelList]:
        """List models"""
        return Pages(self._core, "/v1/models", {}, options=options)


class Providers:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, **options: Unpack[RequestOptions]) -> Pages[t.Provider, t.ProviderList]:
        """List model providers"""
        return Pages(self._core, "/v1/providers", {}, options=options)

    def get(self, provider: str, **options: Unpack[RequestOptions]) -> t.Provider:
        """Read a model provider"""
        return run(self._core.json("GET", "/v1/providers/{provider}", {"provider": provider}, options=options))

    def put_key(self, provider: str, body: t.ProviderKey, **options: Unpack[RequestOptions]) -> t.Provider:
        """Set your own key for a provider"""
        return run(self._core.json("PUT", "/v1/providers/{provider}/key", {"provider": provider}, body=body, options=options))

    def delete_key(self, provider: str, **options: Unpack[RequestOptions]) -> None:
        """Delete your own key for a provider"""
        return run(self._core.none("DELETE", "/v1/providers/{provider}/key", {"provider": provider}, options=options))


class Audit:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, key_id: Optional[str] = None, action: Optional[str] = None, object_type: Optional[str] = None, object_id: Optional[str] = None, outcome: Optional[Literal["done", "refused"]] = None, created_after: Optional[str] = None, created_before: Optional[str] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.AuditEntry, t.AuditPage]:
        """List changes, and by which key they were made"""
        return Pages(self._core, "/v1/audit", {}, query={"limit": limit, "cursor": cursor, "key_id": key_id, "action": action, "object_type": object_type, "object_id": object_id, "outcome": outcome, "created_after": created_after, "created_before": created_before}, options=options)


class Tenant:
    def __init__(self, core: Core) -> None:
        self._core = core

    def get(self, **options: Unpack[RequestOptions]) -> t.Tenant:
        """Read the tenant of the key"""
        return run(self._core.json("GET", "/v1/tenant", {}, options=options))

    def delete(self, *, confirm: str, **options: Unpack[RequestOptions]) -> None:
        """Delete the tenant and all its data"""
        return run(self._core.none("DELETE", "/v1/tenant", {}, query={"confirm": confirm}, options=options))

    def export_part(self, *, after: Optional[str] = None, **options: Unpack[RequestOptions]) -> Iterator[Any]:
        """Export all data of the key's mode"""
        return drain(self._core.lines("GET", "/v1/export", {}, query={"after": after}, options=options))

    def metrics(self, **options: Unpack[RequestOptions]) -> t.Metrics:
        """Count runs, corpora and deliveries"""
        return run(self._core.json("GET", "/v1/metrics", {}, options=options))


class Budget:
    def __init__(self, core: Core) -> None:
        self._core = core

    def get(self, **options: Unpack[RequestOptions]) -> t.Budget:
        """Read the tenant's budget"""
        return run(self._core.json("GET", "/v1/budget", {}, options=options))

    def put(self, body: t.PutBudget, **options: Unpack[RequestOptions]) -> t.Budget:
        """Set the tenant's budget"""
        return run(self._core.json("PUT", "/v1/budget", {}, body=body, options=options))


class Usage:
    def __init__(self, core: Core) -> None:
        self._core = core

    def get(self, *, from_: Optional[str] = None, to: Optional[str] = None, group_by: Optional[str] = None, **options: Unpack[RequestOptions]) -> t.UsageReport:
        """Sum up usage and cost"""
        return run(self._core.json("GET", "/v1/usage", {}, query={"from": from_, "to": to, "group_by": group_by}, options=options))


class WebhookEndpoints:
    def __init__(self, core: Core) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, run_id: Optional[str] = None, status: Optional[str] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.WebhookEndpoint, t.WebhookEndpointPage]:
        """List webhook endpoints"""
        return Pages(self._core, "/v1/webhook-endpoints", {}, query={"limit": limit, "cursor": cursor, "run_id": run_id, "status": status}, options=options)

    def create(self, body: t.CreateWebhookEndpoint, **options: Unpack[RequestOptions]) -> t.WebhookEndpointWithSecret:
        """Create a webhook endpoint"""
        return run(self._core.json("POST", "/v1/webhook-endpoints", {}, body=body, options=options))

    def get(self, id: str, **options: Unpack[RequestOptions]) -> t.WebhookEndpoint:
        """Read a webhook endpoint"""
        return run(self._core.json("GET", "/v1/webhook-endpoints/{id}", {"id": id}, options=options))

    def update(self, id: str, body: t.UpdateWebhookEndpoint, **options: Unpack[RequestOptions]) -> t.WebhookEndpoint:
        """Change a webhook endpoint"""
        return run(self._core.json("PATCH", "/v1/webhook-endpoints/{id}", {"id": id}, body=body, options=options))

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Delete a webhook endpoint"""
        return run(self._core.none("DELETE", "/v1/webhook-endpoints/{id}", {"id": id}, options=options))

    def rotate_secret(self, id: str, body: Optional[t.RotateWebhookSecret] = None, **options: Unpack[RequestOptions]) -> t.WebhookEndpointWithSecret:
        """Rotate the secret of a webhook endpoint"""
        return run(self._core.json("POST", "/v1/webhook-endpoints/{id}/rotate-secret", {"id": id}, body=body, options=options))

    def ping(self, id: str, **options: Unpack[RequestOptions]) -> t.Delivery:
        """Ping a webhook endpoint"""
        return run(self._core.json("POST", "/v1/webhook-endpoints/{id}/ping", {"id": id}, options=options))

    def list_deliveries(self, id: str, *, limit: Optional[int] = None, run_id: Optional[str] = None, status: Optional[str] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[t.Delivery, t.DeliveryPage]:
        """List the deliveries of a webhook endpoint"""
        return Pages(self._core, "/v1/webhook-endpoints/{id}/deliveries", {"id": id}, query={"limit": limit, "cursor": cursor, "run_id": run_id, "status": status}, options=options)

    def lease(self, id: str, body: Optional[t.LeaseDeliveries] = None, **options: Unpack[RequestOptions]) -> t.LeasedDeliveries:
        """Lease deliveries of a webhook endpoint"""
        return run(self._core.json("POST", "/v1/webhook-endpoints/{id}/lease", {"id": id}, body=body, options=options))

    def acknowledge(self, id: str, body: t.AcknowledgeDeliveries, **options: Unpack[RequestOptions]) -> t.AcknowledgedDeliveries:
        """Acknowledge deliveries of a webhook endpoint"""
        return run(self._core.json("POST", "/v1/webhook-endpoints/{id}/acknowledge", {"id": id}, body=body, options=options))


class Deliveries:
    def __init__(self, core: Core) -> None:
        self._core = core

    def get(self, id: str, **options: Unpack[RequestOptions]) -> t.Delivery:
        """Read a delivery"""
        return run(self._core.json("GET", "/v1/deliveries/{id}", {"id": id}, options=options))

    def redeliver(self, id: str, **options: Unpack[RequestOptions]) -> t.Delivery:
        """Send a delivery again"""
        return run(self._core.json("POST", "/v1/deliveries/{id}/redeliver", {"id": id}, options=options))


class Client:
    def __init__(self, core: Core) -> None:
        self._core = core
        self.runs = Runs(core)
        self.artifacts = Artifacts(core)
        self.interactions = Interactions(core)
        self.callbacks = Callbacks(core)
        self.workflows = Workflows(core)
        self.agents = Agents(core)
        self.corpora = Corpora(core)
        self.documents = Documents(core)
        self.templates = Templates(core)
        self.schedules = Schedules(core)
        self.datasets = Datasets(core)
        self.keys = Keys(core)
        self.models = Models(core)
        self.providers = Providers(core)
        self.audit = Audit(core)
        self.tenant = Tenant(core)
        self.budget = Budget(core)
        self.usage = Usage(core)
        self.webhook_endpoints = WebhookEndpoints(core)
        self.deliveries = Deliveries(core)

    def health(self, **options: Unpack[RequestOptions]) -> t.Health:
        """Check the service"""
        return run(self._core.json("GET", "/healthz", {}, options=options))
