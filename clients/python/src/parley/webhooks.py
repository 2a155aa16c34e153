"""Checks and parses webhooks that your server receives."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Optional, Sequence, Union, cast

from .errors import WebhookVerificationError
from .generated import types as t

#: Seconds that a webhook may be old, or ahead.
_TOLERANCE = 300


def unwrap(
    raw_body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: int = _TOLERANCE,
    now: Optional[float] = None,
) -> t.Webhook:
    """Checks the signature of a webhook (Standard Webhooks 1.0) and parses its body.

    raw_body: as it was received, unparsed
    secret: ``whsec_...`` of the endpoint; several while it is being rotated
    tolerance: seconds
    now: seconds since 1970
    Raises WebhookVerificationError.
    """
    own = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not own.get(name):
            raise WebhookVerificationError(f"The header {name} is missing.")
    timestamp = own["webhook-timestamp"]
    if not (timestamp.isascii() and timestamp.isdecimal()):
        raise WebhookVerificationError("webhook-timestamp is not a number of seconds.")
    if abs(int(time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookVerificationError(f"The webhook is more than {tolerance} seconds old, or ahead.")

    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    signed = f"{own['webhook-id']}.{timestamp}.".encode() + body
    claimed = [it.removeprefix("v1,").encode() for it in own["webhook-signature"].split(" ") if it.startswith("v1,")]
    for each in [secret] if isinstance(secret, str) else secret:
        expected = base64.b64encode(hmac.digest(_key(each), signed, hashlib.sha256))
        if any(hmac.compare_digest(expected, signature) for signature in claimed):
            return cast(t.Webhook, json.loads(body))
    raise WebhookVerificationError("No signature of the webhook fits a secret.")


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as error:
        raise WebhookVerificationError("The secret is not base64.") from error


class Webhooks:
    """The client's ``webhooks``."""

    unwrap = staticmethod(unwrap)
