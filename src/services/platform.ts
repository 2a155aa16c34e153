/** Requests are counted by the minute. Milliseconds. */
export const WINDOW = 60_000;

/** Whether a request is let in, how many more will be in this window, and when the next one begins. */
export interface Admission {
  admitted: boolean;
  remaining: number;
  resets_in_ms: number;
}
