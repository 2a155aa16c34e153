"""Every operation of the document is sent by a method, of both clients."""

import asyncio
import inspect
import json
import re
import unittest
from pathlib import Path

import httpx

import parley

DOCUMENT = json.loads((Path(__file__).parents[3] / "openapi/openapi.json").read_text())
LINE = b'{"type":"end","data":{}}\n'


def operations():
    for path, item in DOCUMENT["paths"].items():
        pattern = re.compile(re.sub(r"\{\w+\}", "[^/]+", path))
        for method in ("get", "post", "put", "patch", "delete"):
            if method in item:
                yield method.upper(), pattern, item[method]["operationId"]


OPERATIONS = list(operations())


def operation_of(request):
    # A path without a parameter, such as /v1/runs/estimate, fits a pattern with one too: it comes first.
    fits = [it for it in OPERATIONS if it[0] == request.method and it[1].fullmatch(request.url.path)]
    return min(fits, key=lambda it: it[1].pattern.count("+"))[2]


def calls_of(client):
    """Every generated method of the client's resources, with arguments."""
    resources = [client, *(it for it in vars(client).values() if hasattr(it, "_core"))]
    for resource in resources:
        for base in type(resource).__mro__:
            for name, method in vars(base).items():
                if not base.__module__.startswith("parley.generated") or name.startswith("_"):
                    continue
                needed = [it for it in inspect.signature(method).parameters.values() if it.default is it.empty][1:-1]
                given = {it.name: "x" for it in needed}
                yield lambda m=method, r=resource, g=given: m(r, **g)


class Operations(unittest.TestCase):
    def setUp(self):
        self.sent = set()

    def handler(self, request):
        self.sent.add(operation_of(request))
        is_line = request.url.path.endswith("export")
        return httpx.Response(200, content=LINE if is_line else b'{"data":[]}')

    def test_the_sync_client_reaches_all(self):
        http = httpx.Client(transport=httpx.MockTransport(self.handler))
        for call in calls_of(parley.Parley(base_url="http://parley.test", http_client=http)):
            answer = call()
            if isinstance(answer, parley.Pages) or inspect.isgenerator(answer):
                list(answer)
        self.assertEqual(self.sent, {it[2] for it in OPERATIONS})

    def test_the_async_client_reaches_all(self):
        async def handler(request):
            return self.handler(request)

        async def run():
            http = httpx.AsyncClient(transport=httpx.MockTransport(handler))
            async with parley.AsyncParley(base_url="http://parley.test", http_client=http) as api:
                for call in calls_of(api):
                    answer = call()
                    if inspect.isawaitable(answer):
                        await answer
                    else:
                        [it async for it in answer]

        asyncio.run(run())
        self.assertEqual(self.sent, {it[2] for it in OPERATIONS})


if __name__ == "__main__":
    unittest.main()
