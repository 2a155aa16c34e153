import { Validator } from "@cfworker/json-schema";
import type { Answer } from "./send.ts";
import type { Json } from "../../scripts/lib/json.ts";
import { type Document, type Operation, resolve, type Schema } from "./schemas.ts";

const JSON_TYPES = ["application/json", "application/problem+json"];

/**
 * Makes a function that checks whether the OpenAPI document declares a response, with every field.
 * @param document OpenAPI
 */
export function responseChecker(document: Document) {
  const validators: Map<unknown, Validator> = new Map();
  const validatorOf = (schema: Schema) => {
    const known = validators.get(schema);
    if (known) return known;
    const validator = new Validator({ ...schema, components: document.components }, "2020-12", false);
    validators.set(schema, validator);
    return validator;
  };
  const problem = { $ref: "#/components/schemas/Problem" };

  /**
   * @param operation null for a request to no operation
   * @returns faults of the response
   */
  return function check(
    operation: Operation | null,
    { method }: { method: string },
    { status, headers, body, open }: Answer,
  ): string[] {
    const faults: string[] = [];
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    if (!headers["x-request-id"]) faults.push("There is no X-Request-Id.");
    if (headers["x-content-type-options"] !== "nosniff") faults.push("There is no X-Content-Type-Options.");
    if ([429, 503].includes(status) && !headers["retry-after"]) faults.push("There is no Retry-After.");
    if (status >= 500) faults.push(`The status is ${status}.`);
    const declared = operation?.responses[status];
    const response = declared?.$ref ? resolve(declared.$ref, document) : declared;
    if (operation && !response) return [...faults, `The status ${status} is not declared.`];
    if (status === 204 || status === 304 || method === "HEAD") {
      return body.length ? [...faults, `A ${status} has a body.`] : faults;
    }
    const content = response?.content?.[type] ?? response?.content?.["*/*"];
    if (operation && !content) return [...faults, `The type ${type || "(none)"} is not declared for ${status}.`];
    if (status >= 400 && type !== "application/problem+json" && type !== "text/html")
      faults.push(`The problem is of the type ${type}.`);
    // The document says nothing about the content of a raw body.
    if (!JSON_TYPES.includes(type) || (status < 400 && operation && !response.content[type]) || open) return faults;
    return [...faults, ...bodyFaults(status >= 400 ? [problem, content?.schema] : [content?.schema])];

    function bodyFaults(schemas: Schema[]): string[] {
      const text = body.toString("utf8");
      if (text.includes("\ufffd") && !Buffer.from(text).equals(body)) return ["The body is not UTF-8."];
      let value: Json;
      try {
        value = JSON.parse(text);
      } catch {
        return ["The body is not JSON."];
      }
      const found = schemas.flatMap((schema) => {
        if (!schema) return [];
        const { valid, errors } = validatorOf(schema).validate(value);
        // The last errors are the innermost ones.
        return valid ? [] : errors.slice(-3).map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
      });
      if (status < 400) return found;
      if (value.status !== status) found.push(`The problem says ${value.status}.`);
      if (headers["idempotency-replayed"] !== "true" && value.request_id !== headers["x-request-id"])
        found.push("The problem names another request.");
      const codes = Object.keys(content?.examples ?? {});
      if (operation && codes.length && !codes.includes(value.code))
        found.push(`The code ${value.code} is not declared for ${status}.`);
      return found;
    }
  };
}
