"""Client of Parley, which runs published multi-agent LLM methods as durable workflows."""

from . import types, webhooks
from ._async.client import AsyncParley
from ._sync.client import Parley
from .errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    GoneError,
    NotFoundError,
    ParleyError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    ValidationError,
    WebhookVerificationError,
)

__all__ = [
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "AsyncParley",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "GoneError",
    "NotFoundError",
    "Parley",
    "ParleyError",
    "PermissionDeniedError",
    "RateLimitError",
    "ServerError",
    "ValidationError",
    "WebhookVerificationError",
    "types",
    "webhooks",
]
