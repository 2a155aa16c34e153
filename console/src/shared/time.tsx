import { useEffect, useState } from "react";

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** A length of time in at most two units: `3 min 12 s`, `240 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const at = UNITS.findIndex(([, size]) => ms >= size);
  const [unit, size] = UNITS[at]!;
  const [smaller, smallerSize] = UNITS[at + 1] ?? [];
  const rest = smallerSize ? Math.floor((ms % size) / smallerSize) : 0;
  return `${Math.floor(ms / size)} ${unit}${rest ? ` ${rest} ${smaller}` : ""}`;
}

/** Wall-clock milliseconds, read anew each second while a part shows them. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** In the time zone of the browser, which the text names: schedules and colleagues may have another. */
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
export const formatTime = (time: string | number): string => FULL.format(new Date(time));

/** How long ago something was, or how soon it will be; its title is the whole date. */
export function Ago({ at, now }: { at: string; now: number }) {
  const ms = now - Date.parse(at);
  const words = Math.abs(ms) < 5000 ? "now" : ms > 0 ? `${roughly(ms)} ago` : `in ${roughly(-ms)}`;
  return (
    <time dateTime={at} title={formatTime(at)}>
      {words}
    </time>
  );
}

/** Two units where one would hide most of the time: 47 hours are not a day. */
export const roughly = (ms: number): string => {
  if (ms >= 7 * 86_400_000) return `${Math.floor(ms / 86_400_000)} d`;
  if (ms >= 3_600_000) return formatDuration(ms);
  const [unit, size] = UNITS.find(([, length]) => ms >= length) ?? UNITS[3];
  return `${Math.floor(ms / size)} ${unit}`;
};

export const Clock = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatTime(at)}>
    {new Date(at).toLocaleTimeString()}
  </time>
);
