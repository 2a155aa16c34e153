import { batch } from "./batch";
import { boundedPage } from "./bounded-page";
import { type ContentStore, INLINE_LIMIT, type StoredContent } from "./contents";
import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import { inParameters } from "./parameters";
import { bytesOf, type QuotaStore } from "./quotas";
import { toPage } from "./page";
import type { DatasetItemRow, DatasetRow } from "./rows";
import { NOT_ENDED } from "./run-state";
import { chunksOf } from "#core/chunks";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

/** Fields of a data set that callers change. */
export type DatasetFields = Pick<DatasetRow, "name" | "description" | "metadata">;

const FIELDS = ["name", "description", "metadata"] as const satisfies readonly (keyof DatasetFields)[];

/** Filters of a list, exact matches. */
export interface DatasetFilter {
  name?: string;
  workflow?: string;
  content_hash?: string;
  status?: "open" | "closed";
}

/** An item to add; `content` is canonical JSON. */
export interface NewItem {
  item_id: string;
  content: string;
}

/** Most items and bytes of a data set. */
export interface DatasetBounds {
  items: number;
  bytes: number;
}

/** Bytes that the row of an item or of a data set counts in the quota besides its text, as the triggers count them. */
const ROW_BYTES = 1000;
/** Objects that are written or read at the same time. */
const OBJECT_CONCURRENCY = 6;
/** Items of a page that `someItems` reads; its bytes are bounded too. */
const PAGE_ITEMS = 500;

const OWN = "id = ?1 AND tenant_id = ?2 AND mode = ?3";

/** Data sets and their items. */
export class DatasetStore {
  constructor(
    private readonly db: D1Database,
    private readonly contents: ContentStore,
    private readonly idempotency: IdempotencyStore,
    private readonly quotas: QuotaStore,
  ) {}

