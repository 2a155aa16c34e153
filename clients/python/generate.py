"""Writes the parts of the Python client that follow from openapi/openapi.json: the types, the resources, and the synchronous twin of `parley/_async`.

    python3 clients/python/generate.py [--check]

With --check nothing is written: it fails when a file in the repository differs. Needs only Python itself.
"""

import json
import keyword
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parent.parent / "openapi" / "openapi.json"
HEADER = '"""Written by clients/python/generate.py. Do not edit."""\n\n'

# Methods of each resource, with the operations that they send.
RESOURCES = {
    "runs": "create=createRun estimate=estimateRun list=listRuns get=getRun delete=deleteRun cancel=cancelRun pause=pauseRun resume=resumeRun "
    "retry=retryRun manifest=getManifest list_events=listEvents",
    "artifacts": "list=listArtifacts get=getArtifact",
    "interactions": "list=listInteractions get=getInteraction answer=answerInteraction extend=extendInteraction readdress=readdressInteraction "
    "withdraw=withdrawInteraction",
    "callbacks": "get=getCallback answer=answerCallback",
    "workflows": "list=listWorkflows get=getWorkflow",
    "agents": "create=createAgent list=listAgents get=getAgent update=updateAgent delete=deleteAgent",
    "corpora": "create=createCorpus list=listCorpora get=getCorpus update=updateCorpus delete=deleteCorpus search=searchCorpus "
    "list_uploads=listUploads get_upload=getUpload",
    "documents": "create=addDocuments list=listDocuments get=getDocument delete=deleteDocument text=getDocumentContent",
    "datasets": "create=createDataset list=listDatasets get=getDataset update=updateDataset delete=deleteDataset close=closeDataset list_items=listItems",
    "templates": "create=createTemplate list=listTemplates get=getTemplate update=updateTemplate delete=deleteTemplate start=startTemplate",
    "schedules": "create=createSchedule list=listSchedules get=getSchedule update=updateSchedule delete=deleteSchedule list_occurrences=listOccurrences",
    "keys": "create=createKey list=listKeys get=getKey update=updateKey revoke=revokeKey roll=rollKey",
    "providers": "list=listProviders get=getProvider put_key=putProviderKey delete_key=deleteProviderKey",
    "audit": "list=listAuditEntries",
    "tenant": "get=getTenant delete=deleteTenant metrics=getMetrics usage=getUsage",
    "webhook_endpoints": "create=createWebhookEndpoint list=listWebhookEndpoints get=getWebhookEndpoint update=updateWebhookEndpoint "
    "delete=deleteWebhookEndpoint rotate_secret=rotateWebhookSecret ping=pingWebhookEndpoint list_deliveries=listDeliveries lease=leaseDeliveries "
    "acknowledge=acknowledgeDeliveries",
    "deliveries": "get=getDelivery redeliver=redeliver",
    "service": "health=getHealth",
}
# Operations whose methods are written by hand, in parley/_async/client.py.
BY_HAND = {"addItems", "exportDataset", "exportTenant", "getArtifactContent"}

SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^0-9A-Za-z]+", name))


class Types:
    """TypedDicts of JSON Schemas; an object inside of another becomes a type of its own, named after its place."""

    def __init__(self, schemas: dict):
        self.schemas = schemas
        self.taken = set(schemas)
        self.code: list[str] = []
        for name, schema in schemas.items():
            self.declare(name, schema)

    def declare(self, name: str, schema: dict) -> None:
        if "properties" in schema:
            self.typed_dict(name, schema)
        else:
            self.code.append(f"{name}: TypeAlias = {json.dumps(self.of(schema, name))}\n")

    def typed_dict(self, name: str, schema: dict) -> None:
        required = schema.get("required", [])
        fields = {}
        for key, value in schema["properties"].items():
            kind = self.of(value, name + camel(key))
            fields[key] = kind if key in required else f"NotRequired[{kind}]"
        if all(key.isidentifier() and not keyword.iskeyword(key) for key in fields):
            body = "".join(f"    {key}: {kind}\n" for key, kind in fields.items()) or "    pass\n"
            self.code.append(f"class {name}(TypedDict):\n{body}")
        else:
            body = "".join(f"        {json.dumps(key)}: {json.dumps(kind)},\n" for key, kind in fields.items())
            self.code.append(f'{name} = TypedDict(\n    "{name}",\n    {{\n{body}    }},\n)\n')

    def of(self, schema: dict, name: str) -> str:
        """The annotation of a schema. `name` is for an object that has none."""
        if "$ref" in schema:
            return schema["$ref"].rsplit("/", 1)[1]
        for word in ("oneOf", "anyOf"):
            if word in schema and schema[word]:
                return self.union(self.of(each, f"{name}{number or ''}") for number, each in enumerate(schema[word]))
        if len(schema.get("allOf", [])) == 1:
            return self.of(schema["allOf"][0], name)
        if "const" in schema or "enum" in schema:
            return literal(schema["enum"] if "enum" in schema else [schema["const"]])
        kinds = schema.get("type", [])
        return self.union(self.of_kind(kind, schema, name) for kind in ([kinds] if isinstance(kinds, str) else kinds)) or "Any"

    def of_kind(self, kind: str, schema: dict, name: str) -> str:
        if kind == "array" and "prefixItems" in schema:
            return f"tuple[{', '.join(self.of(each, f'{name}{number}') for number, each in enumerate(schema['prefixItems']))}]"
        if kind == "array":
            return f"list[{self.of(schema.get('items', {}), name + 'Item')}]"
        if kind != "object":
            return SCALARS[kind]
        if "properties" not in schema:
            extra = schema.get("additionalProperties")
            return f"dict[str, {self.of(extra, name + 'Value') if isinstance(extra, dict) else 'Any'}]"
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        self.typed_dict(name, schema)
        return name

    @staticmethod
    def union(kinds) -> str:
        return " | ".join(dict.fromkeys(kinds))


