import { useQueries, useQuery } from "@tanstack/react-query";
import { type Artifact, type ArtifactWithContent, useParley } from "../parley.ts";

/** All artifacts of a run without their contents, in the order in which they were made. */
export function useArtifacts(run: string) {
  const parley = useParley();
  return useQuery({
    queryKey: ["run", run, "artifacts"],
    queryFn: ({ signal }): Promise<Artifact[]> => parley.artifacts.list(run, { limit: 100 }, { signal }).all(),
  });
}

/** An artifact never changes. */
const contentQuery = (parley: ReturnType<typeof useParley>, run: string, id: string) => ({
  queryKey: ["artifact", id],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<ArtifactWithContent> =>
    parley.artifacts.get(run, id, { signal }),
  staleTime: Infinity,
});

export function useArtifact(run: string, id: string) {
  return useQuery(contentQuery(useParley(), run, id));
}

/** Contents of several artifacts, in their order; undefined for those that are not there yet. */
export function useContents<T>(run: string, artifacts: readonly Artifact[]): (T | undefined)[] {
  const parley = useParley();
  return useQueries({
    queries: artifacts.map(({ id }) => contentQuery(parley, run, id)),
    combine: (results) => results.map(({ data }) => data?.content as T | undefined),
  });
}

/** The newest artifact of a kind; undefined when there is none yet. */
export const newestOf = (artifacts: readonly Artifact[], kind: string): Artifact | undefined =>
  artifacts.findLast((artifact) => artifact.kind === kind);
