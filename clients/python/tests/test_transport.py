"""Retries, errors and lists, without a server."""

import asyncio
import json
import unittest
from unittest import mock

import httpx

import parley


def client(handler, **settings):
    http = httpx.Client(transport=httpx.MockTransport(handler))
    return parley.Parley(api_key="key", base_url="http://parley.test/", http_client=http, **settings)


def problem(status, code, **headers):
    return httpx.Response(status, json={"status": status, "code": code, "detail": "no"}, headers=headers)


class Retries(unittest.TestCase):
    def setUp(self):
        patch = mock.patch("parley.drivers.time.sleep")
        self.sleep = patch.start()
        self.addCleanup(patch.stop)

    def pauses(self):
        return [call.args[0] for call in self.sleep.call_args_list]

    def test_all_attempts_of_a_post_have_the_same_idempotency_key(self):
        keys = []

        def drop_twice(request):
            keys.append(request.headers["idempotency-key"])
            if len(keys) == 1:
                raise httpx.ReadError("the connection was cut", request=request)
            return httpx.Response(503) if len(keys) == 2 else httpx.Response(201, json={"id": "cor_1"})

        api = client(drop_twice)
        self.assertEqual(api.corpora.create({"name": "Laws"})["id"], "cor_1")
        self.assertEqual(len(keys), 3)
        self.assertEqual(len(set(keys)), 1)
        api.corpora.create({"name": "Laws"})
        self.assertNotEqual(keys[3], keys[0])
        api.corpora.create({"name": "Laws"}, idempotency_key="mine")
        self.assertEqual(keys[4], "mine")

    def test_a_get_has_no_idempotency_key(self):
        def handler(request):
            self.assertNotIn("idempotency-key", request.headers)
            return httpx.Response(200, json={})

        client(handler).tenant.get()

    def test_waits_as_long_as_the_answer_says_and_gives_up_after_max_retries(self):
        requests = []

        def limited(request):
            requests.append(request)
            return problem(429, "rate_limited", **{"Retry-After": "7", "X-Request-Id": "req_1"})

        with self.assertRaises(parley.RateLimitError) as caught:
            client(limited).tenant.get(max_retries=1)
        self.assertEqual(len(requests), 2)
        self.assertEqual(self.pauses(), [7.0])
        error = caught.exception
        self.assertEqual((error.status, error.code, error.request_id, error.retry_after), (429, "rate_limited", "req_1", 7))

    def test_leaves_a_long_retry_after_to_the_caller(self):
        with self.assertRaises(parley.RateLimitError) as caught:
            client(lambda _: problem(429, "quota_exceeded", **{"Retry-After": "3600"})).tenant.get()
        self.assertEqual(caught.exception.retry_after, 3600)
        self.assertEqual(self.pauses(), [])

    def test_repeats_what_is_temporary_and_no_other_refusal(self):
        def attempts(status, code):
            seen = []

            def once(request):
                seen.append(request)
                return problem(status, code) if len(seen) == 1 else httpx.Response(201, json={})

            try:
                client(once).corpora.create({"name": "Laws"})
            except parley.ApiError as error:
                self.assertEqual(error.status, status)
            return len(seen)

        for status, code in [(408, ""), (409, "idempotency_key_in_flight"), (500, "internal_error"), (503, "")]:
            self.assertEqual((status, attempts(status, code)), (status, 2))
        for status, code in [(400, ""), (404, "not_found"), (409, "wrong_state"), (422, "validation_failed")]:
            self.assertEqual((status, attempts(status, code)), (status, 1))

    def test_does_not_take_the_repetition_of_a_delete_for_a_failure(self):
        seen = []

        def drop_first(request):
            seen.append(request)
            if len(seen) == 1:
                raise httpx.ReadError("cut", request=request)
            return problem(404, "not_found")

        api = client(drop_first)
        self.assertIsNone(api.corpora.delete("cor_1"))
        with self.assertRaises(parley.NotFoundError):
            api.corpora.delete("cor_1")

    def test_reports_a_request_without_an_answer_with_its_cause(self):
        def refuse(request):
            raise httpx.ConnectError("nobody listens", request=request)

        def silent(request):
            raise httpx.ReadTimeout("nothing came", request=request)

        with self.assertRaisesRegex(parley.ApiConnectionError, "nobody listens") as caught:
            client(refuse, max_retries=0).health()
        self.assertIsInstance(caught.exception.__cause__, httpx.ConnectError)
        with self.assertRaises(parley.ApiTimeoutError):
            client(silent, max_retries=0).health()

    def test_the_async_client_has_the_same_core(self):
        keys = []

        async def drop_first(request):
            keys.append(request.headers["idempotency-key"])
            if len(keys) == 1:
                raise httpx.ReadError("cut", request=request)
            return httpx.Response(201, json={"id": "cor_1"})

        async def run():
            http = httpx.AsyncClient(transport=httpx.MockTransport(drop_first))
            async with parley.AsyncParley(base_url="http://parley.test", http_client=http) as api:
                with mock.patch("parley.drivers.asyncio.sleep", mock.AsyncMock()):
                    return await api.corpora.create({"name": "Laws"})

        self.assertEqual(asyncio.run(run())["id"], "cor_1")
        self.assertEqual(len(keys), 2)
        self.assertEqual(len(set(keys)), 1)


