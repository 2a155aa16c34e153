import { z } from "zod";
import { jsonFormat } from "#llm";

/** The output format of these tests. */
export const RELATIONS = jsonFormat(
  "relations",
  z.object({ relations: z.array(z.object({ from: z.string().min(1), to: z.enum(["actor", "use_case"]) })) }),
  ({ relations }) => (relations.length === 0 ? ["relations: must not be empty."] : []),
);

export const GOOD = { relations: [{ from: "a", to: "actor" }] };
export const WRONG = { relations: [{ from: "a", to: "machine" }] };
