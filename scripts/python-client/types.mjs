// The Python module of TypedDicts, one for each object of the document.
import { docstring, identifier, literal, pascal, refName } from "./python.mjs";

const HEAD = `"""Generated from openapi/openapi.json by scripts/python-client.mjs. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, TypeAlias, TypedDict, Union
`;

/** A TypedDict written as a class needs keys that are identifiers. */
const isKey = (name) => /^[A-Za-z_]\w*$/.test(name) && identifier(name) === name;

const SIMPLE = { string: "str", integer: "int", number: "float", boolean: "bool", null: "None" };

const union = (types) => {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? distinct[0] : `Union[${distinct.join(", ")}]`;
};

/** @returns {string} the module's source */
export function typesModule(document) {
  const { schemas } = document.components;
  const taken = new Set(Object.keys(schemas));
  const classes = [];

  /** The name of an object without one: that of its parent and its key. */
  const freeName = (wanted) => {
    let name = wanted;
    for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`;
    taken.add(name);
    return name;
  };

  /** The type of a schema. @param {string} name the name of an object that has none */
  function typeOf(schema, name) {
    if (schema === undefined || schema === true) return "Any";
    if (schema.$ref) return refName(schema.$ref);
    if ("const" in schema) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return union(choices.map((choice, index) => typeOf(choice, index ? `${name}${index + 1}` : name)));
    const part = schema.allOf?.find((it) => it.$ref);
    if (part) return typeOf(part, name);
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, name)));
    if (schema.type === "array") return `List[${itemOf(schema, name)}]`;
    if (schema.type === "object" || schema.properties) return objectOf(schema, name);
    return SIMPLE[schema.type] ?? "Any";
  }

  const itemOf = (schema, name) =>
    schema.prefixItems
      ? union(schema.prefixItems.map((item) => typeOf(item, `${name}Item`)))
      : typeOf(schema.items, `${name}Item`);

  function objectOf(schema, name) {
    if (schema.properties) return writeObject(schema, freeName(name));
    const { additionalProperties: values } = schema;
    return `Dict[str, ${values === false ? "Any" : typeOf(values, `${name}Value`)}]`;
  }

  /** Writes a TypedDict, and returns its name. */
  function writeObject(schema, name) {
    const required = schema.required ?? [];
    const fields = Object.entries(schema.properties).map(([key, property]) => {
      const type = typeOf(property, name + pascal(key));
      return { key, type: required.includes(key) ? type : `NotRequired[${type}]`, description: property.description };
    });
    classes.push(fields.every(({ key }) => isKey(key)) ? asClass(name, schema, fields) : asCall(name, fields));
    return name;
  }

  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties) writeObject(schema, name);
    else classes.push(`${name}: TypeAlias = ${JSON.stringify(typeOf(schema, name)).replaceAll('\\"', "'")}\n`);
  }
  return [HEAD, ...classes].join("\n\n");
}

function asClass(name, { description }, fields) {
  const lines = fields.map(
    (field) => `    ${field.key}: ${field.type}\n${field.description ? docstring(field.description, "    ") : ""}`,
  );
  const body = (description ? docstring(description, "    ") : "") + lines.join("");
  return `class ${name}(TypedDict):\n${body || "    pass\n"}`;
}

/** A key such as "from" needs the form that is a call, in which types of this module are quoted. */
const asCall = (name, fields) => {
  const entries = fields.map(({ key, type }) => {
    const [, optional] = /^NotRequired\[(.*)\]$/.exec(type) ?? [];
    return `    ${literal(key)}: ${optional ? `NotRequired[${quoted(optional)}]` : quoted(type)},\n`;
  });
  return `${name} = TypedDict("${name}", {\n${entries.join("")}})\n`;
};

const quoted = (type) => `'${type}'`;
