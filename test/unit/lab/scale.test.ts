import { describe, expect, it } from "vitest";
import { monthly, simulate, stored } from "../../../lab/scale/model.ts";

const LOAD = {
  databases: 1,
  round_trip_ms: 1,
  parked: 1e6,
  starts_a_minute: 1000,
  stay_s: 60,
  maintenance_interval_s: 10,
  hours: 2,
  seed: 1,
};

describe("the model of a deployment", () => {
  it("is the same for the same seed", () => {
    expect(simulate(LOAD)).toEqual(simulate(LOAD));
    expect(simulate(LOAD)).not.toEqual(simulate({ ...LOAD, seed: 2 }));
  });

  it("keeps the number of waiting runs, and so as many run as start and are answered", () => {
    const { parked, most_running } = simulate(LOAD);
    expect(Math.abs(parked / 1e6 - 1)).toBeLessThan(0.005);
    expect(most_running).toBeGreaterThan(1900);
    expect(most_running).toBeLessThan(2400);
  });

  it("has a backlog that grows where a database takes too long, and none with more databases", () => {
    expect(simulate({ ...LOAD, round_trip_ms: 5 }).backlog_s).toBeGreaterThan(600);
    expect(simulate({ ...LOAD, round_trip_ms: 5, databases: 8 }).backlog_s).toBe(0);
  });

  it("holds starts that exceed the rate of Workflows, and archives at most what a maintenance pass may", () => {
    const many = simulate({ ...LOAD, databases: 100, starts_a_minute: 9000, hours: 1 });
    expect(many.most_queued).toBeGreaterThan(100_000);
    expect(simulate(LOAD).archivable).toBeGreaterThan(40_000);
    expect(simulate({ ...LOAD, maintenance_interval_s: 5 }).archivable).toBeLessThan(1000);
  });
});

it("what is stored and paid for is counted by hand", () => {
  const kept = stored({ parked: 1e6, starts_a_minute: 1000 }, { archive_after_h: 24, retention_days: 1 });
  expect(kept).toEqual({ database_gb: (1e6 + 1_440_000) * 72e-6, bucket_gb: 0, databases: 18 });
  const { rows_written, database_gb } = monthly(1, { database_gb: 6, bucket_gb: 0, databases: 1 });
  expect(rows_written).toEqual({ units: 43_200 * 602, dollars: 0 });
  expect(database_gb).toEqual({ units: 6, dollars: 0.75 });
});
