/** RFC 3339 in UTC, the format of every time in the API. */
export const toTime = (ms: number): string => new Date(ms).toISOString();

export const toTimeOrNull = (ms: number | null): string | null => (ms === null ? null : toTime(ms));
