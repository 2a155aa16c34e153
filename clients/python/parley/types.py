"""Written by clients/python/generate.py. Do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class RunCreatedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunCreatedWebhookData(TypedDict):
    event: RunCreatedEvent
    run: WebhookRun
    truncated: list[RunCreatedWebhookDataTruncatedItem]


class RunCreatedWebhook(TypedDict):
    type: Literal['run.created']
    timestamp: str
    data: RunCreatedWebhookData


class RunCreatedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    workflow: str
    mode: Mode


class RunCreatedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.created']
    run_id: str
    created_at: str
    data: RunCreatedEventData


Mode: TypeAlias = "Literal['test', 'live']"


class WebhookRun(TypedDict):
    object: Literal['run']
    id: str
    workflow: str
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    metadata: NotRequired[dict[str, str]]
    created_at: str


RunStatus: TypeAlias = "Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']"


class AboutRun(TypedDict):
    title: str | None
    excerpt: str


class RunStartedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunStartedWebhookData(TypedDict):
    event: RunStartedEvent
    run: WebhookRun
    truncated: list[RunStartedWebhookDataTruncatedItem]


class RunStartedWebhook(TypedDict):
    type: Literal['run.started']
    timestamp: str
    data: RunStartedWebhookData


class RunStartedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    epoch: int


class RunStartedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.started']
    run_id: str
    created_at: str
    data: RunStartedEventData


class RunStageStartedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunStageStartedWebhookData(TypedDict):
    event: RunStageStartedEvent
    run: WebhookRun
    truncated: list[RunStageStartedWebhookDataTruncatedItem]


class RunStageStartedWebhook(TypedDict):
    type: Literal['run.stage_started']
    timestamp: str
    data: RunStageStartedWebhookData


class RunStageStartedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    stage: str
    iteration: int


class RunStageStartedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.stage_started']
    run_id: str
    created_at: str
    data: RunStageStartedEventData


class RunStageCompletedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunStageCompletedWebhookData(TypedDict):
    event: RunStageCompletedEvent
    run: WebhookRun
    truncated: list[RunStageCompletedWebhookDataTruncatedItem]


class RunStageCompletedWebhook(TypedDict):
    type: Literal['run.stage_completed']
    timestamp: str
    data: RunStageCompletedWebhookData


class RunStageCompletedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    stage: str
    iteration: int


class RunStageCompletedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.stage_completed']
    run_id: str
    created_at: str
    data: RunStageCompletedEventData


class RunArtifactCreatedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunArtifactCreatedWebhookData(TypedDict):
    event: RunArtifactCreatedEvent
    run: WebhookRun
    truncated: list[RunArtifactCreatedWebhookDataTruncatedItem]


class RunArtifactCreatedWebhook(TypedDict):
    type: Literal['run.artifact_created']
    timestamp: str
    data: RunArtifactCreatedWebhookData


class RunArtifactCreatedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    artifact_id: str
    kind: str
    version: int
    act: str
    stage: str
    role: str
    action: str


class RunArtifactCreatedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.artifact_created']
    run_id: str
    created_at: str
    data: RunArtifactCreatedEventData


class RunInputRequiredWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputRequiredWebhookData(TypedDict):
    event: RunInputRequiredEvent
    run: WebhookRun
    interaction: WebhookInteraction
    truncated: list[RunInputRequiredWebhookDataTruncatedItem]


class RunInputRequiredWebhook(TypedDict):
    type: Literal['run.input_required']
    timestamp: str
    data: RunInputRequiredWebhookData


class RunInputRequiredEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    interaction_id: str
    kind: Literal['clarification', 'feedback', 'approval']
    stage: str
    expires_at: NotRequired[str]
    assignee: NotRequired[Assignee | None]
    link: NotRequired[int]
    child_id: NotRequired[str]


class RunInputRequiredEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.input_required']
    run_id: str
    created_at: str
    data: RunInputRequiredEventData


class Assignee(TypedDict):
    name: str | None
    email: str | None


class WebhookInteraction(TypedDict):
    object: Literal['interaction']
    id: str
    run_id: str
    about: AboutRun
    requested_by: str | None
    kind: Literal['clarification', 'feedback', 'approval']
    status: InteractionStatus
    stage: str
    prompt: NotRequired[str]
    artifacts: NotRequired[list[str]]
    questions: NotRequired[list[Question]]
    answer_schema: NotRequired[dict[str, Any]]
    answer: dict[str, Any] | None
    answered_by: str | None
    assignee: Assignee | None
    callback_url: str | None
    expires_at: str
    on_expiry: Literal['proceed', 'fail']
    created_at: str
    answered_at: str | None


InteractionStatus: TypeAlias = "Literal['open', 'answered', 'expired', 'withdrawn', 'canceled']"


class Question(TypedDict):
    id: str
    text: str
    type: Literal['text', 'choice', 'boolean', 'number']
    choices: NotRequired[list[str]]
    required: bool
    default: NotRequired[str | float | bool | None]
    dimension: NotRequired[str]
    artifact_id: NotRequired[str]


class RunInputReceivedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputReceivedWebhookData(TypedDict):
    event: RunInputReceivedEvent
    run: WebhookRun
    truncated: list[RunInputReceivedWebhookDataTruncatedItem]


class RunInputReceivedWebhook(TypedDict):
    type: Literal['run.input_received']
    timestamp: str
    data: RunInputReceivedWebhookData


class RunInputReceivedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    interaction_id: str
    kind: Literal['clarification', 'feedback', 'approval']
    stage: str
    answered_by: str | None


class RunInputReceivedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.input_received']
    run_id: str
    created_at: str
    data: RunInputReceivedEventData


class RunInputExpiredWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputExpiredWebhookData(TypedDict):
    event: RunInputExpiredEvent
    run: WebhookRun
    truncated: list[RunInputExpiredWebhookDataTruncatedItem]


class RunInputExpiredWebhook(TypedDict):
    type: Literal['run.input_expired']
    timestamp: str
    data: RunInputExpiredWebhookData


class RunInputExpiredEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    interaction_id: str
    kind: Literal['clarification', 'feedback', 'approval']
    stage: str
    answered_by: str | None


class RunInputExpiredEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.input_expired']
    run_id: str
    created_at: str
    data: RunInputExpiredEventData


class RunInputExtendedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputExtendedWebhookData(TypedDict):
    event: RunInputExtendedEvent
    run: WebhookRun
    truncated: list[RunInputExtendedWebhookDataTruncatedItem]


class RunInputExtendedWebhook(TypedDict):
    type: Literal['run.input_extended']
    timestamp: str
    data: RunInputExtendedWebhookData


class RunInputExtendedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    interaction_id: str
    kind: Literal['clarification', 'feedback', 'approval']
    stage: str
    expires_at: NotRequired[str]
    assignee: NotRequired[Assignee | None]
    link: NotRequired[int]
    child_id: NotRequired[str]
    key_id: str


class RunInputExtendedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.input_extended']
    run_id: str
    created_at: str
    data: RunInputExtendedEventData


class RunInputReaddressedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputReaddressedWebhookData(TypedDict):
    event: RunInputReaddressedEvent
    run: WebhookRun
    interaction: WebhookInteraction
    truncated: list[RunInputReaddressedWebhookDataTruncatedItem]


class RunInputReaddressedWebhook(TypedDict):
    type: Literal['run.input_readdressed']
    timestamp: str
    data: RunInputReaddressedWebhookData


class RunInputReaddressedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    interaction_id: str
    kind: Literal['clarification', 'feedback', 'approval']
    stage: str
    expires_at: NotRequired[str]
    assignee: NotRequired[Assignee | None]
    link: NotRequired[int]
    child_id: NotRequired[str]
    key_id: str


class RunInputReaddressedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.input_readdressed']
    run_id: str
    created_at: str
    data: RunInputReaddressedEventData


class RunInputWithdrawnWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputWithdrawnWebhookData(TypedDict):
    event: RunInputWithdrawnEvent
    run: WebhookRun
    truncated: list[RunInputWithdrawnWebhookDataTruncatedItem]


class RunInputWithdrawnWebhook(TypedDict):
    type: Literal['run.input_withdrawn']
    timestamp: str
    data: RunInputWithdrawnWebhookData


class RunInputWithdrawnEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    interaction_id: str
    kind: Literal['clarification', 'feedback', 'approval']
    stage: str
    expires_at: NotRequired[str]
    assignee: NotRequired[Assignee | None]
    link: NotRequired[int]
    child_id: NotRequired[str]
    key_id: str


class RunInputWithdrawnEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.input_withdrawn']
    run_id: str
    created_at: str
    data: RunInputWithdrawnEventData


class RunInputReminderWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputReminderWebhookData(TypedDict):
    event: RunInputReminderEvent
    run: WebhookRun
    interaction: WebhookInteraction
    truncated: list[RunInputReminderWebhookDataTruncatedItem]


class RunInputReminderWebhook(TypedDict):
    type: Literal['run.input_reminder']
    timestamp: str
    data: RunInputReminderWebhookData


class RunInputReminderEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    interaction_id: str
    kind: Literal['clarification', 'feedback', 'approval']
    stage: str
    expires_at: NotRequired[str]
    assignee: NotRequired[Assignee | None]
    link: NotRequired[int]
    child_id: NotRequired[str]


class RunInputReminderEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.input_reminder']
    run_id: str
    created_at: str
    data: RunInputReminderEventData


class RunStalledWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunStalledWebhookData(TypedDict):
    event: RunStalledEvent
    run: WebhookRun
    truncated: list[RunStalledWebhookDataTruncatedItem]


class RunStalledWebhook(TypedDict):
    type: Literal['run.stalled']
    timestamp: str
    data: RunStalledWebhookData


class RunStalledEventDataLastFailure(TypedDict):
    act: str
    code: str
    at: str


class RunStalledEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    cause: Literal['not_started', 'provider_failing', 'silent']
    stage: str | None
    last_sign_of_life: str
    last_act: str | None
    last_failure: RunStalledEventDataLastFailure | None
    instance: str


class RunStalledEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.stalled']
    run_id: str
    created_at: str
    data: RunStalledEventData


class RunProviderFailingWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunProviderFailingWebhookData(TypedDict):
    event: RunProviderFailingEvent
    run: WebhookRun
    truncated: list[RunProviderFailingWebhookDataTruncatedItem]


class RunProviderFailingWebhook(TypedDict):
    type: Literal['run.provider_failing']
    timestamp: str
    data: RunProviderFailingWebhookData


class RunProviderFailingEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    provider: str
    model: str
    code: Literal['provider_unreachable', 'provider_timeout', 'provider_rate_limited', 'provider_unavailable']
    reason: str
    since: str
    next_attempt_at: str


class RunProviderFailingEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.provider_failing']
    run_id: str
    created_at: str
    data: RunProviderFailingEventData


class RunProviderRecoveredWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunProviderRecoveredWebhookData(TypedDict):
    event: RunProviderRecoveredEvent
    run: WebhookRun
    truncated: list[RunProviderRecoveredWebhookDataTruncatedItem]


class RunProviderRecoveredWebhook(TypedDict):
    type: Literal['run.provider_recovered']
    timestamp: str
    data: RunProviderRecoveredWebhookData


class RunProviderRecoveredEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    provider: str
    model: str
    code: Literal['provider_unreachable', 'provider_timeout', 'provider_rate_limited', 'provider_unavailable']
    reason: str
    since: str


class RunProviderRecoveredEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.provider_recovered']
    run_id: str
    created_at: str
    data: RunProviderRecoveredEventData


class RunPausedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunPausedWebhookData(TypedDict):
    event: RunPausedEvent
    run: WebhookRun
    truncated: list[RunPausedWebhookDataTruncatedItem]


class RunPausedWebhook(TypedDict):
    type: Literal['run.paused']
    timestamp: str
    data: RunPausedWebhookData


class RunPausedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']


class RunPausedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.paused']
    run_id: str
    created_at: str
    data: RunPausedEventData


class RunResumedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunResumedWebhookData(TypedDict):
    event: RunResumedEvent
    run: WebhookRun
    truncated: list[RunResumedWebhookDataTruncatedItem]


class RunResumedWebhook(TypedDict):
    type: Literal['run.resumed']
    timestamp: str
    data: RunResumedWebhookData


class RunResumedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']


class RunResumedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.resumed']
    run_id: str
    created_at: str
    data: RunResumedEventData


class RunRetriedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunRetriedWebhookData(TypedDict):
    event: RunRetriedEvent
    run: WebhookRun
    truncated: list[RunRetriedWebhookDataTruncatedItem]


class RunRetriedWebhook(TypedDict):
    type: Literal['run.retried']
    timestamp: str
    data: RunRetriedWebhookData


class RunRetriedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    epoch: int


class RunRetriedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.retried']
    run_id: str
    created_at: str
    data: RunRetriedEventData


class RunCompletedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunCompletedWebhookData(TypedDict):
    event: RunCompletedEvent
    run: WebhookRun
    output: NotRequired[dict[str, Any] | None]
    truncated: list[RunCompletedWebhookDataTruncatedItem]


class RunCompletedWebhook(TypedDict):
    type: Literal['run.completed']
    timestamp: str
    data: RunCompletedWebhookData


class RunCompletedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    accepted: bool | None
    stop_reason: str | None


class RunCompletedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.completed']
    run_id: str
    created_at: str
    data: RunCompletedEventData


class RunFailedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunFailedWebhookData(TypedDict):
    event: RunFailedEvent
    run: WebhookRun
    truncated: list[RunFailedWebhookDataTruncatedItem]


class RunFailedWebhook(TypedDict):
    type: Literal['run.failed']
    timestamp: str
    data: RunFailedWebhookData


class RunFailedEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    error: RunError


class RunFailedEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.failed']
    run_id: str
    created_at: str
    data: RunFailedEventData


class RunError(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Literal['malformed_json', 'invalid_query', 'invalid_cursor', 'invalid_idempotency_key', 'unauthenticated', 'key_revoked', 'key_expired', 'missing_scope', 'workflow_not_allowed', 'foreign_origin', 'not_found', 'method_not_allowed', 'wrong_state', 'idempotency_key_in_flight', 'idempotency_answer_unreadable', 'already_answered', 'webhook_endpoint_unsigned', 'answer_required', 'key_ended', 'key_in_use', 'name_taken', 'registry_full', 'built_in_agent', 'duplicate_document', 'duplicate_item', 'dataset_closed', 'dataset_empty', 'dataset_full', 'dataset_busy', 'dataset_in_use', 'unknown_template', 'template_in_use', 'changed_meanwhile', 'wrong_mode', 'no_vectors', 'webhook_endpoint_pushes', 'webhook_endpoint_disabled', 'interaction_expired', 'interaction_withdrawn', 'link_replaced', 'interaction_canceled', 'payload_too_large', 'unsupported_media_type', 'validation_failed', 'invalid_text', 'idempotency_key_reused', 'unknown_workflow', 'unknown_provider', 'no_model_configured', 'provider_key_required', 'provider_key_unreadable', 'provider_keys_off', 'unknown_dataset', 'dataset_open', 'unknown_agent', 'url_refused', 'rate_limited', 'quota_exceeded', 'too_many_streams', 'storage_unavailable', 'internal_error', 'budget_exceeded', 'parent_budget_exceeded', 'workflow_changed', 'result_too_large', 'too_many_children', 'interaction_unanswered', 'provider_rate_limited', 'provider_unavailable', 'provider_unreachable', 'provider_timeout', 'provider_refused_request', 'provider_input_too_long', 'output_truncated', 'output_empty', 'output_refused', 'output_invalid']
    errors: NotRequired[list[Fault]]


class Fault(TypedDict):
    path: str
    code: str
    message: str


class RunCanceledWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunCanceledWebhookData(TypedDict):
    event: RunCanceledEvent
    run: WebhookRun
    truncated: list[RunCanceledWebhookDataTruncatedItem]


class RunCanceledWebhook(TypedDict):
    type: Literal['run.canceled']
    timestamp: str
    data: RunCanceledWebhookData


class RunCanceledEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    epoch: int


class RunCanceledEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.canceled']
    run_id: str
    created_at: str
    data: RunCanceledEventData


class RunBudgetWarningWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunBudgetWarningWebhookData(TypedDict):
    event: RunBudgetWarningEvent
    run: WebhookRun
    truncated: list[RunBudgetWarningWebhookDataTruncatedItem]


class RunBudgetWarningWebhook(TypedDict):
    type: Literal['run.budget_warning']
    timestamp: str
    data: RunBudgetWarningWebhookData


class RunBudgetWarningEventDataUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


class RunBudgetWarningEventData(TypedDict):
    status: Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']
    limits: Limits
    usage: RunBudgetWarningEventDataUsage


class RunBudgetWarningEvent(TypedDict):
    id: str
    seq: int
    type: Literal['run.budget_warning']
    run_id: str
    created_at: str
    data: RunBudgetWarningEventData


class Limits(TypedDict):
    max_llm_calls: int | None
    max_tokens: int | None
    max_cost_usd: float | None
    timeout: str | None
    provider_wait: str


class WebhookPingWebhookDataEvent(TypedDict):
    id: str


class WebhookPingWebhookDataEndpoint(TypedDict):
    id: str
    run_id: str | None


class WebhookPingWebhookData(TypedDict):
    event: WebhookPingWebhookDataEvent
    endpoint: WebhookPingWebhookDataEndpoint


class WebhookPingWebhook(TypedDict):
    type: Literal['webhook.ping']
    timestamp: str
    data: WebhookPingWebhookData


class WebhookEndpointDisabledWebhookDataEvent(TypedDict):
    id: str


class WebhookEndpointDisabledWebhookDataEndpoint(TypedDict):
    id: str
    run_id: str | None
    disabled_because: Literal['receiver_gone', 'retries_failed']


class WebhookEndpointDisabledWebhookData(TypedDict):
    event: WebhookEndpointDisabledWebhookDataEvent
    endpoint: WebhookEndpointDisabledWebhookDataEndpoint


class WebhookEndpointDisabledWebhook(TypedDict):
    type: Literal['webhook_endpoint.disabled']
    timestamp: str
    data: WebhookEndpointDisabledWebhookData


Webhook: TypeAlias = "RunCreatedWebhook | RunStartedWebhook | RunStageStartedWebhook | RunStageCompletedWebhook | RunArtifactCreatedWebhook | RunInputRequiredWebhook | RunInputReceivedWebhook | RunInputExpiredWebhook | RunInputExtendedWebhook | RunInputReaddressedWebhook | RunInputWithdrawnWebhook | RunInputReminderWebhook | RunStalledWebhook | RunProviderFailingWebhook | RunProviderRecoveredWebhook | RunPausedWebhook | RunResumedWebhook | RunRetriedWebhook | RunCompletedWebhook | RunFailedWebhook | RunCanceledWebhook | RunBudgetWarningWebhook | WebhookPingWebhook | WebhookEndpointDisabledWebhook"


Answer: TypeAlias = "ClarificationAnswer | FeedbackAnswer"


class ClarificationAnswer(TypedDict):
    answers: dict[str, str | float | bool | None]
    comment: NotRequired[str]
    answered_by: NotRequired[str]


class FeedbackAnswer(TypedDict):
    decision: Literal['approve', 'revise', 'reject']
    comment: NotRequired[str]
    edited_content: NotRequired[Any]
    additions: NotRequired[Any]
    answered_by: NotRequired[str]


class CreateAgentMcpServersItem(TypedDict):
    name: str
    url: str
    headers: NotRequired[dict[str, str]]


class CreateAgent(TypedDict):
    name: str
    description: str
    capabilities: list[str]
    when_to_use: str
    input: str
    output: str
    instructions: str
    tools: NotRequired[list[Literal['calculator', 'date_arithmetic', 'http_request', 'web_search']]]
    mcp_servers: NotRequired[list[CreateAgentMcpServersItem]]
    model: NotRequired[str | None]


class UpdateAgentMcpServersItem(TypedDict):
    name: str
    url: str
    headers: NotRequired[dict[str, str]]


class UpdateAgent(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    capabilities: NotRequired[list[str]]
    when_to_use: NotRequired[str]
    input: NotRequired[str]
    output: NotRequired[str]
    instructions: NotRequired[str]
    tools: NotRequired[list[Literal['calculator', 'date_arithmetic', 'http_request', 'web_search']]]
    mcp_servers: NotRequired[list[UpdateAgentMcpServersItem]]
    model: NotRequired[str | None]


class CreateCorpus(TypedDict):
    name: str
    description: NotRequired[str]
    language: NotRequired[str | None]
    metadata: NotRequired[dict[str, str]]
    embedding_model: NotRequired[str | None]


class UpdateCorpus(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    language: NotRequired[str | None]
    metadata: NotRequired[dict[str, str]]


class CreateDocument(TypedDict):
    text: str
    source: str
    title: NotRequired[str | None]
    jurisdiction: NotRequired[str | None]
    language: NotRequired[str | None]
    date: NotRequired[str | None]
    url: NotRequired[str | None]
    metadata: NotRequired[dict[str, str]]
    external_id: NotRequired[str | None]


class CreateTemplate(TypedDict):
    name: str
    description: NotRequired[str]
    request: dict[str, Any]
    fields: NotRequired[dict[str, TemplateField]]


class TemplateField(TypedDict):
    type: NotRequired[Literal['string', 'number', 'boolean', 'json']]
    description: NotRequired[str]
    default: NotRequired[Any]
    example: NotRequired[Any]


class UpdateTemplate(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    request: NotRequired[dict[str, Any]]
    fields: NotRequired[dict[str, TemplateField]]


class StartTemplate(TypedDict):
    fields: NotRequired[dict[str, Any]]


class CreateSchedule(TypedDict):
    name: str
    cron: str
    time_zone: NotRequired[str]
    fields: NotRequired[dict[str, Any]]
    overlap: NotRequired[Literal['skip', 'queue', 'cancel_other']]
    catch_up: NotRequired[Literal['none', 'last', 'all']]
    status: NotRequired[Literal['active', 'paused']]
    template_id: str


class UpdateSchedule(TypedDict):
    name: NotRequired[str]
    cron: NotRequired[str]
    time_zone: NotRequired[str]
    fields: NotRequired[dict[str, Any]]
    overlap: NotRequired[Literal['skip', 'queue', 'cancel_other']]
    catch_up: NotRequired[Literal['none', 'last', 'all']]
    status: NotRequired[Literal['active', 'paused']]


class CreateDataset(TypedDict):
    name: str
    description: NotRequired[str]
    workflow: str
    metadata: NotRequired[dict[str, str]]


class UpdateDataset(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    metadata: NotRequired[dict[str, str]]


class DatasetItem(TypedDict):
    id: str
    input: dict[str, Any]
    options: NotRequired[dict[str, Any]]
    gold: NotRequired[Gold]
    tags: NotRequired[list[str]]


class GoldCallsItem(TypedDict):
    name: str
    arguments: dict[str, list[Any]]


class GoldRubricItem(TypedDict):
    text: str
    points: float


class GoldModelEntitiesItem(TypedDict):
    name: str
    type: str


GoldModelRelationsItem = TypedDict(
    "GoldModelRelationsItem",
    {
        "type": "str",
        "from": "str",
        "to": "str",
    },
)


class GoldModel(TypedDict):
    entities: list[GoldModelEntitiesItem]
    relations: NotRequired[list[GoldModelRelationsItem]]


class Gold(TypedDict):
    number: NotRequired[float]
    text: NotRequired[list[str]]
    choice: NotRequired[str]
    calls: NotRequired[list[GoldCallsItem]]
    rubric: NotRequired[list[GoldRubricItem]]
    reference: NotRequired[str]
    authorities: NotRequired[list[str]]
    model: NotRequired[GoldModel]


class CreateWebhookEndpointA2a(TypedDict):
    run_id: str
    authorization: NotRequired[str]
    token: NotRequired[str]


class CreateWebhookEndpoint(TypedDict):
    kind: NotRequired[Literal['http', 'slack', 'email']]
    delivery: NotRequired[Literal['push', 'poll']]
    url: NotRequired[str]
    events: NotRequired[list[Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_readdressed', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning', 'webhook_endpoint.disabled']]]
    description: NotRequired[str]
    secret: NotRequired[str]
    a2a: NotRequired[CreateWebhookEndpointA2a]


class UpdateWebhookEndpoint(TypedDict):
    url: NotRequired[str]
    events: NotRequired[list[Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_readdressed', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning', 'webhook_endpoint.disabled']]]
    description: NotRequired[str]
    status: NotRequired[Literal['enabled', 'disabled']]


Run: TypeAlias = "RequirementsRun | WaterfallRun | DebateRun | IdeationRun | PlainRun | ExperimentRun"


class ResolvedModels(TypedDict):
    default: str
    roles: dict[str, ResolvedModel]
    embedding: str | None
    seed: int | None


class ResolvedModel(TypedDict):
    model: str
    fallbacks: NotRequired[list[str]]
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]


class RunWebhook(TypedDict):
    id: str
    url: str
    events: list[WebhookType]
    status: WebhookEndpointStatus
    secret: NotRequired[str]


WebhookType: TypeAlias = "Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_readdressed', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning', 'webhook_endpoint.disabled']"


WebhookEndpointStatus: TypeAlias = "Literal['enabled', 'disabled']"


class TestSettingsFaults(TypedDict):
    llm: NotRequired[list[Literal['rate_limited', 'server_error', 'timeout', 'malformed', 'truncated', 'refusal', 'ok']]]


class TestSettings(TypedDict):
    script: NotRequired[dict[str, list[str]]]
    faults: NotRequired[TestSettingsFaults]
    latency_ms: NotRequired[int]


class FailingProvider(TypedDict):
    provider: str
    model: str
    code: Literal['provider_unreachable', 'provider_timeout', 'provider_rate_limited', 'provider_unavailable']
    reason: str
    since: str
    next_attempt_at: str


class ChildRuns(TypedDict):
    total: int
    queued: int
    running: int
    input_required: int
    completed: int
    failed: int
    canceled: int
    usage: Usage


class Usage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class Progress(TypedDict):
    stages_done: list[str]
    steps_done: int


class ProblemQuota(TypedDict):
    name: Literal['stored_bytes', 'queued_runs', 'corpora', 'documents', 'passages', 'templates', 'schedules', 'datasets', 'dataset_items', 'keys', 'webhook_endpoints', 'streams', 'sandbox_executions', 'idempotency_keys']
    used: int
    limit: int


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Literal['malformed_json', 'invalid_query', 'invalid_cursor', 'invalid_idempotency_key', 'unauthenticated', 'key_revoked', 'key_expired', 'missing_scope', 'workflow_not_allowed', 'foreign_origin', 'not_found', 'method_not_allowed', 'wrong_state', 'idempotency_key_in_flight', 'idempotency_answer_unreadable', 'already_answered', 'webhook_endpoint_unsigned', 'answer_required', 'key_ended', 'key_in_use', 'name_taken', 'registry_full', 'built_in_agent', 'duplicate_document', 'duplicate_item', 'dataset_closed', 'dataset_empty', 'dataset_full', 'dataset_busy', 'dataset_in_use', 'unknown_template', 'template_in_use', 'changed_meanwhile', 'wrong_mode', 'no_vectors', 'webhook_endpoint_pushes', 'webhook_endpoint_disabled', 'interaction_expired', 'interaction_withdrawn', 'link_replaced', 'interaction_canceled', 'payload_too_large', 'unsupported_media_type', 'validation_failed', 'invalid_text', 'idempotency_key_reused', 'unknown_workflow', 'unknown_provider', 'no_model_configured', 'provider_key_required', 'provider_key_unreadable', 'provider_keys_off', 'unknown_dataset', 'dataset_open', 'unknown_agent', 'url_refused', 'rate_limited', 'quota_exceeded', 'too_many_streams', 'storage_unavailable', 'internal_error', 'budget_exceeded', 'parent_budget_exceeded', 'workflow_changed', 'result_too_large', 'too_many_children', 'interaction_unanswered', 'provider_rate_limited', 'provider_unavailable', 'provider_unreachable', 'provider_timeout', 'provider_refused_request', 'provider_input_too_long', 'output_truncated', 'output_empty', 'output_refused', 'output_invalid']
    errors: NotRequired[list[Fault]]
    quota: NotRequired[ProblemQuota]
    request_id: str


class RunEstimateCalls(TypedDict):
    low: float
    high: float


class RunEstimateInputTokens(TypedDict):
    low: float
    high: float


class RunEstimateOutputTokens(TypedDict):
    low: float
    high: float


class RunEstimateCostUsd(TypedDict):
    low: float
    high: float


class RunEstimateChildrenItemCalls(TypedDict):
    low: float
    high: float


class RunEstimateChildrenItemInputTokens(TypedDict):
    low: float
    high: float


class RunEstimateChildrenItemOutputTokens(TypedDict):
    low: float
    high: float


class RunEstimateChildrenItemCostUsd(TypedDict):
    low: float
    high: float


class RunEstimateChildrenItem(TypedDict):
    name: str
    runs: int
    calls: RunEstimateChildrenItemCalls
    input_tokens: RunEstimateChildrenItemInputTokens
    output_tokens: RunEstimateChildrenItemOutputTokens
    cost_usd: RunEstimateChildrenItemCostUsd | None


class RunEstimate(TypedDict):
    object: Literal['run_estimate']
    workflow: str
    calls: RunEstimateCalls
    input_tokens: RunEstimateInputTokens
    output_tokens: RunEstimateOutputTokens
    cost_usd: RunEstimateCostUsd | None
    unpriced_models: list[str]
    earlier_runs: int
    children: list[RunEstimateChildrenItem]
    notes: list[str]


class RunPage(TypedDict):
    data: list[RunEntry]
    next_cursor: str | None


RunEntry: TypeAlias = "RequirementsRunEntry | WaterfallRunEntry | DebateRunEntry | IdeationRunEntry | PlainRunEntry | ExperimentRunEntry"


class NoFields(TypedDict):
    pass


class RetryRunLimits(TypedDict):
    max_llm_calls: NotRequired[int | None]
    max_tokens: NotRequired[int | None]
    max_cost_usd: NotRequired[float | None]
    timeout: NotRequired[str | None]
    provider_wait: NotRequired[str]


class RetryRun(TypedDict):
    from_stage: NotRequired[str]
    limits: NotRequired[RetryRunLimits]


class ArtifactPage(TypedDict):
    data: list[Artifact]
    next_cursor: str | None


class Artifact(TypedDict):
    object: Literal['artifact']
    id: str
    run_id: str
    kind: str
    subject: str
    version: int
    role: str
    caused_by: str
    sent_from: str
    send_to: list[str]
    inputs: list[str]
    generation: int
    iteration: int
    stage: str
    act: str
    media_type: str
    size: int
    sha256: str
    model: str | None
    rung: Literal['json_schema', 'json_object', 'text', 'markdown', None]
    parameters: dict[str, Any] | None
    prompt_hash: str | None
    repairs: int
    tries: int
    usage: Usage
    duration_ms: int
    created_at: str


class ArtifactWithContent(TypedDict):
    object: Literal['artifact']
    id: str
    run_id: str
    kind: str
    subject: str
    version: int
    role: str
    caused_by: str
    sent_from: str
    send_to: list[str]
    inputs: list[str]
    generation: int
    iteration: int
    stage: str
    act: str
    media_type: str
    size: int
    sha256: str
    model: str | None
    rung: Literal['json_schema', 'json_object', 'text', 'markdown', None]
    parameters: dict[str, Any] | None
    prompt_hash: str | None
    repairs: int
    tries: int
    usage: Usage
    duration_ms: int
    created_at: str
    content: NotRequired[Any]


class Manifest(TypedDict):
    object: Literal['manifest']
    run_id: str
    workflow: str
    workflow_version: int
    code_version: str
    models: ResolvedModels
    actions: list[ManifestAction]
    usage_by_action: list[ActionUsage]
    usage_by_model: list[ModelUsage]


class ManifestAction(TypedDict):
    action: str
    role: str
    prompt_hash: str | None
    code_versions: list[str]
    models: list[str]
    rungs: list[str]
    parameters: list[dict[str, Any]]
    acts: int
    repairs: int
    tries: int
    artifacts: list[str]


class ActionUsage(TypedDict):
    action: str
    acts: int
    usage: Usage


class ModelUsage(TypedDict):
    model: str
    acts: int
    usage: Usage


class EventPage(TypedDict):
    data: list[Event]
    next_cursor: str | None


Event: TypeAlias = "RunCreatedEvent | RunStartedEvent | RunStageStartedEvent | RunStageCompletedEvent | RunArtifactCreatedEvent | RunInputRequiredEvent | RunInputReceivedEvent | RunInputExpiredEvent | RunInputExtendedEvent | RunInputReaddressedEvent | RunInputWithdrawnEvent | RunInputReminderEvent | RunStalledEvent | RunProviderFailingEvent | RunProviderRecoveredEvent | RunPausedEvent | RunResumedEvent | RunRetriedEvent | RunCompletedEvent | RunFailedEvent | RunCanceledEvent | RunBudgetWarningEvent"


class InteractionPage(TypedDict):
    data: list[Interaction]
    next_cursor: str | None


class Interaction(TypedDict):
    object: Literal['interaction']
    id: str
    run_id: str
    about: AboutRun
    requested_by: str | None
    kind: Literal['clarification', 'feedback', 'approval']
    status: InteractionStatus
    stage: str
    prompt: str
    artifacts: list[str]
    questions: list[Question]
    answer_schema: dict[str, Any]
    answer: dict[str, Any] | None
    answered_by: str | None
    assignee: Assignee | None
    callback_url: str | None
    expires_at: str
    on_expiry: Literal['proceed', 'fail']
    created_at: str
    answered_at: str | None


class ExtendInteraction(TypedDict):
    expires_at: str


class ReaddressInteraction(TypedDict):
    name: NotRequired[str]
    email: NotRequired[str]


class WorkflowList(TypedDict):
    data: list[Workflow]
    next_cursor: None


class Workflow(TypedDict):
    object: Literal['workflow']
    name: str
    version: int
    title: str
    summary: str
    source: Source
    stages: list[str]
    roles: list[Role]
    actions: list[Action]
    kinds: dict[str, str]
    checkpoint_kinds: list[str]
    input: dict[str, Any]
    options: dict[str, Any]
    paper_options: dict[str, Any]
    output: dict[str, Any]
    example: WorkflowExample


class Source(TypedDict):
    title: str
    url: str | None


class Role(TypedDict):
    name: str
    summary: str
    decoding: dict[str, Any]
    paper_decoding: dict[str, Any]


class Action(TypedDict):
    name: str
    role: str
    kind: str
    summary: str
    outcomes: list[str]


class WorkflowExample(TypedDict):
    input: NotRequired[Any]
    options: NotRequired[Any]


class AgentMcpServersItem(TypedDict):
    name: str
    url: str
    header_names: list[str]


class Agent(TypedDict):
    object: Literal['agent']
    id: str
    built_in: bool
    name: str
    description: str
    capabilities: list[str]
    when_to_use: str
    input: str
    output: str
    instructions: str
    tools: list[str]
    unavailable_tools: list[str]
    mcp_servers: list[AgentMcpServersItem]
    model: str | None
    created_at: str | None
    updated_at: str | None


class AgentPage(TypedDict):
    data: list[Agent]
    next_cursor: str | None


class CorpusCounts(TypedDict):
    documents: int
    ready_documents: int
    passages: int
    embedded_passages: int


class Corpus(TypedDict):
    object: Literal['corpus']
    id: str
    mode: Mode
    name: str
    description: str
    language: str | None
    metadata: dict[str, str]
    embedding_model: str | None
    status: Literal['indexing', 'ready']
    failure: str | None
    counts: CorpusCounts
    usage: Any
    created_at: str
    updated_at: str


class CorpusPage(TypedDict):
    data: list[Corpus]
    next_cursor: str | None


class SearchResult(TypedDict):
    object: Literal['search']
    query: str
    method: Literal['bm25', 'hybrid']
    embedding_model: str | None
    data: list[Passage]


class PassageSnippet(TypedDict):
    text: str
    start: int
    end: int


class PassageScores(TypedDict):
    fused: float | None
    bm25: float | None
    embedding: float | None


class Passage(TypedDict):
    object: Literal['passage']
    id: str
    document_id: str
    external_id: str | None
    source: str
    title: str | None
    jurisdiction: str | None
    language: str | None
    date: str | None
    url: str | None
    heading: str | None
    excerpt: str
    start: int
    end: int
    snippet: PassageSnippet
    scores: PassageScores


class SearchCorpus(TypedDict):
    query: str
    limit: NotRequired[int]
    method: NotRequired[Literal['bm25', 'hybrid']]
    jurisdiction: NotRequired[str | None]
    language: NotRequired[str | None]


class Document(TypedDict):
    object: Literal['document']
    id: str
    corpus_id: str
    external_id: str | None
    source: str
    title: str | None
    jurisdiction: str | None
    language: str | None
    date: str | None
    url: str | None
    upload_id: str | None
    metadata: dict[str, str]
    size: int
    sha256: str
    passages: int
    status: Literal['indexing', 'embedding', 'ready']
    created_at: str


class UploadCounts(TypedDict):
    lines: int
    added: int
    unchanged: int
    faulty: int
    ready: int


class UploadFaultsItem(TypedDict):
    line: int
    errors: list[Fault]


class Upload(TypedDict):
    object: Literal['upload']
    id: str
    corpus_id: str
    status: Literal['reading', 'indexing', 'completed']
    size: int
    bytes_read: int
    counts: UploadCounts
    faults: list[UploadFaultsItem]
    failure: str | None
    created_at: str
    read_at: str | None


class DocumentPage(TypedDict):
    data: list[Document]
    next_cursor: str | None


class UploadPage(TypedDict):
    data: list[Upload]
    next_cursor: str | None


class Template(TypedDict):
    object: Literal['template']
    id: str
    mode: Mode
    name: str
    description: str
    version: int
    workflow: str
    request: dict[str, Any]
    fields: dict[str, TemplateField]
    created_at: str
    updated_at: str


class TemplatePage(TypedDict):
    data: list[Template]
    next_cursor: str | None


class Schedule(TypedDict):
    object: Literal['schedule']
    id: str
    mode: Mode
    name: str
    template_id: str
    key_id: str
    cron: str
    time_zone: str
    fields: dict[str, Any]
    overlap: Literal['skip', 'queue', 'cancel_other']
    catch_up: Literal['none', 'last', 'all']
    status: Literal['active', 'paused', 'ended']
    next_times: list[str]
    last_run_id: str | None
    created_at: str
    updated_at: str


class SchedulePage(TypedDict):
    data: list[Schedule]
    next_cursor: str | None


class OccurrencePage(TypedDict):
    data: list[Occurrence]
    next_cursor: str | None


class Occurrence(TypedDict):
    object: Literal['occurrence']
    schedule_id: str
    due_at: str
    outcome: Literal['started', 'skipped', 'failed']
    run_id: str | None
    reason: str | None
    settled_at: str


class Dataset(TypedDict):
    object: Literal['dataset']
    id: str
    mode: Mode
    name: str
    description: str
    workflow: str
    metadata: dict[str, str]
    status: Literal['open', 'closed']
    items: int
    bytes: int
    content_hash: str | None
    created_at: str
    updated_at: str
    closed_at: str | None


class DatasetPage(TypedDict):
    data: list[Dataset]
    next_cursor: str | None


class DatasetItemPage(TypedDict):
    data: list[DatasetItem]
    next_cursor: str | None


class CreatedKey(TypedDict):
    object: Literal['key']
    id: str
    name: str
    mode: Mode
    scopes: list[Literal['runs:read', 'runs:write', 'admin']]
    workflows: list[str] | None
    hint: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None
    rolled_to: str | None
    key: str


class CreateKey(TypedDict):
    name: str
    mode: Mode
    scopes: NotRequired[list[Literal['runs:read', 'runs:write', 'admin']]]
    expires_at: NotRequired[str]
    workflows: NotRequired[list[str]]


class KeyPage(TypedDict):
    data: list[Key]
    next_cursor: str | None


class Key(TypedDict):
    object: Literal['key']
    id: str
    name: str
    mode: Mode
    scopes: list[Literal['runs:read', 'runs:write', 'admin']]
    workflows: list[str] | None
    hint: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None
    rolled_to: str | None


class RollKey(TypedDict):
    overlap_seconds: NotRequired[int]


class UpdateKey(TypedDict):
    name: NotRequired[str]
    scopes: NotRequired[list[Literal['runs:read', 'runs:write', 'admin']]]


class ProviderList(TypedDict):
    data: list[Provider]
    next_cursor: None


class ProviderKey_(TypedDict):
    hint: str
    created_at: str


class Provider(TypedDict):
    object: Literal['provider']
    name: str
    configured: bool
    key_required: bool
    key: ProviderKey_ | None


class ProviderKey(TypedDict):
    api_key: str


class AuditPage(TypedDict):
    data: list[AuditEntry]
    next_cursor: str | None


class AuditEntry(TypedDict):
    object: Literal['audit_entry']
    id: str
    created_at: str
    actor: Literal['key', 'interaction', 'operator']
    actor_id: str | None
    mode: Mode
    action: str
    object_type: str | None
    object_id: str | None
    request_id: str | None
    outcome: Literal['done', 'refused']


class Tenant(TypedDict):
    object: Literal['tenant']
    id: str
    name: str
    created_at: str


class MetricsRunsItem(TypedDict):
    workflow: str
    mode: Mode
    status: RunStatus
    runs: int
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class MetricsCorporaItem(TypedDict):
    mode: Mode
    corpora: int
    llm_calls: int
    input_tokens: int
    cost_usd: float | None


class MetricsWebhookDeliveries(TypedDict):
    pending: int
    failed: int


class MetricsQuotasStoredBytes(TypedDict):
    used: int
    limit: int


class MetricsQuotasQueuedRuns(TypedDict):
    used: int
    limit: int


class MetricsQuotasCorpora(TypedDict):
    used: int
    limit: int


class MetricsQuotasDocuments(TypedDict):
    used: int
    limit: int


class MetricsQuotasPassages(TypedDict):
    used: int
    limit: int


class MetricsQuotasTemplates(TypedDict):
    used: int
    limit: int


class MetricsQuotasSchedules(TypedDict):
    used: int
    limit: int


class MetricsQuotasDatasets(TypedDict):
    used: int
    limit: int


class MetricsQuotasDatasetItems(TypedDict):
    used: int
    limit: int


class MetricsQuotasKeys(TypedDict):
    used: int
    limit: int


class MetricsQuotasWebhookEndpoints(TypedDict):
    used: int
    limit: int


class MetricsQuotasStreams(TypedDict):
    used: int
    limit: int


class MetricsQuotasSandboxExecutions(TypedDict):
    used: int
    limit: int


class MetricsQuotasIdempotencyKeys(TypedDict):
    used: int
    limit: int


class MetricsQuotas(TypedDict):
    stored_bytes: MetricsQuotasStoredBytes
    queued_runs: MetricsQuotasQueuedRuns
    corpora: MetricsQuotasCorpora
    documents: MetricsQuotasDocuments
    passages: MetricsQuotasPassages
    templates: MetricsQuotasTemplates
    schedules: MetricsQuotasSchedules
    datasets: MetricsQuotasDatasets
    dataset_items: MetricsQuotasDatasetItems
    keys: MetricsQuotasKeys
    webhook_endpoints: MetricsQuotasWebhookEndpoints
    streams: MetricsQuotasStreams
    sandbox_executions: MetricsQuotasSandboxExecutions
    idempotency_keys: MetricsQuotasIdempotencyKeys


class Metrics(TypedDict):
    object: Literal['metrics']
    taken_at: str
    runs: list[MetricsRunsItem]
    corpora: list[MetricsCorporaItem]
    stalled_runs: int
    open_interactions: int
    oldest_queued_since: str | None
    webhook_deliveries: MetricsWebhookDeliveries
    quotas: MetricsQuotas


class UsageReportDataItem(TypedDict):
    day: NotRequired[str]
    workflow: NotRequired[str | None]
    role: NotRequired[str | None]
    model: NotRequired[str | None]
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None
    unpriced_calls: int


class UsageReportTotal(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None
    unpriced_calls: int


UsageReport = TypedDict(
    "UsageReport",
    {
        "object": "Literal['usage']",
        "from": "str",
        "to": "str",
        "group_by": "list[Literal['day', 'workflow', 'role', 'model']]",
        "data": "list[UsageReportDataItem]",
        "total": "UsageReportTotal",
    },
)


class WebhookEndpointWithSecret(TypedDict):
    object: Literal['webhook_endpoint']
    id: str
    run_id: str | None
    kind: Literal['http', 'slack', 'email']
    delivery: Literal['push', 'poll']
    format: Literal['events', 'a2a']
    url: str | None
    events: list[WebhookType]
    description: str
    status: WebhookEndpointStatus
    disabled_because: Literal['receiver_gone', 'retries_failed', 'by_request', None]
    disabled_at: str | None
    previous_secret_expires_at: str | None
    created_at: str
    updated_at: str
    secret: str | None


class WebhookEndpointPage(TypedDict):
    data: list[WebhookEndpoint]
    next_cursor: str | None


class WebhookEndpoint(TypedDict):
    object: Literal['webhook_endpoint']
    id: str
    run_id: str | None
    kind: Literal['http', 'slack', 'email']
    delivery: Literal['push', 'poll']
    format: Literal['events', 'a2a']
    url: str | None
    events: list[WebhookType]
    description: str
    status: WebhookEndpointStatus
    disabled_because: Literal['receiver_gone', 'retries_failed', 'by_request', None]
    disabled_at: str | None
    previous_secret_expires_at: str | None
    created_at: str
    updated_at: str


class RotateWebhookSecret(TypedDict):
    secret: NotRequired[str]
    overlap: NotRequired[Literal['0s'] | str]


class Delivery(TypedDict):
    object: Literal['delivery']
    id: str
    endpoint_id: str
    event_id: str
    run_id: str | None
    type: Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_readdressed', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning', 'webhook_endpoint.disabled', 'webhook.ping']
    status: DeliveryStatus
    body: str
    attempts: list[DeliveryAttempt]
    next_attempt_at: str | None
    leased_until: str | None
    created_at: str
    settled_at: str | None


DeliveryStatus: TypeAlias = "Literal['pending', 'delivered', 'failed']"


class DeliveryAttemptRequest(TypedDict):
    url: str
    headers: dict[str, str]


class DeliveryAttemptResponse(TypedDict):
    status: int
    body: str


class DeliveryAttempt(TypedDict):
    attempt: int
    started_at: str
    duration_ms: int
    request: DeliveryAttemptRequest | None
    response: DeliveryAttemptResponse | None
    error: str | None


class DeliveryPage(TypedDict):
    data: list[Delivery]
    next_cursor: str | None


class LeasedDeliveries(TypedDict):
    object: Literal['leased_deliveries']
    data: list[LeasedDelivery]


class LeasedDelivery(TypedDict):
    id: str
    event_id: str
    run_id: str | None
    type: Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_readdressed', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning', 'webhook_endpoint.disabled', 'webhook.ping']
    attempt: int
    leased_until: str
    headers: dict[str, str]
    body: str


class LeaseDeliveries(TypedDict):
    limit: NotRequired[int]
    lease_seconds: NotRequired[int]


class AcknowledgedDeliveries(TypedDict):
    object: Literal['acknowledged_deliveries']
    acknowledged: list[str]
    unknown: list[str]


class AcknowledgeDeliveries(TypedDict):
    deliveries: list[str]


class Health(TypedDict):
    status: Literal['ok', 'unavailable']
    version: str
    because: NotRequired[Literal['database', 'keeper']]


class RequirementsInputStakeholdersItem(TypedDict):
    name: str
    profile: str


class RequirementsInputModelEntitiesItem(TypedDict):
    type: str
    name: str
    description: NotRequired[str]


RequirementsInputModelRelationsItem = TypedDict(
    "RequirementsInputModelRelationsItem",
    {
        "type": "str",
        "from": "str",
        "to": "str",
    },
)


class RequirementsInputModel(TypedDict):
    entities: list[RequirementsInputModelEntitiesItem]
    relations: list[RequirementsInputModelRelationsItem]


class RequirementsInput(TypedDict):
    idea: str
    title: NotRequired[str]
    background: NotRequired[str]
    stakeholders: NotRequired[list[RequirementsInputStakeholdersItem]]
    draft: NotRequired[str]
    model: NotRequired[RequirementsInputModel]


class MetamodelEntityTypesItem(TypedDict):
    name: str
    meaning: str
    examples: list[str]


MetamodelRelationTypesItem = TypedDict(
    "MetamodelRelationTypesItem",
    {
        "name": "str",
        "meaning": "str",
        "from": "list[str]",
        "to": "list[str]",
    },
)


class Metamodel(TypedDict):
    entity_types: list[MetamodelEntityTypesItem]
    relation_types: list[MetamodelRelationTypesItem]


class RequirementsOptionsAcceptanceCriteriaItem(TypedDict):
    name: str
    description: str


class RequirementsOptions(TypedDict):
    model_kind: NotRequired[Literal['use_case', 'problem', 'goal', 'custom']]
    metamodel: NotRequired[Metamodel]
    num_user_stories: NotRequired[int]
    qa_rounds: NotRequired[int]
    human_stakeholder: NotRequired[bool]
    max_iterations: NotRequired[int]
    reinterview: NotRequired[bool]
    acceptance_criteria: NotRequired[list[RequirementsOptionsAcceptanceCriteriaItem]]
    accept_at: NotRequired[Literal['none', 'minor', 'major']]
    relation_calls: NotRequired[Literal['listed', 'batched', 'per_pair']]
    draft_template: NotRequired[str]
    srs_template: NotRequired[str]
    strategy: NotRequired[Literal['mare', 'single_model']]
    profile: NotRequired[Literal['default', 'paper']]
    checkpoints: NotRequired[list[Literal['user_stories', 'requirement_question', 'stakeholders_answer', 'requirement_draft', 'draft_changes', 'acceptance_criteria', 'entities', 'relations', 'extracted_model', 'check_message', 'specification', 'error_report']]]
    interaction_timeout: NotRequired[str]
    on_expiry: NotRequired[Literal['proceed', 'fail']]


class RequirementsRunInputStakeholdersItem(TypedDict):
    name: str
    profile: str


class RequirementsRunInputModelEntitiesItem(TypedDict):
    type: str
    name: str
    description: str


RequirementsRunInputModelRelationsItem = TypedDict(
    "RequirementsRunInputModelRelationsItem",
    {
        "type": "str",
        "from": "str",
        "to": "str",
    },
)


class RequirementsRunInputModel(TypedDict):
    entities: list[RequirementsRunInputModelEntitiesItem]
    relations: list[RequirementsRunInputModelRelationsItem]


class RequirementsRunInput(TypedDict):
    idea: str
    title: NotRequired[str]
    background: NotRequired[str]
    stakeholders: NotRequired[list[RequirementsRunInputStakeholdersItem]]
    draft: NotRequired[str]
    model: NotRequired[RequirementsRunInputModel]


class RequirementsRunOptionsAcceptanceCriteriaItem(TypedDict):
    name: str
    description: str


class RequirementsRunOptions(TypedDict):
    model_kind: Literal['use_case', 'problem', 'goal', 'custom']
    metamodel: NotRequired[Metamodel]
    num_user_stories: int
    qa_rounds: int
    human_stakeholder: bool
    max_iterations: int
    reinterview: bool
    acceptance_criteria: NotRequired[list[RequirementsRunOptionsAcceptanceCriteriaItem]]
    accept_at: Literal['none', 'minor', 'major']
    relation_calls: Literal['listed', 'batched', 'per_pair']
    draft_template: NotRequired[str]
    srs_template: NotRequired[str]
    strategy: Literal['mare', 'single_model']
    profile: Literal['default', 'paper']
    checkpoints: list[Literal['user_stories', 'requirement_question', 'stakeholders_answer', 'requirement_draft', 'draft_changes', 'acceptance_criteria', 'entities', 'relations', 'extracted_model', 'check_message', 'specification', 'error_report']]
    interaction_timeout: str
    on_expiry: Literal['proceed', 'fail']


class RequirementsOutput(TypedDict):
    accepted: bool
    document: OutputDocument | None
    specification: OutputDocument | None
    draft: OutputDocument | None
    model: OutputDocument | None
    diagrams: list[OutputDocument]
    error_report: OutputDocument | None
    iterations: int
    stop_reason: Literal['accepted', 'max_iterations', 'same_smells', 'rejected_by_human']


class OutputDocument(TypedDict):
    artifact_id: str
    kind: str
    media_type: NotRequired[str]
    text: NotRequired[str]


class CreateRequirementsRunModelsRolesValue2(TypedDict):
    model: NotRequired[str]
    fallbacks: NotRequired[list[str]]
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]


class CreateRequirementsRunModels(TypedDict):
    default: NotRequired[str | list[str]]
    roles: NotRequired[dict[str, str | list[str] | CreateRequirementsRunModelsRolesValue2]]
    embedding: NotRequired[str | None]
    seed: NotRequired[int]


class CreateRequirementsRunLimits(TypedDict):
    max_llm_calls: NotRequired[int | None]
    max_tokens: NotRequired[int | None]
    max_cost_usd: NotRequired[float | None]
    timeout: NotRequired[str | None]
    provider_wait: NotRequired[str]


class CreateRequirementsRunWebhook(TypedDict):
    url: str
    events: NotRequired[list[Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_readdressed', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning']]]
    secret: NotRequired[str]


class CreateRequirementsRunTestScript(TypedDict):
    speak_user_stories: NotRequired[list[Literal['ok']]]
    propose_question: NotRequired[list[Literal['ok']]]
    answer_question: NotRequired[list[Literal['ok']]]
    write_req_draft: NotRequired[list[Literal['ok']]]
    revise_req_draft: NotRequired[list[Literal['ok']]]
    extract_entity: NotRequired[list[Literal['ok']]]
    list_relations: NotRequired[list[Literal['ok']]]
    extract_relation: NotRequired[list[Literal['complete', 'undecided_pair', 'undecided_once']]]
    extract_model: NotRequired[list[Literal['ok']]]
    derive_acceptance_criteria: NotRequired[list[Literal['ok']]]
    check_requirement: NotRequired[list[Literal['accept', 'accept_minor', 'reject', 'reject_same']]]
    write_srs: NotRequired[list[Literal['ok']]]
    write_check_report: NotRequired[list[Literal['ok']]]


class CreateRequirementsRunTestFaults(TypedDict):
    llm: NotRequired[list[Literal['rate_limited', 'server_error', 'timeout', 'malformed', 'truncated', 'refusal', 'ok']]]


class CreateRequirementsRunTest(TypedDict):
    script: NotRequired[CreateRequirementsRunTestScript]
    faults: NotRequired[CreateRequirementsRunTestFaults]
    latency_ms: NotRequired[int]


class CreateRequirementsRun(TypedDict):
    workflow: Literal['requirements']
    input: RequirementsInput
    options: NotRequired[RequirementsOptions]
    models: NotRequired[CreateRequirementsRunModels]
    limits: NotRequired[CreateRequirementsRunLimits]
    webhook: NotRequired[CreateRequirementsRunWebhook]
    metadata: NotRequired[dict[str, str]]
    requested_by: NotRequired[str]
    test: NotRequired[CreateRequirementsRunTest]


class RequirementsRunUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class RequirementsRun(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['requirements']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    input: RequirementsRunInput
    options: RequirementsRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: RequirementsOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: RequirementsRunUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


class RequirementsRunEntryUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class RequirementsRunEntry(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['requirements']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: RequirementsOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: RequirementsRunEntryUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


class WaterfallInput(TypedDict):
    requirement: str
    context: NotRequired[str]


class WaterfallOptionsFunctionsItem(TypedDict):
    name: str
    description: NotRequired[str]
    parameters: NotRequired[dict[str, Any]]


class WaterfallOptions(TypedDict):
    clarification: NotRequired[Literal['ask', 'infer', 'skip']]
    agents: NotRequired[list[str]]
    functions: NotRequired[list[WaterfallOptionsFunctionsItem]]
    max_requirement_revisions: NotRequired[int]
    max_pseudocode_revisions: NotRequired[int]
    max_response_revisions: NotRequired[int]
    max_repairs: NotRequired[int]
    max_executions: NotRequired[int]
    on_gherkin_rejected: NotRequired[Literal['optimize', 'transform']]
    verify_requirement: NotRequired[bool]
    verify_repaired_pseudocode: NotRequired[bool]
    strict_response: NotRequired[bool]
    improve_response: NotRequired[bool]
    on_verifier_limit: NotRequired[Literal['best', 'fail']]
    skip_stages: NotRequired[list[Literal['requirement_analysis', 'design', 'reflection']]]
    strategy: NotRequired[Literal['waagents', 'single_agent']]
    profile: NotRequired[Literal['default', 'paper']]
    checkpoints: NotRequired[list[Literal['clarification_questions', 'refined_requirement', 'gherkin', 'requirement_verdict', 'task_plan', 'pseudocode', 'pseudocode_verdict', 'code', 'direct_answer', 'response_verdict', 'error_report']]]
    interaction_timeout: NotRequired[str]
    on_expiry: NotRequired[Literal['proceed', 'fail']]


class WaterfallRunInput(TypedDict):
    requirement: str
    context: NotRequired[str]


class WaterfallRunOptionsFunctionsItem(TypedDict):
    name: str
    description: str
    parameters: dict[str, Any]


class WaterfallRunOptions(TypedDict):
    clarification: Literal['ask', 'infer', 'skip']
    agents: NotRequired[list[str]]
    functions: NotRequired[list[WaterfallRunOptionsFunctionsItem]]
    max_requirement_revisions: int
    max_pseudocode_revisions: int
    max_response_revisions: int
    max_repairs: int
    max_executions: int
    on_gherkin_rejected: Literal['optimize', 'transform']
    verify_requirement: bool
    verify_repaired_pseudocode: bool
    strict_response: bool
    improve_response: bool
    on_verifier_limit: Literal['best', 'fail']
    skip_stages: list[Literal['requirement_analysis', 'design', 'reflection']]
    strategy: Literal['waagents', 'single_agent']
    profile: Literal['default', 'paper']
    checkpoints: list[Literal['clarification_questions', 'refined_requirement', 'gherkin', 'requirement_verdict', 'task_plan', 'pseudocode', 'pseudocode_verdict', 'code', 'direct_answer', 'response_verdict', 'error_report']]
    interaction_timeout: str
    on_expiry: Literal['proceed', 'fail']


class WaterfallOutputCallsItem(TypedDict):
    name: str
    arguments: dict[str, Any]


class WaterfallOutputUnverifiedItem(TypedDict):
    kind: Literal['gherkin', 'pseudocode', 'response']
    reason: str


class WaterfallOutput(TypedDict):
    answer: str | None
    answer_json: NotRequired[Any]
    calls: NotRequired[list[WaterfallOutputCallsItem]]
    accepted: bool
    document: OutputDocument | None
    gherkin: OutputDocument | None
    plan: OutputDocument | None
    pseudocode: OutputDocument | None
    code: OutputDocument | None
    unverified: list[WaterfallOutputUnverifiedItem]
    executions: int
    stop_reason: Literal['accepted', 'answered', 'max_requirement_revisions', 'unknown_agents', 'max_pseudocode_revisions', 'max_response_revisions', 'max_repairs', 'max_executions', 'execution_failed', 'rejected_by_human']
    reason: NotRequired[str]


class CreateWaterfallRunModelsRolesValue2(TypedDict):
    model: NotRequired[str]
    fallbacks: NotRequired[list[str]]
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]


class CreateWaterfallRunModels(TypedDict):
    default: NotRequired[str | list[str]]
    roles: NotRequired[dict[str, str | list[str] | CreateWaterfallRunModelsRolesValue2]]
    embedding: NotRequired[str | None]
    seed: NotRequired[int]


class CreateWaterfallRunLimits(TypedDict):
    max_llm_calls: NotRequired[int | None]
    max_tokens: NotRequired[int | None]
    max_cost_usd: NotRequired[float | None]
    timeout: NotRequired[str | None]
    provider_wait: NotRequired[str]


class CreateWaterfallRunWebhook(TypedDict):
    url: str
    events: NotRequired[list[Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_readdressed', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning']]]
    secret: NotRequired[str]


class CreateWaterfallRunTestScript(TypedDict):
    ask_clarifications: NotRequired[list[Literal['questions', 'none']]]
    optimize_requirement: NotRequired[list[Literal['ok']]]
    transform_requirement: NotRequired[list[Literal['ok', 'syntax_error']]]
    verify_requirement: NotRequired[list[Literal['accept', 'reject']]]
    choose_agents: NotRequired[list[Literal['ok']]]
    decompose_task: NotRequired[list[Literal['ok', 'one_agent', 'several_agents', 'unknown_agent', 'unknown_alternative']]]
    write_pseudocode: NotRequired[list[Literal['ok']]]
    verify_pseudocode: NotRequired[list[Literal['accept', 'reject']]]
    generate_code: NotRequired[list[Literal['ok', 'syntax_error', 'runtime_error', 'endless_loop', 'unknown_agent', 'no_answer', 'no_agent']]]
    call_agent: NotRequired[list[Literal['answer', 'json', 'refuse', 'silent']]]
    verify_response: NotRequired[list[Literal['accept', 'improve', 'reject']]]
    analyze_error: NotRequired[list[Literal['by_evidence', 'design', 'implementation']]]
    fix_pseudocode: NotRequired[list[Literal['fix', 'no_fix']]]
    fix_code: NotRequired[list[Literal['fix', 'no_fix']]]
    answer_directly: NotRequired[list[Literal['ok']]]
    answer_with_calls: NotRequired[list[Literal['ok']]]


class CreateWaterfallRunTestFaults(TypedDict):
    llm: NotRequired[list[Literal['rate_limited', 'server_error', 'timeout', 'malformed', 'truncated', 'refusal', 'ok']]]


class CreateWaterfallRunTest(TypedDict):
    script: NotRequired[CreateWaterfallRunTestScript]
    faults: NotRequired[CreateWaterfallRunTestFaults]
    latency_ms: NotRequired[int]


class CreateWaterfallRun(TypedDict):
    workflow: Literal['waterfall']
    input: WaterfallInput
    options: NotRequired[WaterfallOptions]
    models: NotRequired[CreateWaterfallRunModels]
    limits: NotRequired[CreateWaterfallRunLimits]
    webhook: NotRequired[CreateWaterfallRunWebhook]
    metadata: NotRequired[dict[str, str]]
    requested_by: NotRequired[str]
    test: NotRequired[CreateWaterfallRunTest]


class WaterfallRunUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class WaterfallRun(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['waterfall']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    input: WaterfallRunInput
    options: WaterfallRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: WaterfallOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: WaterfallRunUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


class WaterfallRunEntryUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class WaterfallRunEntry(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['waterfall']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: WaterfallOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: WaterfallRunEntryUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


class DebateInputChoicesItem(TypedDict):
    label: str
    text: str


class DebateInputEvidenceItem(TypedDict):
    source: str
    jurisdiction: NotRequired[str]
    text: str


class DebateInput(TypedDict):
    question: str
    choices: NotRequired[list[DebateInputChoicesItem]]
    jurisdiction: NotRequired[str]
    language: NotRequired[str]
    evidence: NotRequired[list[DebateInputEvidenceItem]]
    corpus_ids: NotRequired[list[str]]


class DebateOptions(TypedDict):
    strategy: NotRequired[Literal['debate', 'single_agent', 'self_consistency']]
    debaters: NotRequired[int]
    rounds: NotRequired[int]
    positions: NotRequired[Literal['ranked', 'all_options', 'free'] | list[str]]
    topology: NotRequired[Literal['sparse_ring', 'sparse_rival', 'sparse_all', 'full']]
    free_to_switch: NotRequired[bool]
    early_stop: NotRequired[bool]
    top_k: NotRequired[int]
    snippets_per_rebuttal: NotRequired[int]
    brief_tokens: NotRequired[int]
    cross_examiner: NotRequired[bool]
    judging: NotRequired[Literal['blind', 'labeled']]
    samples: NotRequired[int]
    solvers: NotRequired[int]
    skip_debate_above: NotRequired[float]
    interventions: NotRequired[list[Literal['diversity_pruning', 'quality_pruning', 'misconception_refutation']]]
    human_review: NotRequired[bool]
    judge_each_round: NotRequired[bool]
    profile: NotRequired[Literal['default', 'paper']]
    checkpoints: NotRequired[list[Literal['option_ranking', 'short_answer', 'option_preference', 'framing', 'framings', 'brief', 'snippet_request', 'misconceptions', 'cross_question', 'side_answer', 'verdict', 'sole_answer', 'citation_support']]]
    interaction_timeout: NotRequired[str]
    on_expiry: NotRequired[Literal['proceed', 'fail']]


class DebateRunInputChoicesItem(TypedDict):
    label: str
    text: str


class DebateRunInputEvidenceItem(TypedDict):
    source: str
    jurisdiction: NotRequired[str]
    text: str


class DebateRunInput(TypedDict):
    question: str
    choices: NotRequired[list[DebateRunInputChoicesItem]]
    jurisdiction: NotRequired[str]
    language: NotRequired[str]
    evidence: NotRequired[list[DebateRunInputEvidenceItem]]
    corpus_ids: NotRequired[list[str]]


class DebateRunOptions(TypedDict):
    strategy: Literal['debate', 'single_agent', 'self_consistency']
    debaters: int
    rounds: int
    positions: Literal['ranked', 'all_options', 'free'] | list[str]
    topology: Literal['sparse_ring', 'sparse_rival', 'sparse_all', 'full']
    free_to_switch: bool
    early_stop: bool
    top_k: int
    snippets_per_rebuttal: int
    brief_tokens: NotRequired[int]
    cross_examiner: bool
    judging: Literal['blind', 'labeled']
    samples: int
    solvers: int
    skip_debate_above: float
    interventions: list[Literal['diversity_pruning', 'quality_pruning', 'misconception_refutation']]
    human_review: bool
    judge_each_round: bool
    profile: Literal['default', 'paper']
    checkpoints: list[Literal['option_ranking', 'short_answer', 'option_preference', 'framing', 'framings', 'brief', 'snippet_request', 'misconceptions', 'cross_question', 'side_answer', 'verdict', 'sole_answer', 'citation_support']]
    interaction_timeout: str
    on_expiry: Literal['proceed', 'fail']


class DebateOutputChecklistDoctrineNamed(TypedDict):
    met: bool
    note: str


class DebateOutputChecklistOnPointAuthority(TypedDict):
    met: bool
    note: str


class DebateOutputChecklistAccurateUse(TypedDict):
    met: bool
    note: str


class DebateOutputChecklistLogicalApplication(TypedDict):
    met: bool
    note: str


class DebateOutputChecklistOpponentAddressed(TypedDict):
    met: bool
    note: str


class DebateOutputChecklist(TypedDict):
    doctrine_named: DebateOutputChecklistDoctrineNamed
    on_point_authority: DebateOutputChecklistOnPointAuthority
    accurate_use: DebateOutputChecklistAccurateUse
    logical_application: DebateOutputChecklistLogicalApplication
    opponent_addressed: DebateOutputChecklistOpponentAddressed


class DebateOutputPartiesItem(TypedDict):
    party: str
    debater: str
    position: str
    statement: str
    held: str
    model: NotRequired[str]


class DebateOutputCitationsItem(TypedDict):
    authority_id: str
    external_id: NotRequired[str | None]
    quote: str
    proposition: str
    quote_match: Literal['verbatim', 'abridged', 'altered', 'missing'] | None
    quote_found: bool
    supported: bool | None
    foreign: bool
    cited_by: list[str]


class DebateOutputInventedCitationsItem(TypedDict):
    authority_id: str
    proposition: str
    cited_by: list[str]


class DebateOutputRetrievedItem(TypedDict):
    authority_id: str
    external_id: str | None


class DebateOutput(TypedDict):
    answer: str | None
    confidence: float | None
    rationale: list[str]
    checklist: DebateOutputChecklist | None
    winner: str | None
    prevailed: list[str]
    parties: list[DebateOutputPartiesItem]
    citations: list[DebateOutputCitationsItem]
    invented_citations: list[DebateOutputInventedCitationsItem]
    retrieved: NotRequired[list[DebateOutputRetrievedItem]]
    rounds: int
    answers_by_round: NotRequired[list[str | None]]
    stop_reason: Literal['judged', 'agreed', 'majority', 'invalid', 'answered', 'voted', 'undisputed', 'rejected_by_human']
    document: OutputDocument | None
    report: OutputDocument | None
    drawing: OutputDocument | None


class CreateDebateRunModelsRolesValue2(TypedDict):
    model: NotRequired[str]
    fallbacks: NotRequired[list[str]]
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]


class CreateDebateRunModels(TypedDict):
    default: NotRequired[str | list[str]]
    roles: NotRequired[dict[str, str | list[str] | CreateDebateRunModelsRolesValue2]]
    embedding: NotRequired[str | None]
    seed: NotRequired[int]


class CreateDebateRunLimits(TypedDict):
    max_llm_calls: NotRequired[int | None]
    max_tokens: NotRequired[int | None]
    max_cost_usd: NotRequired[float | None]
    timeout: NotRequired[str | None]
    provider_wait: NotRequired[str]


class CreateDebateRunWebhook(TypedDict):
    url: str
    events: NotRequired[list[Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_readdressed', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning']]]
    secret: NotRequired[str]


class CreateDebateRunTestScript(TypedDict):
    answer_briefly: NotRequired[list[Literal['apart', 'alike', 'unsure', 'cite_invented']]]
    rank_options: NotRequired[list[Literal['ok']]]
    choose_option: NotRequired[list[Literal['ok']]]
    propose_framing: NotRequired[list[Literal['ok']]]
    frame_positions: NotRequired[list[Literal['ok']]]
    write_opening: NotRequired[list[Literal['ok', 'no_citation', 'cite_invented', 'misquote', 'foreign_jurisdiction', 'concede', 'tell_who']]]
    request_snippet: NotRequired[list[Literal['request', 'no_request']]]
    write_rebuttal: NotRequired[list[Literal['ok', 'no_citation', 'cite_invented', 'misquote', 'foreign_jurisdiction', 'concede', 'switch', 'tell_who']]]
    find_misconceptions: NotRequired[list[Literal['found', 'none']]]
    ask_cross_question: NotRequired[list[Literal['ok']]]
    answer_question: NotRequired[list[Literal['answer', 'concede', 'cite_invented']]]
    judge_debate: NotRequired[list[Literal['decide', 'outside_options', 'undefended_option', 'no_winner', 'from_memory']]]
    answer_alone: NotRequired[list[Literal['ok', 'other_option', 'outside_options', 'cite_invented', 'no_citation', 'from_memory']]]
    check_citations: NotRequired[list[Literal['supported', 'unsupported']]]


class CreateDebateRunTestFaults(TypedDict):
    llm: NotRequired[list[Literal['rate_limited', 'server_error', 'timeout', 'malformed', 'truncated', 'refusal', 'ok']]]


class CreateDebateRunTest(TypedDict):
    script: NotRequired[CreateDebateRunTestScript]
    faults: NotRequired[CreateDebateRunTestFaults]
    latency_ms: NotRequired[int]


class CreateDebateRun(TypedDict):
    workflow: Literal['debate']
    input: DebateInput
    options: NotRequired[DebateOptions]
    models: NotRequired[CreateDebateRunModels]
    limits: NotRequired[CreateDebateRunLimits]
    webhook: NotRequired[CreateDebateRunWebhook]
    metadata: NotRequired[dict[str, str]]
    requested_by: NotRequired[str]
    test: NotRequired[CreateDebateRunTest]


class DebateRunUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class DebateRun(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['debate']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    input: DebateRunInput
    options: DebateRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: DebateOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: DebateRunUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


class DebateRunEntryUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class DebateRunEntry(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['debate']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: DebateOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: DebateRunEntryUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


class IdeationInputPapersItem(TypedDict):
    title: str
    abstract: str
    year: NotRequired[int | None]
    url: NotRequired[str | None]


class IdeationInput(TypedDict):
    topic: str
    papers: NotRequired[list[IdeationInputPapersItem]]
    existing_ideas: NotRequired[list[str]]
    corpus_ids: NotRequired[list[str]]


class IdeationOptionsExamplesItem(TypedDict):
    name: str
    problem: str
    existing_methods: str
    motivation: str
    proposed_method: str
    experiment_plan: str


class IdeationOptionsCompareItem1(TypedDict):
    name: str
    preset: NotRequired[Literal['single', 'baseline', 'iterative_2', 'iterative_3', 'iterative_4', 'parallel_2', 'parallel_3', 'parallel_4', 'persona_critic', 'persona_proposer', 'recommended', 'panel']]
    proposers: NotRequired[int]
    critics: NotRequired[int]
    depth: NotRequired[int]
    proposer_personas: NotRequired[list[str]]
    critic_personas: NotRequired[list[str]]


class IdeationOptions(TypedDict):
    preset: NotRequired[Literal['single', 'baseline', 'iterative_2', 'iterative_3', 'iterative_4', 'parallel_2', 'parallel_3', 'parallel_4', 'persona_critic', 'persona_proposer', 'recommended', 'panel']]
    proposers: NotRequired[int]
    critics: NotRequired[int]
    depth: NotRequired[int]
    proposer_personas: NotRequired[list[str]]
    critic_personas: NotRequired[list[str]]
    ideas: NotRequired[int]
    trials: NotRequired[int]
    parallelism: NotRequired[int]
    paper_source: NotRequired[Literal['given', 'semantic_scholar', 'none']]
    grounding_papers: NotRequired[int]
    bank_size: NotRequired[int]
    method: NotRequired[str]
    examples: NotRequired[list[IdeationOptionsExamplesItem]]
    venue: NotRequired[str]
    dedup_threshold: NotRequired[float]
    duplicate_checks: NotRequired[int]
    expand: NotRequired[Literal['all', 'top_k', 'none']]
    proposals: NotRequired[int]
    tournament_rounds: NotRequired[int]
    both_orders: NotRequired[bool]
    filters: NotRequired[list[Literal['consistency', 'feasibility', 'significance', 'novelty']]]
    extras: NotRequired[list[Literal['critic_papers', 'earlier_criticisms', 'closest_work', 'match_reasons', 'final_check']]]
    rubric: NotRequired[bool]
    compare: NotRequired[list[Literal['single', 'baseline', 'iterative_2', 'iterative_3', 'iterative_4', 'parallel_2', 'parallel_3', 'parallel_4', 'persona_critic', 'persona_proposer', 'recommended', 'panel'] | IdeationOptionsCompareItem1]]
    profile: NotRequired[Literal['default', 'paper']]
    checkpoints: NotRequired[list[Literal['paper_query', 'paper_scores', 'proposed_ideas', 'critique', 'revised_ideas', 'idea_set', 'kept_ideas', 'ranking', 'filter_verdict', 'rubric', 'proposal']]]
    interaction_timeout: NotRequired[str]
    on_expiry: NotRequired[Literal['proceed', 'fail']]


class IdeationRunInputPapersItem(TypedDict):
    title: str
    abstract: str
    year: NotRequired[int | None]
    url: NotRequired[str | None]


class IdeationRunInput(TypedDict):
    topic: str
    papers: NotRequired[list[IdeationRunInputPapersItem]]
    existing_ideas: NotRequired[list[str]]
    corpus_ids: NotRequired[list[str]]


class IdeationRunOptionsExamplesItem(TypedDict):
    name: str
    problem: str
    existing_methods: str
    motivation: str
    proposed_method: str
    experiment_plan: str


class IdeationRunOptionsCompareItem1(TypedDict):
    name: str
    preset: Literal['single', 'baseline', 'iterative_2', 'iterative_3', 'iterative_4', 'parallel_2', 'parallel_3', 'parallel_4', 'persona_critic', 'persona_proposer', 'recommended', 'panel']
    proposers: NotRequired[int]
    critics: NotRequired[int]
    depth: NotRequired[int]
    proposer_personas: NotRequired[list[str]]
    critic_personas: NotRequired[list[str]]


class IdeationRunOptions(TypedDict):
    preset: Literal['single', 'baseline', 'iterative_2', 'iterative_3', 'iterative_4', 'parallel_2', 'parallel_3', 'parallel_4', 'persona_critic', 'persona_proposer', 'recommended', 'panel']
    proposers: NotRequired[int]
    critics: NotRequired[int]
    depth: NotRequired[int]
    proposer_personas: NotRequired[list[str]]
    critic_personas: NotRequired[list[str]]
    ideas: int
    trials: int
    parallelism: int
    paper_source: NotRequired[Literal['given', 'semantic_scholar', 'none']]
    grounding_papers: int
    bank_size: int
    method: NotRequired[str]
    examples: NotRequired[list[IdeationRunOptionsExamplesItem]]
    venue: NotRequired[str]
    dedup_threshold: NotRequired[float]
    duplicate_checks: int
    expand: Literal['all', 'top_k', 'none']
    proposals: int
    tournament_rounds: int
    both_orders: bool
    filters: list[Literal['consistency', 'feasibility', 'significance', 'novelty']]
    extras: list[Literal['critic_papers', 'earlier_criticisms', 'closest_work', 'match_reasons', 'final_check']]
    rubric: bool
    compare: NotRequired[list[Literal['single', 'baseline', 'iterative_2', 'iterative_3', 'iterative_4', 'parallel_2', 'parallel_3', 'parallel_4', 'persona_critic', 'persona_proposer', 'recommended', 'panel'] | IdeationRunOptionsCompareItem1]]
    profile: Literal['default', 'paper']
    checkpoints: list[Literal['paper_query', 'paper_scores', 'proposed_ideas', 'critique', 'revised_ideas', 'idea_set', 'kept_ideas', 'ranking', 'filter_verdict', 'rubric', 'proposal']]
    interaction_timeout: str
    on_expiry: Literal['proceed', 'fail']


class IdeationOutputIdeasItem(TypedDict):
    id: str
    name: str
    configuration: str
    trial: int | None


class IdeationOutputDroppedItemBecause(TypedDict):
    cause: Literal['similar', 'same_name', 'same_idea', 'human', 'consistency', 'feasibility', 'significance', 'novelty']
    similar_to: NotRequired[str]
    similarity: NotRequired[float]
    reason: NotRequired[str]


class IdeationOutputDroppedItem(TypedDict):
    idea: str
    because: IdeationOutputDroppedItemBecause


class IdeationOutputRankingItemRubric(TypedDict):
    originality: int
    feasibility: int
    clarity: int


class IdeationOutputRankingItem(TypedDict):
    place: int
    idea: str
    name: str
    score: float
    tied: bool
    rubric: IdeationOutputRankingItemRubric | None


class IdeationOutputProposalsItem(TypedDict):
    idea: str
    title: str
    document: OutputDocument


class IdeationOutputMetricsMeasure(TypedDict):
    method: Literal['embedding', 'lexical']
    model: str
    threshold: float


class IdeationOutputMetricsConfigurationsItem(TypedDict):
    configuration: str
    ideas: int
    kept: int
    non_duplicate_ratio: float | None
    ranked: int
    precision_at: dict[str, float] | None
    mean_score: float | None
    win_rate: float | None


class IdeationOutputMetrics(TypedDict):
    ideas: int
    kept: int
    non_duplicate_ratio: float | None
    measure: IdeationOutputMetricsMeasure | None
    configurations: list[IdeationOutputMetricsConfigurationsItem]


class IdeationOutputPaperSource(TypedDict):
    source: Literal['given', 'semantic_scholar', 'none']
    papers: int
    note: str | None


class IdeationOutputDocuments(TypedDict):
    report: OutputDocument | None
    ideas: OutputDocument | None
    bracket: OutputDocument | None
    similarity: OutputDocument | None


class IdeationOutput(TypedDict):
    ideas: list[IdeationOutputIdeasItem]
    kept: list[str]
    dropped: list[IdeationOutputDroppedItem]
    ranking: list[IdeationOutputRankingItem]
    proposals: list[IdeationOutputProposalsItem]
    metrics: IdeationOutputMetrics
    paper_source: IdeationOutputPaperSource
    document: OutputDocument | None
    documents: IdeationOutputDocuments
    stop_reason: Literal['ranked', 'expanded', 'nothing_left', 'rejected_by_human']


class CreateIdeationRunModelsRolesValue2(TypedDict):
    model: NotRequired[str]
    fallbacks: NotRequired[list[str]]
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]


class CreateIdeationRunModels(TypedDict):
    default: NotRequired[str | list[str]]
    roles: NotRequired[dict[str, str | list[str] | CreateIdeationRunModelsRolesValue2]]
    embedding: NotRequired[str | None]
    seed: NotRequired[int]


class CreateIdeationRunLimits(TypedDict):
    max_llm_calls: NotRequired[int | None]
    max_tokens: NotRequired[int | None]
    max_cost_usd: NotRequired[float | None]
    timeout: NotRequired[str | None]
    provider_wait: NotRequired[str]


class CreateIdeationRunWebhook(TypedDict):
    url: str
    events: NotRequired[list[Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_readdressed', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning']]]
    secret: NotRequired[str]


class CreateIdeationRunTestScript(TypedDict):
    write_paper_query: NotRequired[list[Literal['keyword', 'recommendations', 'references']]]
    score_papers: NotRequired[list[Literal['scores']]]
    propose_ideas: NotRequired[list[Literal['distinct', 'duplicate', 'same_names']]]
    critique_ideas: NotRequired[list[Literal['critical']]]
    revise_ideas: NotRequired[list[Literal['revise', 'replace']]]
    check_duplicate: NotRequired[list[Literal['different', 'same']]]
    check_idea: NotRequired[list[Literal['pass', 'fail']]]
    write_novelty_queries: NotRequired[list[Literal['queries']]]
    check_novelty: NotRequired[list[Literal['new', 'known']]]
    judge_pair: NotRequired[list[Literal['by_merit', 'first', 'second']]]
    expand_idea: NotRequired[list[Literal['proposal']]]
    check_proposal: NotRequired[list[Literal['sound', 'mended']]]
    score_rubric: NotRequired[list[Literal['scores']]]


class CreateIdeationRunTestFaults(TypedDict):
    llm: NotRequired[list[Literal['rate_limited', 'server_error', 'timeout', 'malformed', 'truncated', 'refusal', 'ok']]]


class CreateIdeationRunTest(TypedDict):
    script: NotRequired[CreateIdeationRunTestScript]
    faults: NotRequired[CreateIdeationRunTestFaults]
    latency_ms: NotRequired[int]


class CreateIdeationRun(TypedDict):
    workflow: Literal['ideation']
    input: IdeationInput
    options: NotRequired[IdeationOptions]
    models: NotRequired[CreateIdeationRunModels]
    limits: NotRequired[CreateIdeationRunLimits]
    webhook: NotRequired[CreateIdeationRunWebhook]
    metadata: NotRequired[dict[str, str]]
    requested_by: NotRequired[str]
    test: NotRequired[CreateIdeationRunTest]


class IdeationRunUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class IdeationRun(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['ideation']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    input: IdeationRunInput
    options: IdeationRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: IdeationOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: IdeationRunUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


class IdeationRunEntryUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class IdeationRunEntry(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['ideation']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: IdeationOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: IdeationRunEntryUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


JsonValue: TypeAlias = "Any"


PlainInput: TypeAlias = "dict[str, JsonValue]"


class PlainOptionsFunctionsItem(TypedDict):
    name: str
    description: NotRequired[str]
    parameters: NotRequired[dict[str, Any]]


class PlainOptions(TypedDict):
    form: NotRequired[Literal['text', 'line', 'json']]
    instructions: NotRequired[str]
    functions: NotRequired[list[PlainOptionsFunctionsItem]]
    profile: NotRequired[Literal['default', 'paper']]
    checkpoints: NotRequired[list[Literal['answer']]]
    interaction_timeout: NotRequired[str]
    on_expiry: NotRequired[Literal['proceed', 'fail']]


PlainRunInput: TypeAlias = "dict[str, JsonValue]"


class PlainRunOptionsFunctionsItem(TypedDict):
    name: str
    description: str
    parameters: dict[str, Any]


class PlainRunOptions(TypedDict):
    form: NotRequired[Literal['text', 'line', 'json']]
    instructions: NotRequired[str]
    functions: NotRequired[list[PlainRunOptionsFunctionsItem]]
    profile: Literal['default', 'paper']
    checkpoints: list[Literal['answer']]
    interaction_timeout: str
    on_expiry: Literal['proceed', 'fail']


class PlainOutputCallsItem(TypedDict):
    name: str
    arguments: dict[str, Any]


class PlainOutput(TypedDict):
    answer: str | None
    answer_json: NotRequired[JsonValue]
    calls: NotRequired[list[PlainOutputCallsItem]]
    document: OutputDocument | None
    stop_reason: Literal['answered', 'formless', 'rejected_by_human']


class CreatePlainRunModelsRolesValue2(TypedDict):
    model: NotRequired[str]
    fallbacks: NotRequired[list[str]]
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]


class CreatePlainRunModels(TypedDict):
    default: NotRequired[str | list[str]]
    roles: NotRequired[dict[str, str | list[str] | CreatePlainRunModelsRolesValue2]]
    embedding: NotRequired[str | None]
    seed: NotRequired[int]


class CreatePlainRunLimits(TypedDict):
    max_llm_calls: NotRequired[int | None]
    max_tokens: NotRequired[int | None]
    max_cost_usd: NotRequired[float | None]
    timeout: NotRequired[str | None]
    provider_wait: NotRequired[str]


class CreatePlainRunWebhook(TypedDict):
    url: str
    events: NotRequired[list[Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_readdressed', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning']]]
    secret: NotRequired[str]


class CreatePlainRunTestScript(TypedDict):
    answer: NotRequired[list[Literal['answered', 'formless']]]


class CreatePlainRunTestFaults(TypedDict):
    llm: NotRequired[list[Literal['rate_limited', 'server_error', 'timeout', 'malformed', 'truncated', 'refusal', 'ok']]]


class CreatePlainRunTest(TypedDict):
    script: NotRequired[CreatePlainRunTestScript]
    faults: NotRequired[CreatePlainRunTestFaults]
    latency_ms: NotRequired[int]


class CreatePlainRun(TypedDict):
    workflow: Literal['plain']
    input: PlainInput
    options: NotRequired[PlainOptions]
    models: NotRequired[CreatePlainRunModels]
    limits: NotRequired[CreatePlainRunLimits]
    webhook: NotRequired[CreatePlainRunWebhook]
    metadata: NotRequired[dict[str, str]]
    requested_by: NotRequired[str]
    test: NotRequired[CreatePlainRunTest]


class PlainRunUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class PlainRun(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['plain']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    input: PlainRunInput
    options: PlainRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: PlainOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: PlainRunUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


class PlainRunEntryUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class PlainRunEntry(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['plain']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: PlainOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: PlainRunEntryUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


class ExperimentInputSample(TypedDict):
    size: int
    seed: NotRequired[int]


class ExperimentInputVariantsItem(TypedDict):
    name: str
    workflow: str
    options: NotRequired[dict[str, JsonValue]]
    models: NotRequired[dict[str, JsonValue]]
    limits: NotRequired[dict[str, JsonValue]]


class ExperimentInput(TypedDict):
    title: NotRequired[str]
    dataset_id: str
    first: NotRequired[int]
    sample: NotRequired[ExperimentInputSample]
    items: NotRequired[list[str]]
    tags: NotRequired[list[str]]
    variants: list[ExperimentInputVariantsItem]


class ExperimentOptionsMetricsItem1(TypedDict):
    name: str


class ExperimentOptionsOnFailure(TypedDict):
    retries: NotRequired[int]
    then: NotRequired[Literal['count_as_wrong', 'leave_out']]


class ExperimentOptionsRating(TypedDict):
    form: Literal['pairs', 'likert', 'binary']
    question: NotRequired[str]
    dimensions: NotRequired[list[str]]
    raters: int | list[str]
    items: NotRequired[int]
    each: NotRequired[int]
    per_page: NotRequired[int]
    against: NotRequired[str]


class ExperimentOptions(TypedDict):
    metrics: NotRequired[list[str | ExperimentOptionsMetricsItem1]]
    compare: NotRequired[list[tuple[str, str]]]
    repetitions: NotRequired[int]
    concurrency: NotRequired[int]
    on_failure: NotRequired[ExperimentOptionsOnFailure]
    reuse: NotRequired[bool]
    resamples: NotRequired[int]
    rating: NotRequired[ExperimentOptionsRating]
    profile: NotRequired[Literal['default', 'paper']]
    interaction_timeout: NotRequired[str]
    on_expiry: NotRequired[Literal['proceed', 'fail']]
    checkpoints: NotRequired[list[Literal['analysis']]]


class ExperimentRunInputSample(TypedDict):
    size: int
    seed: int


class ExperimentRunInputVariantsItem(TypedDict):
    name: str
    workflow: str
    options: NotRequired[dict[str, JsonValue]]
    models: NotRequired[dict[str, JsonValue]]
    limits: NotRequired[dict[str, JsonValue]]


class ExperimentRunInput(TypedDict):
    title: NotRequired[str]
    dataset_id: str
    first: NotRequired[int]
    sample: NotRequired[ExperimentRunInputSample]
    items: NotRequired[list[str]]
    tags: NotRequired[list[str]]
    variants: list[ExperimentRunInputVariantsItem]


class ExperimentRunOptionsMetricsItem1(TypedDict):
    name: str


class ExperimentRunOptionsOnFailure(TypedDict):
    retries: int
    then: Literal['count_as_wrong', 'leave_out']


class ExperimentRunOptionsRating(TypedDict):
    form: Literal['pairs', 'likert', 'binary']
    question: NotRequired[str]
    dimensions: NotRequired[list[str]]
    raters: int | list[str]
    items: NotRequired[int]
    each: NotRequired[int]
    per_page: int
    against: NotRequired[str]


class ExperimentRunOptions(TypedDict):
    metrics: NotRequired[list[str | ExperimentRunOptionsMetricsItem1]]
    compare: NotRequired[list[tuple[str, str]]]
    repetitions: int
    concurrency: int
    on_failure: ExperimentRunOptionsOnFailure
    reuse: bool
    resamples: int
    rating: NotRequired[ExperimentRunOptionsRating]
    profile: Literal['default', 'paper']
    interaction_timeout: str
    on_expiry: Literal['proceed', 'fail']
    checkpoints: list[Literal['analysis']]


class ExperimentOutputDocumentsPlotsItem(TypedDict):
    name: str
    document: OutputDocument


class ExperimentOutputDocuments(TypedDict):
    csv: OutputDocument
    ndjson: OutputDocument
    plots: list[ExperimentOutputDocumentsPlotsItem]


class ExperimentOutputResultsItem(TypedDict):
    variant: str
    measure: str
    n: int
    mean: float | None
    low: float | None
    high: float | None


class ExperimentOutputComparisonsItem(TypedDict):
    system: str
    baseline: str
    measure: str
    n: int
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_adjusted: float | None
    verdict: Literal['better', 'worse', 'decides_nothing']


class ExperimentOutputTrials(TypedDict):
    planned: int
    completed: int
    failed: int
    left_out: int
    reused: int


class ExperimentOutputJudgementsItem(TypedDict):
    metric: str
    judged: int
    failed: int


class ExperimentOutputAgreementItem(TypedDict):
    form: Literal['pairs', 'likert', 'binary']
    dimension: str
    raters: int
    items: int
    cohen: float | None
    fleiss: float | None
    krippendorff: float | None


class ExperimentOutputUsageItemPaid(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class ExperimentOutputUsageItemReused(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class ExperimentOutputUsageItem(TypedDict):
    variant: str
    paid: ExperimentOutputUsageItemPaid
    reused: ExperimentOutputUsageItemReused


class ExperimentOutput(TypedDict):
    document: OutputDocument | None
    documents: ExperimentOutputDocuments
    results: list[ExperimentOutputResultsItem]
    comparisons: list[ExperimentOutputComparisonsItem]
    trials: ExperimentOutputTrials
    judgements: list[ExperimentOutputJudgementsItem]
    agreement: NotRequired[list[ExperimentOutputAgreementItem]]
    usage: list[ExperimentOutputUsageItem]
    partial: bool
    stop_reason: Literal['analysed', 'limit_reached']


class CreateExperimentRunModelsRolesValue2(TypedDict):
    model: NotRequired[str]
    fallbacks: NotRequired[list[str]]
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]


class CreateExperimentRunModels(TypedDict):
    default: NotRequired[str | list[str]]
    roles: NotRequired[dict[str, str | list[str] | CreateExperimentRunModelsRolesValue2]]
    embedding: NotRequired[str | None]
    seed: NotRequired[int]


class CreateExperimentRunLimits(TypedDict):
    max_llm_calls: NotRequired[int | None]
    max_tokens: NotRequired[int | None]
    max_cost_usd: NotRequired[float | None]
    timeout: NotRequired[str | None]
    provider_wait: NotRequired[str]


class CreateExperimentRunWebhook(TypedDict):
    url: str
    events: NotRequired[list[Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_readdressed', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning']]]
    secret: NotRequired[str]


class CreateExperimentRunTestScript(TypedDict):
    compare_answers: NotRequired[list[Literal['by_length', 'first', 'second']]]
    grade_rubric: NotRequired[list[Literal['graded', 'full', 'nothing']]]
    grade_specification: NotRequired[list[Literal['by_length', 'good', 'bad']]]
    compare_ideas: NotRequired[list[Literal['by_length', 'first', 'second']]]
    check_reasoning: NotRequired[list[Literal['entailed', 'not_entailed']]]
    match_names: NotRequired[list[Literal['same_names', 'nothing']]]


class CreateExperimentRunTestFaults(TypedDict):
    llm: NotRequired[list[Literal['rate_limited', 'server_error', 'timeout', 'malformed', 'truncated', 'refusal', 'ok']]]


class CreateExperimentRunTest(TypedDict):
    script: NotRequired[CreateExperimentRunTestScript]
    faults: NotRequired[CreateExperimentRunTestFaults]
    latency_ms: NotRequired[int]


class CreateExperimentRun(TypedDict):
    workflow: Literal['experiment']
    input: ExperimentInput
    options: NotRequired[ExperimentOptions]
    models: NotRequired[CreateExperimentRunModels]
    limits: NotRequired[CreateExperimentRunLimits]
    webhook: NotRequired[CreateExperimentRunWebhook]
    metadata: NotRequired[dict[str, str]]
    requested_by: NotRequired[str]
    test: NotRequired[CreateExperimentRunTest]


class ExperimentRunUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class ExperimentRun(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['experiment']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    input: ExperimentRunInput
    options: ExperimentRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: ExperimentOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: ExperimentRunUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


class ExperimentRunEntryUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float | None


class ExperimentRunEntry(TypedDict):
    object: Literal['run']
    id: str
    workflow: Literal['experiment']
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: str | None
    about: AboutRun
    requested_by: str | None
    models: ResolvedModels
    limits: Limits
    asks_about: list[str]
    metadata: dict[str, str]
    webhook: RunWebhook | None
    test: TestSettings | None
    output: ExperimentOutput | None
    error: RunError | None
    interactions: list[str]
    failing_providers: list[FailingProvider]
    usage: ExperimentRunEntryUsage
    parent_id: str | None
    children: ChildRuns | None
    progress: Progress
    created_at: str
    started_at: str | None
    updated_at: str
    finished_at: str | None


CreateRun: TypeAlias = "CreateRequirementsRun | CreateWaterfallRun | CreateDebateRun | CreateIdeationRun | CreatePlainRun | CreateExperimentRun"
