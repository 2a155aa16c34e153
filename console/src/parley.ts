import { type Event, type Interaction, type Manifest, Parley, type Run } from "@parley/sdk";
import { useQuery } from "@tanstack/react-query";
import { monitoredFetch } from "./shared/connection.tsx";
import { createContext, useContext } from "react";

export type { Artifact, ArtifactWithContent, LiveCall, Usage } from "@parley/sdk";
export type { Event, Interaction, Manifest, Run };
export type RunEntry = Awaited<ReturnType<ReturnType<Parley["runs"]["list"]>["page"]>>["data"][number];

/** What is known of the person at the console: the client with its key, and a way out. */
export interface Session {
  parley: Parley;
  /** Which of the tenant's two worlds the key opens. */
  mode: "test" | "live";
  signOut: () => void;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("A view of the console is shown to nobody.");
  return session;
}

export const useParley = (): Parley => useSession().parley;

/** @param onRefused called when the server does not accept the key: it was revoked, has expired or was never one */
export const clientOf = (apiKey: string, onRefused?: () => void): Parley =>
  new Parley({
    apiKey,
    baseURL: location.origin,
    fetch: async (url, init) => {
      const response = await monitoredFetch(url, init);
      if (response.status === 401) onRefused?.();
      return response;
    },
  });

export const ENDED: readonly string[] = ["completed", "failed", "canceled"];

/** How often a list is read again. Milliseconds. */
export const LIST_INTERVAL_MS = 2000;

export function useWorkflows() {
  const parley = useParley();
  return useQuery({
    queryKey: ["workflows"],
    queryFn: ({ signal }) => parley.workflows.list(undefined, { signal }).all(),
    staleTime: Infinity,
  });
}

export function useWorkflow(name: string) {
  const parley = useParley();
  return useQuery({
    queryKey: ["workflow", name],
    queryFn: ({ signal }) => parley.workflows.get(name, { signal }),
    staleTime: Infinity,
  });
}
