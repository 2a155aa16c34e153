import { Validator } from "@cfworker/json-schema";
import { resolve } from "./schemas.mjs";

const JSON_TYPES = ["application/json", "application/problem+json"];

/**
 * What every answer must be: one that the document declares, to the last field.
 * @param {any} document OpenAPI
 */
export function answerJudge(document) {
  /** @type {Map<unknown, Validator>} */
  const validators = new Map();
  const validatorOf = (schema) => {
    const known = validators.get(schema);
    if (known) return known;
    const made = new Validator({ ...schema, components: document.components }, "2020-12", false);
    validators.set(schema, made);
    return made;
  };
  const problem = { $ref: "#/components/schemas/Problem" };

  /**
   * @param {any} operation null for a request that no operation takes
   * @param {{method: string}} request
   * @param {{status: number, headers: Record<string, string>, body: Buffer, left: boolean}} answer
   * @returns {string[]} what is wrong with it
   */
  return function judge(operation, { method }, { status, headers, body, left }) {
    const wrong = [];
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    if (!headers["x-request-id"]) wrong.push("There is no X-Request-Id.");
    if (headers["x-content-type-options"] !== "nosniff") wrong.push("There is no X-Content-Type-Options.");
    if ([429, 503].includes(status) && !headers["retry-after"]) wrong.push("There is no Retry-After.");
    if (status >= 500) wrong.push(`The status is ${status}.`);
    const declared = operation?.responses[status];
    const response = declared?.$ref ? resolve(declared.$ref, document) : declared;
    if (operation && !response) return [...wrong, `The status ${status} is not declared.`];
    if (status === 204 || status === 304 || method === "HEAD") {
      return body.length ? [...wrong, `A ${status} has a body.`] : wrong;
    }
    const content = response?.content?.[type] ?? response?.content?.["*/*"];
    if (operation && !content) return [...wrong, `The type ${type || "(none)"} is not declared for ${status}.`];
    if (status >= 400 && type !== "application/problem+json" && type !== "text/html")
      wrong.push(`The problem is of the type ${type}.`);
    // Of a raw body no more is declared than that there is one.
    if (!JSON_TYPES.includes(type) || (status < 400 && operation && !response.content[type]) || left) return wrong;
    return [...wrong, ...bodyFaults(status >= 400 ? [problem, content?.schema] : [content?.schema])];

    function bodyFaults(schemas) {
      const text = body.toString("utf8");
      if (text.includes("\ufffd") && !Buffer.from(text).equals(body)) return ["The body is not UTF-8."];
      let value;
      try {
        value = JSON.parse(text);
      } catch {
        return ["The body is not JSON."];
      }
      const faults = schemas.flatMap((schema) => {
        if (!schema) return [];
        const { valid, errors } = validatorOf(schema).validate(value);
        // The last errors are the innermost ones.
        return valid ? [] : errors.slice(-3).map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
      });
      if (status < 400) return faults;
      if (value.status !== status) faults.push(`The problem says ${value.status}.`);
      if (headers["idempotency-replayed"] !== "true" && value.request_id !== headers["x-request-id"])
        faults.push("The problem names another request.");
      const codes = Object.keys(content?.examples ?? {});
      if (operation && codes.length && !codes.includes(value.code))
        faults.push(`The code ${value.code} is not declared for ${status}.`);
      return faults;
    }
  };
}
