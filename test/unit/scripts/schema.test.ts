/** What `npm run schema` makes of migrations; `npm run verify` compares its files with those of the repository. */
import { expect, it } from "vitest";
import { generate } from "../../../scripts/schema/generate";

const FIRST = `-- What it is.
CREATE TABLE budgets (
  tenant_id TEXT PRIMARY KEY, month TEXT NOT NULL,
  -- What it may do
  at_limit TEXT NOT NULL CHECK (at_limit IN ('refuse', 'alarm')), -- then, when it is spent (or nearly)
  spent INTEGER NOT NULL DEFAULT (1 + 1), -- {0 | 1} 0: nothing; 'a', b
  hidden TEXT, -- {sql} only triggers read it
  UNIQUE (tenant_id, month)
) STRICT;
CREATE INDEX by_month ON budgets (month);
`;

const LATER = `ALTER TABLE budgets ADD COLUMN warned_at INTEGER; -- NULL: never

-- Why it is a trigger.
CREATE TRIGGER warned AFTER UPDATE OF spent ON budgets BEGIN
  SELECT 1;
END;
`;

it("tables have their indexes and triggers, with all comments, also those of columns that a later migration adds", () => {
  const { sql } = generate([
    ["0001_first.sql", FIRST],
    ["0002_later.sql", LATER],
  ]);
  expect(sql).toContain(`-- What it is.
CREATE TABLE budgets (
  tenant_id TEXT PRIMARY KEY,
  month TEXT NOT NULL,
  -- What it may do
  at_limit TEXT NOT NULL CHECK (at_limit IN ('refuse', 'alarm')), -- then, when it is spent (or nearly)
  spent INTEGER NOT NULL DEFAULT (1 + 1), -- {0 | 1} 0: nothing; 'a', b
  hidden TEXT, -- {sql} only triggers read it
  warned_at INTEGER, -- NULL: never
  UNIQUE (tenant_id, month)
) STRICT;
CREATE INDEX by_month ON budgets (month);

-- Why it is a trigger.
CREATE TRIGGER warned AFTER UPDATE OF spent ON budgets BEGIN
  SELECT 1;
END;
`);
});

it("types of rows have the columns that code reads: what CHECKs and braces permit, null, and comments", () => {
  const { types } = generate([
    ["0001_first.sql", FIRST],
    ["0002_later.sql", LATER],
  ]);
  expect(types).toContain(`/** What it is. */
export interface BudgetRow {
  tenant_id: string;
  month: string;
  // What it may do
  /** Then, when it is spent (or nearly). */
  at_limit: "refuse" | "alarm";
  /** 0: nothing; 'a', b. */
  spent: 0 | 1;
  /** null: never. */
  warned_at: number | null;
}
`);
});
