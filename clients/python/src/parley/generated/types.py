"""Generated from openapi/openapi.json by scripts/python-client.ts. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, TypeAlias, TypedDict, Union


class RunCreatedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunCreatedWebhookData(TypedDict):
    event: RunCreatedEvent
    run: WebhookRun
    truncated: List[RunCreatedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunCreatedWebhook(TypedDict):
    """The run is stored, and will start."""
    type: Literal["run.created"]
    timestamp: str
    """When the event was."""
    data: RunCreatedWebhookData


class RunCreatedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    workflow: str
    mode: Mode


class RunCreatedEvent(TypedDict):
    """The run is stored, and will start."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.created"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunCreatedEventData


Mode: TypeAlias = "Literal['test', 'live']"


class WebhookRun(TypedDict):
    """The run as it was at the event. `metadata` may be left out for its size."""
    object: Literal["run"]
    id: str
    workflow: str
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    metadata: NotRequired[Dict[str, str]]
    created_at: str
    """RFC 3339, UTC."""


RunStatus: TypeAlias = "Literal['queued', 'running', 'input_required', 'paused', 'completed', 'failed', 'canceled']"


class AboutRun(TypedDict):
    title: Union[str, None]
    """The title in the run's input."""
    excerpt: str
    """The beginning of what the input asks for, one line of at most 300 characters."""


class RunStartedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunStartedWebhookData(TypedDict):
    event: RunStartedEvent
    run: WebhookRun
    truncated: List[RunStartedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunStartedWebhook(TypedDict):
    """An instance executes the run."""
    type: Literal["run.started"]
    timestamp: str
    """When the event was."""
    data: RunStartedWebhookData


class RunStartedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    epoch: int
    """One more with each retry."""


class RunStartedEvent(TypedDict):
    """An instance executes the run."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.started"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunStartedEventData


class RunStageStartedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunStageStartedWebhookData(TypedDict):
    event: RunStageStartedEvent
    run: WebhookRun
    truncated: List[RunStageStartedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunStageStartedWebhook(TypedDict):
    """A stage was entered."""
    type: Literal["run.stage_started"]
    timestamp: str
    """When the event was."""
    data: RunStageStartedWebhookData


class RunStageStartedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    stage: str
    iteration: int
    """How often the stage was entered."""


class RunStageStartedEvent(TypedDict):
    """A stage was entered."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.stage_started"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunStageStartedEventData


class RunStageCompletedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunStageCompletedWebhookData(TypedDict):
    event: RunStageCompletedEvent
    run: WebhookRun
    truncated: List[RunStageCompletedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunStageCompletedWebhook(TypedDict):
    """A stage is done."""
    type: Literal["run.stage_completed"]
    timestamp: str
    """When the event was."""
    data: RunStageCompletedWebhookData


class RunStageCompletedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    stage: str
    iteration: int
    """How often the stage was entered."""


class RunStageCompletedEvent(TypedDict):
    """A stage is done."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.stage_completed"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunStageCompletedEventData


class RunArtifactCreatedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunArtifactCreatedWebhookData(TypedDict):
    event: RunArtifactCreatedEvent
    run: WebhookRun
    truncated: List[RunArtifactCreatedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunArtifactCreatedWebhook(TypedDict):
    """An action has made an artifact."""
    type: Literal["run.artifact_created"]
    timestamp: str
    """When the event was."""
    data: RunArtifactCreatedWebhookData


class RunArtifactCreatedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    artifact_id: str
    kind: str
    version: int
    step: str
    stage: str
    role: str
    action: str


class RunArtifactCreatedEvent(TypedDict):
    """An action has made an artifact."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.artifact_created"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunArtifactCreatedEventData


class RunInputRequiredWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputRequiredWebhookData(TypedDict):
    event: RunInputRequiredEvent
    run: WebhookRun
    interaction: WebhookInteraction
    truncated: List[RunInputRequiredWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunInputRequiredWebhook(TypedDict):
    """The run asks a person."""
    type: Literal["run.input_required"]
    timestamp: str
    """When the event was."""
    data: RunInputRequiredWebhookData


class RunInputRequiredEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    interaction_id: str
    kind: Literal["clarification", "feedback", "approval"]
    stage: str
    expires_at: str
    """RFC 3339, UTC."""
    assignee: Union[Assignee, None]
    link: int
    """Number of the link that answers it: one more whenever it is addressed anew."""
    child_id: NotRequired[str]
    """The child run that asks; absent: the run itself does."""


class RunInputRequiredEvent(TypedDict):
    """The run asks a person."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.input_required"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunInputRequiredEventData


class Assignee(TypedDict):
    name: Union[str, None]
    email: Union[str, None]


class WebhookInteraction(TypedDict):
    """The interaction as it was at the event. `prompt`, `artifacts`, `questions`, `answer_schema` may be left out for their size."""
    object: Literal["interaction"]
    id: str
    run_id: str
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    kind: Literal["clarification", "feedback", "approval"]
    status: InteractionStatus
    stage: str
    prompt: NotRequired[str]
    artifacts: NotRequired[List[str]]
    questions: NotRequired[List[Question]]
    answer_schema: NotRequired[Dict[str, Any]]
    """JSON Schema of the body that answers."""
    answer: Union[Dict[str, Any], None]
    answered_by: Union[str, None]
    assignee: Union[Assignee, None]
    """The person who shall answer; null: nobody was named."""
    callback_url: Union[str, None]
    """Anyone who has this URL may answer. null for keys without the scope `runs:write`."""
    expires_at: str
    """RFC 3339, UTC."""
    on_expiry: Literal["proceed", "fail"]
    created_at: str
    """RFC 3339, UTC."""
    answered_at: Union[str, None]
    """RFC 3339, UTC."""


InteractionStatus: TypeAlias = "Literal['open', 'answered', 'expired', 'withdrawn', 'canceled']"


class Question(TypedDict):
    id: str
    text: str
    type: Literal["text", "choice", "boolean", "number"]
    choices: NotRequired[List[str]]
    required: bool
    default: NotRequired[Union[str, float, bool, None]]
    dimension: NotRequired[str]
    """The subject of the question."""
    artifact_id: NotRequired[str]
    """The one of `artifacts` that it is about."""


class RunInputReceivedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputReceivedWebhookData(TypedDict):
    event: RunInputReceivedEvent
    run: WebhookRun
    truncated: List[RunInputReceivedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunInputReceivedWebhook(TypedDict):
    """The question was answered."""
    type: Literal["run.input_received"]
    timestamp: str
    """When the event was."""
    data: RunInputReceivedWebhookData


class RunInputReceivedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    interaction_id: str
    kind: Literal["clarification", "feedback", "approval"]
    stage: str
    answered_by: Union[str, None]


class RunInputReceivedEvent(TypedDict):
    """The question was answered."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.input_received"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunInputReceivedEventData


class RunInputExpiredWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputExpiredWebhookData(TypedDict):
    event: RunInputExpiredEvent
    run: WebhookRun
    truncated: List[RunInputExpiredWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunInputExpiredWebhook(TypedDict):
    """Nobody answered in time."""
    type: Literal["run.input_expired"]
    timestamp: str
    """When the event was."""
    data: RunInputExpiredWebhookData


class RunInputExpiredEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    interaction_id: str
    kind: Literal["clarification", "feedback", "approval"]
    stage: str
    answered_by: Union[str, None]


class RunInputExpiredEvent(TypedDict):
    """Nobody answered in time."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.input_expired"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunInputExpiredEventData


class RunInputExtendedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputExtendedWebhookData(TypedDict):
    event: RunInputExtendedEvent
    run: WebhookRun
    truncated: List[RunInputExtendedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunInputExtendedWebhook(TypedDict):
    """The question has a later deadline."""
    type: Literal["run.input_extended"]
    timestamp: str
    """When the event was."""
    data: RunInputExtendedWebhookData


class RunInputExtendedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    interaction_id: str
    kind: Literal["clarification", "feedback", "approval"]
    stage: str
    expires_at: str
    """RFC 3339, UTC."""
    assignee: Union[Assignee, None]
    link: int
    """Number of the link that answers it: one more whenever it is addressed anew."""
    child_id: NotRequired[str]
    """The child run that asks; absent: the run itself does."""
    key_id: str
    """The key by which it was done."""


class RunInputExtendedEvent(TypedDict):
    """The question has a later deadline."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.input_extended"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunInputExtendedEventData


class RunInputReassignedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputReassignedWebhookData(TypedDict):
    event: RunInputReassignedEvent
    run: WebhookRun
    interaction: WebhookInteraction
    truncated: List[RunInputReassignedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunInputReassignedWebhook(TypedDict):
    """The question was addressed to somebody else; its earlier link is refused."""
    type: Literal["run.input_reassigned"]
    timestamp: str
    """When the event was."""
    data: RunInputReassignedWebhookData


class RunInputReassignedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    interaction_id: str
    kind: Literal["clarification", "feedback", "approval"]
    stage: str
    expires_at: str
    """RFC 3339, UTC."""
    assignee: Union[Assignee, None]
    link: int
    """Number of the link that answers it: one more whenever it is addressed anew."""
    child_id: NotRequired[str]
    """The child run that asks; absent: the run itself does."""
    key_id: str
    """The key by which it was done."""


class RunInputReassignedEvent(TypedDict):
    """The question was addressed to somebody else; its earlier link is refused."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.input_reassigned"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunInputReassignedEventData


class RunInputWithdrawnWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputWithdrawnWebhookData(TypedDict):
    event: RunInputWithdrawnEvent
    run: WebhookRun
    truncated: List[RunInputWithdrawnWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunInputWithdrawnWebhook(TypedDict):
    """The question was withdrawn; the run continues without an answer."""
    type: Literal["run.input_withdrawn"]
    timestamp: str
    """When the event was."""
    data: RunInputWithdrawnWebhookData


class RunInputWithdrawnEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    interaction_id: str
    kind: Literal["clarification", "feedback", "approval"]
    stage: str
    expires_at: str
    """RFC 3339, UTC."""
    assignee: Union[Assignee, None]
    link: int
    """Number of the link that answers it: one more whenever it is addressed anew."""
    child_id: NotRequired[str]
    """The child run that asks; absent: the run itself does."""
    key_id: str
    """The key by which it was done."""


class RunInputWithdrawnEvent(TypedDict):
    """The question was withdrawn; the run continues without an answer."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.input_withdrawn"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunInputWithdrawnEventData


class RunInputReminderWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunInputReminderWebhookData(TypedDict):
    event: RunInputReminderEvent
    run: WebhookRun
    interaction: WebhookInteraction
    truncated: List[RunInputReminderWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunInputReminderWebhook(TypedDict):
    """The question will expire soon."""
    type: Literal["run.input_reminder"]
    timestamp: str
    """When the event was."""
    data: RunInputReminderWebhookData


class RunInputReminderEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    interaction_id: str
    kind: Literal["clarification", "feedback", "approval"]
    stage: str
    expires_at: str
    """RFC 3339, UTC."""
    assignee: Union[Assignee, None]
    link: int
    """Number of the link that answers it: one more whenever it is addressed anew."""
    child_id: NotRequired[str]
    """The child run that asks; absent: the run itself does."""


class RunInputReminderEvent(TypedDict):
    """The question will expire soon."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.input_reminder"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunInputReminderEventData


class RunStalledWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunStalledWebhookData(TypedDict):
    event: RunStalledEvent
    run: WebhookRun
    truncated: List[RunStalledWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunStalledWebhook(TypedDict):
    """The run makes no progress."""
    type: Literal["run.stalled"]
    timestamp: str
    """When the event was."""
    data: RunStalledWebhookData


class RunStalledEventDataLastFailure(TypedDict):
    """The latest failed attempt since that step."""
    step: str
    code: str
    at: str
    """RFC 3339, UTC."""


class RunStalledEventDataLastFailure2(TypedDict):
    """The latest failed attempt since that step."""
    step: str
    code: str
    at: str
    """RFC 3339, UTC."""


class RunStalledEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    cause: Literal["not_started", "provider_failing", "silent"]
    """`not_started`: no instance has started it; `provider_failing`: its model provider keeps failing; `last_failure` has the error; `silent`: its instance has committed nothing since then, and no failure is recorded."""
    stage: Union[str, None]
    last_heartbeat_at: str
    """RFC 3339, UTC."""
    last_step: Union[str, None]
    """The last one that was committed."""
    last_failure: Union[RunStalledEventDataLastFailure, RunStalledEventDataLastFailure2]
    """The latest failed attempt since that step."""
    instance: str
    """The platform's status of the run's instance."""


class RunStalledEvent(TypedDict):
    """The run makes no progress."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.stalled"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunStalledEventData


class RunProviderFailingWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunProviderFailingWebhookData(TypedDict):
    event: RunProviderFailingEvent
    run: WebhookRun
    truncated: List[RunProviderFailingWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunProviderFailingWebhook(TypedDict):
    """A model does not answer; once for each outage of a model."""
    type: Literal["run.provider_failing"]
    timestamp: str
    """When the event was."""
    data: RunProviderFailingWebhookData


class RunProviderFailingEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    provider: str
    model: str
    """`<provider>/<model>`"""
    code: Literal["provider_unreachable", "provider_timeout", "provider_rate_limited", "provider_unavailable"]
    """Of the latest failure."""
    reason: str
    """The same in words."""
    since: str
    """RFC 3339, UTC."""
    next_attempt_at: str
    """RFC 3339, UTC."""


class RunProviderFailingEvent(TypedDict):
    """A model does not answer; once for each outage of a model."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.provider_failing"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunProviderFailingEventData


class RunProviderRecoveredWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunProviderRecoveredWebhookData(TypedDict):
    event: RunProviderRecoveredEvent
    run: WebhookRun
    truncated: List[RunProviderRecoveredWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunProviderRecoveredWebhook(TypedDict):
    """A model answers again."""
    type: Literal["run.provider_recovered"]
    timestamp: str
    """When the event was."""
    data: RunProviderRecoveredWebhookData


class RunProviderRecoveredEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    provider: str
    model: str
    """`<provider>/<model>`"""
    code: Literal["provider_unreachable", "provider_timeout", "provider_rate_limited", "provider_unavailable"]
    """Of the latest failure."""
    reason: str
    """The same in words."""
    since: str
    """RFC 3339, UTC."""


class RunProviderRecoveredEvent(TypedDict):
    """A model answers again."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.provider_recovered"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunProviderRecoveredEventData


class RunPausedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunPausedWebhookData(TypedDict):
    event: RunPausedEvent
    run: WebhookRun
    truncated: List[RunPausedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunPausedWebhook(TypedDict):
    """The run was paused."""
    type: Literal["run.paused"]
    timestamp: str
    """When the event was."""
    data: RunPausedWebhookData


class RunPausedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""


class RunPausedEvent(TypedDict):
    """The run was paused."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.paused"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunPausedEventData


class RunResumedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunResumedWebhookData(TypedDict):
    event: RunResumedEvent
    run: WebhookRun
    truncated: List[RunResumedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunResumedWebhook(TypedDict):
    """The run continues after a pause."""
    type: Literal["run.resumed"]
    timestamp: str
    """When the event was."""
    data: RunResumedWebhookData


class RunResumedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""


class RunResumedEvent(TypedDict):
    """The run continues after a pause."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.resumed"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunResumedEventData


class RunRetriedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunRetriedWebhookData(TypedDict):
    event: RunRetriedEvent
    run: WebhookRun
    truncated: List[RunRetriedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunRetriedWebhook(TypedDict):
    """The run continues after it had failed or was canceled."""
    type: Literal["run.retried"]
    timestamp: str
    """When the event was."""
    data: RunRetriedWebhookData


class RunRetriedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    epoch: int
    """One more with each retry."""


class RunRetriedEvent(TypedDict):
    """The run continues after it had failed or was canceled."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.retried"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunRetriedEventData


class RunCompletedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunCompletedWebhookData(TypedDict):
    event: RunCompletedEvent
    run: WebhookRun
    output: NotRequired[Union[Dict[str, Any], None]]
    """In the form of the workflow's output, documents as references; may be left out for its size."""
    truncated: List[RunCompletedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunCompletedWebhook(TypedDict):
    """The run has its output."""
    type: Literal["run.completed"]
    timestamp: str
    """When the event was."""
    data: RunCompletedWebhookData


class RunCompletedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    accepted: Union[bool, None]
    """Of the output; null when the workflow's output has none."""
    stop_reason: Union[str, None]
    """Of the output."""


class RunCompletedEvent(TypedDict):
    """The run has its output."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.completed"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunCompletedEventData


class RunFailedWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunFailedWebhookData(TypedDict):
    event: RunFailedEvent
    run: WebhookRun
    truncated: List[RunFailedWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunFailedWebhook(TypedDict):
    """The run has failed."""
    type: Literal["run.failed"]
    timestamp: str
    """When the event was."""
    data: RunFailedWebhookData


class RunFailedEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    error: RunError


class RunFailedEvent(TypedDict):
    """The run has failed."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.failed"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunFailedEventData


class RunError(TypedDict):
    type: str
    """The page that explains this error, relative to the API's base."""
    title: str
    status: int
    detail: str
    """The cause in this case."""
    code: Literal["malformed_json", "invalid_query", "invalid_cursor", "invalid_idempotency_key", "unauthenticated", "key_revoked", "key_expired", "missing_scope", "workflow_not_allowed", "foreign_origin", "not_found", "method_not_allowed", "wrong_state", "idempotency_key_in_flight", "idempotency_answer_unreadable", "already_answered", "webhook_endpoint_unsigned", "answer_required", "key_ended", "key_in_use", "name_taken", "budget_reached", "registry_full", "built_in_agent", "duplicate_document", "duplicate_item", "dataset_closed", "dataset_empty", "dataset_full", "dataset_busy", "dataset_in_use", "unknown_template", "template_in_use", "changed_meanwhile", "wrong_mode", "no_vectors", "webhook_endpoint_pushes", "webhook_endpoint_disabled", "interaction_expired", "interaction_withdrawn", "link_replaced", "interaction_canceled", "payload_too_large", "unsupported_media_type", "validation_failed", "invalid_text", "idempotency_key_reused", "unknown_workflow", "unknown_provider", "no_model_configured", "provider_key_required", "provider_key_unreadable", "provider_keys_off", "unknown_dataset", "dataset_open", "unknown_agent", "url_refused", "rate_limited", "quota_exceeded", "too_many_streams", "storage_unavailable", "internal_error", "budget_exceeded", "parent_budget_exceeded", "run_crashed", "workflow_changed", "too_many_children", "interaction_unanswered", "provider_rate_limited", "provider_unavailable", "provider_unreachable", "provider_timeout", "provider_refused_request", "provider_input_too_long", "output_truncated", "output_empty", "output_refused", "output_invalid"]
    errors: NotRequired[List[FieldError]]
    """Every error of the request."""


class FieldError(TypedDict):
    path: str
    """Dotted path of the field, or the name of the query parameter; empty for the body itself."""
    code: str
    """`required`, `unknown_field`, `invalid_type`, `too_small` and the like."""
    message: str


class RunCanceledWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunCanceledWebhookData(TypedDict):
    event: RunCanceledEvent
    run: WebhookRun
    truncated: List[RunCanceledWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunCanceledWebhook(TypedDict):
    """The run was canceled."""
    type: Literal["run.canceled"]
    timestamp: str
    """When the event was."""
    data: RunCanceledWebhookData


class RunCanceledEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    epoch: int
    """One more with each retry."""


class RunCanceledEvent(TypedDict):
    """The run was canceled."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.canceled"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunCanceledEventData


class RunBudgetWarningWebhookDataTruncatedItem(TypedDict):
    field: str
    path: str


class RunBudgetWarningWebhookData(TypedDict):
    event: RunBudgetWarningEvent
    run: WebhookRun
    truncated: List[RunBudgetWarningWebhookDataTruncatedItem]
    """What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it."""


class RunBudgetWarningWebhook(TypedDict):
    """The run has used most of a limit."""
    type: Literal["run.budget_warning"]
    timestamp: str
    """When the event was."""
    data: RunBudgetWarningWebhookData


class RunBudgetWarningEventDataUsage(TypedDict):
    llm_calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: Union[float, None]


class RunBudgetWarningEventData(TypedDict):
    status: Literal["queued", "running", "input_required", "paused", "completed", "failed", "canceled"]
    """Of the run at that moment."""
    limits: Limits
    usage: RunBudgetWarningEventDataUsage


class RunBudgetWarningEvent(TypedDict):
    """The run has used most of a limit."""
    id: str
    seq: int
    """Dense per run, from 1."""
    type: Literal["run.budget_warning"]
    run_id: str
    created_at: str
    """RFC 3339, UTC."""
    data: RunBudgetWarningEventData


class Limits(TypedDict):
    """A run that would exceed one of them fails; null is no limit."""
    max_llm_calls: Union[int, None]
    """Requests to models, repairs and failed ones included, except attempts while the run waits for a model that fails."""
    max_tokens: Union[int, None]
    """Input and output tokens together."""
    max_cost_usd: Union[float, None]
    """Needs a price for every model of the run."""
    timeout: Union[str, None]
    """Time spent neither waiting for input, nor paused, nor in a provider's queue, nor waiting for one that fails, such as 90m or 2d."""
    provider_wait: str
    """How long the run waits for a model provider that cannot be reached, is overloaded or answers with errors of its own; then it fails as `provider_unavailable`."""


class WebhookPingWebhookDataEvent(TypedDict):
    id: str


class WebhookPingWebhookDataEndpoint(TypedDict):
    id: str
    run_id: Union[str, None]
    """The run that has it as its own webhook."""


class WebhookPingWebhookData(TypedDict):
    event: WebhookPingWebhookDataEvent
    endpoint: WebhookPingWebhookDataEndpoint


class WebhookPingWebhook(TypedDict):
    """A test message, sent on request."""
    type: Literal["webhook.ping"]
    timestamp: str
    """When the event was."""
    data: WebhookPingWebhookData


class WebhookEndpointDisabledWebhookDataEvent(TypedDict):
    id: str


class WebhookEndpointDisabledWebhookDataEndpoint(TypedDict):
    id: str
    run_id: Union[str, None]
    """The run that has it as its own webhook."""
    disabled_because: Literal["receiver_gone", "retries_failed"]


class WebhookEndpointDisabledWebhookData(TypedDict):
    event: WebhookEndpointDisabledWebhookDataEvent
    endpoint: WebhookEndpointDisabledWebhookDataEndpoint


class WebhookEndpointDisabledWebhook(TypedDict):
    """Another endpoint was disabled, and not by its owner."""
    type: Literal["webhook_endpoint.disabled"]
    timestamp: str
    """When the event was."""
    data: WebhookEndpointDisabledWebhookData


class ScheduleFailedWebhookDataEvent(TypedDict):
    id: str


class ScheduleFailedWebhookData(TypedDict):
    event: ScheduleFailedWebhookDataEvent
    schedule_id: str
    name: str
    due_at: str
    """RFC 3339, UTC."""
    reason: str


class ScheduleFailedWebhook(TypedDict):
    """A time of a schedule started no run."""
    type: Literal["schedule.failed"]
    timestamp: str
    """When the event was."""
    data: ScheduleFailedWebhookData


class BudgetReachedWebhookDataEvent(TypedDict):
    id: str


class BudgetReachedWebhookData(TypedDict):
    event: BudgetReachedWebhookDataEvent
    month: str
    percent: int
    budget_usd: float
    spent_usd: float
    at_limit: Literal["refuse", "alarm"]


class BudgetReachedWebhook(TypedDict):
    """Live mode has spent 50, 80 or 100 % of the month's budget; each once a month, unless the budget is raised."""
    type: Literal["budget.reached"]
    timestamp: str
    """When the event was."""
    data: BudgetReachedWebhookData


class ModelRetiringWebhookDataEvent(TypedDict):
    id: str


class ModelRetiringWebhookData(TypedDict):
    event: ModelRetiringWebhookDataEvent
    model: str
    """`<provider>/<model>`."""
    shutdown_date: str
    days: int
    """Days left, rounded up to 60, 30 or 7."""
    templates: List[str]
    """Up to 100 of each kind. Includes templates that name no model, if this is the default one."""
    schedules: List[str]
    runs: List[str]
    """Those under way."""
    corpora: List[str]
    """Those whose passages the model embeds."""
    agents: List[str]


class ModelRetiringWebhook(TypedDict):
    """A model that live templates, schedules, runs, corpora or agents name will be shut down: 60, 30 and 7 days before."""
    type: Literal["model.retiring"]
    timestamp: str
    """When the event was."""
    data: ModelRetiringWebhookData


Webhook: TypeAlias = "Union[RunCreatedWebhook, RunStartedWebhook, RunStageStartedWebhook, RunStageCompletedWebhook, RunArtifactCreatedWebhook, RunInputRequiredWebhook, RunInputReceivedWebhook, RunInputExpiredWebhook, RunInputExtendedWebhook, RunInputReassignedWebhook, RunInputWithdrawnWebhook, RunInputReminderWebhook, RunStalledWebhook, RunProviderFailingWebhook, RunProviderRecoveredWebhook, RunPausedWebhook, RunResumedWebhook, RunRetriedWebhook, RunCompletedWebhook, RunFailedWebhook, RunCanceledWebhook, RunBudgetWarningWebhook, WebhookPingWebhook, WebhookEndpointDisabledWebhook, ScheduleFailedWebhook, BudgetReachedWebhook, ModelRetiringWebhook]"


Answer: TypeAlias = "Union[ClarificationAnswer, FeedbackAnswer]"


class ClarificationAnswer(TypedDict):
    answers: Dict[str, Union[str, float, bool, None]]
    """By the id of the question."""
    comment: NotRequired[str]
    answered_by: NotRequired[str]


class FeedbackAnswer(TypedDict):
    decision: Literal["approve", "revise", "reject"]
    comment: NotRequired[str]
    """Required with `revise`: the action is done again with it."""
    edited_content: NotRequired[Any]
    """The edited artifact; becomes a new version by `human`."""
    additions: NotRequired[Any]
    """In the form of the interaction's `answer_schema`."""
    answered_by: NotRequired[str]


class CreateAgentMcpServersItem(TypedDict):
    name: str
    """The prefix of its tools' names."""
    url: str
    """Its streamable HTTP endpoint: https, and a public host."""
    headers: NotRequired[Dict[str, str]]
    """Sent with every request; stored encrypted, never shown. When a change omits them, the server of this name and URL keeps its headers."""


class CreateAgent(TypedDict):
    name: str
    """The name that plans and programs call it by; unique in the registry, compared without case."""
    description: str
    """Its purpose, in one sentence."""
    capabilities: List[str]
    """One capability per entry."""
    when_to_use: str
    """For which tasks a planner should choose it, and for which not."""
    input: str
    """The input that it needs."""
    output: str
    """The output that it returns."""
    instructions: str
    """Its system prompt."""
    tools: NotRequired[List[Literal["calculator", "date_arithmetic", "http_request", "web_search"]]]
    """Default: `[]`."""
    mcp_servers: NotRequired[List[CreateAgentMcpServersItem]]
    """Remote MCP servers whose tools it may call; each call opens its own session. Their headers have at most 16000 characters together. Default: `[]`."""
    model: NotRequired[Union[str, None]]
    """`<provider>/<model>`; null for the model of the run's role `agent`. Default: `null`."""


class UpdateAgentMcpServersItem(TypedDict):
    name: str
    """The prefix of its tools' names."""
    url: str
    """Its streamable HTTP endpoint: https, and a public host."""
    headers: NotRequired[Dict[str, str]]
    """Sent with every request; stored encrypted, never shown. When a change omits them, the server of this name and URL keeps its headers."""


class UpdateAgent(TypedDict):
    name: NotRequired[str]
    """The name that plans and programs call it by; unique in the registry, compared without case."""
    description: NotRequired[str]
    """Its purpose, in one sentence."""
    capabilities: NotRequired[List[str]]
    """One capability per entry."""
    when_to_use: NotRequired[str]
    """For which tasks a planner should choose it, and for which not."""
    input: NotRequired[str]
    """The input that it needs."""
    output: NotRequired[str]
    """The output that it returns."""
    instructions: NotRequired[str]
    """Its system prompt."""
    tools: NotRequired[List[Literal["calculator", "date_arithmetic", "http_request", "web_search"]]]
    mcp_servers: NotRequired[List[UpdateAgentMcpServersItem]]
    """Remote MCP servers whose tools it may call; each call opens its own session. Their headers have at most 16000 characters together."""
    model: NotRequired[Union[str, None]]
    """`<provider>/<model>`; null for the model of the run's role `agent`."""


class CreateCorpus(TypedDict):
    name: str
    description: NotRequired[str]
    """Default: `""`."""
    language: NotRequired[Union[str, None]]
    """The language of documents that name none. Default: `null`."""
    metadata: NotRequired[Dict[str, str]]
    """Your own data about the resource. At most 16 entries. Default: `{}`."""
    embedding_model: NotRequired[Union[str, None]]
    """The model that embeds passages, `<provider>/<model>`; by default the deployment's. null: passages are found by their words alone. It cannot be changed later. With a test key it is always a mock."""


class UpdateCorpus(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    language: NotRequired[Union[str, None]]
    """The language of documents that name none."""
    metadata: NotRequired[Dict[str, str]]
    """Your own data about the resource. At most 16 entries."""


class CreateDocument(TypedDict):
    text: str
    """Text or Markdown. Passages are exact slices of it."""
    source: str
    """The name used in citations: a statute, a court and its decision, a book."""
    title: NotRequired[Union[str, None]]
    """Default: `null`."""
    jurisdiction: NotRequired[Union[str, None]]
    """An ISO 3166 code, like `BR` or `US-CA`, or any name. For BR and US, alternative names of statutes are known. Default: `null`."""
    language: NotRequired[Union[str, None]]
    """By default the language of the corpus. Default: `null`."""
    date: NotRequired[Union[str, None]]
    """The document's own date: `2024-05-31`, or with a time. Default: `null`."""
    url: NotRequired[Union[str, None]]
    """Where it is published. It is not fetched. Default: `null`."""
    metadata: NotRequired[Dict[str, str]]
    """Your own data about the resource. At most 16 entries. Default: `{}`."""
    external_id: NotRequired[Union[str, None]]
    """Your own id for it, unique in a corpus. Adding the same document again changes nothing; a different one is refused. Default: `null`."""


class CreateTemplate(TypedDict):
    name: str
    description: NotRequired[str]
    """Default: `""`."""
    request: Dict[str, Any]
    """The body of `POST /v1/runs`. `{{name}}` in a text stands for the field `name`; a text that is nothing else becomes the field's value."""
    fields: NotRequired[Dict[str, TemplateField]]
    """The fields to fill, by name. Default: `{}`."""


class TemplateField(TypedDict):
    type: NotRequired[Literal["string", "number", "boolean", "json"]]
    """Default: `"string"`."""
    description: NotRequired[str]
    """Default: `""`."""
    default: NotRequired[Any]
    """Taken where no value is given. Absent: a value must be given."""
    example: NotRequired[Any]
    """A value to check the template with; needed where there is no default."""


class UpdateTemplate(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    request: NotRequired[Dict[str, Any]]
    """The body of `POST /v1/runs`. `{{name}}` in a text stands for the field `name`; a text that is nothing else becomes the field's value."""
    fields: NotRequired[Dict[str, TemplateField]]
    """The fields to fill, by name."""


class StartTemplate(TypedDict):
    fields: NotRequired[Dict[str, Any]]
    """Values of the template's fields, by name. Default: `{}`."""


class CreateSchedule(TypedDict):
    name: str
    cron: str
    """Minute, hour, day of month, month, day of week, such as `30 8 * * MON-FRI`; or `@daily`."""
    time_zone: NotRequired[str]
    """IANA name. At a change of the clock a time that does not exist moves on, and no time comes twice. Default: `"UTC"`."""
    fields: NotRequired[Dict[str, Any]]
    """Values of the template's fields, by name. Default: `{}`."""
    overlap: NotRequired[Literal["skip", "queue", "cancel_other"]]
    """What happens when the run before has not ended: `skip` this time, `queue` it until that run has ended, or `cancel_other`, that run. Default: `"skip"`."""
    catch_up: NotRequired[Literal["none", "last", "all"]]
    """What starts after an outage: nothing of what was due more than ten minutes ago (`none`), only the `last` time, or `all` of the last seven days, one after another. Default: `"last"`."""
    status: NotRequired[Literal["active", "paused"]]
    """Default: `"active"`."""
    template_id: str


class UpdateSchedule(TypedDict):
    name: NotRequired[str]
    cron: NotRequired[str]
    """Minute, hour, day of month, month, day of week, such as `30 8 * * MON-FRI`; or `@daily`."""
    time_zone: NotRequired[str]
    """IANA name. At a change of the clock a time that does not exist moves on, and no time comes twice."""
    fields: NotRequired[Dict[str, Any]]
    """Values of the template's fields, by name."""
    overlap: NotRequired[Literal["skip", "queue", "cancel_other"]]
    """What happens when the run before has not ended: `skip` this time, `queue` it until that run has ended, or `cancel_other`, that run."""
    catch_up: NotRequired[Literal["none", "last", "all"]]
    """What starts after an outage: nothing of what was due more than ten minutes ago (`none`), only the `last` time, or `all` of the last seven days, one after another."""
    status: NotRequired[Literal["active", "paused"]]


class CreateDataset(TypedDict):
    name: str
    description: NotRequired[str]
    """Default: `""`."""
    workflow: str
    """The workflow whose inputs the items hold. It cannot be changed later."""
    metadata: NotRequired[Dict[str, str]]
    """Your own data about the resource. At most 16 entries. Default: `{}`."""


class UpdateDataset(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    metadata: NotRequired[Dict[str, str]]
    """Your own data about the resource. At most 16 entries."""


class DatasetItem(TypedDict):
    id: str
    input: Dict[str, Any]
    """Input of the data set's workflow."""
    options: NotRequired[Dict[str, Any]]
    """Options that this item needs; they replace those of the variant."""
    gold: NotRequired[Gold]
    tags: NotRequired[List[str]]
    """Groups of the item, such as a subject."""


class GoldCallsItem(TypedDict):
    name: str
    arguments: Dict[str, List[Any]]


class GoldRubricItem(TypedDict):
    text: str
    """What earns the points."""
    points: float


class GoldModelEntitiesItem(TypedDict):
    name: str
    type: str


GoldModelRelationsItem = TypedDict("GoldModelRelationsItem", {
    "type": 'str',
    "from": 'str',
    "to": 'str',
})


class GoldModel(TypedDict):
    entities: List[GoldModelEntitiesItem]
    relations: NotRequired[List[GoldModelRelationsItem]]
    """Default: `[]`."""


class Gold(TypedDict):
    number: NotRequired[float]
    """The final number."""
    text: NotRequired[List[str]]
    """Texts that are right, each by itself; case and spaces do not count."""
    choice: NotRequired[str]
    """Label of the right choice, such as `B`."""
    calls: NotRequired[List[GoldCallsItem]]
    """Calls of functions, in any order; empty: none is right."""
    rubric: NotRequired[List[GoldRubricItem]]
    """What an open answer should contain, with points."""
    reference: NotRequired[str]
    """An answer that is known to be good, for judges to read."""
    authorities: NotRequired[List[str]]
    """Ids of passages or documents that a right answer rests on."""
    model: NotRequired[GoldModel]


class CreateWebhookEndpointA2a(TypedDict):
    """Only this run's events, in the form of A2A's push notifications; with `delivery: push`."""
    run_id: str
    authorization: NotRequired[str]
    """The header `Authorization` of each delivery. Stored encrypted, never shown."""
    token: NotRequired[str]
    """The header `X-A2A-Notification-Token`, likewise."""


class CreateWebhookEndpoint(TypedDict):
    kind: NotRequired[Literal["http", "slack", "email"]]
    """`http`: signed webhooks. `slack`: messages to an incoming webhook. `email`: mail. Default: `"http"`."""
    delivery: NotRequired[Literal["push", "poll"]]
    """`push`: to the URL. `poll`: a consumer leases and acknowledges them, and needs no URL. Default: `"push"`."""
    url: NotRequired[str]
    """Required with `delivery: push`. https, and a public host; its name is resolved and checked before each attempt. With kind `email`: `mailto:` and an address."""
    events: NotRequired[List[Literal["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.artifact_created", "run.input_required", "run.input_received", "run.input_expired", "run.input_extended", "run.input_reassigned", "run.input_withdrawn", "run.input_reminder", "run.stalled", "run.provider_failing", "run.provider_recovered", "run.paused", "run.resumed", "run.retried", "run.completed", "run.failed", "run.canceled", "run.budget_warning", "webhook_endpoint.disabled", "schedule.failed", "budget.reached", "model.retiring"]]]
    """By default `run.input_required`, `run.completed`, `run.failed`, `run.canceled`, `webhook_endpoint.disabled`, `schedule.failed`, `budget.reached`, `model.retiring`; with another kind `run.input_required`, `run.input_reassigned`, `run.input_reminder`, `run.completed`, `run.failed`, `schedule.failed`, `budget.reached`, `model.retiring`."""
    description: NotRequired[str]
    """A note for people. Default: `""`."""
    secret: NotRequired[str]
    """Your own `whsec_…` (24 to 64 bytes in base64); by default one is generated."""
    a2a: NotRequired[CreateWebhookEndpointA2a]
    """Only this run's events, in the form of A2A's push notifications; with `delivery: push`."""


class UpdateWebhookEndpoint(TypedDict):
    url: NotRequired[str]
    """As when the endpoint is created."""
    events: NotRequired[List[Literal["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.artifact_created", "run.input_required", "run.input_received", "run.input_expired", "run.input_extended", "run.input_reassigned", "run.input_withdrawn", "run.input_reminder", "run.stalled", "run.provider_failing", "run.provider_recovered", "run.paused", "run.resumed", "run.retried", "run.completed", "run.failed", "run.canceled", "run.budget_warning", "webhook_endpoint.disabled", "schedule.failed", "budget.reached", "model.retiring"]]]
    description: NotRequired[str]
    """A note for people."""
    status: NotRequired[Literal["enabled", "disabled"]]
    """`enabled` reactivates an endpoint; deliveries that failed meanwhile are not repeated automatically."""


Run: TypeAlias = "Union[RequirementsRun, WaterfallRun, DebateRun, IdeationRun, PlainRun, ExperimentRun]"


class ResolvedModels(TypedDict):
    """Models as they were resolved when the run was created, by role."""
    default: str
    roles: Dict[str, ResolvedModel]
    embedding: Union[str, None]
    """null: texts are compared by their words."""
    seed: Union[int, None]


class ResolvedModel(TypedDict):
    model: str
    fallbacks: NotRequired[List[str]]
    """Asked in this order while the model cannot be."""
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]
    reasoning_effort: NotRequired[Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]]
    """How much the model reasons before it answers. Supported values depend on the model."""
    verbosity: NotRequired[Literal["low", "medium", "high"]]
    """How long the answer is, for models that support it."""


class RunWebhook(TypedDict):
    id: str
    url: str
    events: List[WebhookType]
    status: WebhookEndpointStatus
    secret: NotRequired[str]
    """Shown once, in the answer to the create."""


WebhookType: TypeAlias = "Literal['run.created', 'run.started', 'run.stage_started', 'run.stage_completed', 'run.artifact_created', 'run.input_required', 'run.input_received', 'run.input_expired', 'run.input_extended', 'run.input_reassigned', 'run.input_withdrawn', 'run.input_reminder', 'run.stalled', 'run.provider_failing', 'run.provider_recovered', 'run.paused', 'run.resumed', 'run.retried', 'run.completed', 'run.failed', 'run.canceled', 'run.budget_warning', 'webhook_endpoint.disabled', 'schedule.failed', 'budget.reached', 'model.retiring']"


WebhookEndpointStatus: TypeAlias = "Literal['enabled', 'disabled']"


class TestSettingsFaults(TypedDict):
    llm: NotRequired[List[Literal["rate_limited", "server_error", "timeout", "malformed", "truncated", "refusal", "ok"]]]


class TestSettings(TypedDict):
    script: NotRequired[Dict[str, List[str]]]
    faults: NotRequired[TestSettingsFaults]
    latency_ms: NotRequired[int]


class FailingProvider(TypedDict):
    provider: str
    model: str
    """`<provider>/<model>`"""
    code: Literal["provider_unreachable", "provider_timeout", "provider_rate_limited", "provider_unavailable"]
    """Of the latest failure."""
    reason: str
    """The same in words."""
    since: str
    """RFC 3339, UTC."""
    next_attempt_at: str
    """RFC 3339, UTC."""


class ChildRuns(TypedDict):
    """The runs that a run has started. `GET /v1/runs?parent_id=` lists them."""
    total: int
    queued: int
    running: int
    """Under way, those that wait for a person or are paused included."""
    input_required: int
    """Of those under way, the ones that wait for a person."""
    completed: int
    failed: int
    canceled: int
    usage: Usage


class Usage(TypedDict):
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class Progress(TypedDict):
    stages_done: List[str]
    """Stages whose latest iteration is completed; a retry `from_stage` removes that stage and all after it."""
    steps_done: int
    """Artifacts made, those of a retried stage included."""


class ProblemQuota(TypedDict):
    """Of `quota_exceeded`: the quota, and what was used when the request came."""
    name: Literal["stored_bytes", "queued_runs", "corpora", "documents", "passages", "templates", "schedules", "datasets", "dataset_items", "keys", "webhook_endpoints", "streams", "sandbox_executions", "idempotency_keys"]
    used: int
    limit: int


class Problem(TypedDict):
    """RFC 9457."""
    type: str
    """The page that explains this error, relative to the API's base."""
    title: str
    status: int
    detail: str
    """The cause in this case."""
    code: Literal["malformed_json", "invalid_query", "invalid_cursor", "invalid_idempotency_key", "unauthenticated", "key_revoked", "key_expired", "missing_scope", "workflow_not_allowed", "foreign_origin", "not_found", "method_not_allowed", "wrong_state", "idempotency_key_in_flight", "idempotency_answer_unreadable", "already_answered", "webhook_endpoint_unsigned", "answer_required", "key_ended", "key_in_use", "name_taken", "budget_reached", "registry_full", "built_in_agent", "duplicate_document", "duplicate_item", "dataset_closed", "dataset_empty", "dataset_full", "dataset_busy", "dataset_in_use", "unknown_template", "template_in_use", "changed_meanwhile", "wrong_mode", "no_vectors", "webhook_endpoint_pushes", "webhook_endpoint_disabled", "interaction_expired", "interaction_withdrawn", "link_replaced", "interaction_canceled", "payload_too_large", "unsupported_media_type", "validation_failed", "invalid_text", "idempotency_key_reused", "unknown_workflow", "unknown_provider", "no_model_configured", "provider_key_required", "provider_key_unreadable", "provider_keys_off", "unknown_dataset", "dataset_open", "unknown_agent", "url_refused", "rate_limited", "quota_exceeded", "too_many_streams", "storage_unavailable", "internal_error", "budget_exceeded", "parent_budget_exceeded", "run_crashed", "workflow_changed", "too_many_children", "interaction_unanswered", "provider_rate_limited", "provider_unavailable", "provider_unreachable", "provider_timeout", "provider_refused_request", "provider_input_too_long", "output_truncated", "output_empty", "output_refused", "output_invalid"]
    errors: NotRequired[List[FieldError]]
    """Every error of the request."""
    quota: NotRequired[ProblemQuota]
    """Of `quota_exceeded`: the quota, and what was used when the request came."""
    request_id: str


class RunEstimateCalls(TypedDict):
    """Model calls: from a run that goes smoothly to one that takes every loop."""
    low: float
    high: float


class RunEstimateInputTokens(TypedDict):
    """Tokens of prompts: from a run that goes smoothly to one that takes every loop."""
    low: float
    high: float


class RunEstimateOutputTokens(TypedDict):
    """Tokens of answers: from a run that goes smoothly to one that takes every loop."""
    low: float
    high: float


class RunEstimateCostUsd(TypedDict):
    """null: a model has no known price; see `unpriced_models`."""
    low: float
    high: float


class RunEstimateCostUsd2(TypedDict):
    """null: a model has no known price; see `unpriced_models`."""
    low: float
    high: float


class RunEstimateChildrenItemCalls(TypedDict):
    """Model calls: from a run that goes smoothly to one that takes every loop."""
    low: float
    high: float


class RunEstimateChildrenItemInputTokens(TypedDict):
    """Tokens of prompts: from a run that goes smoothly to one that takes every loop."""
    low: float
    high: float


class RunEstimateChildrenItemOutputTokens(TypedDict):
    """Tokens of answers: from a run that goes smoothly to one that takes every loop."""
    low: float
    high: float


class RunEstimateChildrenItemCostUsd(TypedDict):
    """null: a model has no known price; see `unpriced_models`."""
    low: float
    high: float


class RunEstimateChildrenItemCostUsd2(TypedDict):
    """null: a model has no known price; see `unpriced_models`."""
    low: float
    high: float


class RunEstimateChildrenItem(TypedDict):
    name: str
    runs: int
    calls: RunEstimateChildrenItemCalls
    """Model calls: from a run that goes smoothly to one that takes every loop."""
    input_tokens: RunEstimateChildrenItemInputTokens
    """Tokens of prompts: from a run that goes smoothly to one that takes every loop."""
    output_tokens: RunEstimateChildrenItemOutputTokens
    """Tokens of answers: from a run that goes smoothly to one that takes every loop."""
    cost_usd: Union[RunEstimateChildrenItemCostUsd, RunEstimateChildrenItemCostUsd2]
    """null: a model has no known price; see `unpriced_models`."""


class RunEstimate(TypedDict):
    object: Literal["run_estimate"]
    workflow: str
    calls: RunEstimateCalls
    """Model calls: from a run that goes smoothly to one that takes every loop."""
    input_tokens: RunEstimateInputTokens
    """Tokens of prompts: from a run that goes smoothly to one that takes every loop."""
    output_tokens: RunEstimateOutputTokens
    """Tokens of answers: from a run that goes smoothly to one that takes every loop."""
    cost_usd: Union[RunEstimateCostUsd, RunEstimateCostUsd2]
    """null: a model has no known price; see `unpriced_models`."""
    unpriced_models: List[str]
    earlier_runs: int
    """Completed runs of the workflow in this mode whose tokens a call the estimate uses; 0: only the prompts were measured."""
    children: List[RunEstimateChildrenItem]
    """Of a run that starts runs: what those of each variant use together. Included in the sums above."""
    notes: List[str]
    """What the estimate leaves out or assumes."""


class RunPage(TypedDict):
    data: List[RunEntry]
    next_cursor: Union[str, None]
    """null on the last page."""


RunEntry: TypeAlias = "Union[RequirementsRunEntry, WaterfallRunEntry, DebateRunEntry, IdeationRunEntry, PlainRunEntry, ExperimentRunEntry]"


class NoFields(TypedDict):
    pass


class RetryRunLimits(TypedDict):
    """Replace the run's limits of these names; null removes a limit."""
    max_llm_calls: NotRequired[Union[int, None]]
    """Requests to models, repairs and failed ones included, except attempts while the run waits for a model that fails."""
    max_tokens: NotRequired[Union[int, None]]
    """Input and output tokens together."""
    max_cost_usd: NotRequired[Union[float, None]]
    """Needs a price for every model of the run."""
    timeout: NotRequired[Union[str, None]]
    """Time spent neither waiting for input, nor paused, nor in a provider's queue, nor waiting for one that fails, such as 90m or 2d."""
    provider_wait: NotRequired[str]
    """How long the run waits for a model provider that cannot be reached, is overloaded or answers with errors of its own; then it fails as `provider_unavailable`."""


class RetryRun(TypedDict):
    from_stage: NotRequired[str]
    """A stage that the run has entered: it and all after it are done again."""
    limits: NotRequired[RetryRunLimits]
    """Replace the run's limits of these names; null removes a limit."""


class ArtifactPage(TypedDict):
    data: List[Artifact]
    next_cursor: Union[str, None]
    """null on the last page."""


class Artifact(TypedDict):
    object: Literal["artifact"]
    id: str
    run_id: str
    kind: str
    subject: str
    """Distinguishes artifacts of one kind: a stakeholder, an entity type. Empty where there is only one."""
    version: int
    """1 for the first of its kind and subject in the run."""
    role: str
    """The role of the workflow that made it, or `human`."""
    caused_by: str
    """The action that made it."""
    sent_from: str
    send_to: List[str]
    inputs: List[str]
    """Artifacts that it was made from."""
    generation: int
    """Raised by a retry with `from_stage`."""
    iteration: int
    stage: str
    step: str
    """Stable name of the step: `stage/action#key`."""
    media_type: str
    size: int
    """Bytes."""
    sha256: str
    """Of the content, in hex; quoted, it is the ETag of `…/content`."""
    model: Union[str, None]
    """`<provider>/<model>`, or `mock`; null when no model made it."""
    output_mode: Literal["json_schema", "json_object", "text", "markdown", None]
    """How structured output was asked for."""
    parameters: Union[Dict[str, Any], None]
    """The parameters that were sent with the request whose answer was used; null when no model was asked."""
    dropped_parameters: Union[Dict[str, Any], None]
    """Parameters that were requested but not sent, because the model or its API does not support them."""
    response_model: Union[str, None]
    """The model named in the provider's response, often a dated version. Null if the response names none."""
    prompt_hash: Union[str, None]
    repairs: int
    """Repair rounds of the answer that was used: 0 or 1."""
    tries: int
    """How many times the model was asked anew, with another seed, until an answer was usable; 1 when the first one was."""
    usage: Usage
    duration_ms: int
    created_at: str
    """RFC 3339, UTC."""


class ArtifactWithContent(TypedDict):
    object: Literal["artifact"]
    id: str
    run_id: str
    kind: str
    subject: str
    """Distinguishes artifacts of one kind: a stakeholder, an entity type. Empty where there is only one."""
    version: int
    """1 for the first of its kind and subject in the run."""
    role: str
    """The role of the workflow that made it, or `human`."""
    caused_by: str
    """The action that made it."""
    sent_from: str
    send_to: List[str]
    inputs: List[str]
    """Artifacts that it was made from."""
    generation: int
    """Raised by a retry with `from_stage`."""
    iteration: int
    stage: str
    step: str
    """Stable name of the step: `stage/action#key`."""
    media_type: str
    size: int
    """Bytes."""
    sha256: str
    """Of the content, in hex; quoted, it is the ETag of `…/content`."""
    model: Union[str, None]
    """`<provider>/<model>`, or `mock`; null when no model made it."""
    output_mode: Literal["json_schema", "json_object", "text", "markdown", None]
    """How structured output was asked for."""
    parameters: Union[Dict[str, Any], None]
    """The parameters that were sent with the request whose answer was used; null when no model was asked."""
    dropped_parameters: Union[Dict[str, Any], None]
    """Parameters that were requested but not sent, because the model or its API does not support them."""
    response_model: Union[str, None]
    """The model named in the provider's response, often a dated version. Null if the response names none."""
    prompt_hash: Union[str, None]
    repairs: int
    """Repair rounds of the answer that was used: 0 or 1."""
    tries: int
    """How many times the model was asked anew, with another seed, until an answer was usable; 1 when the first one was."""
    usage: Usage
    duration_ms: int
    created_at: str
    """RFC 3339, UTC."""
    content: NotRequired[Any]
    """JSON for `application/json`, else a string."""


class Manifest(TypedDict):
    object: Literal["manifest"]
    run_id: str
    workflow: str
    workflow_version: int
    code_version: str
    """Of the code that did the last step; the running version's before the first step, or where none was stored."""
    models: ResolvedModels
    actions: List[ManifestAction]
    notes: List[str]
    """Where the run differs from the request, such as a temperature that the model does not support."""
    usage_by_action: List[ActionUsage]
    """Of actions that asked a model, in the order of their first steps; steps without an artifact are not counted."""
    usage_by_model: List[ModelUsage]
    """The same by the model that answered."""


class ManifestAction(TypedDict):
    action: str
    role: str
    prompt_hash: Union[str, None]
    """null when no model was asked: a person's words, a drawing."""
    code_versions: List[str]
    """Several when the run outlived a deployment."""
    models: List[str]
    output_modes: List[str]
    response_models: List[str]
    """As the provider's responses name them."""
    parameters: List[Dict[str, Any]]
    """As they were sent. Without seeds, which differ by step; each artifact has its own."""
    dropped_parameters: List[Dict[str, Any]]
    """Requested but not sent, because the model or its API does not support them."""
    steps: int
    repairs: int
    tries: int
    """Of all its steps together; as many as `steps` when every first answer was usable."""
    artifacts: List[str]


class ActionUsage(TypedDict):
    action: str
    steps: int
    usage: Usage


class ModelUsage(TypedDict):
    model: str
    steps: int
    usage: Usage


class EventPage(TypedDict):
    data: List[Event]
    next_cursor: Union[str, None]
    """null on the last page."""


Event: TypeAlias = "Union[RunCreatedEvent, RunStartedEvent, RunStageStartedEvent, RunStageCompletedEvent, RunArtifactCreatedEvent, RunInputRequiredEvent, RunInputReceivedEvent, RunInputExpiredEvent, RunInputExtendedEvent, RunInputReassignedEvent, RunInputWithdrawnEvent, RunInputReminderEvent, RunStalledEvent, RunProviderFailingEvent, RunProviderRecoveredEvent, RunPausedEvent, RunResumedEvent, RunRetriedEvent, RunCompletedEvent, RunFailedEvent, RunCanceledEvent, RunBudgetWarningEvent]"


class InteractionPage(TypedDict):
    data: List[Interaction]
    next_cursor: Union[str, None]
    """null on the last page."""


class Interaction(TypedDict):
    object: Literal["interaction"]
    id: str
    run_id: str
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    kind: Literal["clarification", "feedback", "approval"]
    status: InteractionStatus
    stage: str
    prompt: str
    artifacts: List[str]
    questions: List[Question]
    answer_schema: Dict[str, Any]
    """JSON Schema of the body that answers."""
    answer: Union[Dict[str, Any], None]
    answered_by: Union[str, None]
    assignee: Union[Assignee, None]
    """The person who shall answer; null: nobody was named."""
    callback_url: Union[str, None]
    """Anyone who has this URL may answer. null for keys without the scope `runs:write`."""
    expires_at: str
    """RFC 3339, UTC."""
    on_expiry: Literal["proceed", "fail"]
    created_at: str
    """RFC 3339, UTC."""
    answered_at: Union[str, None]
    """RFC 3339, UTC."""


class ExtendInteraction(TypedDict):
    expires_at: str
    """Later than the present deadline; at most 365 days from now."""


class ReassignInteraction(TypedDict):
    name: NotRequired[str]
    email: NotRequired[str]
    """Endpoints of kind `email` send messages about the question here."""


class WorkflowList(TypedDict):
    data: List[Workflow]
    next_cursor: None


class Workflow(TypedDict):
    object: Literal["workflow"]
    name: str
    version: int
    title: str
    summary: str
    source: Source
    stages: List[str]
    roles: List[Role]
    actions: List[Action]
    kinds: Dict[str, str]
    """Kinds of artifacts, each with a line."""
    review_kinds: List[str]
    """Kinds that `options.reviews` may name."""
    input: Dict[str, Any]
    """JSON Schema."""
    options: Dict[str, Any]
    """JSON Schema."""
    paper_options: Dict[str, Any]
    """Values under the profile `paper` of options that a request leaves out."""
    output: Dict[str, Any]
    """JSON Schema."""
    example: WorkflowExample


class Source(TypedDict):
    """The paper that it follows; `url` null: the paper is not public."""
    title: str
    url: Union[str, None]


class Role(TypedDict):
    name: str
    summary: str
    decoding: Dict[str, Any]
    """Model parameters by default."""
    paper_decoding: Dict[str, Any]
    """Model parameters by default under the profile `paper`."""


class Action(TypedDict):
    name: str
    role: str
    kind: str
    """Of the artifact that it makes."""
    summary: str
    outcomes: List[str]
    """Outcomes that `test.script` may name; the first by default."""


class WorkflowExample(TypedDict):
    input: NotRequired[Any]
    options: NotRequired[Any]


class AgentMcpServersItem(TypedDict):
    name: str
    url: str
    header_names: List[str]
    """Their values are not shown."""


class Agent(TypedDict):
    object: Literal["agent"]
    id: str
    """`agt_` and a ULID, or `builtin:` and a name."""
    built_in: bool
    """Read-only, and the same for every tenant."""
    name: str
    description: str
    capabilities: List[str]
    when_to_use: str
    input: str
    output: str
    instructions: str
    tools: List[str]
    unavailable_tools: List[str]
    """Those of the tools that this deployment does not configure: planners do not see them."""
    mcp_servers: List[AgentMcpServersItem]
    model: Union[str, None]
    """null: the model of the run's role `agent`."""
    created_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: Union[str, None]
    """RFC 3339, UTC."""


class AgentPage(TypedDict):
    data: List[Agent]
    next_cursor: Union[str, None]
    """null on the last page."""


class CorpusCounts(TypedDict):
    documents: int
    ready_documents: int
    passages: int
    embedded_passages: int


class Corpus(TypedDict):
    object: Literal["corpus"]
    id: str
    mode: Mode
    name: str
    description: str
    language: Union[str, None]
    """The language of documents that name none."""
    metadata: Dict[str, str]
    embedding_model: Union[str, None]
    """The model that embeds its passages; null: passages are found by their words alone."""
    status: Literal["indexing", "ready"]
    """`indexing`: an upload is being read, or a document is not ready yet. Ready documents can be found."""
    failure: Union[str, None]
    """Why the last attempt to index failed; it is repeated automatically. null: no failure."""
    counts: CorpusCounts
    usage: Usage
    created_at: str
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""


class CorpusPage(TypedDict):
    data: List[Corpus]
    next_cursor: Union[str, None]
    """null on the last page."""


class SearchResult(TypedDict):
    object: Literal["search"]
    query: str
    method: Literal["bm25", "hybrid"]
    embedding_model: Union[str, None]
    data: List[Passage]


class PassageSnippet(TypedDict):
    """The part of the excerpt that holds most of the query's words."""
    text: str
    start: int
    """UTF-16 code units in the document's text."""
    end: int
    """UTF-16 code units in the document's text."""


class PassageScores(TypedDict):
    fused: Union[float, None]
    """Sum of 1 / (60 + rank) over both rankings."""
    bm25: Union[float, None]
    """null: not among the best by words."""
    embedding: Union[float, None]
    """Cosine; null: not compared."""


class Passage(TypedDict):
    object: Literal["passage"]
    id: str
    """The document's id and the passage's number in it; stays the same while the document exists."""
    document_id: str
    external_id: Union[str, None]
    source: str
    title: Union[str, None]
    jurisdiction: Union[str, None]
    language: Union[str, None]
    """BCP 47."""
    date: Union[str, None]
    url: Union[str, None]
    heading: Union[str, None]
    """The titles and the article that contain it."""
    excerpt: str
    """The document's text from `start` to `end`, verbatim."""
    start: int
    """UTF-16 code units in the document's text."""
    end: int
    """UTF-16 code units in the document's text."""
    snippet: PassageSnippet
    """The part of the excerpt that holds most of the query's words."""
    scores: PassageScores


class SearchCorpus(TypedDict):
    query: str
    """In words. A question together with its possible answers finds more than the question alone."""
    limit: NotRequired[int]
    """Default: `10`."""
    method: NotRequired[Literal["bm25", "hybrid"]]
    """By words, or by words and vectors. By default hybrid if the corpus has vectors that this key may use."""
    jurisdiction: NotRequired[Union[str, None]]
    """Only documents of this jurisdiction; `US` includes `US-CA`. Default: `null`."""
    language: NotRequired[Union[str, None]]
    """Only documents in this language; `pt` includes `pt-BR`. Default: `null`."""


class Document(TypedDict):
    object: Literal["document"]
    id: str
    corpus_id: str
    external_id: Union[str, None]
    source: str
    title: Union[str, None]
    jurisdiction: Union[str, None]
    language: Union[str, None]
    """BCP 47."""
    date: Union[str, None]
    url: Union[str, None]
    upload_id: Union[str, None]
    """The upload that added it."""
    metadata: Dict[str, str]
    size: int
    """Bytes of the text in UTF-8."""
    sha256: str
    passages: int
    """How many passages it has been split into so far."""
    status: Literal["indexing", "embedding", "ready"]
    """`indexing`: it is being split; `embedding`: it can be found by its words, and its vectors are being made."""
    created_at: str
    """RFC 3339, UTC."""


class UploadCounts(TypedDict):
    lines: int
    """Lines read so far, blank ones included."""
    added: int
    """New documents."""
    unchanged: int
    """Lines whose document was there already, with the same content and fields."""
    invalid: int
    """Lines that were skipped."""
    ready: int
    """Documents of the upload that are split and embedded, and not deleted since."""


class UploadErrorsItem(TypedDict):
    line: int
    """From 1."""
    errors: List[FieldError]


class Upload(TypedDict):
    object: Literal["upload"]
    id: str
    corpus_id: str
    status: Literal["reading", "indexing", "completed"]
    """`reading`: lines become documents; `indexing`: not all of these documents are ready yet."""
    size: int
    """Bytes."""
    bytes_read: int
    counts: UploadCounts
    errors: List[UploadErrorsItem]
    """The first 100 invalid lines, with the reason for each."""
    failure: Union[str, None]
    """Why the last attempt to index failed; it is repeated automatically. null: no failure."""
    created_at: str
    """RFC 3339, UTC."""
    read_at: Union[str, None]
    """When its last line was read."""


class DocumentPage(TypedDict):
    data: List[Document]
    next_cursor: Union[str, None]
    """null on the last page."""


class UploadPage(TypedDict):
    data: List[Upload]
    next_cursor: Union[str, None]
    """null on the last page."""


class Template(TypedDict):
    object: Literal["template"]
    id: str
    mode: Mode
    name: str
    description: str
    version: int
    """Raised with each change of the request or its fields."""
    workflow: str
    request: Dict[str, Any]
    """The body of `POST /v1/runs`, with placeholders."""
    fields: Dict[str, TemplateField]
    created_at: str
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""


class TemplatePage(TypedDict):
    data: List[Template]
    next_cursor: Union[str, None]
    """null on the last page."""


class Schedule(TypedDict):
    object: Literal["schedule"]
    id: str
    mode: Mode
    name: str
    template_id: str
    key_id: str
    """The key that created it: its runs start with the rights that this key, or the one it was rolled to, has then."""
    cron: str
    time_zone: str
    fields: Dict[str, Any]
    overlap: Literal["skip", "queue", "cancel_other"]
    catch_up: Literal["none", "last", "all"]
    status: Literal["active", "paused", "ended"]
    """`ended`: the expression names no later time."""
    next_times: List[str]
    """Up to five times to come; the first may be due already."""
    last_run_id: Union[str, None]
    created_at: str
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""


class SchedulePage(TypedDict):
    data: List[Schedule]
    next_cursor: Union[str, None]
    """null on the last page."""


class OccurrencePage(TypedDict):
    data: List[Occurrence]
    next_cursor: Union[str, None]
    """null on the last page."""


class Occurrence(TypedDict):
    object: Literal["occurrence"]
    schedule_id: str
    due_at: str
    """RFC 3339, UTC."""
    outcome: Literal["started", "skipped", "failed"]
    run_id: Union[str, None]
    reason: Union[str, None]
    """Why no run was started, or which times were missed before this one."""
    settled_at: str
    """RFC 3339, UTC."""


class Dataset(TypedDict):
    object: Literal["dataset"]
    id: str
    mode: Mode
    name: str
    description: str
    workflow: str
    """The workflow whose inputs its items hold."""
    metadata: Dict[str, str]
    status: Literal["open", "closed"]
    """`open`: items can be added; `closed`: it never changes, and runs can read it."""
    items: int
    """How many items it has."""
    bytes: int
    """Of its items, as they are exported."""
    content_hash: Union[str, None]
    """The version: SHA-256 of its export in hexadecimal, the same for the same items in the same order. null while it is open."""
    created_at: str
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    closed_at: Union[str, None]
    """RFC 3339, UTC."""


class DatasetPage(TypedDict):
    data: List[Dataset]
    next_cursor: Union[str, None]
    """null on the last page."""


class DatasetItemPage(TypedDict):
    data: List[DatasetItem]
    next_cursor: Union[str, None]
    """null on the last page."""


class CreatedKey(TypedDict):
    object: Literal["key"]
    id: str
    name: str
    mode: Mode
    scopes: List[Literal["runs:read", "runs:write", "admin"]]
    workflows: Union[List[str], None]
    """Workflows that it is bound to; null: all."""
    hint: str
    """Its last four characters."""
    created_at: str
    """RFC 3339, UTC."""
    last_used_at: Union[str, None]
    """To the minute."""
    expires_at: Union[str, None]
    """null: never."""
    revoked_at: Union[str, None]
    """RFC 3339, UTC."""
    rolled_to: Union[str, None]
    """The key that replaces it."""
    key: str
    """The key itself, shown only in this answer."""


class CreateKey(TypedDict):
    name: str
    mode: Mode
    scopes: NotRequired[List[Literal["runs:read", "runs:write", "admin"]]]
    """`admin` implies the others. Default: `["runs:read","runs:write"]`."""
    expires_at: NotRequired[str]
    """RFC 3339; from then on the key is refused with 401 `key_expired`. By default a key does not expire."""
    workflows: NotRequired[List[str]]
    """Binds the key to these workflows: it starts, sees and changes only their runs and interactions, reads workflows, agents, corpora, data sets and the tenant, and reaches nothing else. By default a key is bound to none and reaches all."""


class KeyPage(TypedDict):
    data: List[Key]
    next_cursor: Union[str, None]
    """null on the last page."""


class Key(TypedDict):
    object: Literal["key"]
    id: str
    name: str
    mode: Mode
    scopes: List[Literal["runs:read", "runs:write", "admin"]]
    workflows: Union[List[str], None]
    """Workflows that it is bound to; null: all."""
    hint: str
    """Its last four characters."""
    created_at: str
    """RFC 3339, UTC."""
    last_used_at: Union[str, None]
    """To the minute."""
    expires_at: Union[str, None]
    """null: never."""
    revoked_at: Union[str, None]
    """RFC 3339, UTC."""
    rolled_to: Union[str, None]
    """The key that replaces it."""


class RollKey(TypedDict):
    overlap_seconds: NotRequired[int]
    """How long the replaced key is still valid, 7 days at most; 0 when it has leaked. Default: `86400`."""


class UpdateKey(TypedDict):
    name: NotRequired[str]
    scopes: NotRequired[List[Literal["runs:read", "runs:write", "admin"]]]
    """`admin` implies the others."""


class ModelListUnavailableItem(TypedDict):
    provider: str
    reason: str


class ModelList(TypedDict):
    data: List[Model]
    unavailable: List[ModelListUnavailableItem]
    """Providers whose models are not known now. Their models can be named all the same."""
    next_cursor: None


class ModelPrice(TypedDict):
    """USD per million tokens, as the deployment has configured them; null: not configured."""
    input: Union[float, None]
    cached_input: Union[float, None]
    output: Union[float, None]
    reasoning: Union[float, None]


class ModelPrice2(TypedDict):
    """USD per million tokens, as the deployment has configured them; null: not configured."""
    input: Union[float, None]
    cached_input: Union[float, None]
    output: Union[float, None]
    reasoning: Union[float, None]


class Model(TypedDict):
    object: Literal["model"]
    model: str
    """`<provider>/<model>`, as `models` of a run names it."""
    default: bool
    """Whether it is used where a request names none."""
    shutdown_date: Union[str, None]
    """The day on which its provider shuts it down; null: its provider announces none."""
    price: Union[ModelPrice, ModelPrice2]
    """USD per million tokens, as the deployment has configured them; null: not configured."""


class ProviderList(TypedDict):
    data: List[Provider]
    next_cursor: None


class ProviderKey2(TypedDict):
    """The tenant's own key, of the mode of the request's key; null: none."""
    hint: str
    """Its last four characters."""
    created_at: str
    """RFC 3339, UTC."""


class ProviderKey3(TypedDict):
    """The tenant's own key, of the mode of the request's key; null: none."""
    hint: str
    """Its last four characters."""
    created_at: str
    """RFC 3339, UTC."""


class Provider(TypedDict):
    object: Literal["provider"]
    name: str
    """The part of a model's name before the first slash."""
    configured: bool
    """false: the host has removed it, and only the tenant's key is left."""
    key_required: bool
    """Whether models of the provider need a key of the tenant's own."""
    key: Union[ProviderKey2, ProviderKey3]
    """The tenant's own key, of the mode of the request's key; null: none."""


class ProviderKey(TypedDict):
    api_key: str
    """Sealed before it is stored, and never shown again."""


class AuditPage(TypedDict):
    data: List[AuditEntry]
    next_cursor: Union[str, None]
    """null on the last page."""


class AuditEntry(TypedDict):
    object: Literal["audit_entry"]
    id: str
    created_at: str
    """RFC 3339, UTC."""
    actor: Literal["key", "interaction", "operator"]
    """`key`: an API key; `interaction`: a person at a callback URL, without a key; `operator`: the operator of the deployment."""
    actor_id: Union[str, None]
    """Of the key, or of the interaction."""
    mode: Mode
    action: str
    """The operation, by its `operationId` in this document."""
    object_type: Union[str, None]
    """`run`, `interaction`, `agent`, `corpus`, `document`, `upload`, `dataset`, `webhook_endpoint`, `delivery`, `key`, `provider` (by its name) or `tenant`."""
    object_id: Union[str, None]
    """What was made or changed; it may be deleted by now."""
    request_id: Union[str, None]
    """`X-Request-Id` of the answer."""
    outcome: Literal["done", "refused"]
    """`refused`: the key has no right to it (403)."""


class Tenant(TypedDict):
    object: Literal["tenant"]
    id: str
    name: str
    created_at: str
    """RFC 3339, UTC."""


class MetricsRunsItem(TypedDict):
    workflow: str
    mode: Mode
    status: RunStatus
    runs: int
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class MetricsCorporaItem(TypedDict):
    mode: Mode
    corpora: int
    llm_calls: int
    input_tokens: int
    cost_usd: Union[float, None]
    """null while no price is known."""


class MetricsWebhookDeliveries(TypedDict):
    pending: int
    failed: int


class MetricsQuotasStoredBytes(TypedDict):
    """bytes of inputs, options, artifacts, answers, documents with their passages, items of data sets, and about 1,000 for each row."""
    used: int
    limit: int


class MetricsQuotasQueuedRuns(TypedDict):
    """runs that wait for one of the tenant's slots."""
    used: int
    limit: int


class MetricsQuotasCorpora(TypedDict):
    """corpora."""
    used: int
    limit: int


class MetricsQuotasDocuments(TypedDict):
    """documents of corpora."""
    used: int
    limit: int


class MetricsQuotasPassages(TypedDict):
    """passages of documents in corpora."""
    used: int
    limit: int


class MetricsQuotasTemplates(TypedDict):
    """templates."""
    used: int
    limit: int


class MetricsQuotasSchedules(TypedDict):
    """schedules."""
    used: int
    limit: int


class MetricsQuotasDatasets(TypedDict):
    """data sets."""
    used: int
    limit: int


class MetricsQuotasDatasetItems(TypedDict):
    """items of data sets."""
    used: int
    limit: int


class MetricsQuotasKeys(TypedDict):
    """API keys that are not revoked and have not expired."""
    used: int
    limit: int


class MetricsQuotasWebhookEndpoints(TypedDict):
    """webhook endpoints, without those of single runs."""
    used: int
    limit: int


class MetricsQuotasStreams(TypedDict):
    """event streams that are open."""
    used: int
    limit: int


class MetricsQuotasSandboxExecutions(TypedDict):
    """executions of generated programs that ended this day, in UTC."""
    used: int
    limit: int


class MetricsQuotasIdempotencyKeys(TypedDict):
    """idempotency keys of the last 24 hours."""
    used: int
    limit: int


class MetricsQuotas(TypedDict):
    """What the tenant uses and may use, in both modes together; the operator raises a limit."""
    stored_bytes: MetricsQuotasStoredBytes
    """bytes of inputs, options, artifacts, answers, documents with their passages, items of data sets, and about 1,000 for each row."""
    queued_runs: MetricsQuotasQueuedRuns
    """runs that wait for one of the tenant's slots."""
    corpora: MetricsQuotasCorpora
    """corpora."""
    documents: MetricsQuotasDocuments
    """documents of corpora."""
    passages: MetricsQuotasPassages
    """passages of documents in corpora."""
    templates: MetricsQuotasTemplates
    """templates."""
    schedules: MetricsQuotasSchedules
    """schedules."""
    datasets: MetricsQuotasDatasets
    """data sets."""
    dataset_items: MetricsQuotasDatasetItems
    """items of data sets."""
    keys: MetricsQuotasKeys
    """API keys that are not revoked and have not expired."""
    webhook_endpoints: MetricsQuotasWebhookEndpoints
    """webhook endpoints, without those of single runs."""
    streams: MetricsQuotasStreams
    """event streams that are open."""
    sandbox_executions: MetricsQuotasSandboxExecutions
    """executions of generated programs that ended this day, in UTC."""
    idempotency_keys: MetricsQuotasIdempotencyKeys
    """idempotency keys of the last 24 hours."""


class Metrics(TypedDict):
    object: Literal["metrics"]
    taken_at: str
    """RFC 3339, UTC."""
    runs: List[MetricsRunsItem]
    """One entry for each workflow, mode and status that has runs."""
    corpora: List[MetricsCorporaItem]
    """The usage of embedding passages and of searches by `POST …/search`, for each mode."""
    stalled_runs: int
    open_interactions: int
    oldest_queued_since: Union[str, None]
    """Since when the run that has been queued longest waits to begin; null when no run is queued."""
    webhook_deliveries: MetricsWebhookDeliveries
    quotas: MetricsQuotas
    """What the tenant uses and may use, in both modes together; the operator raises a limit."""


class Budget(TypedDict):
    object: Literal["budget"]
    amount_usd: Union[float, None]
    """For a calendar month, UTC; null: there is none."""
    at_limit: Literal["refuse", "alarm"]
    """What happens at 100 %: `refuse`, new live runs, or only an `alarm`. Runs that have started continue. With `refuse`, a new live run needs a price for each of its models (422 `no_price`)."""
    month: str
    spent_usd: float
    """Of live mode in this month, as far as prices are known."""
    unpriced_calls: int
    """Model calls of live mode in this month whose cost is not known: `spent_usd` does not count them."""
    reached: List[int]
    """Percents whose `budget.reached` was sent this month."""
    resets_at: str
    """RFC 3339, UTC."""


class PutBudget(TypedDict):
    amount_usd: Union[float, None]
    """null removes the budget."""
    at_limit: NotRequired[Literal["refuse", "alarm"]]
    """What happens at 100 %: `refuse`, new live runs, or only an `alarm`. Runs that have started continue. With `refuse`, a new live run needs a price for each of its models (422 `no_price`). Default: `"alarm"`."""


class UsageReportDataItem(TypedDict):
    day: NotRequired[str]
    workflow: NotRequired[Union[str, None]]
    """null: a corpus, outside of runs."""
    role: NotRequired[Union[str, None]]
    """null: none, or not known."""
    model: NotRequired[Union[str, None]]
    """null: not known."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""
    unpriced_calls: int
    """Calls whose cost is not known."""


class UsageReportTotal(TypedDict):
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""
    unpriced_calls: int
    """Calls whose cost is not known."""


UsageReport = TypedDict("UsageReport", {
    "object": 'Literal["usage"]',
    "from": 'str',
    "to": 'str',
    "group_by": 'List[Literal["day", "workflow", "role", "model"]]',
    "data": 'List[UsageReportDataItem]',
    "total": 'UsageReportTotal',
})


class WebhookEndpointWithSecret(TypedDict):
    object: Literal["webhook_endpoint"]
    id: str
    run_id: Union[str, None]
    """The only run whose events it receives; null: those of all."""
    kind: Literal["http", "slack", "email"]
    delivery: Literal["push", "poll"]
    """`push`: to the URL. `poll`: its consumer leases and acknowledges them."""
    format: Literal["events", "a2a"]
    """Of the bodies: `a2a` for push notifications of an A2A task."""
    url: Union[str, None]
    """null with `delivery: poll`; of kind `slack` only its origin: the rest is a secret."""
    events: List[WebhookType]
    description: str
    status: WebhookEndpointStatus
    disabled_because: Literal["receiver_gone", "retries_failed", "by_request", None]
    """`receiver_gone`: it answered 410. `retries_failed`: the last retry of a delivery failed, or nobody acknowledged a polled one in time, and no other delivery succeeded since that delivery began. `by_request`: by a PATCH."""
    disabled_at: Union[str, None]
    """RFC 3339, UTC."""
    previous_secret_expires_at: Union[str, None]
    """Until then deliveries are also signed with the secret from before the last rotation."""
    created_at: str
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    secret: Union[str, None]
    """Deliveries are signed with it. Shown only in this answer; null of kinds `slack` and `email`."""


class WebhookEndpointPage(TypedDict):
    data: List[WebhookEndpoint]
    next_cursor: Union[str, None]
    """null on the last page."""


class WebhookEndpoint(TypedDict):
    object: Literal["webhook_endpoint"]
    id: str
    run_id: Union[str, None]
    """The only run whose events it receives; null: those of all."""
    kind: Literal["http", "slack", "email"]
    delivery: Literal["push", "poll"]
    """`push`: to the URL. `poll`: its consumer leases and acknowledges them."""
    format: Literal["events", "a2a"]
    """Of the bodies: `a2a` for push notifications of an A2A task."""
    url: Union[str, None]
    """null with `delivery: poll`; of kind `slack` only its origin: the rest is a secret."""
    events: List[WebhookType]
    description: str
    status: WebhookEndpointStatus
    disabled_because: Literal["receiver_gone", "retries_failed", "by_request", None]
    """`receiver_gone`: it answered 410. `retries_failed`: the last retry of a delivery failed, or nobody acknowledged a polled one in time, and no other delivery succeeded since that delivery began. `by_request`: by a PATCH."""
    disabled_at: Union[str, None]
    """RFC 3339, UTC."""
    previous_secret_expires_at: Union[str, None]
    """Until then deliveries are also signed with the secret from before the last rotation."""
    created_at: str
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""


class RotateWebhookSecret(TypedDict):
    secret: NotRequired[str]
    """Your own `whsec_…` (24 to 64 bytes in base64); by default one is generated."""
    overlap: NotRequired[Union[Literal["0s"], str]]
    """How long the previous secret signs beside the new one, such as 30m or 2d; `0s` when it has leaked. Default: `"24h"`."""


class Delivery(TypedDict):
    object: Literal["delivery"]
    id: str
    endpoint_id: str
    event_id: str
    """The `webhook-id` of every attempt."""
    run_id: Union[str, None]
    type: Literal["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.artifact_created", "run.input_required", "run.input_received", "run.input_expired", "run.input_extended", "run.input_reassigned", "run.input_withdrawn", "run.input_reminder", "run.stalled", "run.provider_failing", "run.provider_recovered", "run.paused", "run.resumed", "run.retried", "run.completed", "run.failed", "run.canceled", "run.budget_warning", "webhook_endpoint.disabled", "schedule.failed", "budget.reached", "model.retiring", "webhook.ping"]
    status: DeliveryStatus
    body: str
    """The body of every attempt: a Webhook. Keys without the scope `runs:write` see its `callback_url` as null."""
    attempts: List[DeliveryAttempt]
    """The last 50, in order."""
    next_attempt_at: Union[str, None]
    """With `delivery: poll`, when it fails unless it is acknowledged; null once it has ended."""
    leased_until: Union[str, None]
    """Until then no other lease gets it; null: no lease has it."""
    created_at: str
    """RFC 3339, UTC."""
    settled_at: Union[str, None]
    """RFC 3339, UTC."""


DeliveryStatus: TypeAlias = "Literal['pending', 'delivered', 'failed']"


class DeliveryAttemptRequest(TypedDict):
    """The URL and headers of the POST; null when the request could not be composed."""
    url: str
    headers: Dict[str, str]


class DeliveryAttemptRequest2(TypedDict):
    """The URL and headers of the POST; null when the request could not be composed."""
    url: str
    headers: Dict[str, str]


class DeliveryAttemptResponse(TypedDict):
    """null when there was no response."""
    status: int
    body: str
    """Its first kilobyte."""


class DeliveryAttemptResponse2(TypedDict):
    """null when there was no response."""
    status: int
    body: str
    """Its first kilobyte."""


class DeliveryAttempt(TypedDict):
    attempt: int
    started_at: str
    """RFC 3339, UTC."""
    duration_ms: int
    request: Union[DeliveryAttemptRequest, DeliveryAttemptRequest2]
    """The URL and headers of the POST; null when the request could not be composed."""
    response: Union[DeliveryAttemptResponse, DeliveryAttemptResponse2]
    """null when there was no response."""
    error: Union[str, None]
    """Why the attempt did not count as delivered."""


class DeliveryPage(TypedDict):
    data: List[Delivery]
    next_cursor: Union[str, None]
    """null on the last page."""


class LeasedDeliveries(TypedDict):
    object: Literal["leased_deliveries"]
    data: List[LeasedDelivery]


class LeasedDelivery(TypedDict):
    id: str
    """By which it is acknowledged."""
    event_id: str
    """The `webhook-id`, the same whenever it is given."""
    run_id: Union[str, None]
    type: Literal["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.artifact_created", "run.input_required", "run.input_received", "run.input_expired", "run.input_extended", "run.input_reassigned", "run.input_withdrawn", "run.input_reminder", "run.stalled", "run.provider_failing", "run.provider_recovered", "run.paused", "run.resumed", "run.retried", "run.completed", "run.failed", "run.canceled", "run.budget_warning", "webhook_endpoint.disabled", "schedule.failed", "budget.reached", "model.retiring", "webhook.ping"]
    attempt: int
    """1, and one more with each lease."""
    leased_until: str
    """RFC 3339, UTC."""
    headers: Dict[str, str]
    """Those of a webhook, signed now. Names in lower case."""
    body: str
    """The body of a webhook, as the signature covers it: a Webhook."""


class LeaseDeliveries(TypedDict):
    limit: NotRequired[int]
    """How many deliveries at most. Default: `10`."""
    lease_seconds: NotRequired[int]
    """How long no other lease gets them. After that they are given again, unless they were acknowledged. Default: `60`."""


class AcknowledgedDeliveries(TypedDict):
    object: Literal["acknowledged_deliveries"]
    acknowledged: List[str]
    """Those that are acknowledged, by this request or before."""
    unknown: List[str]
    """Those that the endpoint does not have, or no longer."""


class AcknowledgeDeliveries(TypedDict):
    deliveries: List[str]


class Health(TypedDict):
    status: Literal["ok", "unavailable"]
    version: str
    because: NotRequired[Literal["database", "maintenance"]]
    """What fails: the database does not answer, or the maintenance worker, which repairs interrupted work, does not run."""


class RequirementsInputStakeholdersItem(TypedDict):
    name: str
    profile: str
    """Its role and its concerns."""


class RequirementsInputModelEntitiesItem(TypedDict):
    type: str
    name: str
    description: NotRequired[str]
    """Default: `""`."""


RequirementsInputModelRelationsItem = TypedDict("RequirementsInputModelRelationsItem", {
    "type": 'str',
    "from": 'str',
    "to": 'str',
})


class RequirementsInputModel(TypedDict):
    """The requirements model of `draft`, which is then not extracted before the first check. Only with `draft`."""
    entities: List[RequirementsInputModelEntitiesItem]
    relations: List[RequirementsInputModelRelationsItem]


class RequirementsInput(TypedDict):
    idea: str
    """The rough idea of the system, in any language; a name is enough."""
    title: NotRequired[str]
    """Name of the system. By default it is taken from the idea."""
    background: NotRequired[str]
    """Further facts for the team."""
    stakeholders: NotRequired[List[RequirementsInputStakeholdersItem]]
    """Stakeholders to interview, 1 to 8. By default one, Alice, stands for everybody who uses or runs the system."""
    draft: NotRequired[str]
    """A requirements draft, Markdown, to start from: no stories are told and no questions asked before the first check."""
    model: NotRequired[RequirementsInputModel]
    """The requirements model of `draft`, which is then not extracted before the first check. Only with `draft`."""


class MetamodelEntityTypesItem(TypedDict):
    name: str
    meaning: str
    examples: List[str]


MetamodelRelationTypesItem = TypedDict("MetamodelRelationTypesItem", {
    "name": 'str',
    "meaning": 'str',
    "from": 'List[str]',
    "to": 'List[str]',
})


class Metamodel(TypedDict):
    entity_types: List[MetamodelEntityTypesItem]
    relation_types: List[MetamodelRelationTypesItem]


class RequirementsOptionsAcceptanceCriteriaItem(TypedDict):
    name: str
    description: str


class RequirementsOptions(TypedDict):
    model_kind: NotRequired[Literal["use_case", "problem", "goal", "custom"]]
    """Kind of requirements model; `custom` needs `metamodel`. Default: `"use_case"`."""
    metamodel: NotRequired[Metamodel]
    """Entity and relation types; only with `model_kind: custom`."""
    num_user_stories: NotRequired[int]
    """User stories of each stakeholder. Default: `5`."""
    qa_rounds: NotRequired[int]
    """Interview rounds before the first draft. Default: `2`."""
    human_stakeholder: NotRequired[bool]
    """A person answers the Collector's questions. Default: `false`."""
    max_iterations: NotRequired[int]
    """Checks of draft and model before the run gives up. Default: `3`."""
    reinterview: NotRequired[bool]
    """On an error report the Collector asks once more before it improves the draft. Default: `false`."""
    acceptance_criteria: NotRequired[List[RequirementsOptionsAcceptanceCriteriaItem]]
    """The criteria of every check. By default the Checker derives them once from the idea."""
    accept_at: NotRequired[Literal["none", "minor", "major"]]
    """The highest severity of a finding with which draft and model are accepted. `none`: no finding at all, as the paper has it. Default: `"minor"`."""
    relation_calls: NotRequired[Literal["listed", "batched", "per_pair"]]
    """`listed`: one call lists all relations. `batched`, `per_pair`: a decision on every pair of entities, up to 40 or one in a call. Default: `"listed"`."""
    draft_template: NotRequired[str]
    """Markdown that the draft follows. By default ours."""
    srs_template: NotRequired[str]
    """Markdown that the specification follows. By default one shaped by ISO/IEC/IEEE 29148."""
    strategy: NotRequired[Literal["mare", "single_model"]]
    """`single_model` extracts the whole model in one call: the paper's ablation (RQ3). Default: `"mare"`."""
    profile: NotRequired[Literal["default", "paper"]]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    reviews: NotRequired[List[Literal["user_stories", "requirement_question", "stakeholders_answer", "requirement_draft", "draft_changes", "acceptance_criteria", "entities", "relations", "extracted_model", "check_message", "specification", "error_report"]]]
    """Kinds of artifacts after which the run pauses for a person's feedback. Default: `[]`."""
    interaction_timeout: NotRequired[str]
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: NotRequired[Literal["proceed", "fail"]]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""


class RequirementsRunInputStakeholdersItem(TypedDict):
    name: str
    profile: str
    """Its role and its concerns."""


class RequirementsRunInputModelEntitiesItem(TypedDict):
    type: str
    name: str
    description: str
    """Default: `""`."""


RequirementsRunInputModelRelationsItem = TypedDict("RequirementsRunInputModelRelationsItem", {
    "type": 'str',
    "from": 'str',
    "to": 'str',
})


class RequirementsRunInputModel(TypedDict):
    """The requirements model of `draft`, which is then not extracted before the first check. Only with `draft`."""
    entities: List[RequirementsRunInputModelEntitiesItem]
    relations: List[RequirementsRunInputModelRelationsItem]


class RequirementsRunInput(TypedDict):
    idea: str
    """The rough idea of the system, in any language; a name is enough."""
    title: NotRequired[str]
    """Name of the system. By default it is taken from the idea."""
    background: NotRequired[str]
    """Further facts for the team."""
    stakeholders: NotRequired[List[RequirementsRunInputStakeholdersItem]]
    """Stakeholders to interview, 1 to 8. By default one, Alice, stands for everybody who uses or runs the system."""
    draft: NotRequired[str]
    """A requirements draft, Markdown, to start from: no stories are told and no questions asked before the first check."""
    model: NotRequired[RequirementsRunInputModel]
    """The requirements model of `draft`, which is then not extracted before the first check. Only with `draft`."""


class RequirementsRunOptionsAcceptanceCriteriaItem(TypedDict):
    name: str
    description: str


class RequirementsRunOptions(TypedDict):
    model_kind: Literal["use_case", "problem", "goal", "custom"]
    """Kind of requirements model; `custom` needs `metamodel`. Default: `"use_case"`."""
    metamodel: NotRequired[Metamodel]
    """Entity and relation types; only with `model_kind: custom`."""
    num_user_stories: int
    """User stories of each stakeholder. Default: `5`."""
    qa_rounds: int
    """Interview rounds before the first draft. Default: `2`."""
    human_stakeholder: bool
    """A person answers the Collector's questions. Default: `false`."""
    max_iterations: int
    """Checks of draft and model before the run gives up. Default: `3`."""
    reinterview: bool
    """On an error report the Collector asks once more before it improves the draft. Default: `false`."""
    acceptance_criteria: NotRequired[List[RequirementsRunOptionsAcceptanceCriteriaItem]]
    """The criteria of every check. By default the Checker derives them once from the idea."""
    accept_at: Literal["none", "minor", "major"]
    """The highest severity of a finding with which draft and model are accepted. `none`: no finding at all, as the paper has it. Default: `"minor"`."""
    relation_calls: Literal["listed", "batched", "per_pair"]
    """`listed`: one call lists all relations. `batched`, `per_pair`: a decision on every pair of entities, up to 40 or one in a call. Default: `"listed"`."""
    draft_template: NotRequired[str]
    """Markdown that the draft follows. By default ours."""
    srs_template: NotRequired[str]
    """Markdown that the specification follows. By default one shaped by ISO/IEC/IEEE 29148."""
    strategy: Literal["mare", "single_model"]
    """`single_model` extracts the whole model in one call: the paper's ablation (RQ3). Default: `"mare"`."""
    profile: Literal["default", "paper"]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    reviews: List[Literal["user_stories", "requirement_question", "stakeholders_answer", "requirement_draft", "draft_changes", "acceptance_criteria", "entities", "relations", "extracted_model", "check_message", "specification", "error_report"]]
    """Kinds of artifacts after which the run pauses for a person's feedback. Default: `[]`."""
    interaction_timeout: str
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: Literal["proceed", "fail"]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""


class RequirementsOutput(TypedDict):
    accepted: bool
    document: Union[OutputDocument, None]
    """The main document of the run; null when there is none."""
    specification: Union[OutputDocument, None]
    """The specification. When the requirements were not accepted, it is marked so and ends with the open findings; null under `profile: paper`, and when a person rejected a document."""
    draft: Union[OutputDocument, None]
    """The last requirements draft."""
    model: Union[OutputDocument, None]
    """The last requirements model."""
    diagrams: List[OutputDocument]
    """The model as Mermaid, PlantUML and SVG."""
    error_report: Union[OutputDocument, None]
    """The last error report; null when the requirements were accepted, or no report was written."""
    iterations: int
    """Number of checks by the Checker."""
    stop_reason: Literal["accepted", "max_iterations", "same_smells", "rejected_by_human"]


class OutputDocument(TypedDict):
    artifact_id: str
    kind: str
    media_type: NotRequired[str]
    text: NotRequired[str]
    """The document itself. Absent in lists and webhooks."""


class CreateRequirementsRunModelsRolesValue3(TypedDict):
    """Overrides of the role's defaults."""
    model: NotRequired[str]
    """`<provider>/<model>`; the model name may contain slashes."""
    fallbacks: NotRequired[List[str]]
    """Models that are asked, in this order, while the model cannot be: the list of a role in long."""
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]
    reasoning_effort: NotRequired[Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]]
    """How much the model reasons before it answers. Supported values depend on the model."""
    verbosity: NotRequired[Literal["low", "medium", "high"]]
    """How long the answer is, for models that support it."""


class CreateRequirementsRunModels(TypedDict):
    """Default: `{}`."""
    default: NotRequired[Union[str, List[str]]]
    roles: NotRequired[Dict[str, Union[str, List[str], CreateRequirementsRunModelsRolesValue3]]]
    """Keyed by role, or by `<role>_<n>` for one of several; at most 100 entries."""
    embedding: NotRequired[Union[str, None]]
    """Embedding model; by default the one that the deployment configures. null: none; measures over words replace vectors."""
    seed: NotRequired[int]
    """Seed of every role without its own. Each call's seed is derived from it, so no two calls share one."""


class CreateRequirementsRunLimits(TypedDict):
    """Default: `{}`."""
    max_llm_calls: NotRequired[Union[int, None]]
    """Requests to models, repairs and failed ones included, except attempts while the run waits for a model that fails."""
    max_tokens: NotRequired[Union[int, None]]
    """Input and output tokens together."""
    max_cost_usd: NotRequired[Union[float, None]]
    """Needs a price for every model of the run."""
    timeout: NotRequired[Union[str, None]]
    """Time spent neither waiting for input, nor paused, nor in a provider's queue, nor waiting for one that fails, such as 90m or 2d."""
    provider_wait: NotRequired[str]
    """How long the run waits for a model provider that cannot be reached, is overloaded or answers with errors of its own; then it fails as `provider_unavailable`."""


class CreateRequirementsRunWebhook(TypedDict):
    """Only for this run."""
    url: str
    """https, and a public host; its name is resolved and checked before each attempt."""
    events: NotRequired[List[Literal["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.artifact_created", "run.input_required", "run.input_received", "run.input_expired", "run.input_extended", "run.input_reassigned", "run.input_withdrawn", "run.input_reminder", "run.stalled", "run.provider_failing", "run.provider_recovered", "run.paused", "run.resumed", "run.retried", "run.completed", "run.failed", "run.canceled", "run.budget_warning"]]]
    """Default: `["run.input_required","run.completed","run.failed","run.canceled"]`."""
    secret: NotRequired[str]
    """Your own `whsec_…` (24 to 64 bytes in base64); by default one is generated."""


class CreateRequirementsRunTestScript(TypedDict):
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    speak_user_stories: NotRequired[List[Literal["ok"]]]
    propose_question: NotRequired[List[Literal["ok"]]]
    answer_question: NotRequired[List[Literal["ok"]]]
    write_req_draft: NotRequired[List[Literal["ok"]]]
    revise_req_draft: NotRequired[List[Literal["ok"]]]
    extract_entity: NotRequired[List[Literal["ok"]]]
    list_relations: NotRequired[List[Literal["ok"]]]
    extract_relation: NotRequired[List[Literal["complete", "undecided_pair", "undecided_once"]]]
    extract_model: NotRequired[List[Literal["ok"]]]
    derive_acceptance_criteria: NotRequired[List[Literal["ok"]]]
    check_requirement: NotRequired[List[Literal["accept", "accept_minor", "reject", "reject_same"]]]
    write_srs: NotRequired[List[Literal["ok"]]]
    write_check_report: NotRequired[List[Literal["ok"]]]


class CreateRequirementsRunTestFaults(TypedDict):
    """The fault that each call to the model meets, in order."""
    llm: NotRequired[List[Literal["rate_limited", "server_error", "timeout", "malformed", "truncated", "refusal", "ok"]]]


class CreateRequirementsRunTest(TypedDict):
    script: NotRequired[CreateRequirementsRunTestScript]
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    faults: NotRequired[CreateRequirementsRunTestFaults]
    """The fault that each call to the model meets, in order."""
    latency_ms: NotRequired[int]
    """How long each call takes."""


class CreateRequirementsRun(TypedDict):
    workflow: Literal["requirements"]
    input: RequirementsInput
    options: NotRequired[RequirementsOptions]
    models: NotRequired[CreateRequirementsRunModels]
    """Default: `{}`."""
    limits: NotRequired[CreateRequirementsRunLimits]
    """Default: `{}`."""
    webhook: NotRequired[CreateRequirementsRunWebhook]
    """Only for this run."""
    metadata: NotRequired[Dict[str, str]]
    """Your own data about the run; lists can be filtered by it. At most 16 entries. Default: `{}`."""
    requested_by: NotRequired[str]
    """Who asks for the run, such as a name. Shown to people who are asked, and in webhooks."""
    test: NotRequired[CreateRequirementsRunTest]


class RequirementsRunUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class RequirementsRun(TypedDict):
    object: Literal["run"]
    id: str
    workflow: Literal["requirements"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    input: RequirementsRunInput
    options: RequirementsRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[RequirementsOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: RequirementsRunUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


class RequirementsRunEntryUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class RequirementsRunEntry(TypedDict):
    """A run as lists show it: without `input` and `options`, which may be long. GET /v1/runs/{id} has them."""
    object: Literal["run"]
    id: str
    workflow: Literal["requirements"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[RequirementsOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: RequirementsRunEntryUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


class WaterfallInput(TypedDict):
    requirement: str
    """The user's request, which may be vague, in any language."""
    context: NotRequired[str]
    """Context of the request: earlier turns of the dialogue, data, a document."""


class WaterfallOptionsFunctionsItem(TypedDict):
    name: str
    description: NotRequired[str]
    """Default: `""`."""
    parameters: NotRequired[Dict[str, Any]]
    """JSON Schema of the arguments, an object. The types `dict`, `float`, `tuple` and `any` of BFCL are taken too. The calls of a run fit it, except that models see patterns, but calls are not checked against them. Default: `{"type":"object","properties":{}}`."""


class WaterfallOptions(TypedDict):
    clarification: NotRequired[Literal["ask", "infer", "skip"]]
    """A person answers the clarifying questions, or answers are inferred, or nothing is asked. Default: `"ask"`."""
    agents: NotRequired[List[str]]
    """Ids of the worker agents that the run may use. By default all of the registry."""
    functions: NotRequired[List[WaterfallOptionsFunctionsItem]]
    """The caller's own functions; the output then holds the calls that the run would make."""
    max_requirement_revisions: NotRequired[int]
    """How many times rejected Gherkin may be rewritten. Default: `3`."""
    max_pseudocode_revisions: NotRequired[int]
    """How many times rejected pseudocode may be rewritten. Default: `3`."""
    max_response_revisions: NotRequired[int]
    """How often the design is revised after a rejected response. Default: `3`."""
    max_repairs: NotRequired[int]
    """How many failed executions are analysed and repaired. Default: `5`."""
    max_executions: NotRequired[int]
    """How many executions of programs there may be in total. Default: `8`."""
    on_gherkin_rejected: NotRequired[Literal["optimize", "transform"]]
    """A rejected Gherkin goes to the Optimization Expert, or directly back to its writer. Default: `"optimize"`."""
    verify_requirement: NotRequired[bool]
    """The Gherkin is verified against the user's words before the work begins, not only by its parser. Default: `false`."""
    verify_repaired_pseudocode: NotRequired[bool]
    """A pseudocode that was repaired, or redone for a rejected response, is verified too. Default: `false`."""
    strict_response: NotRequired[bool]
    """The Response Verifier judges correctness too, not only whether the response fits. Default: `true`."""
    improve_response: NotRequired[bool]
    """Passages of an accepted response are changed by its agent when the Response Verifier names improvements; with `functions` it is written once more. Default: `true`."""
    on_verifier_limit: NotRequired[Literal["best", "fail"]]
    """When Gherkin or pseudocode is still rejected at its limit, the run continues with the last usable version, which `unverified` in the output names; or it ends without an answer. A response that is still rejected is the answer, with `accepted: false`; or there is none. Default: `"best"`."""
    skip_stages: NotRequired[List[Literal["requirement_analysis", "design", "reflection"]]]
    """Stages to skip: the paper's ablations. Default: `[]`."""
    strategy: NotRequired[Literal["waagents", "single_agent"]]
    """`single_agent`: one model answers directly, the paper's baseline. Default: `"waagents"`."""
    profile: NotRequired[Literal["default", "paper"]]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    reviews: NotRequired[List[Literal["clarification_questions", "refined_requirement", "gherkin", "requirement_verdict", "task_plan", "pseudocode", "pseudocode_verdict", "code", "direct_answer", "response_verdict", "error_report"]]]
    """Kinds of artifacts after which the run pauses for a person's feedback. Default: `[]`."""
    interaction_timeout: NotRequired[str]
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: NotRequired[Literal["proceed", "fail"]]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""


class WaterfallRunInput(TypedDict):
    requirement: str
    """The user's request, which may be vague, in any language."""
    context: NotRequired[str]
    """Context of the request: earlier turns of the dialogue, data, a document."""


class WaterfallRunOptionsFunctionsItem(TypedDict):
    name: str
    description: str
    """Default: `""`."""
    parameters: Dict[str, Any]
    """JSON Schema of the arguments, an object. The types `dict`, `float`, `tuple` and `any` of BFCL are taken too. The calls of a run fit it, except that models see patterns, but calls are not checked against them. Default: `{"type":"object","properties":{}}`."""


class WaterfallRunOptions(TypedDict):
    clarification: Literal["ask", "infer", "skip"]
    """A person answers the clarifying questions, or answers are inferred, or nothing is asked. Default: `"ask"`."""
    agents: NotRequired[List[str]]
    """Ids of the worker agents that the run may use. By default all of the registry."""
    functions: NotRequired[List[WaterfallRunOptionsFunctionsItem]]
    """The caller's own functions; the output then holds the calls that the run would make."""
    max_requirement_revisions: int
    """How many times rejected Gherkin may be rewritten. Default: `3`."""
    max_pseudocode_revisions: int
    """How many times rejected pseudocode may be rewritten. Default: `3`."""
    max_response_revisions: int
    """How often the design is revised after a rejected response. Default: `3`."""
    max_repairs: int
    """How many failed executions are analysed and repaired. Default: `5`."""
    max_executions: int
    """How many executions of programs there may be in total. Default: `8`."""
    on_gherkin_rejected: Literal["optimize", "transform"]
    """A rejected Gherkin goes to the Optimization Expert, or directly back to its writer. Default: `"optimize"`."""
    verify_requirement: bool
    """The Gherkin is verified against the user's words before the work begins, not only by its parser. Default: `false`."""
    verify_repaired_pseudocode: bool
    """A pseudocode that was repaired, or redone for a rejected response, is verified too. Default: `false`."""
    strict_response: bool
    """The Response Verifier judges correctness too, not only whether the response fits. Default: `true`."""
    improve_response: bool
    """Passages of an accepted response are changed by its agent when the Response Verifier names improvements; with `functions` it is written once more. Default: `true`."""
    on_verifier_limit: Literal["best", "fail"]
    """When Gherkin or pseudocode is still rejected at its limit, the run continues with the last usable version, which `unverified` in the output names; or it ends without an answer. A response that is still rejected is the answer, with `accepted: false`; or there is none. Default: `"best"`."""
    skip_stages: List[Literal["requirement_analysis", "design", "reflection"]]
    """Stages to skip: the paper's ablations. Default: `[]`."""
    strategy: Literal["waagents", "single_agent"]
    """`single_agent`: one model answers directly, the paper's baseline. Default: `"waagents"`."""
    profile: Literal["default", "paper"]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    reviews: List[Literal["clarification_questions", "refined_requirement", "gherkin", "requirement_verdict", "task_plan", "pseudocode", "pseudocode_verdict", "code", "direct_answer", "response_verdict", "error_report"]]
    """Kinds of artifacts after which the run pauses for a person's feedback. Default: `[]`."""
    interaction_timeout: str
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: Literal["proceed", "fail"]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""


class WaterfallOutputCallsItem(TypedDict):
    name: str
    arguments: Dict[str, Any]


class WaterfallOutputUnverifiedItem(TypedDict):
    kind: Literal["gherkin", "pseudocode", "response"]
    reason: str


class WaterfallOutput(TypedDict):
    answer: Union[str, None]
    """The answer as text; null when no program has returned one."""
    answer_json: NotRequired[Any]
    """The program's result, if it is not a text."""
    calls: NotRequired[List[WaterfallOutputCallsItem]]
    """Calls of the caller's own functions that the run would make; only with `functions`."""
    accepted: bool
    document: Union[OutputDocument, None]
    """The main document of the run; null when there is none."""
    gherkin: Union[OutputDocument, None]
    """The requirement as Gherkin."""
    plan: Union[OutputDocument, None]
    """The task plan."""
    pseudocode: Union[OutputDocument, None]
    """The last pseudocode."""
    code: Union[OutputDocument, None]
    """The last program."""
    unverified: List[WaterfallOutputUnverifiedItem]
    """What the run continued with although it was rejected at its limit, with the last objection."""
    executions: int
    """How often a program was run."""
    stop_reason: Literal["accepted", "answered", "max_requirement_revisions", "unknown_agents", "max_pseudocode_revisions", "max_response_revisions", "max_repairs", "max_executions", "execution_failed", "rejected_by_human"]
    reason: NotRequired[str]
    """The last rejection or error, if the run was not accepted."""


class CreateWaterfallRunModelsRolesValue3(TypedDict):
    """Overrides of the role's defaults."""
    model: NotRequired[str]
    """`<provider>/<model>`; the model name may contain slashes."""
    fallbacks: NotRequired[List[str]]
    """Models that are asked, in this order, while the model cannot be: the list of a role in long."""
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]
    reasoning_effort: NotRequired[Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]]
    """How much the model reasons before it answers. Supported values depend on the model."""
    verbosity: NotRequired[Literal["low", "medium", "high"]]
    """How long the answer is, for models that support it."""


class CreateWaterfallRunModels(TypedDict):
    """Default: `{}`."""
    default: NotRequired[Union[str, List[str]]]
    roles: NotRequired[Dict[str, Union[str, List[str], CreateWaterfallRunModelsRolesValue3]]]
    """Keyed by role, or by `<role>_<n>` for one of several; at most 100 entries."""
    embedding: NotRequired[Union[str, None]]
    """Embedding model; by default the one that the deployment configures. null: none; measures over words replace vectors."""
    seed: NotRequired[int]
    """Seed of every role without its own. Each call's seed is derived from it, so no two calls share one."""


class CreateWaterfallRunLimits(TypedDict):
    """Default: `{}`."""
    max_llm_calls: NotRequired[Union[int, None]]
    """Requests to models, repairs and failed ones included, except attempts while the run waits for a model that fails."""
    max_tokens: NotRequired[Union[int, None]]
    """Input and output tokens together."""
    max_cost_usd: NotRequired[Union[float, None]]
    """Needs a price for every model of the run."""
    timeout: NotRequired[Union[str, None]]
    """Time spent neither waiting for input, nor paused, nor in a provider's queue, nor waiting for one that fails, such as 90m or 2d."""
    provider_wait: NotRequired[str]
    """How long the run waits for a model provider that cannot be reached, is overloaded or answers with errors of its own; then it fails as `provider_unavailable`."""


class CreateWaterfallRunWebhook(TypedDict):
    """Only for this run."""
    url: str
    """https, and a public host; its name is resolved and checked before each attempt."""
    events: NotRequired[List[Literal["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.artifact_created", "run.input_required", "run.input_received", "run.input_expired", "run.input_extended", "run.input_reassigned", "run.input_withdrawn", "run.input_reminder", "run.stalled", "run.provider_failing", "run.provider_recovered", "run.paused", "run.resumed", "run.retried", "run.completed", "run.failed", "run.canceled", "run.budget_warning"]]]
    """Default: `["run.input_required","run.completed","run.failed","run.canceled"]`."""
    secret: NotRequired[str]
    """Your own `whsec_…` (24 to 64 bytes in base64); by default one is generated."""


class CreateWaterfallRunTestScript(TypedDict):
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    ask_clarifications: NotRequired[List[Literal["questions", "none"]]]
    optimize_requirement: NotRequired[List[Literal["ok"]]]
    transform_requirement: NotRequired[List[Literal["ok", "syntax_error"]]]
    verify_requirement: NotRequired[List[Literal["accept", "reject"]]]
    choose_agents: NotRequired[List[Literal["ok"]]]
    decompose_task: NotRequired[List[Literal["ok", "one_agent", "several_agents", "unknown_agent", "unknown_alternative"]]]
    write_pseudocode: NotRequired[List[Literal["ok"]]]
    verify_pseudocode: NotRequired[List[Literal["accept", "reject"]]]
    generate_code: NotRequired[List[Literal["ok", "syntax_error", "runtime_error", "endless_loop", "unknown_agent", "no_answer", "no_agent"]]]
    call_agent: NotRequired[List[Literal["answer", "json", "refuse", "silent"]]]
    verify_response: NotRequired[List[Literal["accept", "improve", "reject"]]]
    analyze_error: NotRequired[List[Literal["by_evidence", "design", "implementation"]]]
    fix_pseudocode: NotRequired[List[Literal["fix", "no_fix"]]]
    fix_code: NotRequired[List[Literal["fix", "no_fix"]]]
    answer_directly: NotRequired[List[Literal["ok"]]]
    answer_with_calls: NotRequired[List[Literal["ok"]]]


class CreateWaterfallRunTestFaults(TypedDict):
    """The fault that each call to the model meets, in order."""
    llm: NotRequired[List[Literal["rate_limited", "server_error", "timeout", "malformed", "truncated", "refusal", "ok"]]]


class CreateWaterfallRunTest(TypedDict):
    script: NotRequired[CreateWaterfallRunTestScript]
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    faults: NotRequired[CreateWaterfallRunTestFaults]
    """The fault that each call to the model meets, in order."""
    latency_ms: NotRequired[int]
    """How long each call takes."""


class CreateWaterfallRun(TypedDict):
    workflow: Literal["waterfall"]
    input: WaterfallInput
    options: NotRequired[WaterfallOptions]
    models: NotRequired[CreateWaterfallRunModels]
    """Default: `{}`."""
    limits: NotRequired[CreateWaterfallRunLimits]
    """Default: `{}`."""
    webhook: NotRequired[CreateWaterfallRunWebhook]
    """Only for this run."""
    metadata: NotRequired[Dict[str, str]]
    """Your own data about the run; lists can be filtered by it. At most 16 entries. Default: `{}`."""
    requested_by: NotRequired[str]
    """Who asks for the run, such as a name. Shown to people who are asked, and in webhooks."""
    test: NotRequired[CreateWaterfallRunTest]


class WaterfallRunUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class WaterfallRun(TypedDict):
    object: Literal["run"]
    id: str
    workflow: Literal["waterfall"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    input: WaterfallRunInput
    options: WaterfallRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[WaterfallOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: WaterfallRunUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


class WaterfallRunEntryUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class WaterfallRunEntry(TypedDict):
    """A run as lists show it: without `input` and `options`, which may be long. GET /v1/runs/{id} has them."""
    object: Literal["run"]
    id: str
    workflow: Literal["waterfall"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[WaterfallOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: WaterfallRunEntryUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


class DebateInputChoicesItem(TypedDict):
    label: str
    """Name of the choice, such as `A`."""
    text: str


class DebateInputEvidenceItem(TypedDict):
    source: str
    """The name used in citations, such as a statute or a decision."""
    jurisdiction: NotRequired[str]
    """Where it is law, such as `BR` or `US-CA`."""
    text: str


class DebateInput(TypedDict):
    question: str
    """The question with its facts, in any language, which the answer also has."""
    choices: NotRequired[List[DebateInputChoicesItem]]
    """The possible answers. Without choices the question is open, and the answer is a text."""
    jurisdiction: NotRequired[str]
    """Jurisdiction whose law applies, in the notation of `evidence`."""
    language: NotRequired[str]
    """Language tag of the question, such as `pt-BR`; by default detected from the question."""
    evidence: NotRequired[List[DebateInputEvidenceItem]]
    """Evidence for this run alone."""
    corpus_ids: NotRequired[List[str]]
    """Corpora to look for evidence in."""


class DebateOptions(TypedDict):
    strategy: NotRequired[Literal["debate", "single_agent", "self_consistency"]]
    """`single_agent` and `self_consistency` are the paper's baselines: the same retrieval before the answer, the same form of answer, the same checks. Default: `"debate"`."""
    debaters: NotRequired[int]
    """How many positions are defended; at most as many as there are choices. `all_options` and a list of positions override it. Default: `2`."""
    rounds: NotRequired[int]
    """Rounds of briefs, the opening included. Default: `2`."""
    positions: NotRequired[Union[Literal["ranked", "all_options", "free"], List[str]]]
    """How positions are assigned: the most probable answers, every choice, debaters' preferences, or your list. Default: `"ranked"`."""
    topology: NotRequired[Literal["sparse_ring", "sparse_rival", "sparse_all", "full"]]
    """Briefs that a debater sees in a rebuttal: one opponent's last one, all last ones, or all. Default: `"sparse_ring"`."""
    free_to_switch: NotRequired[bool]
    """A debater may change its position in a rebuttal. Default: `false`."""
    early_stop: NotRequired[bool]
    """The debate ends when all debaters hold the same position. It saves calls only with `free_to_switch` and at least `rounds: 3`. Default: `false`."""
    top_k: NotRequired[int]
    """Number of authorities from corpora that every debater sees; 0: no retrieval. `evidence` is shown whole where it fits. Default: `5`."""
    snippets_per_rebuttal: NotRequired[int]
    """How many further authorities a debater may ask for in a rebuttal. Default: `1`."""
    brief_tokens: NotRequired[int]
    """Approximate length of a brief in tokens, without quotes; by default 400, and 900 for an open question."""
    cross_examiner: NotRequired[bool]
    """Asks each side one question before judgment. Default: `false`."""
    judging: NotRequired[Literal["blind", "labeled"]]
    """Whether the judge sees which model wrote a brief. Default: `"blind"`."""
    samples: NotRequired[int]
    """How many answers vote under `self_consistency`. Default: `5`."""
    solvers: NotRequired[int]
    """How many short answers are written apart from each other before positions are assigned, for `positions: ranked` of a question with choices; 0: one call ranks the choices. Answers that differ are debated. Default: `3`."""
    skip_debate_above: NotRequired[float]
    """No debate is held when all solvers give one answer, and its mean probability is above this; without solvers, when the ranking's first is above it. 1: always debate, as under `human_review`. Default: `0.8`."""
    interventions: NotRequired[List[Literal["diversity_pruning", "quality_pruning", "misconception_refutation"]]]
    """Filters and corrections of briefs before opponents read them. Default: `[]`."""
    human_review: NotRequired[bool]
    """A person sees the briefs before judgment. Default: `false`."""
    judge_each_round: NotRequired[bool]
    """The judge also decides on the briefs of the first round alone, of the first two, and so on: `answers_by_round` shows what each round changes. One more call for each earlier round. Default: `false`."""
    profile: NotRequired[Literal["default", "paper"]]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    reviews: NotRequired[List[Literal["option_ranking", "short_answer", "option_preference", "framing", "framings", "brief", "snippet_request", "misconceptions", "cross_question", "side_answer", "verdict", "sole_answer", "citation_support"]]]
    """Kinds of artifacts after which the run pauses for a person's feedback. Default: `[]`."""
    interaction_timeout: NotRequired[str]
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: NotRequired[Literal["proceed", "fail"]]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""


class DebateRunInputChoicesItem(TypedDict):
    label: str
    """Name of the choice, such as `A`."""
    text: str


class DebateRunInputEvidenceItem(TypedDict):
    source: str
    """The name used in citations, such as a statute or a decision."""
    jurisdiction: NotRequired[str]
    """Where it is law, such as `BR` or `US-CA`."""
    text: str


class DebateRunInput(TypedDict):
    question: str
    """The question with its facts, in any language, which the answer also has."""
    choices: NotRequired[List[DebateRunInputChoicesItem]]
    """The possible answers. Without choices the question is open, and the answer is a text."""
    jurisdiction: NotRequired[str]
    """Jurisdiction whose law applies, in the notation of `evidence`."""
    language: NotRequired[str]
    """Language tag of the question, such as `pt-BR`; by default detected from the question."""
    evidence: NotRequired[List[DebateRunInputEvidenceItem]]
    """Evidence for this run alone."""
    corpus_ids: NotRequired[List[str]]
    """Corpora to look for evidence in."""


class DebateRunOptions(TypedDict):
    strategy: Literal["debate", "single_agent", "self_consistency"]
    """`single_agent` and `self_consistency` are the paper's baselines: the same retrieval before the answer, the same form of answer, the same checks. Default: `"debate"`."""
    debaters: int
    """How many positions are defended; at most as many as there are choices. `all_options` and a list of positions override it. Default: `2`."""
    rounds: int
    """Rounds of briefs, the opening included. Default: `2`."""
    positions: Union[Literal["ranked", "all_options", "free"], List[str]]
    """How positions are assigned: the most probable answers, every choice, debaters' preferences, or your list. Default: `"ranked"`."""
    topology: Literal["sparse_ring", "sparse_rival", "sparse_all", "full"]
    """Briefs that a debater sees in a rebuttal: one opponent's last one, all last ones, or all. Default: `"sparse_ring"`."""
    free_to_switch: bool
    """A debater may change its position in a rebuttal. Default: `false`."""
    early_stop: bool
    """The debate ends when all debaters hold the same position. It saves calls only with `free_to_switch` and at least `rounds: 3`. Default: `false`."""
    top_k: int
    """Number of authorities from corpora that every debater sees; 0: no retrieval. `evidence` is shown whole where it fits. Default: `5`."""
    snippets_per_rebuttal: int
    """How many further authorities a debater may ask for in a rebuttal. Default: `1`."""
    brief_tokens: NotRequired[int]
    """Approximate length of a brief in tokens, without quotes; by default 400, and 900 for an open question."""
    cross_examiner: bool
    """Asks each side one question before judgment. Default: `false`."""
    judging: Literal["blind", "labeled"]
    """Whether the judge sees which model wrote a brief. Default: `"blind"`."""
    samples: int
    """How many answers vote under `self_consistency`. Default: `5`."""
    solvers: int
    """How many short answers are written apart from each other before positions are assigned, for `positions: ranked` of a question with choices; 0: one call ranks the choices. Answers that differ are debated. Default: `3`."""
    skip_debate_above: float
    """No debate is held when all solvers give one answer, and its mean probability is above this; without solvers, when the ranking's first is above it. 1: always debate, as under `human_review`. Default: `0.8`."""
    interventions: List[Literal["diversity_pruning", "quality_pruning", "misconception_refutation"]]
    """Filters and corrections of briefs before opponents read them. Default: `[]`."""
    human_review: bool
    """A person sees the briefs before judgment. Default: `false`."""
    judge_each_round: bool
    """The judge also decides on the briefs of the first round alone, of the first two, and so on: `answers_by_round` shows what each round changes. One more call for each earlier round. Default: `false`."""
    profile: Literal["default", "paper"]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    reviews: List[Literal["option_ranking", "short_answer", "option_preference", "framing", "framings", "brief", "snippet_request", "misconceptions", "cross_question", "side_answer", "verdict", "sole_answer", "citation_support"]]
    """Kinds of artifacts after which the run pauses for a person's feedback. Default: `[]`."""
    interaction_timeout: str
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: Literal["proceed", "fail"]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""


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
    """The letter that judge and report use for the debater."""
    debater: str
    """Such as `debater_1`."""
    position: str
    """Label of the choice that the debater defended; for an open question `P1`, `P2`, …"""
    statement: str
    """The choice's text, or the thesis."""
    held: str
    """Label of the position that the debater held at the end."""
    model: str
    """The model that wrote its briefs."""


class DebateOutputCitationsItem(TypedDict):
    authority_id: str
    external_id: Union[str, None]
    """The caller's own id of the document; null: it has none."""
    quote: str
    proposition: str
    quote_match: Literal["verbatim", "abridged", "altered", "missing"]
    """`abridged`: with harmless omissions; `altered`: an omission is too long or drops a negation, a condition or an exception."""
    quote_found: bool
    """The authority contains the quoted words: `verbatim` or `abridged`."""
    supported: Union[bool, None]
    """The authority supports the proposition; null: not judged."""
    foreign: bool
    """The authority is from another jurisdiction than the question."""
    cited_by: List[str]
    """Debaters, such as `debater_1`, a sample, a solver such as `solver_1`, or `judge`: the answer rests on it."""


class DebateOutputInventedCitationsItem(TypedDict):
    authority_id: str
    proposition: str
    cited_by: List[str]


class DebateOutputRetrievedItem(TypedDict):
    authority_id: str
    external_id: Union[str, None]
    """The caller's own id of the document; null: it has none."""


class DebateOutput(TypedDict):
    answer: Union[str, None]
    """A choice's label, or the text that answers an open question; null: none."""
    confidence: Union[float, None]
    rationale: List[str]
    """Three points; of an undisputed answer a point of each solver. Empty when a majority decided: it gives no reasons."""
    checklist: Union[DebateOutputChecklist, None]
    winner: Union[str, None]
    """The debater who argued best, such as `debater_2`, whether or not its answer prevailed."""
    prevailed: List[str]
    """Debaters whose position the answer is; for an open question, the one whose position it adopts."""
    parties: List[DebateOutputPartiesItem]
    """Each debater with its position; empty when nothing was judged."""
    citations: List[DebateOutputCitationsItem]
    """Citations of authorities that the debater was shown."""
    invented_citations: List[DebateOutputInventedCitationsItem]
    """Citations of authorities that the debater was never shown. They count as wrong."""
    retrieved: List[DebateOutputRetrievedItem]
    """The passages that the run found, cited or not."""
    rounds: int
    """Rounds of debate, the opening included; 0 in the baselines, and when the debate was skipped."""
    answers_by_round: NotRequired[List[Union[str, None]]]
    """The judge's answer after each round, the last one included; only with `judge_each_round`."""
    stop_reason: Literal["judged", "agreed", "majority", "invalid", "answered", "voted", "undisputed", "rejected_by_human"]
    """`undisputed`: the debate was skipped, see `skip_debate_above`."""
    document: Union[OutputDocument, None]
    """The main document of the run; null when there is none."""
    report: Union[OutputDocument, None]
    """The whole case, for a person to read; the same as `document`."""
    drawing: Union[OutputDocument, None]
    """The debate as a drawing (SVG): positions over rounds, who rebuts whom, results of the citations."""


class CreateDebateRunModelsRolesValue3(TypedDict):
    """Overrides of the role's defaults."""
    model: NotRequired[str]
    """`<provider>/<model>`; the model name may contain slashes."""
    fallbacks: NotRequired[List[str]]
    """Models that are asked, in this order, while the model cannot be: the list of a role in long."""
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]
    reasoning_effort: NotRequired[Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]]
    """How much the model reasons before it answers. Supported values depend on the model."""
    verbosity: NotRequired[Literal["low", "medium", "high"]]
    """How long the answer is, for models that support it."""


class CreateDebateRunModels(TypedDict):
    """Default: `{}`."""
    default: NotRequired[Union[str, List[str]]]
    roles: NotRequired[Dict[str, Union[str, List[str], CreateDebateRunModelsRolesValue3]]]
    """Keyed by role, or by `<role>_<n>` for one of several; at most 100 entries."""
    embedding: NotRequired[Union[str, None]]
    """Embedding model; by default the one that the deployment configures. null: none; measures over words replace vectors."""
    seed: NotRequired[int]
    """Seed of every role without its own. Each call's seed is derived from it, so no two calls share one."""


class CreateDebateRunLimits(TypedDict):
    """Default: `{}`."""
    max_llm_calls: NotRequired[Union[int, None]]
    """Requests to models, repairs and failed ones included, except attempts while the run waits for a model that fails."""
    max_tokens: NotRequired[Union[int, None]]
    """Input and output tokens together."""
    max_cost_usd: NotRequired[Union[float, None]]
    """Needs a price for every model of the run."""
    timeout: NotRequired[Union[str, None]]
    """Time spent neither waiting for input, nor paused, nor in a provider's queue, nor waiting for one that fails, such as 90m or 2d."""
    provider_wait: NotRequired[str]
    """How long the run waits for a model provider that cannot be reached, is overloaded or answers with errors of its own; then it fails as `provider_unavailable`."""


class CreateDebateRunWebhook(TypedDict):
    """Only for this run."""
    url: str
    """https, and a public host; its name is resolved and checked before each attempt."""
    events: NotRequired[List[Literal["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.artifact_created", "run.input_required", "run.input_received", "run.input_expired", "run.input_extended", "run.input_reassigned", "run.input_withdrawn", "run.input_reminder", "run.stalled", "run.provider_failing", "run.provider_recovered", "run.paused", "run.resumed", "run.retried", "run.completed", "run.failed", "run.canceled", "run.budget_warning"]]]
    """Default: `["run.input_required","run.completed","run.failed","run.canceled"]`."""
    secret: NotRequired[str]
    """Your own `whsec_…` (24 to 64 bytes in base64); by default one is generated."""


class CreateDebateRunTestScript(TypedDict):
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    answer_briefly: NotRequired[List[Literal["apart", "alike", "unsure", "cite_invented"]]]
    rank_options: NotRequired[List[Literal["ok"]]]
    choose_option: NotRequired[List[Literal["ok"]]]
    propose_framing: NotRequired[List[Literal["ok"]]]
    frame_positions: NotRequired[List[Literal["ok"]]]
    write_opening: NotRequired[List[Literal["ok", "no_citation", "cite_invented", "misquote", "foreign_jurisdiction", "concede", "tell_who"]]]
    request_snippet: NotRequired[List[Literal["request", "no_request"]]]
    write_rebuttal: NotRequired[List[Literal["ok", "no_citation", "cite_invented", "misquote", "foreign_jurisdiction", "concede", "switch", "tell_who"]]]
    find_misconceptions: NotRequired[List[Literal["found", "none"]]]
    ask_cross_question: NotRequired[List[Literal["ok"]]]
    answer_question: NotRequired[List[Literal["answer", "concede", "cite_invented"]]]
    judge_debate: NotRequired[List[Literal["decide", "outside_options", "undefended_option", "no_winner", "from_memory"]]]
    answer_alone: NotRequired[List[Literal["ok", "other_option", "outside_options", "cite_invented", "no_citation", "from_memory"]]]
    check_citations: NotRequired[List[Literal["supported", "unsupported"]]]


class CreateDebateRunTestFaults(TypedDict):
    """The fault that each call to the model meets, in order."""
    llm: NotRequired[List[Literal["rate_limited", "server_error", "timeout", "malformed", "truncated", "refusal", "ok"]]]


class CreateDebateRunTest(TypedDict):
    script: NotRequired[CreateDebateRunTestScript]
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    faults: NotRequired[CreateDebateRunTestFaults]
    """The fault that each call to the model meets, in order."""
    latency_ms: NotRequired[int]
    """How long each call takes."""


class CreateDebateRun(TypedDict):
    workflow: Literal["debate"]
    input: DebateInput
    options: NotRequired[DebateOptions]
    models: NotRequired[CreateDebateRunModels]
    """Default: `{}`."""
    limits: NotRequired[CreateDebateRunLimits]
    """Default: `{}`."""
    webhook: NotRequired[CreateDebateRunWebhook]
    """Only for this run."""
    metadata: NotRequired[Dict[str, str]]
    """Your own data about the run; lists can be filtered by it. At most 16 entries. Default: `{}`."""
    requested_by: NotRequired[str]
    """Who asks for the run, such as a name. Shown to people who are asked, and in webhooks."""
    test: NotRequired[CreateDebateRunTest]


class DebateRunUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class DebateRun(TypedDict):
    object: Literal["run"]
    id: str
    workflow: Literal["debate"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    input: DebateRunInput
    options: DebateRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[DebateOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: DebateRunUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


class DebateRunEntryUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class DebateRunEntry(TypedDict):
    """A run as lists show it: without `input` and `options`, which may be long. GET /v1/runs/{id} has them."""
    object: Literal["run"]
    id: str
    workflow: Literal["debate"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[DebateOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: DebateRunEntryUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


class IdeationInputPapersItem(TypedDict):
    title: str
    abstract: str
    year: NotRequired[Union[int, None]]
    url: NotRequired[Union[str, None]]


class IdeationInput(TypedDict):
    topic: str
    """Topic of the ideas, in any language."""
    papers: NotRequired[List[IdeationInputPapersItem]]
    """Papers that ground the ideas."""
    existing_ideas: NotRequired[List[str]]
    """Names of existing ideas, which proposers are told to avoid."""
    corpus_ids: NotRequired[List[str]]
    """Corpora whose passages ground the ideas, as papers do."""


class IdeationOptionsExamplesItem(TypedDict):
    name: str
    problem: str
    existing_methods: str
    motivation: str
    proposed_method: str
    experiment_plan: str


class IdeationOptionsCompareItem2(TypedDict):
    name: str
    """Its name in metrics and in the names of steps."""
    preset: NotRequired[Literal["single", "baseline", "iterative_2", "iterative_3", "iterative_4", "parallel_2", "parallel_3", "parallel_4", "persona_critic", "persona_proposer", "recommended", "panel"]]
    """From which the other fields differ. Default: `"baseline"`."""
    proposers: NotRequired[int]
    """Agents that propose. By default the preset's."""
    critics: NotRequired[int]
    """Critics of each batch of ideas. By default the preset's."""
    depth: NotRequired[int]
    """Rounds of critique and revision. By default the preset's."""
    proposer_personas: NotRequired[List[str]]
    """One for each proposer."""
    critic_personas: NotRequired[List[str]]
    """One for each critic."""


class IdeationOptions(TypedDict):
    preset: NotRequired[Literal["single", "baseline", "iterative_2", "iterative_3", "iterative_4", "parallel_2", "parallel_3", "parallel_4", "persona_critic", "persona_proposer", "recommended", "panel"]]
    """Configuration of the dialogue: the paper's ten, the mix that it recommends, and `panel`, that mix with critics who look at different things. Default: `"panel"`."""
    proposers: NotRequired[int]
    """Agents that propose. By default the preset's."""
    critics: NotRequired[int]
    """Critics of each batch of ideas. By default the preset's."""
    depth: NotRequired[int]
    """Rounds of critique and revision. By default the preset's."""
    proposer_personas: NotRequired[List[str]]
    """One for each proposer."""
    critic_personas: NotRequired[List[str]]
    """One for each critic."""
    ideas: NotRequired[int]
    """Ideas of each proposer in each trial. Default: `5`."""
    trials: NotRequired[int]
    """Dialogues, each with its own seed. Default: `1`."""
    parallelism: NotRequired[int]
    """Trials at once. Default: `8`."""
    paper_source: NotRequired[Literal["given", "semantic_scholar", "none"]]
    """By default `given` when papers or corpora are given, else `semantic_scholar`."""
    grounding_papers: NotRequired[int]
    """Papers that each trial sees, drawn from the best. Default: `10`."""
    bank_size: NotRequired[int]
    """Papers that are collected. Default: `100`."""
    method: NotRequired[str]
    """The kind of method that the ideas are to propose. By default any that suits the topic."""
    examples: NotRequired[List[IdeationOptionsExamplesItem]]
    """Ideas that show proposers the form, the best at full length. By default published methods: of prompting if method or topic name it, else of several fields."""
    venue: NotRequired[str]
    """For which the judge reviews. By default a leading venue of the topic's field."""
    dedup_threshold: NotRequired[float]
    """Ideas with a similarity above this are duplicates. By default 0.8 with the paper's encoder, a measured value with another one, 0.6 with the lexical measure."""
    duplicate_checks: NotRequired[int]
    """How many of the most similar pairs of kept ideas the ranker checks for being the same idea. By default 5 when ideas come from several trials or proposers, else 0; under `compare` 0."""
    expand: NotRequired[Literal["all", "top_k", "none"]]
    """`all`: every kept idea becomes a proposal, and proposals are ranked (always so under `compare`); `top_k`: ideas are ranked, and the best become proposals. Default: `"top_k"`."""
    proposals: NotRequired[int]
    """How many ideas become proposals with `top_k`. Default: `3`."""
    tournament_rounds: NotRequired[int]
    """Default: `10`."""
    both_orders: NotRequired[bool]
    """Each pair is judged in both orders. Default: `false`."""
    filters: NotRequired[List[Literal["consistency", "feasibility", "significance", "novelty"]]]
    """Checks that an idea must pass, made in this order: consistency, feasibility, significance, novelty. Default: `[]`."""
    extras: NotRequired[List[Literal["critic_papers", "earlier_criticisms", "closest_work", "match_reasons", "final_check"]]]
    """Features beyond the paper. `critic_papers`: critics read the papers of their trial, and may object that an idea has been published; `earlier_criticisms`: critics read the criticisms of the previous round; `closest_work`: proposals say what is new compared with the closest works; `match_reasons`: the judge compares by three questions and gives its reason; `final_check`: a last reader corrects mistakes in a finished proposal, unless a person approves it (`reviews`). By default all, under `compare` none."""
    rubric: NotRequired[bool]
    """Scores ideas or proposals, 1 to 10, for originality, feasibility, clarity. Default: `false`."""
    compare: NotRequired[List[Union[Literal["single", "baseline", "iterative_2", "iterative_3", "iterative_4", "parallel_2", "parallel_3", "parallel_4", "persona_critic", "persona_proposer", "recommended", "panel"], IdeationOptionsCompareItem2]]]
    """Two presets or mixes to compare; `preset` then has no effect."""
    profile: NotRequired[Literal["default", "paper"]]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    reviews: NotRequired[List[Literal["paper_query", "paper_scores", "proposed_ideas", "critique", "revised_ideas", "idea_set", "kept_ideas", "ranking", "filter_verdict", "rubric", "proposal"]]]
    """Kinds of artifacts after which the run pauses for a person's feedback. Default: `[]`."""
    interaction_timeout: NotRequired[str]
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: NotRequired[Literal["proceed", "fail"]]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""


class IdeationRunInputPapersItem(TypedDict):
    title: str
    abstract: str
    year: NotRequired[Union[int, None]]
    url: NotRequired[Union[str, None]]


class IdeationRunInput(TypedDict):
    topic: str
    """Topic of the ideas, in any language."""
    papers: NotRequired[List[IdeationRunInputPapersItem]]
    """Papers that ground the ideas."""
    existing_ideas: NotRequired[List[str]]
    """Names of existing ideas, which proposers are told to avoid."""
    corpus_ids: NotRequired[List[str]]
    """Corpora whose passages ground the ideas, as papers do."""


class IdeationRunOptionsExamplesItem(TypedDict):
    name: str
    problem: str
    existing_methods: str
    motivation: str
    proposed_method: str
    experiment_plan: str


class IdeationRunOptionsCompareItem2(TypedDict):
    name: str
    """Its name in metrics and in the names of steps."""
    preset: Literal["single", "baseline", "iterative_2", "iterative_3", "iterative_4", "parallel_2", "parallel_3", "parallel_4", "persona_critic", "persona_proposer", "recommended", "panel"]
    """From which the other fields differ. Default: `"baseline"`."""
    proposers: NotRequired[int]
    """Agents that propose. By default the preset's."""
    critics: NotRequired[int]
    """Critics of each batch of ideas. By default the preset's."""
    depth: NotRequired[int]
    """Rounds of critique and revision. By default the preset's."""
    proposer_personas: NotRequired[List[str]]
    """One for each proposer."""
    critic_personas: NotRequired[List[str]]
    """One for each critic."""


class IdeationRunOptions(TypedDict):
    preset: Literal["single", "baseline", "iterative_2", "iterative_3", "iterative_4", "parallel_2", "parallel_3", "parallel_4", "persona_critic", "persona_proposer", "recommended", "panel"]
    """Configuration of the dialogue: the paper's ten, the mix that it recommends, and `panel`, that mix with critics who look at different things. Default: `"panel"`."""
    proposers: NotRequired[int]
    """Agents that propose. By default the preset's."""
    critics: NotRequired[int]
    """Critics of each batch of ideas. By default the preset's."""
    depth: NotRequired[int]
    """Rounds of critique and revision. By default the preset's."""
    proposer_personas: NotRequired[List[str]]
    """One for each proposer."""
    critic_personas: NotRequired[List[str]]
    """One for each critic."""
    ideas: int
    """Ideas of each proposer in each trial. Default: `5`."""
    trials: int
    """Dialogues, each with its own seed. Default: `1`."""
    parallelism: int
    """Trials at once. Default: `8`."""
    paper_source: NotRequired[Literal["given", "semantic_scholar", "none"]]
    """By default `given` when papers or corpora are given, else `semantic_scholar`."""
    grounding_papers: int
    """Papers that each trial sees, drawn from the best. Default: `10`."""
    bank_size: int
    """Papers that are collected. Default: `100`."""
    method: NotRequired[str]
    """The kind of method that the ideas are to propose. By default any that suits the topic."""
    examples: NotRequired[List[IdeationRunOptionsExamplesItem]]
    """Ideas that show proposers the form, the best at full length. By default published methods: of prompting if method or topic name it, else of several fields."""
    venue: NotRequired[str]
    """For which the judge reviews. By default a leading venue of the topic's field."""
    dedup_threshold: NotRequired[float]
    """Ideas with a similarity above this are duplicates. By default 0.8 with the paper's encoder, a measured value with another one, 0.6 with the lexical measure."""
    duplicate_checks: int
    """How many of the most similar pairs of kept ideas the ranker checks for being the same idea. By default 5 when ideas come from several trials or proposers, else 0; under `compare` 0."""
    expand: Literal["all", "top_k", "none"]
    """`all`: every kept idea becomes a proposal, and proposals are ranked (always so under `compare`); `top_k`: ideas are ranked, and the best become proposals. Default: `"top_k"`."""
    proposals: int
    """How many ideas become proposals with `top_k`. Default: `3`."""
    tournament_rounds: int
    """Default: `10`."""
    both_orders: bool
    """Each pair is judged in both orders. Default: `false`."""
    filters: List[Literal["consistency", "feasibility", "significance", "novelty"]]
    """Checks that an idea must pass, made in this order: consistency, feasibility, significance, novelty. Default: `[]`."""
    extras: List[Literal["critic_papers", "earlier_criticisms", "closest_work", "match_reasons", "final_check"]]
    """Features beyond the paper. `critic_papers`: critics read the papers of their trial, and may object that an idea has been published; `earlier_criticisms`: critics read the criticisms of the previous round; `closest_work`: proposals say what is new compared with the closest works; `match_reasons`: the judge compares by three questions and gives its reason; `final_check`: a last reader corrects mistakes in a finished proposal, unless a person approves it (`reviews`). By default all, under `compare` none."""
    rubric: bool
    """Scores ideas or proposals, 1 to 10, for originality, feasibility, clarity. Default: `false`."""
    compare: NotRequired[List[Union[Literal["single", "baseline", "iterative_2", "iterative_3", "iterative_4", "parallel_2", "parallel_3", "parallel_4", "persona_critic", "persona_proposer", "recommended", "panel"], IdeationRunOptionsCompareItem2]]]
    """Two presets or mixes to compare; `preset` then has no effect."""
    profile: Literal["default", "paper"]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    reviews: List[Literal["paper_query", "paper_scores", "proposed_ideas", "critique", "revised_ideas", "idea_set", "kept_ideas", "ranking", "filter_verdict", "rubric", "proposal"]]
    """Kinds of artifacts after which the run pauses for a person's feedback. Default: `[]`."""
    interaction_timeout: str
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: Literal["proceed", "fail"]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""


class IdeationOutputIdeasItem(TypedDict):
    id: str
    name: str
    configuration: str
    trial: Union[int, None]
    """null: a person added it."""


class IdeationOutputDroppedItemBecause(TypedDict):
    cause: Literal["similar", "same_name", "same_idea", "human", "consistency", "feasibility", "significance", "novelty"]
    similar_to: NotRequired[str]
    """Id of the idea that was kept instead."""
    similarity: NotRequired[float]
    """Above the threshold for `similar`, not above it for `same_idea`."""
    reason: NotRequired[str]
    """The ranker's reason, for `same_idea` and filters."""


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
    """Only a random draw decided its place among equal scores."""
    rubric: Union[IdeationOutputRankingItemRubric, None]
    """null unless `rubric` was asked for."""


class IdeationOutputProposalsItem(TypedDict):
    idea: str
    title: str
    document: OutputDocument


class IdeationOutputMetricsMeasure(TypedDict):
    method: Literal["embedding", "lexical"]
    model: str
    threshold: float


class IdeationOutputMetricsConfigurationsItem(TypedDict):
    configuration: str
    ideas: int
    kept: int
    non_duplicate_ratio: Union[float, None]
    ranked: int
    """Number of ideas in the tournament."""
    precision_at: Union[Dict[str, float], None]
    """Share of the N best ideas that are from this configuration; null without `compare`."""
    mean_score: Union[float, None]
    """null without `compare`."""
    win_rate: Union[float, None]
    """Share of matches won against the other configuration."""


class IdeationOutputMetrics(TypedDict):
    ideas: int
    kept: int
    """After deduplication."""
    non_duplicate_ratio: Union[float, None]
    measure: Union[IdeationOutputMetricsMeasure, None]
    """The measure of similarity."""
    configurations: List[IdeationOutputMetricsConfigurationsItem]


class IdeationOutputPaperSource(TypedDict):
    """Source of the papers, failures, whether novelty was checked, and whether most ideas were called duplicates."""
    source: Literal["given", "semantic_scholar", "none"]
    papers: int
    note: Union[str, None]


class IdeationOutputDocuments(TypedDict):
    report: Union[OutputDocument, None]
    """The whole result to hand over: ranking, closest pairs, proposals, other ideas, papers. Markdown."""
    ideas: Union[OutputDocument, None]
    """The kept ideas, Markdown."""
    bracket: Union[OutputDocument, None]
    """The tournament, SVG."""
    similarity: Union[OutputDocument, None]
    """The similarities, SVG."""


class IdeationOutput(TypedDict):
    ideas: List[IdeationOutputIdeasItem]
    """Every idea, in order; their texts are in the artifact `idea_set`."""
    kept: List[str]
    """Ids of the ideas that remain after deduplication, filters and people's choices."""
    dropped: List[IdeationOutputDroppedItem]
    ranking: List[IdeationOutputRankingItem]
    """Best first."""
    proposals: List[IdeationOutputProposalsItem]
    metrics: IdeationOutputMetrics
    paper_source: IdeationOutputPaperSource
    """Source of the papers, failures, whether novelty was checked, and whether most ideas were called duplicates."""
    document: Union[OutputDocument, None]
    """The best proposal; the report when there is no proposal."""
    documents: IdeationOutputDocuments
    stop_reason: Literal["ranked", "expanded", "nothing_left", "rejected_by_human"]


class CreateIdeationRunModelsRolesValue3(TypedDict):
    """Overrides of the role's defaults."""
    model: NotRequired[str]
    """`<provider>/<model>`; the model name may contain slashes."""
    fallbacks: NotRequired[List[str]]
    """Models that are asked, in this order, while the model cannot be: the list of a role in long."""
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]
    reasoning_effort: NotRequired[Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]]
    """How much the model reasons before it answers. Supported values depend on the model."""
    verbosity: NotRequired[Literal["low", "medium", "high"]]
    """How long the answer is, for models that support it."""


class CreateIdeationRunModels(TypedDict):
    """Default: `{}`."""
    default: NotRequired[Union[str, List[str]]]
    roles: NotRequired[Dict[str, Union[str, List[str], CreateIdeationRunModelsRolesValue3]]]
    """Keyed by role, or by `<role>_<n>` for one of several; at most 100 entries."""
    embedding: NotRequired[Union[str, None]]
    """Embedding model; by default the one that the deployment configures. null: none; measures over words replace vectors."""
    seed: NotRequired[int]
    """Seed of every role without its own. Each call's seed is derived from it, so no two calls share one."""


class CreateIdeationRunLimits(TypedDict):
    """Default: `{}`."""
    max_llm_calls: NotRequired[Union[int, None]]
    """Requests to models, repairs and failed ones included, except attempts while the run waits for a model that fails."""
    max_tokens: NotRequired[Union[int, None]]
    """Input and output tokens together."""
    max_cost_usd: NotRequired[Union[float, None]]
    """Needs a price for every model of the run."""
    timeout: NotRequired[Union[str, None]]
    """Time spent neither waiting for input, nor paused, nor in a provider's queue, nor waiting for one that fails, such as 90m or 2d."""
    provider_wait: NotRequired[str]
    """How long the run waits for a model provider that cannot be reached, is overloaded or answers with errors of its own; then it fails as `provider_unavailable`."""


class CreateIdeationRunWebhook(TypedDict):
    """Only for this run."""
    url: str
    """https, and a public host; its name is resolved and checked before each attempt."""
    events: NotRequired[List[Literal["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.artifact_created", "run.input_required", "run.input_received", "run.input_expired", "run.input_extended", "run.input_reassigned", "run.input_withdrawn", "run.input_reminder", "run.stalled", "run.provider_failing", "run.provider_recovered", "run.paused", "run.resumed", "run.retried", "run.completed", "run.failed", "run.canceled", "run.budget_warning"]]]
    """Default: `["run.input_required","run.completed","run.failed","run.canceled"]`."""
    secret: NotRequired[str]
    """Your own `whsec_…` (24 to 64 bytes in base64); by default one is generated."""


class CreateIdeationRunTestScript(TypedDict):
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    write_paper_query: NotRequired[List[Literal["keyword", "recommendations", "references"]]]
    score_papers: NotRequired[List[Literal["scores"]]]
    propose_ideas: NotRequired[List[Literal["distinct", "duplicate", "same_names"]]]
    critique_ideas: NotRequired[List[Literal["critical"]]]
    revise_ideas: NotRequired[List[Literal["revise", "replace"]]]
    check_duplicate: NotRequired[List[Literal["different", "same"]]]
    check_idea: NotRequired[List[Literal["pass", "fail"]]]
    write_novelty_queries: NotRequired[List[Literal["queries"]]]
    check_novelty: NotRequired[List[Literal["new", "known"]]]
    judge_pair: NotRequired[List[Literal["by_merit", "first", "second"]]]
    expand_idea: NotRequired[List[Literal["proposal"]]]
    check_proposal: NotRequired[List[Literal["sound", "mended"]]]
    score_rubric: NotRequired[List[Literal["scores"]]]


class CreateIdeationRunTestFaults(TypedDict):
    """The fault that each call to the model meets, in order."""
    llm: NotRequired[List[Literal["rate_limited", "server_error", "timeout", "malformed", "truncated", "refusal", "ok"]]]


class CreateIdeationRunTest(TypedDict):
    script: NotRequired[CreateIdeationRunTestScript]
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    faults: NotRequired[CreateIdeationRunTestFaults]
    """The fault that each call to the model meets, in order."""
    latency_ms: NotRequired[int]
    """How long each call takes."""


class CreateIdeationRun(TypedDict):
    workflow: Literal["ideation"]
    input: IdeationInput
    options: NotRequired[IdeationOptions]
    models: NotRequired[CreateIdeationRunModels]
    """Default: `{}`."""
    limits: NotRequired[CreateIdeationRunLimits]
    """Default: `{}`."""
    webhook: NotRequired[CreateIdeationRunWebhook]
    """Only for this run."""
    metadata: NotRequired[Dict[str, str]]
    """Your own data about the run; lists can be filtered by it. At most 16 entries. Default: `{}`."""
    requested_by: NotRequired[str]
    """Who asks for the run, such as a name. Shown to people who are asked, and in webhooks."""
    test: NotRequired[CreateIdeationRunTest]


class IdeationRunUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class IdeationRun(TypedDict):
    object: Literal["run"]
    id: str
    workflow: Literal["ideation"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    input: IdeationRunInput
    options: IdeationRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[IdeationOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: IdeationRunUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


class IdeationRunEntryUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class IdeationRunEntry(TypedDict):
    """A run as lists show it: without `input` and `options`, which may be long. GET /v1/runs/{id} has them."""
    object: Literal["run"]
    id: str
    workflow: Literal["ideation"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[IdeationOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: IdeationRunEntryUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


JsonValue: TypeAlias = "Any"


PlainInput: TypeAlias = "Dict[str, JsonValue]"


class PlainOptionsFunctionsItem(TypedDict):
    name: str
    description: NotRequired[str]
    """Default: `""`."""
    parameters: NotRequired[Dict[str, Any]]
    """JSON Schema of the arguments, an object. The types `dict`, `float`, `tuple` and `any` of BFCL are taken too. The calls of a run fit it, except that models see patterns, but calls are not checked against them. Default: `{"type":"object","properties":{}}`."""


class PlainOptions(TypedDict):
    form: NotRequired[Literal["text", "line", "json"]]
    """`text`: the whole reply is the answer; `line`: the reply ends with a line `Answer: …`; `json`: it ends with a block of JSON. By default `line` when the input has `choices`, else `text`."""
    instructions: NotRequired[str]
    """What the answer should be, said before the request."""
    functions: NotRequired[List[PlainOptionsFunctionsItem]]
    """The caller's own functions; the output then holds the calls that the model would make."""
    profile: NotRequired[Literal["default", "paper"]]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    reviews: NotRequired[List[Literal["answer"]]]
    """Kinds of artifacts after which the run pauses for a person's feedback. Default: `[]`."""
    interaction_timeout: NotRequired[str]
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: NotRequired[Literal["proceed", "fail"]]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""


PlainRunInput: TypeAlias = "Dict[str, JsonValue]"


class PlainRunOptionsFunctionsItem(TypedDict):
    name: str
    description: str
    """Default: `""`."""
    parameters: Dict[str, Any]
    """JSON Schema of the arguments, an object. The types `dict`, `float`, `tuple` and `any` of BFCL are taken too. The calls of a run fit it, except that models see patterns, but calls are not checked against them. Default: `{"type":"object","properties":{}}`."""


class PlainRunOptions(TypedDict):
    form: NotRequired[Literal["text", "line", "json"]]
    """`text`: the whole reply is the answer; `line`: the reply ends with a line `Answer: …`; `json`: it ends with a block of JSON. By default `line` when the input has `choices`, else `text`."""
    instructions: NotRequired[str]
    """What the answer should be, said before the request."""
    functions: NotRequired[List[PlainRunOptionsFunctionsItem]]
    """The caller's own functions; the output then holds the calls that the model would make."""
    profile: Literal["default", "paper"]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    reviews: List[Literal["answer"]]
    """Kinds of artifacts after which the run pauses for a person's feedback. Default: `[]`."""
    interaction_timeout: str
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: Literal["proceed", "fail"]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""


class PlainOutputCallsItem(TypedDict):
    name: str
    arguments: Dict[str, Any]


class PlainOutput(TypedDict):
    answer: Union[str, None]
    """The answer without the reasoning, where `form` separates them; null: the reply lacks the form."""
    answer_json: NotRequired[JsonValue]
    """The answer as JSON; only with `form: json`."""
    calls: NotRequired[List[PlainOutputCallsItem]]
    """Calls of the caller's own functions; only with `functions`."""
    document: Union[OutputDocument, None]
    """The whole reply."""
    stop_reason: Literal["answered", "formless", "rejected_by_human"]
    """`formless`: the reply lacks the form that was asked for."""


class CreatePlainRunModelsRolesValue3(TypedDict):
    """Overrides of the role's defaults."""
    model: NotRequired[str]
    """`<provider>/<model>`; the model name may contain slashes."""
    fallbacks: NotRequired[List[str]]
    """Models that are asked, in this order, while the model cannot be: the list of a role in long."""
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]
    reasoning_effort: NotRequired[Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]]
    """How much the model reasons before it answers. Supported values depend on the model."""
    verbosity: NotRequired[Literal["low", "medium", "high"]]
    """How long the answer is, for models that support it."""


class CreatePlainRunModels(TypedDict):
    """Default: `{}`."""
    default: NotRequired[Union[str, List[str]]]
    roles: NotRequired[Dict[str, Union[str, List[str], CreatePlainRunModelsRolesValue3]]]
    """Keyed by role, or by `<role>_<n>` for one of several; at most 100 entries."""
    embedding: NotRequired[Union[str, None]]
    """Embedding model; by default the one that the deployment configures. null: none; measures over words replace vectors."""
    seed: NotRequired[int]
    """Seed of every role without its own. Each call's seed is derived from it, so no two calls share one."""


class CreatePlainRunLimits(TypedDict):
    """Default: `{}`."""
    max_llm_calls: NotRequired[Union[int, None]]
    """Requests to models, repairs and failed ones included, except attempts while the run waits for a model that fails."""
    max_tokens: NotRequired[Union[int, None]]
    """Input and output tokens together."""
    max_cost_usd: NotRequired[Union[float, None]]
    """Needs a price for every model of the run."""
    timeout: NotRequired[Union[str, None]]
    """Time spent neither waiting for input, nor paused, nor in a provider's queue, nor waiting for one that fails, such as 90m or 2d."""
    provider_wait: NotRequired[str]
    """How long the run waits for a model provider that cannot be reached, is overloaded or answers with errors of its own; then it fails as `provider_unavailable`."""


class CreatePlainRunWebhook(TypedDict):
    """Only for this run."""
    url: str
    """https, and a public host; its name is resolved and checked before each attempt."""
    events: NotRequired[List[Literal["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.artifact_created", "run.input_required", "run.input_received", "run.input_expired", "run.input_extended", "run.input_reassigned", "run.input_withdrawn", "run.input_reminder", "run.stalled", "run.provider_failing", "run.provider_recovered", "run.paused", "run.resumed", "run.retried", "run.completed", "run.failed", "run.canceled", "run.budget_warning"]]]
    """Default: `["run.input_required","run.completed","run.failed","run.canceled"]`."""
    secret: NotRequired[str]
    """Your own `whsec_…` (24 to 64 bytes in base64); by default one is generated."""


class CreatePlainRunTestScript(TypedDict):
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    answer: NotRequired[List[Literal["answered", "formless"]]]


class CreatePlainRunTestFaults(TypedDict):
    """The fault that each call to the model meets, in order."""
    llm: NotRequired[List[Literal["rate_limited", "server_error", "timeout", "malformed", "truncated", "refusal", "ok"]]]


class CreatePlainRunTest(TypedDict):
    script: NotRequired[CreatePlainRunTestScript]
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    faults: NotRequired[CreatePlainRunTestFaults]
    """The fault that each call to the model meets, in order."""
    latency_ms: NotRequired[int]
    """How long each call takes."""


class CreatePlainRun(TypedDict):
    workflow: Literal["plain"]
    input: PlainInput
    options: NotRequired[PlainOptions]
    models: NotRequired[CreatePlainRunModels]
    """Default: `{}`."""
    limits: NotRequired[CreatePlainRunLimits]
    """Default: `{}`."""
    webhook: NotRequired[CreatePlainRunWebhook]
    """Only for this run."""
    metadata: NotRequired[Dict[str, str]]
    """Your own data about the run; lists can be filtered by it. At most 16 entries. Default: `{}`."""
    requested_by: NotRequired[str]
    """Who asks for the run, such as a name. Shown to people who are asked, and in webhooks."""
    test: NotRequired[CreatePlainRunTest]


class PlainRunUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class PlainRun(TypedDict):
    object: Literal["run"]
    id: str
    workflow: Literal["plain"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    input: PlainRunInput
    options: PlainRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[PlainOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: PlainRunUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


class PlainRunEntryUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class PlainRunEntry(TypedDict):
    """A run as lists show it: without `input` and `options`, which may be long. GET /v1/runs/{id} has them."""
    object: Literal["run"]
    id: str
    workflow: Literal["plain"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[PlainOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: PlainRunEntryUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


class ExperimentInputSample(TypedDict):
    """Only so many items, drawn at random after `items` and `tags`: the same ones for the same seed."""
    size: int
    seed: NotRequired[int]
    """Default: `1`."""


class ExperimentInputVariantsItem(TypedDict):
    name: str
    """Its name in tables, and in the names of its trials."""
    workflow: str
    """The workflow that answers."""
    options: NotRequired[Dict[str, JsonValue]]
    """Options of its runs; those of an item replace them."""
    models: NotRequired[Dict[str, JsonValue]]
    """Models of its runs, as `POST /v1/runs` takes them. By default the experiment's default model."""
    limits: NotRequired[Dict[str, JsonValue]]
    """Limits of each of its runs."""


class ExperimentInput(TypedDict):
    title: NotRequired[str]
    """Title of the report."""
    dataset_id: str
    """The data set; it must be closed."""
    first: NotRequired[int]
    """Only the first items, this many, after `items` and `tags`."""
    sample: NotRequired[ExperimentInputSample]
    """Only so many items, drawn at random after `items` and `tags`: the same ones for the same seed."""
    items: NotRequired[List[str]]
    """Only these items, by id."""
    tags: NotRequired[List[str]]
    """Only items with any of these tags."""
    variants: List[ExperimentInputVariantsItem]
    """What is compared."""


class ExperimentOptionsMetricsItem2(TypedDict):
    """A metric with its parameters."""
    name: str


class ExperimentOptionsOnFailure(TypedDict):
    """Default: `{}`."""
    retries: NotRequired[int]
    """How often a failed trial is retried. Default: `1`."""
    then: NotRequired[Literal["count_as_wrong", "leave_out"]]
    """Whether a trial that still fails has the worst value of each measure, or is left out and counted. Default: `"count_as_wrong"`."""


class ExperimentOptionsRating(TypedDict):
    """People rate trials on pages of their own, before the analysis."""
    form: Literal["pairs", "likert", "binary"]
    """`pairs`: which of two answers is better; `likert`: one answer on scales from 1 to 5; `binary`: whether the source of a citation supports the statement."""
    question: NotRequired[str]
    """What raters are asked, in place of our words."""
    dimensions: NotRequired[List[str]]
    """Scales of `likert`; by default those of Silva et al.: factual accuracy, legal relevance, clarity."""
    raters: Union[int, List[str]]
    """How many people rate, or their names."""
    items: NotRequired[int]
    """How many trials, pairs or citations are rated, drawn with the run's seed; by default as many as fit on 200 pages."""
    each: NotRequired[int]
    """Raters of each of them; by default all raters."""
    per_page: NotRequired[int]
    """Ratings on one page: an interaction with a link of its own. Default: `10`."""
    against: NotRequired[str]
    """`pairs`: the variant to compare with; by default the first."""


class ExperimentOptions(TypedDict):
    metrics: NotRequired[List[Union[str, ExperimentOptionsMetricsItem2]]]
    """By default every free metric that suits all variants and for which every item has gold."""
    compare: NotRequired[List[List[str]]]
    """Pairs of system and baseline. By default each later variant against the first."""
    repetitions: NotRequired[int]
    """Trials of each variant on each item, each with its own seed. Default: `1`."""
    concurrency: NotRequired[int]
    """Trials at once, within the tenant's own cap. Default: `8`."""
    on_failure: NotRequired[ExperimentOptionsOnFailure]
    """Default: `{}`."""
    reuse: NotRequired[bool]
    """Takes completed trials of your earlier experiments that are equal in request, workflow version and prompts, each for one trial. Corpora and agents are compared by id, not by content. Default: `false`."""
    resamples: NotRequired[int]
    """Resamples of the bootstrap; comparisons take more where many are shown. Default: `10000`."""
    rating: NotRequired[ExperimentOptionsRating]
    """People rate trials on pages of their own, before the analysis."""
    profile: NotRequired[Literal["default", "paper"]]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    interaction_timeout: NotRequired[str]
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: NotRequired[Literal["proceed", "fail"]]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""
    reviews: NotRequired[List[Literal["analysis"]]]
    """An experiment has none. Default: `[]`."""


class ExperimentRunInputSample(TypedDict):
    """Only so many items, drawn at random after `items` and `tags`: the same ones for the same seed."""
    size: int
    seed: int
    """Default: `1`."""


class ExperimentRunInputVariantsItem(TypedDict):
    name: str
    """Its name in tables, and in the names of its trials."""
    workflow: str
    """The workflow that answers."""
    options: NotRequired[Dict[str, JsonValue]]
    """Options of its runs; those of an item replace them."""
    models: NotRequired[Dict[str, JsonValue]]
    """Models of its runs, as `POST /v1/runs` takes them. By default the experiment's default model."""
    limits: NotRequired[Dict[str, JsonValue]]
    """Limits of each of its runs."""


class ExperimentRunInput(TypedDict):
    title: NotRequired[str]
    """Title of the report."""
    dataset_id: str
    """The data set; it must be closed."""
    first: NotRequired[int]
    """Only the first items, this many, after `items` and `tags`."""
    sample: NotRequired[ExperimentRunInputSample]
    """Only so many items, drawn at random after `items` and `tags`: the same ones for the same seed."""
    items: NotRequired[List[str]]
    """Only these items, by id."""
    tags: NotRequired[List[str]]
    """Only items with any of these tags."""
    variants: List[ExperimentRunInputVariantsItem]
    """What is compared."""


class ExperimentRunOptionsMetricsItem2(TypedDict):
    """A metric with its parameters."""
    name: str


class ExperimentRunOptionsOnFailure(TypedDict):
    retries: int
    """How often a failed trial is retried. Default: `1`."""
    then: Literal["count_as_wrong", "leave_out"]
    """Whether a trial that still fails has the worst value of each measure, or is left out and counted. Default: `"count_as_wrong"`."""


class ExperimentRunOptionsRating(TypedDict):
    """People rate trials on pages of their own, before the analysis."""
    form: Literal["pairs", "likert", "binary"]
    """`pairs`: which of two answers is better; `likert`: one answer on scales from 1 to 5; `binary`: whether the source of a citation supports the statement."""
    question: NotRequired[str]
    """What raters are asked, in place of our words."""
    dimensions: NotRequired[List[str]]
    """Scales of `likert`; by default those of Silva et al.: factual accuracy, legal relevance, clarity."""
    raters: Union[int, List[str]]
    """How many people rate, or their names."""
    items: NotRequired[int]
    """How many trials, pairs or citations are rated, drawn with the run's seed; by default as many as fit on 200 pages."""
    each: NotRequired[int]
    """Raters of each of them; by default all raters."""
    per_page: int
    """Ratings on one page: an interaction with a link of its own. Default: `10`."""
    against: NotRequired[str]
    """`pairs`: the variant to compare with; by default the first."""


class ExperimentRunOptions(TypedDict):
    metrics: NotRequired[List[Union[str, ExperimentRunOptionsMetricsItem2]]]
    """By default every free metric that suits all variants and for which every item has gold."""
    compare: NotRequired[List[List[str]]]
    """Pairs of system and baseline. By default each later variant against the first."""
    repetitions: int
    """Trials of each variant on each item, each with its own seed. Default: `1`."""
    concurrency: int
    """Trials at once, within the tenant's own cap. Default: `8`."""
    on_failure: ExperimentRunOptionsOnFailure
    reuse: bool
    """Takes completed trials of your earlier experiments that are equal in request, workflow version and prompts, each for one trial. Corpora and agents are compared by id, not by content. Default: `false`."""
    resamples: int
    """Resamples of the bootstrap; comparisons take more where many are shown. Default: `10000`."""
    rating: NotRequired[ExperimentRunOptionsRating]
    """People rate trials on pages of their own, before the analysis."""
    profile: Literal["default", "paper"]
    """`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out. Default: `"default"`."""
    interaction_timeout: str
    """How long a question stays open. Default: `"7d"`."""
    on_expiry: Literal["proceed", "fail"]
    """If nobody answers in time, the run continues without an answer, or fails. Default: `"proceed"`."""
    reviews: List[Literal["analysis"]]
    """An experiment has none. Default: `[]`."""


class ExperimentOutputDocumentsPlotsItem(TypedDict):
    name: str
    document: OutputDocument


class ExperimentOutputDocuments(TypedDict):
    csv: OutputDocument
    """A line for each trial."""
    ndjson: OutputDocument
    """A line for each trial."""
    plots: List[ExperimentOutputDocumentsPlotsItem]
    """SVG."""


class ExperimentOutputResultsItem(TypedDict):
    variant: str
    measure: str
    """`<metric>` or `<metric>.<part>`."""
    n: int
    """Items that the mean is over."""
    mean: Union[float, None]
    """Mean over items of the mean over repetitions; null: no item has a value."""
    low: Union[float, None]
    """Lower end of the 95 % interval, by a bootstrap over items; Wilson's where all items have the least or the greatest possible value; null where they are equal otherwise."""
    high: Union[float, None]
    """Its upper end."""


class ExperimentOutputComparisonsItem(TypedDict):
    system: str
    baseline: str
    measure: str
    n: int
    """Items on which both have a value."""
    difference: Union[float, None]
    """Mean paired difference, system minus baseline."""
    low: Union[float, None]
    """Lower end of its 95 % interval; null where all items differ by the same, or none does."""
    high: Union[float, None]
    """Its upper end."""
    p: Union[float, None]
    """Two-sided, by the same bootstrap: twice the share (k + 1) / (n + 1) of resamples without the sign."""
    p_adjusted: Union[float, None]
    """Corrected by Holm over all comparisons shown."""
    verdict: Literal["better", "worse", "inconclusive"]
    """Of the system. `inconclusive` when too few items differ (fewer than six of one comparison, eight of four to six), when the interval holds 0, or when `p_adjusted` is 0.05 or more."""


class ExperimentOutputTrials(TypedDict):
    planned: int
    completed: int
    failed: int
    """Trials that failed or were canceled, without those that a limit kept from being run."""
    left_out: int
    """Trials that no measure counts: failed ones under `leave_out`, canceled, removed, and those not run."""
    reused: int
    """Completed trials that earlier experiments ran."""


class ExperimentOutputJudgementsItem(TypedDict):
    metric: str
    judged: int
    failed: int


class ExperimentOutputAgreementItem(TypedDict):
    form: Literal["pairs", "likert", "binary"]
    dimension: str
    raters: int
    """Raters who gave a rating."""
    items: int
    """Trials, pairs or citations that two raters or more have rated."""
    cohen: Union[float, None]
    """Cohen's kappa, mean of all pairs of raters; linear weights for `likert`. null: undefined."""
    fleiss: Union[float, None]
    """Fleiss' kappa, over what all raters asked for it have rated."""
    krippendorff: Union[float, None]
    """Krippendorff's alpha, ordinal for `likert`, else nominal."""


class ExperimentOutputUsageItemPaid(TypedDict):
    """Of the trials that this run executed."""
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    reasoning_tokens: int
    cost_usd: Union[float, None]


class ExperimentOutputUsageItemReused(TypedDict):
    """Of reused trials: paid by earlier experiments, no part of this run's usage."""
    llm_calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    reasoning_tokens: int
    cost_usd: Union[float, None]


class ExperimentOutputUsageItem(TypedDict):
    variant: str
    paid: ExperimentOutputUsageItemPaid
    """Of the trials that this run executed."""
    reused: ExperimentOutputUsageItemReused
    """Of reused trials: paid by earlier experiments, no part of this run's usage."""


class ExperimentOutput(TypedDict):
    document: Union[OutputDocument, None]
    """The report, Markdown."""
    documents: ExperimentOutputDocuments
    results: List[ExperimentOutputResultsItem]
    comparisons: List[ExperimentOutputComparisonsItem]
    trials: ExperimentOutputTrials
    judgements: List[ExperimentOutputJudgementsItem]
    """Trials that a judge has scored by each judged metric, and those where the judge failed."""
    agreement: NotRequired[List[ExperimentOutputAgreementItem]]
    """How far raters agree beyond chance; only with `rating`."""
    usage: List[ExperimentOutputUsageItem]
    partial: bool
    """A limit of the experiment kept trials from being run."""
    stop_reason: Literal["analysed", "limit_reached"]


class CreateExperimentRunModelsRolesValue3(TypedDict):
    """Overrides of the role's defaults."""
    model: NotRequired[str]
    """`<provider>/<model>`; the model name may contain slashes."""
    fallbacks: NotRequired[List[str]]
    """Models that are asked, in this order, while the model cannot be: the list of a role in long."""
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    max_output_tokens: NotRequired[int]
    frequency_penalty: NotRequired[float]
    presence_penalty: NotRequired[float]
    seed: NotRequired[int]
    reasoning_effort: NotRequired[Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]]
    """How much the model reasons before it answers. Supported values depend on the model."""
    verbosity: NotRequired[Literal["low", "medium", "high"]]
    """How long the answer is, for models that support it."""


class CreateExperimentRunModels(TypedDict):
    """Default: `{}`."""
    default: NotRequired[Union[str, List[str]]]
    roles: NotRequired[Dict[str, Union[str, List[str], CreateExperimentRunModelsRolesValue3]]]
    """Keyed by role, or by `<role>_<n>` for one of several; at most 100 entries."""
    embedding: NotRequired[Union[str, None]]
    """Embedding model; by default the one that the deployment configures. null: none; measures over words replace vectors."""
    seed: NotRequired[int]
    """Seed of every role without its own. Each call's seed is derived from it, so no two calls share one."""


class CreateExperimentRunLimits(TypedDict):
    """Default: `{}`."""
    max_llm_calls: NotRequired[Union[int, None]]
    """Requests to models, repairs and failed ones included, except attempts while the run waits for a model that fails."""
    max_tokens: NotRequired[Union[int, None]]
    """Input and output tokens together."""
    max_cost_usd: NotRequired[Union[float, None]]
    """Needs a price for every model of the run."""
    timeout: NotRequired[Union[str, None]]
    """Time spent neither waiting for input, nor paused, nor in a provider's queue, nor waiting for one that fails, such as 90m or 2d."""
    provider_wait: NotRequired[str]
    """How long the run waits for a model provider that cannot be reached, is overloaded or answers with errors of its own; then it fails as `provider_unavailable`."""


class CreateExperimentRunWebhook(TypedDict):
    """Only for this run."""
    url: str
    """https, and a public host; its name is resolved and checked before each attempt."""
    events: NotRequired[List[Literal["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.artifact_created", "run.input_required", "run.input_received", "run.input_expired", "run.input_extended", "run.input_reassigned", "run.input_withdrawn", "run.input_reminder", "run.stalled", "run.provider_failing", "run.provider_recovered", "run.paused", "run.resumed", "run.retried", "run.completed", "run.failed", "run.canceled", "run.budget_warning"]]]
    """Default: `["run.input_required","run.completed","run.failed","run.canceled"]`."""
    secret: NotRequired[str]
    """Your own `whsec_…` (24 to 64 bytes in base64); by default one is generated."""


class CreateExperimentRunTestScript(TypedDict):
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    compare_answers: NotRequired[List[Literal["by_length", "first", "second"]]]
    grade_rubric: NotRequired[List[Literal["graded", "full", "nothing"]]]
    grade_specification: NotRequired[List[Literal["by_length", "good", "bad"]]]
    compare_ideas: NotRequired[List[Literal["by_length", "first", "second"]]]
    check_reasoning: NotRequired[List[Literal["entailed", "not_entailed"]]]
    match_names: NotRequired[List[Literal["same_names", "nothing"]]]


class CreateExperimentRunTestFaults(TypedDict):
    """The fault that each call to the model meets, in order."""
    llm: NotRequired[List[Literal["rate_limited", "server_error", "timeout", "malformed", "truncated", "refusal", "ok"]]]


class CreateExperimentRunTest(TypedDict):
    script: NotRequired[CreateExperimentRunTestScript]
    """By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome."""
    faults: NotRequired[CreateExperimentRunTestFaults]
    """The fault that each call to the model meets, in order."""
    latency_ms: NotRequired[int]
    """How long each call takes."""


class CreateExperimentRun(TypedDict):
    workflow: Literal["experiment"]
    input: ExperimentInput
    options: NotRequired[ExperimentOptions]
    models: NotRequired[CreateExperimentRunModels]
    """Default: `{}`."""
    limits: NotRequired[CreateExperimentRunLimits]
    """Default: `{}`."""
    webhook: NotRequired[CreateExperimentRunWebhook]
    """Only for this run."""
    metadata: NotRequired[Dict[str, str]]
    """Your own data about the run; lists can be filtered by it. At most 16 entries. Default: `{}`."""
    requested_by: NotRequired[str]
    """Who asks for the run, such as a name. Shown to people who are asked, and in webhooks."""
    test: NotRequired[CreateExperimentRunTest]


class ExperimentRunUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class ExperimentRun(TypedDict):
    object: Literal["run"]
    id: str
    workflow: Literal["experiment"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    input: ExperimentRunInput
    options: ExperimentRunOptions
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[ExperimentOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: ExperimentRunUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


class ExperimentRunEntryUsage(TypedDict):
    """What the run used, its child runs included."""
    llm_calls: int
    """Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without its tokens, which are unknown."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache."""
    output_tokens: int
    reasoning_tokens: int
    """Output tokens used for hidden reasoning, if the provider reports them."""
    cost_usd: Union[float, None]
    """null while no price is known."""


class ExperimentRunEntry(TypedDict):
    """A run as lists show it: without `input` and `options`, which may be long. GET /v1/runs/{id} has them."""
    object: Literal["run"]
    id: str
    workflow: Literal["experiment"]
    workflow_version: int
    mode: Mode
    status: RunStatus
    stage: Union[str, None]
    """The stage entered last."""
    about: AboutRun
    requested_by: Union[str, None]
    """Who asked for the run, as its creator wrote it."""
    models: ResolvedModels
    limits: Limits
    asks_about: List[str]
    """Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody."""
    metadata: Dict[str, str]
    webhook: Union[RunWebhook, None]
    test: Union[TestSettings, None]
    output: Union[ExperimentOutput, None]
    """In the form of the workflow's `output`; documents hold their `text` when a single run is read."""
    error: Union[RunError, None]
    interactions: List[str]
    """The open ones, those of child runs included."""
    failing_providers: List[FailingProvider]
    """Models that do not answer at the moment; the run waits for them, or uses other models of the role."""
    usage: ExperimentRunEntryUsage
    """What the run used, its child runs included."""
    parent_id: Union[str, None]
    """The run that started this one; null: a request did."""
    children: Union[ChildRuns, None]
    """What the runs that it started add up to; null: it has started none."""
    progress: Progress
    created_at: str
    """RFC 3339, UTC."""
    started_at: Union[str, None]
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    finished_at: Union[str, None]
    """RFC 3339, UTC."""


CreateRun: TypeAlias = "Union[CreateRequirementsRun, CreateWaterfallRun, CreateDebateRun, CreateIdeationRun, CreatePlainRun, CreateExperimentRun]"
