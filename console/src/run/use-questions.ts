import { useQuery } from "@tanstack/react-query";
import { LIST_INTERVAL_MS, useParley } from "../parley.ts";

/** Every question that a run has asked, read again and again. */
export function useQuestions(run: string) {
  const parley = useParley();
  return useQuery({
    queryKey: ["run", run, "questions"],
    queryFn: ({ signal }) => parley.interactions.list({ run_id: run, limit: 100 }, { signal }).all(),
    refetchInterval: LIST_INTERVAL_MS,
  });
}
