import { z } from "zod";
import { EVENT_SCHEMAS, type RunEvent } from "#core/events";

const [first, ...rest] = Object.values(EVENT_SCHEMAS) as unknown as z.ZodObject[];

/** The Event of the API (design: api.md, "Events and webhooks"): a union by `type`. */
export const eventSchema = z.discriminatedUnion("type", [first!, ...rest]).meta({
  id: "Event",
  description: "By `type`. More types may come: ignore those that you do not know.",
}) as unknown as z.ZodType<RunEvent>;
export type PresentedEvent = RunEvent;
