import type { DatabaseSync } from "node:sqlite";
import { StorageUnavailableError } from "#core/unavailable";

/** SQLite's primary result codes, by the low byte of their numbers. Any other is an error of the statement. */
const CODES: Record<number, string> = {
  1: "ERROR",
  3: "PERM",
  4: "ABORT",
  5: "BUSY",
  6: "LOCKED",
  7: "NOMEM",
  8: "READONLY",
  9: "INTERRUPT",
  10: "IOERR",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  15: "PROTOCOL",
  18: "TOOBIG",
  19: "CONSTRAINT",
  20: "MISMATCH",
  25: "RANGE",
  26: "NOTADB",
};

/** Errors of a statement or its values: it fails again however often it is executed. */
const OF_STATEMENT = new Set(["ERROR", "TOOBIG", "CONSTRAINT", "MISMATCH", "RANGE"]);
const DAMAGED = new Set(["CORRUPT", "NOTADB"]);

/** The name of SQLite's result code, without its prefix; null for an error that SQLite did not throw. */
export function resultCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("errcode" in error)) return null;
  return CODES[Number(error.errcode) & 0xff] ?? "ERROR";
}

/** Whether the disk, and not the work, is why a write or a read failed: the same work succeeds when the disk is well again. */
export function isStorageFailure(error: unknown): boolean {
  if (error instanceof StorageUnavailableError) return true;
  const code = resultCode(error);
  return code !== null && !OF_STATEMENT.has(code);
}

/** A file of a database holds something that SQLite cannot have written. */
export class DamagedDatabaseError extends Error {
  override name = "DamagedDatabaseError";
  constructor(file: string, cause: Error) {
    super(`${file} is damaged (${cause.message}). Stop the server and restore a backup (docs/node.md, Restore).`, {
      cause,
    });
  }
}

/** The error with the file and the remedy when the database is damaged; otherwise the error itself. */
export function namingDamage(database: DatabaseSync, error: unknown): unknown {
  const code = resultCode(error);
  if (code === null || !DAMAGED.has(code)) return error;
  return new DamagedDatabaseError(database.location() ?? "The database in memory", error as Error);
}

/** The wait before work that the disk has failed is done again: doubled each time, up to half a minute. Milliseconds. */
export const pauseAfter = (failures: number): number => Math.min(1000 * 2 ** failures, 30_000);
