import type { Owner } from "#core/owner";
import { type FieldError, Problem } from "#core/errors";
import { newId } from "#core/ids";
import { validationProblem } from "../fields/field-errors";
import type { Services } from "../services";
import type { Complete } from "../idempotency/complete-key";
import { makeKey } from "./make-key";
import { presentKey } from "./keys";
import type { CreatedKey, CreateKey } from "./schema";

/**
 * Creates a key of the tenant. Only this answer shows its text, which is not stored.
 * @throws Problem `wrong_mode` when a test key asks for a live one
 */
export async function createKey(
  services: Services,
  owner: Owner,
  { name, mode, scopes, expires_at, workflows }: CreateKey,
  complete?: Complete<CreatedKey>,
): Promise<CreatedKey> {
  if (mode === "live" && owner.mode === "test") throw new Problem("wrong_mode", "A test key makes only test keys.");
  const errors = workflowErrors(services, workflows ?? []);
  if (errors.length > 0) throw validationProblem(errors);
  const { text, hash, hint } = makeKey(mode);
  const row = {
    id: newId("key"),
    tenant_id: owner.tenant_id,
    name,
    mode,
    hash,
    hint,
    scopes: JSON.stringify(scopes),
    created_at: Date.now(),
    last_used_at: null,
    revoked_at: null,
    expires_at: expires_at === undefined ? null : Date.parse(expires_at),
    workflows: workflows === undefined ? null : JSON.stringify(workflows),
    rolled_to: null,
  };
  const created = { ...presentKey(row), key: text };
  await services.store.keys.create(row, complete?.(created));
  return created;
}

const workflowErrors = ({ workflows }: Services, names: readonly string[]): FieldError[] =>
  names.flatMap((name, index) =>
    Object.hasOwn(workflows, name)
      ? []
      : [
          {
            path: `workflows.${index}`,
            code: "unknown_workflow",
            message: `There is no workflow "${name}"; there are ${Object.keys(workflows).join(", ")}.`,
          },
        ],
  );
