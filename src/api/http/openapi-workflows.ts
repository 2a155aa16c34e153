import { type JsonSchema, toJsonSchema } from "#services/runs/describe-workflow";
import { createRunSchema } from "#services/runs/requests";
import type { WorkflowDefinition } from "#workflow-kit/workflow";

/** The parts of the OpenAPI document that depend on the workflows: a body that starts a run, and a run, are unions by `workflow`. */

type Schemas = Record<string, JsonSchema>;

/**
 * Adds input, options and output of each workflow, `CreateRun`, `Run` and `RunEntry`. Fields with defaults are optional in a request, and present in
 * an answer: the schemas of both sides differ.
 * @param schemas of the document, with `Run` and `RunEntry` as every workflow has them
 * @returns an example of each body that starts a run
 */
export function addWorkflows(
  schemas: Schemas,
  workflows: Readonly<Record<string, WorkflowDefinition>>,
): Record<string, unknown> {
  const union: Record<"CreateRun" | "Run" | "RunEntry", Record<string, string>> = {
    CreateRun: {},
    Run: {},
    RunEntry: {},
  };
  const examples: Record<string, unknown> = {};
  for (const workflow of Object.values(workflows)) {
    const { name } = workflow;
    const title = name[0]!.toUpperCase() + name.slice(1);
    const asked = {
      input: add(schemas, `${title}Input`, toJsonSchema(workflow.input, "input")),
      options: add(schemas, `${title}Options`, toJsonSchema(workflow.options, "input")),
    };
    const shown = {
      workflow: { type: "string", const: name },
      input: add(schemas, `${title}RunInput`, toJsonSchema(workflow.input, "output")),
      options: add(schemas, `${title}RunOptions`, toJsonSchema(workflow.options, "output")),
      output: {
        anyOf: [add(schemas, `${title}Output`, toJsonSchema(workflow.output, "output")), { type: "null" }],
        description: (schemas.Run!.properties as Schemas).output!.description,
      },
    };
    const body = toJsonSchema(
      createRunSchema(workflow, { mode: "test", url_policy: { allow_private: false } }),
      "input",
    );
    union.CreateRun[name] = add(schemas, `Create${title}Run`, withProperties(body, asked)).$ref as string;
    union.Run[name] = add(schemas, `${title}Run`, withProperties(schemas.Run!, shown)).$ref as string;
    union.RunEntry[name] = add(schemas, `${title}RunEntry`, withProperties(schemas.RunEntry!, shown)).$ref as string;
    examples[name] = { summary: workflow.title, value: { workflow: name, ...workflow.example } };
  }
  for (const [name, mapping] of Object.entries(union)) {
    schemas[name] = {
      ...(schemas[name]?.description !== undefined && { description: schemas[name].description }),
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: "workflow", mapping },
    };
  }
  return examples;
}

/** The schema with other schemas of those of its properties that are given. */
function withProperties(schema: JsonSchema, given: Schemas): JsonSchema {
  const properties = Object.entries(schema.properties as Schemas);
  return { ...schema, properties: Object.fromEntries(properties.map(([name, own]) => [name, given[name] ?? own])) };
}

/** Adds a schema, with those that it defines, as components. @returns the reference to it */
function add(schemas: Schemas, name: string, schema: JsonSchema): JsonSchema {
  const { $schema: _, $defs = {}, ...own } = pointToComponents(schema) as JsonSchema & { $defs?: Schemas };
  for (const [inner, definition] of Object.entries($defs))
    share(schemas, componentOf(inner), isUnnamed(inner) ? ANY_JSON : withoutId(definition));
  if ("$ref" in own) return own; // the schema has its own name
  schemas[name] = withoutId(own);
  return { $ref: `#/components/schemas/${name}` };
}

function share(schemas: Schemas, name: string, schema: JsonSchema): void {
  if (schemas[name] && JSON.stringify(schemas[name]) !== JSON.stringify(schema))
    throw new Error(`Two schemas are called ${name}: one of them needs another name.`);
  schemas[name] = schema;
}

/** The one definition without a name is any value of JSON. Its own schema refers to itself, which some generators turn into types that do not compile. */
const isUnnamed = (definition: string): boolean => definition.startsWith("__");
const ANY_JSON = { description: "Any value of JSON." };

/** The name of a component for a definition. */
const componentOf = (definition: string): string => (isUnnamed(definition) ? "JsonValue" : definition);

/** Points references to `$defs` at the components that these become. */
function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name === "$ref" && typeof inner === "string"
        ? [name, inner.replace(/^#\/\$defs\/(.*)$/, (_, own) => `#/components/schemas/${componentOf(own)}`)]
        : [name, pointToComponents(inner)],
    ),
  );
}

const withoutId = ({ id: _, ...schema }: JsonSchema): JsonSchema => schema;
