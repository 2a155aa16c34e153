"""The client against transports that fail: retries, streams that are cut, pages, errors, uploads, signatures."""

import asyncio
import base64
import hashlib
import hmac
import json

import httpx
import parley
import pytest
from parley import shared

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()


@pytest.fixture(autouse=True)
def pauses(monkeypatch):
    """Pauses take no time; their lengths in seconds are recorded."""
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    monkeypatch.setattr("parley._sync.transport.time.sleep", slept.append)
    monkeypatch.setattr("parley._async.transport.asyncio.sleep", sleep)
    return slept


def client(handler, **settings):
    return parley.Parley(api_key="key", base_url="https://parley.test", transport=httpx.MockTransport(handler), **settings)


def sequence(*answers):
    """A handler that gives these answers one after another, and the requests that it saw. An exception is raised."""
    seen = []
    left = iter(answers)

    def handle(request):
        seen.append(request)
        answer = next(left)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return handle, seen


def problem(status, code, **headers):
    return httpx.Response(status, json={"code": code, "detail": "no", "errors": []}, headers=headers)


def test_attempts_of_a_post_have_the_same_key(pauses):
    handle, seen = sequence(httpx.ConnectError("refused"), problem(503, "unavailable"), httpx.Response(202, json={"id": "run_1"}))
    assert client(handle).runs.create({"workflow": "plain", "input": {"task": "Say yes"}})["id"] == "run_1"
    assert len({request.headers["Idempotency-Key"] for request in seen}) == 1
    assert seen[0].headers["Authorization"] == "Bearer key"
    assert json.loads(seen[0].content)["workflow"] == "plain"
    assert len(pauses) == 2


def test_waits_as_long_as_the_answer_says_and_gives_up(pauses):
    handle, seen = sequence(*[problem(429, "rate_limited", **{"Retry-After": "7", "X-Request-Id": "req_1"})] * 3)
    with pytest.raises(parley.RateLimitError) as caught:
        client(handle).runs.get("x")
    assert pauses == [7, 7]
    assert (caught.value.code, caught.value.request_id, caught.value.retry_after) == ("rate_limited", "req_1", 7)
    handle, seen = sequence(problem(429, "rate_limited", **{"Retry-After": "600"}))
    with pytest.raises(parley.RateLimitError):
        client(handle).runs.get("x")
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("status", "code", "attempts", "kind"),
    [
        (400, "invalid_json", 1, parley.BadRequestError),
        (401, "unauthorized", 1, parley.AuthenticationError),
        (403, "forbidden", 1, parley.PermissionDeniedError),
        (404, "not_found", 1, parley.NotFoundError),
        (408, "timeout", 3, parley.APIError),
        (409, "idempotency_key_in_flight", 3, parley.ConflictError),
        (409, "already_answered", 1, parley.ConflictError),
        (422, "invalid_request", 1, parley.ValidationError),
        (500, "internal", 3, parley.ServerError),
    ],
)
def test_repeats_only_temporary_refusals(status, code, attempts, kind):
    handle, seen = sequence(*[problem(status, code)] * attempts)
    with pytest.raises(kind) as caught:
        client(handle).runs.get("x")
    assert len(seen) == attempts
    assert caught.value.code == code


def test_a_repeated_delete_that_finds_nothing_has_deleted():
    handle, _ = sequence(httpx.ReadError("cut"), problem(404, "not_found"))
    assert client(handle).runs.delete("x") is None


def test_no_answer_is_a_connection_error():
    handle, _ = sequence(httpx.ReadTimeout("slow"))
    with pytest.raises(parley.APITimeoutError):
        client(handle, max_retries=0).runs.get("x")


def test_reads_a_list_page_by_page():
    handle, seen = sequence(
        httpx.Response(200, json={"data": [{"id": "a"}, {"id": "b"}], "next_cursor": "more"}),
        httpx.Response(200, json={"data": [{"id": "c"}], "next_cursor": None}),
    )
    runs = client(handle).runs.list(limit=2, metadata={"by": "me"})
    assert [run["id"] for run in runs] == ["a", "b", "c"]
    assert dict(seen[0].url.params) == {"limit": "2", "metadata[by]": "me"}
    assert seen[1].url.params["cursor"] == "more"


class Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that is cut off behind its text, unless it is whole."""

    def __init__(self, text, whole=False):
        self.text, self.whole = text, whole

    def __iter__(self):
        yield self.text.encode()
        if not self.whole:
            raise httpx.ReadError("cut")

    async def __aiter__(self):
        for piece in self:
            yield piece


def event(seq, kind="run.stage_started"):
    return f"id: {seq}\nevent: {kind}\ndata: {json.dumps({'seq': seq, 'type': kind, 'data': {}})}\n\n"


def cut_20_times():
    """A run of 21 events whose stream is cut behind each, once in the middle of the next; each connection repeats the last event."""
    seen = []

    def handle(request):
        after = int(request.headers["Last-Event-ID"])
        seen.append(after)
        if after == 20:
            return httpx.Response(200, stream=Cut(event(21, "run.completed"), whole=True))
        return httpx.Response(200, stream=Cut((event(after) if after else ": hello\n\n") + event(after + 1) + event(after + 2)[:20]))

    return handle, seen


def test_a_stream_that_is_cut_20_times_yields_each_event_once():
    handle, seen = cut_20_times()
    assert [each["seq"] for each in client(handle).runs.events("run_1")] == list(range(1, 22))
    assert seen == list(range(21))


def test_the_asynchronous_client_does_the_same():
    handle, seen = cut_20_times()

    async def follow():
        transport = httpx.MockTransport(handle)
        async with parley.AsyncParley(api_key="key", base_url="https://parley.test", transport=transport) as own:
            return [each["seq"] async for each in own.runs.events("run_1")]

    assert asyncio.run(follow()) == list(range(1, 22))
    assert seen == list(range(21))


def test_a_stream_that_always_breaks_is_given_up(pauses):
    with pytest.raises(parley.APIConnectionError):
        list(client(lambda _: httpx.Response(200, stream=Cut("")), max_retries=0).runs.events("run_1"))
    assert len(pauses) == shared.MOST_BREAKS


def test_lines_may_be_cut_inside_of_a_letter():
    lines = shared.Lines()
    text = "é\r\nü".encode()
    assert [line for byte in text for line in lines.add(bytes([byte]))] + lines.end() == ["é", "ü"]


def test_batches_are_limited_by_lines():
    batches = list(shared.batches_of({"n": n} for n in range(2500)))
    assert [lines for _, lines in batches] == [1000, 1000, 500]
    assert json.loads(batches[2][0].splitlines()[-1]) == {"n": 2499}
    assert list(shared.batches_of(['{"a": 1}\n', "\n"])) == [('{"a": 1}\n', 1)]


def signed(body, secret=SECRET, at=1000):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = base64.b64encode(hmac.new(key, f"msg_1.{at}.{body}".encode(), hashlib.sha256).digest()).decode()
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(at), "Webhook-Signature": f"v1,AAAA v1,{signature}"}


def test_webhooks_are_checked():
    body = '{"type": "run.completed", "data": {}}'
    headers = signed(body)
    other = "whsec_" + base64.b64encode(b"o" * 32).decode()
    assert parley.webhooks.unwrap(body, headers, SECRET, now=1010)["type"] == "run.completed"
    assert parley.webhooks.unwrap(body.encode(), headers, [other, SECRET], now=1010)
    for wrong in (
        lambda: parley.webhooks.unwrap(body + " ", headers, SECRET, now=1010),
        lambda: parley.webhooks.unwrap(body, headers, other, now=1010),
        lambda: parley.webhooks.unwrap(body, headers, SECRET, now=1301),
        lambda: parley.webhooks.unwrap(body, headers, "whsec_!", now=1010),
        lambda: parley.webhooks.unwrap(body, {**headers, "Webhook-Timestamp": "1e3"}, SECRET, now=1010),
        lambda: parley.webhooks.unwrap(body, {}, SECRET, now=1010),
    ):
        with pytest.raises(parley.WebhookVerificationError):
            wrong()
