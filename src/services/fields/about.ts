import { z } from "zod";
import type { RunRow } from "#store/rows";

/** What a run is about and who asked for it: fields of runs, interactions and webhooks, which people read. */
export const aboutFields = {
  about: z
    .strictObject({
      title: z.string().nullable().describe("The title in the run's input."),
      excerpt: z.string().describe("The beginning of what the input asks for, one line of at most 300 characters."),
    })
    .meta({ id: "AboutRun" }),
  requested_by: z.string().nullable().describe("Who asked for the run, as its creator wrote it."),
};

export interface About {
  about: { title: string | null; excerpt: string };
  requested_by: string | null;
}

export type AboutColumns = Pick<RunRow, "title" | "excerpt" | "requested_by">;

export const aboutOf = ({ title, excerpt, requested_by }: AboutColumns): About => ({
  about: { title, excerpt },
  requested_by,
});
