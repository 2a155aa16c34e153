"""The errors of the client."""

from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional, Type


class ParleyError(Exception):
    """Base of all errors that the client raises by itself."""


class ApiConnectionError(ParleyError):
    """No answer arrived: the connection failed, or was cut off. ``__cause__`` is the error of httpx."""


class ApiTimeoutError(ApiConnectionError):
    """No answer arrived within ``timeout``."""


class WebhookVerificationError(ParleyError):
    """The signature of a webhook is missing, wrong or too old."""


class ApiError(ParleyError):
    """The API answered with an error."""

    def __init__(self, status: int, headers: Mapping[str, str], text: str) -> None:
        problem = _problem_of(text)
        self.status = status
        #: A code of the table at /docs/errors; None when something before the API answered, such as a proxy.
        self.code: Optional[str] = problem.get("code")
        self.detail: str = problem.get("detail", text[:500])
        #: Every error of the request, with its path in the body.
        self.errors: List[Dict[str, Any]] = problem.get("errors", [])
        self.quota: Optional[Dict[str, Any]] = problem.get("quota")
        self.request_id: Optional[str] = headers.get("x-request-id")
        #: Seconds after which a repetition may succeed.
        self.retry_after: Optional[float] = _seconds_of(headers.get("retry-after"))
        super().__init__(f"{status} {self.code or 'without a code'}: {self.detail}")


class BadRequestError(ApiError):
    """400"""


class AuthenticationError(ApiError):
    """401"""


class PermissionDeniedError(ApiError):
    """403"""


class NotFoundError(ApiError):
    """404"""


class ConflictError(ApiError):
    """409"""


class GoneError(ApiError):
    """410"""


class ValidationError(ApiError):
    """422"""


class RateLimitError(ApiError):
    """429"""


class ServerError(ApiError):
    """500 and above"""


_BY_STATUS: Dict[int, Type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    422: ValidationError,
    429: RateLimitError,
}


def api_error(status: int, headers: Mapping[str, str], text: str) -> ApiError:
    """The error for an answer, by its status. Names of headers are in lower case, or of any case in httpx.Headers."""
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    return kind(status, headers, text)


def _problem_of(text: str) -> Dict[str, Any]:
    """The problem in the text; an empty one when the text is not a JSON object."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _seconds_of(header: Optional[str]) -> Optional[float]:
    """``Retry-After`` in seconds (RFC 9110, 10.2.3): a number, or a date."""
    if not header:
        return None
    if header.isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
