import { routePath } from "hono/route";
import type { AuditEntry } from "#services/audit/audit-log";
import { type IdPrefix, isId } from "#core/ids";
import type { AuditOutcome } from "#core/vocabulary";
import type { AppContext } from "./context";

/** Names of objects by the prefixes of their ids. */
const OBJECTS = Object.entries({
  run: "run",
  int: "interaction",
  agt: "agent",
  cor: "corpus",
  doc: "document",
  upl: "upload",
  dst: "dataset",
  tpl: "template",
  sch: "schedule",
  whe: "webhook_endpoint",
  del: "delivery",
  key: "key",
  ten: "tenant",
} satisfies Partial<Record<IdPrefix, string>>) as [IdPrefix, string][];

/** The most that the log takes of a provider's name in a path, which may be any text. Characters. */
const MAX_NAME_LENGTH = 100;

const objectTypeOf = (text: string): string | null => OBJECTS.find(([prefix]) => isId(prefix, text))?.[1] ?? null;

/**
 * The entry of the audit log about a request.
 * @param changed id of what it changes; null, or an id without a name above: the last id of the path
 */
export function auditEntry(c: AppContext, outcome: AuditOutcome, changed: string | null): AuditEntry {
  const { key, interaction_id, request_id } = c.var;
  const inPath = c.req.path.split("/").findLast((part) => objectTypeOf(part) !== null) ?? null;
  const provider = c.req.param("provider")?.slice(0, MAX_NAME_LENGTH);
  const object_id = provider ?? (changed !== null && objectTypeOf(changed) !== null ? changed : inPath);
  return {
    actor: key ? "key" : "interaction",
    actor_id: key ? key.id : interaction_id,
    tenant_id: key ? key.tenant_id : null,
    mode: key ? key.mode : null,
    action: c.var.actions.get(operationKey(c.req.method, routePath(c, -1))) ?? `${c.req.method} ${routePath(c, -1)}`,
    object_type: provider === undefined ? object_id && objectTypeOf(object_id) : "provider",
    object_id,
    request_id,
    outcome,
  };
}

/** @param pattern as the router or as OpenAPI writes it */
export const operationKey = (method: string, pattern: string): string =>
  `${method.toUpperCase()} ${pattern.replace(/\{(\w+)\}/g, ":$1")}`;
