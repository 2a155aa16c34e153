/** The agent card: one agent, whose skills are the workflows. */
import { createHash } from "node:crypto";
import type { KeyRow } from "#services/keys/authenticate";
import { toJsonSchema } from "#services/runs/describe-workflow";
import type { Services } from "#services/services";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { AppContext } from "../http/context";
import { ownBase } from "../http/middleware/own-origin";
import { startable } from "../in-process/runs";
import { VERSION } from "./protocol";

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain";

const DESCRIPTION =
  'Runs published multi-agent methods as durable tasks. A skill is a method. Name it in the data part, {"workflow":"debate","input":{…},"options":{…}}, or give its name as `skill` in the metadata beside a text. A task may ask: answer by a message with its taskId.';

/** The card that everybody may read. */
export function serveCard(c: AppContext): Response {
  const { workflows } = c.var.services;
  const text = JSON.stringify(card(workflows, ownBase(c), Object.keys(workflows)));
  const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"`;
  const headers = { "Content-Type": "application/json", "Cache-Control": "public, max-age=3600", ETag: etag };
  return c.req.header("If-None-Match") === etag ? c.body(null, 304, headers) : c.body(text, 200, headers);
}

/** The card for a key: the skills that it may use, each with the JSON Schema of its data part. */
export function extendedCard(services: Services, origin: string, key: KeyRow) {
  const { skills, ...common } = card(services.workflows, origin, startable(services, key));
  return {
    ...common,
    skills: skills.map((skill) => ({
      ...skill,
      description: `${skill.description} Input: ${JSON.stringify(inputSchema(services.workflows[skill.id]!))}`,
    })),
  };
}

function card(workflows: Services["workflows"], origin: string, names: readonly string[]) {
  return {
    name: "Parley",
    description: DESCRIPTION,
    version: "1",
    supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: "JSONRPC", protocolVersion: VERSION }],
    documentationUrl: `${origin}/docs`,
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    securitySchemes: { key: { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "parley_…" } } },
    securityRequirements: [{ schemes: { key: { list: [] } } }],
    defaultInputModes: [JSON_TYPE],
    defaultOutputModes: [JSON_TYPE, "text/markdown"],
    skills: names.map((name) => skillOf(workflows[name]!)),
  };
}

const skillOf = (workflow: WorkflowDefinition) => ({
  id: workflow.name,
  name: workflow.title,
  description: workflow.summary,
  tags: ["multi-agent", workflow.name],
  examples: [JSON.stringify({ workflow: workflow.name, ...workflow.example })],
  ...(textFieldOf(workflow) && { inputModes: [JSON_TYPE, TEXT_TYPE] }),
});

/**
 * The field of the input that a text alone fills: the one that is required, if that is a text, or the one of the example. null: the method needs
 * more than a text.
 */
export function textFieldOf(workflow: WorkflowDefinition): string | null {
  const { properties = {}, required = [] } = inputSchema(workflow);
  const example = Object.entries(workflow.example.input as object);
  const named = required.length ? required : example.map(([name]) => name);
  const [field] = named;
  if (field === undefined || named.length !== 1) return null;
  const type = properties[field]?.type ?? typeof example.find(([name]) => name === field)?.[1];
  return type === "string" ? field : null;
}

const inputSchema = (workflow: WorkflowDefinition) =>
  toJsonSchema(workflow.input, "input") as { properties?: Record<string, { type?: string }>; required?: string[] };
