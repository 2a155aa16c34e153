/**
 * Calls on the longest chain of a log: the most calls of which each began after the one before had ended. Calls that could have
 * run together do overlap, since each takes as long as the endpoint's latency.
 * @param {{started_at: number, ended_at: number}[]} calls milliseconds
 */
export function longestChain(calls) {
  let count = 0;
  let free = -Infinity;
  for (const call of [...calls].sort((a, b) => a.ended_at - b.ended_at)) {
    if (call.started_at < free) continue;
    count++;
    free = call.ended_at;
  }
  return count;
}
