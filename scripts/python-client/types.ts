// The Python module of TypedDicts, one for each object of the document.
import type { Json } from "../lib/json.ts";
import { docstring, identifier, literal, pascal, refName } from "./python.ts";

const HEAD = `"""Generated from openapi/openapi.json by scripts/python-client.ts. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, TypeAlias, TypedDict, Union
`;

/** A TypedDict written as a class needs keys that are identifiers. */
const isKey = (name: string) => /^[A-Za-z_]\w*$/.test(name) && identifier(name) === name;

const SIMPLE: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

const union = (types: string[]) => {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? distinct.join() : `Union[${distinct.join(", ")}]`;
};

/** A field of a TypedDict. */
interface Field {
  key: string;
  type: string;
  description: string | undefined;
}

/** @returns the module's source */
export function typesModule(document: Json): string {
  const { schemas } = document.components;
  const taken = new Set(Object.keys(schemas));
  const classes: string[] = [];

  /** The name of an object without one: that of its parent and its key. */
  const freeName = (wanted: string) => {
    let name = wanted;
    for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`;
    taken.add(name);
    return name;
  };

  /**
   * The type of a schema.
   * @param name the name of an object that has none
   */
  function typeOf(schema: Json, name: string): string {
    if (schema === undefined || schema === true) return "Any";
    if (schema.$ref) return refName(schema.$ref);
    if ("const" in schema) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices)
      return union(choices.map((choice: Json, index: number) => typeOf(choice, index ? `${name}${index + 1}` : name)));
    const part = schema.allOf?.find((it: Json) => it.$ref);
    if (part) return typeOf(part, name);
    if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => typeOf({ ...schema, type }, name)));
    if (schema.type === "array") return `List[${itemOf(schema, name)}]`;
    if (schema.type === "object" || schema.properties) return objectOf(schema, name);
    return SIMPLE[schema.type] ?? "Any";
  }

  const itemOf = (schema: Json, name: string): string =>
    schema.prefixItems
      ? union(schema.prefixItems.map((item: Json) => typeOf(item, `${name}Item`)))
      : typeOf(schema.items, `${name}Item`);

  function objectOf(schema: Json, name: string): string {
    if (schema.properties) return writeObject(schema, freeName(name));
    const { additionalProperties: values } = schema;
    return `Dict[str, ${values === false ? "Any" : typeOf(values, `${name}Value`)}]`;
  }

  /** Writes a TypedDict, and returns its name. */
  function writeObject(schema: Json, name: string): string {
    const required = schema.required ?? [];
    const fields = Object.entries<Json>(schema.properties).map(([key, property]): Field => {
      const type = typeOf(property, name + pascal(key));
      return { key, type: required.includes(key) ? type : `NotRequired[${type}]`, description: property.description };
    });
    classes.push(fields.every(({ key }) => isKey(key)) ? asClass(name, schema, fields) : asCall(name, fields));
    return name;
  }

  for (const [name, schema] of Object.entries<Json>(schemas)) {
    if (schema.properties) writeObject(schema, name);
    else classes.push(`${name}: TypeAlias = ${JSON.stringify(typeOf(schema, name)).replaceAll('\\"', "'")}\n`);
  }
  return [HEAD, ...classes].join("\n\n");
}

function asClass(name: string, { description }: Json, fields: Field[]) {
  const lines = fields.map(
    (field) => `    ${field.key}: ${field.type}\n${field.description ? docstring(field.description, "    ") : ""}`,
  );
  const body = (description ? docstring(description, "    ") : "") + lines.join("");
  return `class ${name}(TypedDict):\n${body || "    pass\n"}`;
}

/** A key such as "from" needs the form that is a call, in which types of this module are quoted. */
const asCall = (name: string, fields: Field[]) => {
  const entries = fields.map(({ key, type }) => {
    const [, optional] = /^NotRequired\[(.*)\]$/.exec(type) ?? [];
    return `    ${literal(key)}: ${optional ? `NotRequired[${quoted(optional)}]` : quoted(type)},\n`;
  });
  return `${name} = TypedDict("${name}", {\n${entries.join("")}})\n`;
};

const quoted = (type: string) => `'${type}'`;
