// The Python module of resources, whose methods send the document's operations: for the sync client and for the async one.
import type { Answer, Operation } from "./operations.ts";
import { docstring, identifier, literal, pascal } from "./python.ts";

const moduleHead = (
  isAsync: boolean,
  pages: string,
) => `"""Generated from openapi/openapi.json by scripts/python-client.ts. Do not edit."""

from __future__ import annotations

import builtins
from typing import Any, ${isAsync ? "AsyncIterator" : "Iterator"}, Literal, Mapping, Optional, Union, Unpack

from ..core import Core, RequestOptions
${isAsync ? "" : "from ..drivers import drain, run\n"}from ..pages import ${pages}
from . import types as t
`;

/**
 * The type of a method's result.
 * @param pages the class of lists
 */
function resultOf({ kind, type, entry }: Answer, isAsync: boolean, pages: string) {
  const results = {
    json: `t.${type}`,
    list: `${pages}[${entry ? `t.${entry}` : "Any"}, t.${type}]`,
    lines: `${isAsync ? "Async" : ""}Iterator[Any]`,
    text: "str",
    bytes: "builtins.bytes",
    none: "None",
  };
  return results[kind];
}

function signatureOf({ path_parameters, body, query, answer }: Operation) {
  const bodyType = body?.type ? `t.${body.type}` : "Union[str, bytes]";
  const named = query.filter(({ name }) => answer.kind !== "list" || name !== "cursor");
  return [
    "self",
    ...path_parameters.map((name) => `${name}: str`),
    ...(body ? [body.isRequired ? `body: ${bodyType}` : `body: Optional[${bodyType}] = None`] : []),
    ...(query.length > 0 ? ["*"] : []),
    ...named.map(({ name, type, isRequired }) =>
      isRequired ? `${identifier(name)}: ${type}` : `${identifier(name)}: Optional[${type}] = None`,
    ),
    ...(query.length > named.length ? ["cursor: Optional[str] = None"] : []),
    "**options: Unpack[RequestOptions]",
  ].join(", ");
}

/** The call of the core, or of the class of lists. */
function callOf({ method, path, path_parameters, query, body, answer }: Operation, pages: string) {
  const pairs = (names: string[]) => `{${names.map((name) => `${literal(name)}: ${identifier(name)}`).join(", ")}}`;
  const given = [
    ...(answer.kind === "list" ? ["self._core"] : [literal(method)]),
    literal(path),
    pairs(path_parameters),
    ...(query.length > 0 ? [`query=${pairs(query.map(({ name }) => name))}`] : []),
    ...(body ? [body.type ? "body=body" : `content=body, media_type=${literal(body.mediaType)}`] : []),
    "options=options",
  ].join(", ");
  return answer.kind === "list"
    ? `${pages}(${given})`
    : `self._core.${answer.kind === "bytes" ? "content" : answer.kind}(${given})`;
}

function methodOf(operation: Operation, isAsync: boolean, pages: string) {
  const { kind } = operation.answer;
  const isPlain = kind === "list" || kind === "lines";
  const call = callOf(operation, pages);
  const inSync = kind === "lines" ? `drain(${call})` : `run(${call})`;
  const inAsync = isPlain ? call : `await ${call}`;
  const result = kind === "list" ? call : isAsync ? inAsync : inSync;
  const define = isAsync && !isPlain ? "async def" : "def";
  const head = `    ${define} ${operation.name}(${signatureOf(operation)}) -> ${resultOf(operation.answer, isAsync, pages)}:\n`;
  return `${head}${docstring(operation.summary, "        ")}        return ${result}\n`;
}

/**
 * @param resources operations by resource
 * @returns the module's source
 */
export function clientModule(resources: Map<string, Operation[]>, isAsync: boolean): string {
  const pages = isAsync ? "AsyncPages" : "Pages";
  const methods = (name: string) => (resources.get(name) ?? []).map((operation) => methodOf(operation, isAsync, pages));
  const names = [...resources.keys()].filter((name) => name !== "");
  const classes = names.map((name) => {
    const start = `class ${pascal(name)}:\n    def __init__(self, core: Core) -> None:\n        self._core = core\n`;
    return [start, ...methods(name)].join("\n");
  });
  const fields = names.map((name) => `        self.${name} = ${pascal(name)}(core)\n`).join("");
  const client = `class Client:\n    def __init__(self, core: Core) -> None:\n        self._core = core\n${fields}`;
  return [moduleHead(isAsync, pages), ...classes, [client, ...methods("")].join("\n")].join("\n\n");
}
