"""Client of Parley, which runs published multi-agent LLM methods as durable workflows."""

from .async_client import AsyncParley
from .core import RequestOptions
from .errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
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
from .files import CorpusUpload, DatasetProgress
from .generated import types
from .pages import AsyncPages, Pages
from .sync_client import Parley

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncPages",
    "AsyncParley",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "CorpusUpload",
    "DatasetProgress",
    "GoneError",
    "NotFoundError",
    "Pages",
    "Parley",
    "ParleyError",
    "PermissionDeniedError",
    "RateLimitError",
    "RequestOptions",
    "ServerError",
    "ValidationError",
    "WebhookVerificationError",
    "types",
]
