const CLOCK = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** A time of the API, in a form for people. */
export const Time = ({ at }: { at: string }) => <time datetime={at}>{`${CLOCK.format(new Date(at))} UTC`}</time>;

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** The time left until then, such as `2 days left`. */
export function timeLeft(at: string): string {
  const ms = Math.max(0, Date.parse(at) - Date.now());
  const [unit, size] = UNITS.find(([, length]) => ms >= length) ?? ["minute", 60_000];
  const count = Math.max(1, Math.floor(ms / size));
  return `${count} ${unit}${count === 1 ? "" : "s"} left`;
}
