"""Streams of events, and waiting for a run, without a server."""

import asyncio
import json
import unittest
from unittest import mock

import httpx

import parley

RUN = "run_1"
QUESTION = "int_1"


def event(seq, kind="run.stage_started", **data):
    return {"seq": seq, "type": kind, "data": data}


HISTORY = [
    event(1, "run.created"),
    *(event(seq, stage=f"stage {seq} é") for seq in range(2, 30)),
    event(30, "run.input_required", interaction_id=QUESTION),
    event(31, "run.input_received", interaction_id=QUESTION),
    event(32, "run.completed"),
]


def message(it):
    return f": beat\r\nid: {it['seq']}\r\nevent: {it['type']}\r\ndata: {json.dumps(it, ensure_ascii=False)}\r\n\r\n".encode()


class Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body in small pieces, which breaks behind some bytes."""

    def __init__(self, body, cut_after=None):
        self.body, self.cut_after = body, cut_after

    def __iter__(self):
        end = len(self.body) if self.cut_after is None else self.cut_after
        for start in range(0, end, 7):
            yield self.body[start : min(start + 7, end)]
        if self.cut_after is not None:
            raise httpx.RemoteProtocolError("the stream was cut")

    async def __aiter__(self):
        for piece in self:
            yield piece


class Server:
    """A run that has ended, whose first streams are cut. A stream repeats the event that the client had last."""

    def __init__(self, cuts=0, answer=None):
        self.cuts, self.answer, self.seen, self.answers = cuts, answer, [], []

    def __call__(self, request):
        path = request.url.path
        if path.endswith("/events"):
            after = int(request.headers["last-event-id"])
            self.seen.append(after)
            body = b"".join(message(it) for it in HISTORY if it["seq"] >= after)
            cut = 330 if len(self.seen) <= self.cuts else None
            return httpx.Response(200, stream=Cut(body, cut))
        if path == f"/v1/interactions/{QUESTION}":
            return httpx.Response(200, json={"id": QUESTION, "status": "open", "kind": "feedback"})
        if path.endswith("/answer"):
            self.answers.append((request.headers["idempotency-key"], json.loads(request.content)))
            return self.answer or httpx.Response(200, json={})
        if request.method == "POST":
            return httpx.Response(201, json={"id": RUN, "status": "queued"})
        return httpx.Response(200, json={"id": RUN, "status": "completed"})

    async def later(self, request):
        return self(request)

    def sync(self):
        return parley.Parley(base_url="http://parley.test", http_client=httpx.Client(transport=httpx.MockTransport(self)))

    def asynchronous(self):
        http = httpx.AsyncClient(transport=httpx.MockTransport(self.later))
        return parley.AsyncParley(base_url="http://parley.test", http_client=http)


class WithoutPauses(unittest.TestCase):
    def setUp(self):
        for name in ("time.sleep", "asyncio.sleep"):
            kind = mock.AsyncMock if name.startswith("asyncio") else mock.Mock
            patch = mock.patch(f"parley.drivers.{name}", kind())
            patch.start()
            self.addCleanup(patch.stop)


class Events(WithoutPauses):
    def test_a_stream_that_is_cut_yields_each_event_once_and_in_order(self):
        server = Server(cuts=20)
        self.assertEqual(list(server.sync().runs.events(RUN)), HISTORY)
        self.assertEqual(len(server.seen), 21)
        self.assertEqual(server.seen, sorted(server.seen))

    def test_also_with_the_async_client(self):
        server = Server(cuts=20)

        async def run():
            events, waited = [], []

            async def later(it):
                waited.append(it)

            async with server.asynchronous() as api:
                events = [it async for it in api.runs.events(RUN)]
                await api.runs.wait(RUN, on_event=later)
            self.assertEqual(waited, HISTORY)
            return events

        self.assertEqual(asyncio.run(run()), HISTORY)
        self.assertEqual(len(server.seen), 22)

    def test_continues_behind_an_event_also_behind_the_last_one(self):
        api = Server().sync()
        self.assertEqual(list(api.runs.events(RUN, after=31)), HISTORY[-1:])
        self.assertEqual(list(api.runs.events(RUN, after=32)), [])

    def test_a_reader_may_stop_early(self):
        for it in Server().sync().runs.events(RUN):
            self.assertEqual(it["seq"], 1)
            break

    def test_gives_up_a_stream_that_brings_nothing(self):
        def broken(request):
            return httpx.Response(200, stream=Cut(b"", 0))

        http = httpx.Client(transport=httpx.MockTransport(broken))
        with self.assertRaises(parley.ApiConnectionError):
            list(parley.Parley(base_url="http://parley.test", http_client=http).runs.events(RUN))

    def test_a_stream_that_the_api_closes_raises_its_problem(self):
        problem = {"status": 401, "code": "key_revoked", "detail": "The key was revoked."}

        def closing(request):
            return httpx.Response(200, content=f"event: stream.closed\ndata: {json.dumps(problem)}\n\n".encode())

        http = httpx.Client(transport=httpx.MockTransport(closing))
        with self.assertRaises(parley.AuthenticationError):
            list(parley.Parley(base_url="http://parley.test", http_client=http).runs.events(RUN))


class Waiting(WithoutPauses):
    START = {"workflow": "plain", "input": {"task": "Say yes"}}

    def test_hands_questions_on_and_sends_the_answer_with_a_key_of_its_own(self):
        server, events = Server(), []
        run = server.sync().runs.create_and_wait(
            self.START,
            on_question=lambda interaction: {"decision": "approve"} if interaction["id"] == QUESTION else None,
            on_event=events.append,
            idempotency_key="of the run",
        )
        self.assertEqual(run["status"], "completed")
        self.assertEqual(events, HISTORY)
        self.assertEqual([body for _, body in server.answers], [{"decision": "approve"}])
        self.assertNotEqual(server.answers[0][0], "of the run")

    def test_leaves_a_question_to_others(self):
        server = Server()
        server.sync().runs.wait(RUN, on_question=lambda _: None)
        self.assertEqual(server.answers, [])

    def test_an_answer_that_came_too_late_is_no_failure(self):
        late = httpx.Response(409, json={"code": "already_answered", "detail": "too late"})
        server = Server(answer=late)
        run = server.sync().runs.wait(RUN, on_question=lambda _: {"decision": "approve"}, idempotency_key="of the wait")
        self.assertEqual((run["status"], len(server.answers)), ("completed", 1))
        self.assertNotEqual(server.answers[0][0], "of the wait")

    def test_a_wait_ends_with_the_error_of_on_question(self):
        def failing(_):
            raise LookupError("nobody is here")

        with self.assertRaisesRegex(LookupError, "nobody is here"):
            Server().sync().runs.wait(RUN, on_question=failing)

    def test_the_async_client_cancels_a_question_that_needs_no_answer(self):
        server, canceled = Server(), []

        async def run():
            asked, settled = asyncio.Event(), asyncio.Event()

            async def slowly(_):
                asked.set()
                try:
                    await asyncio.Event().wait()
                finally:
                    canceled.append(QUESTION)
                    settled.set()

            class UntilAsked(Cut):
                async def __aiter__(self):
                    for it in HISTORY:
                        if it["type"] == "run.input_received":
                            await asked.wait()
                        if it["type"] == "run.completed":
                            await settled.wait()
                        yield message(it)

            async def answering(request):
                if request.url.path.endswith("/events"):
                    return httpx.Response(200, stream=UntilAsked(b""))
                return server(request)

            http = httpx.AsyncClient(transport=httpx.MockTransport(answering))
            async with parley.AsyncParley(base_url="http://parley.test", http_client=http) as api:
                return await asyncio.wait_for(api.runs.wait(RUN, on_question=slowly), 10)

        self.assertEqual(asyncio.run(run())["status"], "completed")
        self.assertEqual((canceled, server.answers), ([QUESTION], []))

    def test_the_async_wait_ends_with_the_error_of_on_question(self):
        async def run():
            async def failing(_):
                raise LookupError("nobody is here")

            server = Server()
            ended = asyncio.Event()

            async def until_asked(request):
                if request.url.path == f"/v1/runs/{RUN}":
                    await ended.wait()
                return server(request)

            http = httpx.AsyncClient(transport=httpx.MockTransport(until_asked))
            async with parley.AsyncParley(base_url="http://parley.test", http_client=http) as api:
                await api.runs.wait(RUN, on_question=failing)

        with mock.patch.object(parley.async_client.runs, "SETTLED", ()), self.assertRaisesRegex(LookupError, "nobody"):
            asyncio.run(asyncio.wait_for(run(), 10))


if __name__ == "__main__":
    unittest.main()
