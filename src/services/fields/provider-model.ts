import { z } from "zod";
import { modelError, type Providers } from "#llm";
import { refineWith } from "./refine-with";

/**
 * A model as a request names it: `<provider>/<model>`.
 * @param providers the configured ones; null: any provider is accepted, as in test mode and in the API document
 */
export const providerModel = (providers: Providers | null) =>
  refineWith(z.string().min(1).max(200), (model) => modelError(model, providers)?.message ?? null, "unknown_provider");
