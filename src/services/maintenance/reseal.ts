import { resealMcpServers, storedMcpServers } from "#agents/mcp-servers";
import { log } from "#core/log";
import type { Secrets } from "#core/secrets";
import { type Replacement, type Resealing, SEALED_TABLES, type SealedRow, type SealedTable } from "#store/seals";
import { sealContextOfKey } from "../providers/own-keys";
import type { Services } from "../services";
import { headersOf, signingSecretOf } from "../webhooks/signing-secret";

/** Rows that one maintenance pass looks at. */
const BATCH = 200;
/** A complete pass is repeated after this: an isolate with the old settings may have sealed something since. Milliseconds. */
export const RESEAL_INTERVAL_MS = 60 * 60_000;

/** Where a pass begins. */
const FIRST: NonNullable<Resealing["position"]> = { table: SEALED_TABLES[0]!, after: "" };

/** The values that replace a row's sealed texts, and the number of texts that no secret opens. */
interface Resealed {
  replacements: Replacement[];
  unreadable: number;
}

type Reseal<T extends SealedTable> = (secrets: Secrets, row: SealedRow<T>) => Resealed;

const RESEAL: { [T in SealedTable]: Reseal<T> } = {
  webhook_endpoints(secrets, row) {
    const replacements: Replacement[] = [];
    let unreadable = 0;
    for (const column of ["secret", "previous_secret", "headers"] as const) {
      const before = row[column];
      if (before === null) continue;
      const after = secrets.reseal(before, column === "headers" ? headersOf(row) : signingSecretOf(row));
      if (after === null) unreadable++;
      else replacements.push({ id: row.id, column, before, after });
    }
    return { replacements, unreadable };
  },
  agents(secrets, { id, tenant_id, mcp_servers }) {
    const before = mcp_servers ?? "[]";
    const owner = { tenant: tenant_id, agent: id };
    const { servers, unreadable } = resealMcpServers(secrets, owner, storedMcpServers({ mcp_servers: before }));
    return { replacements: [{ id, column: "mcp_servers", before, after: JSON.stringify(servers) }], unreadable };
  },
  provider_keys(secrets, row) {
    const before = row.sealed!;
    const after = secrets.reseal(before, sealContextOfKey(row));
    const replacements = after === null ? [] : [{ id: row.id, column: "sealed", before, after }];
    return { replacements, unreadable: after === null ? 1 : 0 };
  },
};

/**
 * Seals stored texts again under the secret in use, a batch in each pass, so that an old secret can be dropped. Texts that no secret opens
 * stay; the end of a pass logs how many there are.
 */
export async function resealStored(
  { store, secrets }: Pick<Services, "store" | "secrets">,
  now: number,
): Promise<void> {
  const keys = JSON.stringify(secrets.keyDates);
  const known = await store.seals.resealing();
  const isSame = known?.keys === keys;
  if (isSame && known.position === null && (known.completed_at ?? 0) > now - RESEAL_INTERVAL_MS) return;
  const begun = isSame && known.position !== null ? known : null;
  const { position, unreadable } = await resealBatch({ store, secrets }, begun);
  if (position === null && Object.keys(unreadable).length > 0)
    log.error("stored secrets cannot be opened: their PARLEY_SECRET is not set, or its date has passed", {
      unreadable,
    });
  const completed_at = position === null ? now : isSame ? known.completed_at : null;
  await store.seals.recordResealing({ keys, position, unreadable, completed_at });
}

/** @param begun the pass so far; null: a new one */
async function resealBatch(
  { store, secrets }: Pick<Services, "store" | "secrets">,
  begun: Resealing | null,
): Promise<Pick<Resealing, "position" | "unreadable">> {
  const position = begun?.position ?? FIRST;
  const { table } = position;
  const rows = await store.seals.page(table, position.after, BATCH);
  const resealed = rows.map((row) => (RESEAL[table] as Reseal<SealedTable>)(secrets, row));
  const replacements = resealed.flatMap((row) => row.replacements);
  const replaced = await store.seals.replace(
    table,
    replacements.filter(({ before, after }) => before !== after),
  );
  const next = nextPosition(table, rows);
  const isIncomplete = position.incomplete === true || !replaced;
  if (next === null && isIncomplete) return { position: FIRST, unreadable: {} };
  const failed = resealed.reduce((sum, row) => sum + row.unreadable, 0);
  const before = begun?.unreadable ?? {};
  return {
    position: next && isIncomplete ? { ...next, incomplete: true } : next,
    unreadable: failed > 0 ? { ...before, [table]: (before[table] ?? 0) + failed } : before,
  };
}

function nextPosition(table: SealedTable, rows: readonly { id: string }[]): Resealing["position"] {
  if (rows.length === BATCH) return { table, after: rows.at(-1)!.id };
  const next = SEALED_TABLES[SEALED_TABLES.indexOf(table) + 1];
  return next === undefined ? null : { table: next, after: "" };
}
