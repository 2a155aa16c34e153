"""Signatures of webhooks."""

import base64
import hashlib
import hmac
import json
import unittest

from parley import Parley, WebhookVerificationError

OLD, NEW = ("whsec_" + base64.b64encode(bytes([n]) * 32).decode() for n in (1, 2))
NOW = 1_764_000_000
BODY = json.dumps({"type": "webhook.ping", "data": {"text": "é"}}, ensure_ascii=False)
unwrap = Parley(base_url="http://parley.test").webhooks.unwrap


def signed(secret=NEW, body=BODY, timestamp=NOW, id="msg_1"):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{id}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(mac).decode()
    return {"Webhook-Id": id, "webhook-timestamp": str(timestamp), "webhook-signature": f"v1a,other {signature}"}


class Unwrap(unittest.TestCase):
    def test_the_example_of_standard_webhooks(self):
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        self.assertEqual(unwrap('{"test": 2432232314}', headers, secret, now=1614265330), {"test": 2432232314})

    def test_text_and_bytes(self):
        for body in (BODY, BODY.encode()):
            self.assertEqual(unwrap(body, signed(), NEW, now=NOW)["type"], "webhook.ping")

    def test_both_secrets_of_a_rotation(self):
        for secret in (OLD, NEW):
            self.assertEqual(unwrap(BODY, signed(secret), [NEW, OLD], now=NOW)["type"], "webhook.ping")

    def refused(self, pattern, body=BODY, headers=None, secret=NEW, now=NOW):
        with self.assertRaisesRegex(WebhookVerificationError, pattern):
            unwrap(body, signed() if headers is None else headers, secret, now=now)

    def test_refuses_another_body_another_secret_and_another_id(self):
        self.refused("fits", body=BODY + " ")
        self.refused("fits", secret=OLD)
        self.refused("fits", headers={**signed(), "Webhook-Id": "msg_2"})
        self.refused("fits", headers={**signed(), "webhook-signature": "v1,%%% v2,abc"})

    def test_refuses_old_and_future_ones(self):
        unwrap(BODY, signed(), NEW, now=NOW + 300)
        self.refused("301|300 seconds", now=NOW + 301)
        self.refused("300 seconds", now=NOW - 301)

    def test_refuses_missing_and_malformed_headers_and_secrets(self):
        for name in signed():
            self.refused("missing", headers={key: value for key, value in signed().items() if key != name})
        self.refused("number", headers={**signed(), "webhook-timestamp": "-1"})
        self.refused("base64", secret="whsec_%%%")


if __name__ == "__main__":
    unittest.main()
