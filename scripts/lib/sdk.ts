// The SDK, from its source: nothing has to be built before a script runs.
import "./typescript.ts";

export const { ApiError, Parley } = await import("../../clients/typescript/src/index.ts");
export type Parley = InstanceType<typeof Parley>;
export type {
  Artifact,
  ArtifactWithContent,
  CreateDocument,
  CreateRunOf,
  DatasetItem,
  Interaction,
  Manifest,
  Run,
  Usage,
  WorkflowName,
} from "../../clients/typescript/src/index.ts";

/**
 * A client whose requests all end with a signal.
 * @param url of the server
 */
export function parleyAt(url: string, key: string, signal?: AbortSignal) {
  const fetchUntil: typeof fetch = (input, init = {}) =>
    fetch(input, { ...init, signal: AbortSignal.any([init.signal, signal].flatMap((one) => one ?? [])) });
  return new Parley({ baseURL: url, apiKey: key, fetch: fetchUntil });
}
