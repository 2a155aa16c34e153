/** RFC 3339 in UTC, as every time of the API is written. */
export const toTime = (ms: number): string => new Date(ms).toISOString();

export const toTimeOrNull = (ms: number | null): string | null => (ms === null ? null : toTime(ms));