class Requests(unittest.TestCase):
    def test_names_every_fault_of_a_request(self):
        errors = [{"path": "options.rounds", "message": "too few"}]
        answer = httpx.Response(422, json={"code": "validation_failed", "detail": "no", "errors": errors})
        with self.assertRaises(parley.ValidationError) as caught:
            client(lambda _: answer).runs.create({"workflow": "plain", "input": {"task": ""}})
        self.assertEqual(caught.exception.errors, errors)

    def test_an_error_without_a_problem_has_no_code(self):
        with self.assertRaises(parley.ServerError) as caught:
            client(lambda _: httpx.Response(502, text="<html>"), max_retries=0).health()
        self.assertIsNone(caught.exception.code)
        self.assertEqual(caught.exception.detail, "<html>")

    def test_reads_a_list_page_by_page(self):
        urls = []

        def pages(request):
            urls.append(str(request.url))
            last = "cursor" in request.url.params
            return httpx.Response(200, json={"data": [2] if last else [0, 1], "next_cursor": None if last else "next"})

        api = client(pages)
        runs = api.runs.list(limit=2, metadata={"customer": "42"})
        self.assertEqual(list(runs), [0, 1, 2])
        self.assertEqual(len(urls), 2)
        self.assertIn("metadata%5Bcustomer%5D=42", urls[0])
        self.assertIn("cursor=next", urls[1])
        self.assertEqual(runs.page()["next_cursor"], "next")

    def test_escapes_ids_and_refuses_empty_ones(self):
        paths = []

        def handler(request):
            paths.append(request.url.raw_path)
            return httpx.Response(200, json={})

        client(handler).runs.get("a/b?c")
        self.assertEqual(paths, [b"/v1/runs/a%2Fb%3Fc"])
        with self.assertRaises(ValueError):
            client(handler).runs.get("")

    def test_needs_an_address(self):
        with mock.patch.dict("os.environ", clear=True), self.assertRaises(ValueError):
            parley.Parley()
        with mock.patch.dict("os.environ", {"PARLEY_BASE_URL": "http://parley.test", "PARLEY_API_KEY": "secret"}):
            seen = []

            def handler(request):
                seen.append((str(request.url), request.headers["authorization"]))
                return httpx.Response(200, json={})

            parley.Parley(http_client=httpx.Client(transport=httpx.MockTransport(handler))).health()
        self.assertEqual(seen, [("http://parley.test/healthz", "Bearer secret")])

    def test_sends_uploads_in_batches(self):
        bodies = []

        def handler(request):
            if request.url.path.endswith("/items"):
                self.assertEqual(request.headers["content-type"], "application/x-ndjson")
                bodies.append(request.content.decode().splitlines())
            return httpx.Response(200, json={"id": "dat_1"})

        sent = []
        items = ({"id": str(n), "input": {"task": "é\u2028"}} for n in range(1005))
        client(handler).datasets.upload("dat_1", items, on_progress=lambda it: sent.append(it["sent"]))
        self.assertEqual(sent, [1000, 1005])
        bodies.clear()
        text = '{"id":"é"}\r\n\n{"id":"b"}'.encode()
        client(handler).datasets.upload("dat_1", [text[:8], text[8:]])
        self.assertEqual([json.loads(line) for line in bodies[0]], [{"id": "é"}, {"id": "b"}])

    def test_the_sync_client_refuses_an_asynchronous_source(self):
        async def items():
            await asyncio.sleep(0)
            yield {}

        with self.assertRaisesRegex(TypeError, "AsyncParley"):
            client(lambda _: httpx.Response(200, json={})).datasets.upload("dat_1", items())


if __name__ == "__main__":
    unittest.main()
