/**
 * The length of the longest chain of calls: each call of a chain began after the call before it had ended. Calls that can run at the same
 * time overlap, because each takes the endpoint's latency.
 * @param calls milliseconds
 */
export function longestChain(calls: { started_at: number; ended_at: number }[]) {
  let count = 0;
  let lastEnd = -Infinity;
  for (const call of [...calls].sort((a, b) => a.ended_at - b.ended_at)) {
    if (call.started_at < lastEnd) continue;
    count++;
    lastEnd = call.ended_at;
  }
  return count;
}