def literal(values: list) -> str:
    return f"Literal[{', '.join('None' if value is None else repr(value) for value in values)}]"


def operations_of(document: dict) -> dict:
    return {
        operation["operationId"]: {**operation, "method": method.upper(), "path": path}
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def schema_of(content: dict) -> dict | None:
    return content.get("application/json", {}).get("schema")


def argument(name: str) -> str:
    """The name of an argument: `from_` for `from`."""
    return f"{name}_" if keyword.iskeyword(name) else name


def method_of(name: str, operation: dict, types: Types) -> str:
    """The code of a method that sends an operation."""
    operation_name = camel(operation["operationId"])
    parameters = operation.get("parameters", [])
    paths = [each["name"] for each in parameters if each["in"] == "path"]
    queries = [each for each in parameters if each["in"] == "query" and each["name"] != "cursor"]
    success = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
    answered = schema_of(success.get("content", {}))
    body = schema_of(operation.get("requestBody", {}).get("content", {}))
    given = [f"{path}: str" for path in paths]
    if body is not None:
        needed = operation["requestBody"].get("required", False)
        kind = types.of(body, f"{operation_name}Body")
        given.append(f"body: {kind}" if needed else f"body: {kind} | None = None")
    for each in queries:
        kind = types.of(each["schema"], f"{operation_name}{camel(each['name'])}")
        given.append(f"{argument(each['name'])}: {kind} | None = None")
    signature = ", ".join(["self", *given[: len(given) - len(queries)], *(["*", *given[len(given) - len(queries) :]] if queries else [])])
    path = re.sub(r"{(\w+)}", r"{quote(\1)}", operation["path"])
    sent = f'"{operation["method"]}", {"f" if paths else ""}"{path}"'
    if queries:
        sent += ", query={" + ", ".join(f'"{each["name"]}": {argument(each["name"])}' for each in queries) + "}"
    if body is not None:
        sent += ", body=body"
    result = types.of(answered, f"{operation_name}Answer") if answered else None
    is_list = operation["operationId"].startswith("list")
    if is_list:
        sent = f"AsyncList(self._transport, Request({sent}, options=options))"
        entry = types.of(types.schemas[result]["properties"]["data"]["items"], "")
        return f"    def {name}({signature}, **options: Unpack[RequestOptions]) -> AsyncList[{result}, {entry}]:\n        return {sent}\n"
    read = ".json()" if result else (".text" if success.get("content") else "")
    result = result or ("str" if read else "None")
    line = f"        {'return ' if read else ''}(await self._transport.send(Request({sent}, options=options))){read}\n"
    return f"    async def {name}({signature}, **options: Unpack[RequestOptions]) -> {result}:\n{line}"


def resources_of(document: dict, types: Types) -> str:
    operations = operations_of(document)
    code = [
        HEADER + "from __future__ import annotations\n\nfrom typing import Literal, Unpack\nfrom urllib.parse import quote as percent\n\n"
        "from ..shared import Request, RequestOptions\nfrom ..types import *  # noqa: F403\nfrom .transport import AsyncList, AsyncTransport\n\n\n"
        'def quote(part: str) -> str:\n    return percent(part, safe="")\n'
    ]
    sent = set(BY_HAND)
    for resource, methods in RESOURCES.items():
        lines = [f"class Async{camel(resource)}Methods:\n    def __init__(self, transport: AsyncTransport) -> None:\n        self._transport = transport\n"]
        for name, operation in (pair.split("=") for pair in methods.split()):
            sent.add(operation)
            lines.append(method_of(name, operations[operation], types))
        code.append("\n".join(lines))
    if sent != set(operations):
        raise SystemExit(f"RESOURCES in generate.py has not the operations of the document: {sorted(sent ^ set(operations))}")
    return "\n\n".join(code)


TYPES_HEAD = "from __future__ import annotations\n\nfrom typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n"

# The synchronous twin of a line of `parley/_async`.
TWINS = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\bimport asyncio\b", "import time"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\b__a(iter|enter|exit)__", r"__\1__"),
    (r"\ba(iter_bytes|read|close|next)\b", r"\1"),
    (r"Callable\[(\[[^\]]*\]), Awaitable\[(.*?)\]\]", r"Callable[\1, \2]"),
    (r"Async(?=[A-Z])", ""),
]


def twin_of(code: str) -> str:
    for pattern, replacement in TWINS:
        code = re.sub(pattern, replacement, code)
    return code if code.startswith(HEADER) else HEADER + code


def written() -> dict[Path, str]:
    """All files that are written, by path."""
    document = json.loads(DOCUMENT.read_text())
    types = Types(document["components"]["schemas"])
    resources = resources_of(document, types)
    sources = {"resources.py": resources}
    for name in ("transport.py", "client.py"):
        sources[name] = (HERE / "parley/_async" / name).read_text()
    files = {HERE / "parley/_sync" / name: twin_of(code) for name, code in sources.items()}
    files[HERE / "parley/_async/resources.py"] = resources
    files[HERE / "parley/types.py"] = HEADER + TYPES_HEAD + "\n\n" + "\n\n".join(types.code)
    return files


def main() -> None:
    for path, text in written().items():
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            raise SystemExit(f"{path.relative_to(HERE.parent.parent)} differs from what generate.py writes. Run python3 clients/python/generate.py")


if __name__ == "__main__":
    main()
