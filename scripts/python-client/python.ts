// Pieces of Python source that several parts of the generator write.

/** "listWebhookEndpoints" or "webhook-endpoints" becomes "list_webhook_endpoints" or "webhook_endpoints". */
export const snake = (name: string) =>
  name
    .replaceAll("-", "_")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase();

/** "webhook-endpoints" or "last_failure" becomes "WebhookEndpoints" or "LastFailure". */
export const pascal = (name: string) =>
  name.replaceAll(/(?:^|[-_])([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

const KEYWORDS =
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  );

/** The name of a parameter: one that Python reserves, such as "from", ends with an underscore. */
export const identifier = (name: string) => (KEYWORDS.includes(name) ? `${name}_` : name);

/** A string literal. JSON's escapes are also Python's. */
export const literal = (value: unknown) => {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : String(value);
};

/** A docstring at this depth, one line as the document has it. */
export const docstring = (text: string, indent: string) => {
  const safe = text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replaceAll("\n", `\n${indent}`);
  return `${indent}"""${safe}${safe.endsWith('"') ? " " : ""}"""\n`;
};

export const refName = (ref: string) => ref.split("/").at(-1) ?? "";
