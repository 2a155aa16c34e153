import { expect, it } from "vitest";
import { Histories } from "../../../lab/simulate/histories.ts";

const INTERACTION = "/v1/interactions/int_01MBFYTM23NBT767WYVHD00000";
const RUN = "/v1/runs/run_01MBFYTM23NBT767WYVHD00000";

interface Step {
  from: number;
  to: number;
  status: number;
  path: string;
  method?: string;
  body?: object;
  key?: string;
  shows?: object;
}

function judge(...steps: Step[]): string[] {
  const histories = new Histories();
  for (const { from, to, status, path, method = "POST", body, key, shows = {} } of steps)
    histories.record({ method, path, body, key, from, to, answer: { status, headers: new Headers(), body: shows } });
  return histories.judge();
}

const answer = (from: number, to: number, status: number, n: number): Step => ({
  path: `${INTERACTION}/answer`,
  body: { n },
  from,
  to,
  status,
});
const read = (from: number, to: number, path: string, shows: object): Step => ({
  path,
  method: "GET",
  from,
  to,
  status: 200,
  shows,
});
const verb = (from: number, to: number, status: number, name: string): Step => ({
  path: `${RUN}/${name}`,
  from,
  to,
  status,
});

it("takes a history in which concurrent answers have one order", () => {
  const first = read(5, 6, INTERACTION, { status: "answered", answer: { n: 1 } });
  expect(judge(answer(0, 10, 409, 2), answer(1, 4, 200, 1), first)).toEqual([]);
  expect(judge(answer(0, 3, 200, 1), answer(4, 5, 200, 1))).toEqual([]);
});

it("refuses two accepted answers, an answer that a later read does not show, and one that is lost", () => {
  expect(judge(answer(0, 10, 200, 1), answer(1, 9, 200, 2))).toHaveLength(1);
  expect(judge(answer(0, 3, 200, 1), read(4, 5, INTERACTION, { status: "open", answer: null }))).toHaveLength(1);
  expect(judge(answer(0, 3, 409, 1), read(4, 5, INTERACTION, { status: "open", answer: null }))).toHaveLength(1);
});

it("lets a request without an answer take effect later, or never", () => {
  const open = read(10, 11, INTERACTION, { status: "open", answer: null });
  const answered = read(20, 21, INTERACTION, { status: "answered", answer: { n: 1 } });
  expect(judge(answer(0, 5, 503, 1), open, answered)).toEqual([]);
  expect(judge(answer(0, 5, 503, 1), open)).toEqual([]);
});

it("takes verbs of a run in the order in which their states allow them", () => {
  expect(judge(verb(0, 4, 200, "cancel"), read(2, 3, RUN, { status: "running" }), verb(5, 6, 200, "retry"))).toEqual(
    [],
  );
  expect(judge(verb(0, 4, 200, "cancel"), read(5, 6, RUN, { status: "running" }))).toHaveLength(1);
  expect(judge(verb(0, 4, 200, "cancel"), verb(5, 6, 200, "cancel"))).toHaveLength(1);
});

it("refuses two answers under one key", () => {
  const post = (from: number, id: string): Step => ({
    path: "/v1/corpora",
    key: "k",
    from,
    to: from + 1,
    status: 201,
    shows: { id },
  });
  expect(judge(post(0, "cor_1"), post(5, "cor_1"))).toEqual([]);
  expect(judge(post(0, "cor_1"), post(5, "cor_2"))).toHaveLength(1);
});
