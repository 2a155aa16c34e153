import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { LIST_INTERVAL_MS } from "../parley.ts";

interface Page<T> {
  data: T[];
  next_cursor?: string | null;
}

/** The page of a list that the address names, read again and again. */
export function usePage<T>(
  name: readonly string[],
  read: (query: { limit: number; cursor?: string }, options: { signal: AbortSignal }) => { page(): Promise<Page<T>> },
) {
  const [search] = useSearchParams();
  const cursor = search.get("cursor") ?? undefined;
  return useQuery({
    queryKey: [...name, cursor],
    queryFn: ({ signal }): Promise<Page<T>> => read({ limit: 50, cursor }, { signal }).page(),
    refetchInterval: LIST_INTERVAL_MS,
    placeholderData: (before) => before,
  });
}

/** Does something and reads the named lists again. */
export function useAction<A, R>(action: (given: A) => Promise<R>, name: readonly string[]) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSuccess: () => void queries.invalidateQueries({ queryKey: name }),
  });
}
