import { artifactsOf, call } from "./parley";

/** The artifacts of a run, in their order. */
export interface Trace {
  /** Metadata of all artifacts. */
  artifacts: any[];
  /** `caused_by` of all artifacts. */
  actions: string[];
  /** How many artifacts an action has made. */
  count(action: string): number;
  /** Contents of the artifacts of a kind. */
  contents(kind: string): Promise<any[]>;
}

export async function traceOf(key: string, run: { id: string }): Promise<Trace> {
  const artifacts = await artifactsOf(key, run.id);
  const actions = artifacts.map(({ caused_by }) => caused_by);
  return {
    artifacts,
    actions,
    count: (action) => actions.filter((one) => one === action).length,
    contents: async (kind) => {
      const found = artifacts.filter((artifact) => artifact.kind === kind);
      const replies = await Promise.all(
        found.map(({ id }) => call("GET", `/v1/runs/${run.id}/artifacts/${id}`, { key })),
      );
      return replies.map(({ body }) => body.content);
    },
  };
}
