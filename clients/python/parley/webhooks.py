"""Webhooks that your server receives."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import cast

from .errors import WebhookVerificationError
from .types import Webhook


def unwrap(
    raw_body: str | bytes,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> Webhook:
    """Checks the signature of a webhook (Standard Webhooks 1.0) and parses its body.

    `raw_body` is the body as it was received, `secret` the endpoint's `whsec_…`, several while it is being rotated, `tolerance` and `now` are
    seconds. Raises WebhookVerificationError.
    """
    own = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not own.get(name):
            raise WebhookVerificationError(f"The header {name} is missing.")
    timestamp = own["webhook-timestamp"]
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookVerificationError("webhook-timestamp is not a number of seconds.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookVerificationError(f"The webhook is more than {tolerance:g} seconds old, or ahead.")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    signed = f"{own['webhook-id']}.{timestamp}.".encode() + body
    claimed = [part[3:].encode() for part in own["webhook-signature"].split(" ") if part.startswith("v1,")]
    for each in [secret] if isinstance(secret, str) else secret:
        expected = base64.b64encode(hmac.new(_key_of(each), signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(expected, signature) for signature in claimed):
            return cast(Webhook, json.loads(body))
    raise WebhookVerificationError("No signature of the webhook fits a secret.")


def _key_of(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as error:
        raise WebhookVerificationError("The secret is not base64.") from error
