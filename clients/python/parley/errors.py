"""Errors of the client. The API's errors are classes by status."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any


class ParleyError(Exception):
    """Everything that the client raises by itself."""


class APIConnectionError(ParleyError):
    """No answer arrived: the connection failed, or was cut off."""


class APITimeoutError(APIConnectionError):
    """No answer arrived within `timeout`."""


class WebhookVerificationError(ParleyError):
    """The signature of a webhook is missing, wrong or too old."""


class APIError(ParleyError):
    """The API answered with an error."""

    def __init__(self, status: int, headers: Mapping[str, str], text: str) -> None:
        problem = _problem_of(text)
        self.status = status
        # None when something before the API answered, such as a proxy.
        self.code: str | None = problem.get("code")
        self.detail: str = problem.get("detail", text[:500])
        # Every fault of the request, with its path in the body.
        self.errors: list[dict[str, Any]] = problem.get("errors", [])
        self.quota: dict[str, Any] | None = problem.get("quota")
        self.request_id = headers.get("X-Request-Id")
        # Seconds after which a repetition may succeed.
        self.retry_after = _seconds_of(headers.get("Retry-After"))
        super().__init__(f"{status} {self.code or 'without a code'}: {self.detail}")


class BadRequestError(APIError):
    pass


class AuthenticationError(APIError):
    pass


class PermissionDeniedError(APIError):
    pass


class NotFoundError(APIError):
    pass


class ConflictError(APIError):
    pass


class GoneError(APIError):
    pass


class ValidationError(APIError):
    pass


class RateLimitError(APIError):
    pass


class ServerError(APIError):
    pass


_BY_STATUS = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    422: ValidationError,
    429: RateLimitError,
}


def api_error(status: int, headers: Mapping[str, str], text: str) -> APIError:
    """The error for an answer, by its status."""
    return _BY_STATUS.get(status, ServerError if status >= 500 else APIError)(status, headers, text)


def _problem_of(text: str) -> dict[str, Any]:
    try:
        problem = json.loads(text)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}


def _seconds_of(header: str | None) -> float | None:
    """`Retry-After` in seconds (RFC 9110, 10.2.3): a number, or a date."""
    if not header:
        return None
    if header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