  /** @throws QuotaExceededError */
  async create(row: DatasetRow, completion?: RequestCompletion): Promise<void> {
    const { latest_upload: _, ...columns } = row;
    const names = Object.keys(columns);
    const insert = this.db
      .prepare(`INSERT INTO datasets (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
      .bind(...Object.values(columns));
    const needs = { datasets: 1, stored_bytes: ROW_BYTES };
    await this.idempotency.write(insert, completion, { tenant: row.tenant_id, needs });
  }

  async get({ tenant_id, mode }: Owner, id: string): Promise<DatasetRow | null> {
    return this.db.prepare(`SELECT * FROM datasets WHERE ${OWN}`).bind(id, tenant_id, mode).first<DatasetRow>();
  }

  /** Newest first. */
  async list(
    { tenant_id, mode }: Owner,
    filter: DatasetFilter,
    limit: number,
    after: string | null,
  ): Promise<Page<DatasetRow>> {
    const { results } = await this.db
      .prepare(
        `SELECT * FROM datasets WHERE tenant_id = ?1 AND mode = ?2 AND (?3 IS NULL OR id < ?3) AND (?4 IS NULL OR name = ?4)
         AND (?5 IS NULL OR workflow = ?5) AND (?6 IS NULL OR content_hash = ?6)
         AND (?7 IS NULL OR ?7 = iif(closed_at IS NULL, 'open', 'closed')) ORDER BY id DESC LIMIT ?8`,
      )
      .bind(
        tenant_id,
        mode,
        after,
        filter.name ?? null,
        filter.workflow ?? null,
        filter.content_hash ?? null,
        filter.status ?? null,
        limit + 1,
      )
      .all<DatasetRow>();
    return toPage(results, limit, (row) => row.id);
  }

  /** Updates the given fields; false when the owner has no such data set. */
  async update(
    { tenant_id, mode }: Owner,
    id: string,
    change: Partial<DatasetFields>,
    completion?: RequestCompletion,
  ): Promise<boolean> {
    const given = FIELDS.filter((field) => change[field] !== undefined);
    const update = this.db
      .prepare(
        `UPDATE datasets SET updated_at = ?4${given.map((field, at) => `, ${field} = ?${at + 5}`).join("")} WHERE ${OWN}`,
      )
      .bind(id, tenant_id, mode, Date.now(), ...given.map((field) => change[field]));
    return (await this.idempotency.write(update, completion)).changes > 0;
  }

  // Items

  /** Of these ids, those that an item of the data set has. */
  async knownItems(dataset: string, ids: readonly string[]): Promise<Set<string>> {
    const { results } = await this.db
      .prepare(
        "SELECT item_id FROM dataset_items WHERE dataset_id = ?1 AND item_id IN (SELECT value FROM json_each(?2))",
      )
      .bind(dataset, JSON.stringify(ids))
      .all<{ item_id: string }>();
    return new Set(results.map(({ item_id }) => item_id));
  }

  /**
   * Adds items to an open data set behind its others, all or none. A batch with an id that an item has already fails (`isKnownItem`).
   * @param upload names the transaction
   * @returns false when nothing was added: it is closed or deleted, or would exceed its bounds
   * @throws QuotaExceededError
   */
  async addItems(
    { tenant_id, mode, id }: Owner & { id: string },
    upload: string,
    items: readonly NewItem[],
    { bounds, completion }: { bounds: DatasetBounds; completion?: RequestCompletion | undefined },
  ): Promise<boolean> {
    const bytes = items.reduce((sum, { content }) => sum + bytesOf(content), 0);
    const needs = { dataset_items: items.length, stored_bytes: bytes + ROW_BYTES * items.length };
    // Before objects are written that a refused request would leave for the maintenance worker.
    if (items.some(({ content }) => bytesOf(content) > INLINE_LIMIT)) await this.quotas.assertRoom(tenant_id, needs);
    const stored: (Omit<NewItem, "content"> & StoredContent)[] = [];
    for (const some of chunksOf(items, OBJECT_CONCURRENCY))
      stored.push(
        ...(await Promise.all(some.map((item, at) => this.storeItem(tenant_id, id, upload, stored.length + at, item)))),
      );
    const claim = this.db
      .prepare(
        `UPDATE datasets SET items = items + ?4, bytes = bytes + ?5, latest_upload = ?6, updated_at = ?7
         WHERE ${OWN} AND closed_at IS NULL AND items + ?4 <= ?8 AND bytes + ?5 <= ?9`,
      )
      .bind(id, tenant_id, mode, items.length, bytes, upload, Date.now(), bounds.items, bounds.bytes);
    const insert = this.db.prepare(
      `INSERT INTO dataset_items (dataset_id, tenant_id, item_id, content, content_key, size, sha256)
       SELECT d.id, d.tenant_id, value ->> '$.item_id', value ->> '$.content', value ->> '$.content_key', value ->> '$.size', value ->> '$.sha256'
       FROM json_each(?3) item CROSS JOIN datasets d ON d.id = ?1 AND d.latest_upload = ?2 ORDER BY item.key`,
    );
    const { claimed } = await this.quotas.batch(tenant_id, needs, {
      claimed: await this.idempotency.withCompletion(claim, completion),
      inserts: inParameters(stored).map((json) => insert.bind(id, upload, json)),
    });
    return claimed.changes > 0;
  }

  private async storeItem(tenant: string, dataset: string, upload: string, at: number, { item_id, content }: NewItem) {
    return { item_id, ...(await this.contents.put(`${folderOf(tenant, dataset)}/${upload}-${at}`, content)) };
  }

  /** Items in their order, a page of at most `limit` and about a mebibyte. @param after position of the last item of the page before */
  async items(dataset: string, limit: number, after: number): Promise<Page<DatasetItemRow>> {
    const where = "dataset_id = ?1 AND position > ?2";
    const listing = {
      table: "dataset_items",
      long: [],
      size: "size",
      key: "position",
      order: "ASC",
      where,
      values: [dataset, after],
    } as const;
    return boundedPage(this.db, listing, limit);
  }

  /** The JSON of items, in their order. */
  async contentsOf(rows: readonly DatasetItemRow[]): Promise<string[]> {
    const contents: string[] = [];
    for (const some of chunksOf(rows, OBJECT_CONCURRENCY))
      contents.push(...(await Promise.all(some.map((row) => this.contents.get(row)))));
    return contents;
  }

  /** The JSON of some items behind a position, about a mebibyte; `next` is null at the end. */
  async someItems(dataset: string, after: number): Promise<{ contents: string[]; next: number | null }> {
    const { rows, next } = await this.items(dataset, PAGE_ITEMS, after);
    return { contents: await this.contentsOf(rows), next: next === null ? null : Number(next) };
  }

  /** The JSON of all items of a data set, in their order. */
  async *allItems(dataset: string): AsyncGenerator<string[]> {
    for (let after: number | null = 0; after !== null;) {
      const { contents, next }: Awaited<ReturnType<typeof this.someItems>> = await this.someItems(dataset, after);
      yield contents;
      after = next;
    }
  }

  /** The same, parsed, all in memory. */
  async parsedItems(dataset: string): Promise<unknown[]> {
    const items: unknown[] = [];
    for await (const page of this.allItems(dataset)) for (const item of page) items.push(JSON.parse(item));
    return items;
  }

  /**
   * Closes a data set that still has these items.
   * @param items their number, for which the hash was computed
   * @returns false when it is closed, deleted, or has got more items
   */
  async close(
    { tenant_id, mode, id }: Owner & { id: string },
    { content_hash, items, closed_at }: { content_hash: string; items: number; closed_at: number },
    completion?: RequestCompletion,
  ): Promise<boolean> {
    const update = this.db
      .prepare(
        `UPDATE datasets SET content_hash = ?4, closed_at = ?5, updated_at = ?5 WHERE ${OWN} AND closed_at IS NULL AND items = ?6`,
      )
      .bind(id, tenant_id, mode, content_hash, closed_at, items);
    return (await this.idempotency.write(update, completion)).changes > 0;
  }

  // Runs that read it

  /** Runs that read a data set and have not ended, oldest first. */
  async readers(dataset: string, limit: number): Promise<string[]> {
    const { results } = await this.db
      .prepare(`${READERS} ORDER BY r.id LIMIT ?2`)
      .bind(dataset, limit)
      .all<{ id: string }>();
    return results.map(({ id }) => id);
  }

  /** Deletes a data set with its items; its objects become orphans. False when the owner has none, or a run that has not ended reads it. */
  async remove({ tenant_id, mode }: Owner, id: string, completion?: RequestCompletion): Promise<boolean> {
    const free = `EXISTS (SELECT 1 FROM datasets WHERE ${OWN}) AND NOT EXISTS (${READERS})`;
    const remove = (rows: string) => this.db.prepare(`DELETE FROM ${rows}`).bind(id, tenant_id, mode);
    const { removed } = await batch(this.db, {
      orphans: this.db
        .prepare(`INSERT OR REPLACE INTO orphans (key, due_at) SELECT ?4, ?5 WHERE ${free}`)
        .bind(id, tenant_id, mode, `${folderOf(tenant_id, id)}/`, Date.now()),
      runs: remove(`run_datasets WHERE dataset_id = ?1 AND ${free}`),
      items: remove(`dataset_items WHERE dataset_id = ?1 AND ${free}`),
      removed: await this.idempotency.withCompletion(
        remove(`datasets WHERE ${OWN} AND NOT EXISTS (${READERS})`),
        completion,
      ),
    });
    return removed.changes > 0;
  }

  /** Data sets of a tenant, of both modes. */
  async ofTenant(tenant: string, limit: number): Promise<(Owner & { id: string })[]> {
    const { results } = await this.db
      .prepare("SELECT id, tenant_id, mode FROM datasets WHERE tenant_id = ? ORDER BY mode, id LIMIT ?")
      .bind(tenant, limit)
      .all<Owner & { id: string }>();
    return results;
  }

  /** Deletes the objects of a deleted data set. */
  async removeObjects(tenant: string, id: string): Promise<void> {
    await this.contents.removeOrphan(`${folderOf(tenant, id)}/`);
  }
}

/** Runs r that read data set ?1 and have not ended. */
const READERS = `SELECT r.id FROM run_datasets d JOIN runs r ON r.id = d.run_id WHERE d.dataset_id = ?1 AND r.${NOT_ENDED}`;

const folderOf = (tenant: string, dataset: string) => `${tenant}/${dataset}`;

/** Whether a batch failed because the data set has an item with one of its ids. */
export const isKnownItem = (error: unknown): boolean =>
  String(error).includes("UNIQUE constraint failed: dataset_items");
