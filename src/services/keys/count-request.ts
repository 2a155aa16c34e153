import type { Admission } from "../platform";
import type { Services } from "../services";

/**
 * Counts a request under a name: the id of its key or interaction, or the name of the caller's network.
 * @param limit requests per minute; 0: no limit
 * @returns null when the request is not limited, or could not be counted
 */
export async function countRequest({ platform }: Services, name: string, limit: number): Promise<Admission | null> {
  return limit === 0 ? null : platform.admit(name, limit);
}
