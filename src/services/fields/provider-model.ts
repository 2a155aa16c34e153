import { z } from "zod";
import type { Providers } from "#llm";
import { refineWith } from "./refine-with";

/**
 * A model as a request names it: `<provider>/<model>`.
 * @param providers the configured ones; null: any provider is accepted, as in the API document
 */
export const providerModel = (providers: Providers | null) =>
  refineWith(z.string().min(1).max(200), (model) => refuseModel(model, providers), "unknown_provider");

function refuseModel(model: string, providers: Providers | null): string | null {
  const provider = /^([^/]+)\/./s.exec(model)?.[1];
  if (provider === undefined) return `"${model}" is not of the form <provider>/<model>.`;
  if (!providers || providers.byName.has(provider)) return null;
  return `There is no provider ${provider}. Configured providers: ${[...providers.byName.keys()].join(", ") || "none"}.`;
}
