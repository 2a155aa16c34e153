import { z } from "@hono/zod-openapi";
import { type IdPrefix, idPattern } from "#core/ids";
import { exampleId } from "#services/fields/schema";

/** An id in a path; an id of another form is not found, like one that does not exist. */
export const pathId = (prefix: IdPrefix) =>
  z
    .string()
    .regex(idPattern(prefix))
    .openapi({ description: `\`${prefix}_\` and a ULID.`, example: exampleId(prefix) });
