import { z } from "zod";

/** The id of a request of JSON-RPC; null when it has no usable one. */
export type RpcId = string | number | null;

const schema = z.object({ id: z.union([z.string(), z.int()]) });

/** The id of a body, also of one that is refused, so that its error names it. */
export const idOf = (body: unknown): RpcId => schema.safeParse(body).data?.id ?? null;
