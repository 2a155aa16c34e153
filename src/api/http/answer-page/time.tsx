const CLOCK = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** A time of the API, in a form for people: in UTC, and in the zone of the reader when that is another. */
export const Time = ({ at, zone }: { at: string; zone: string | null }) => {
  const time = new Date(at);
  const local = zone === null ? null : inZone(time, zone);
  return <time datetime={at}>{`${CLOCK.format(time)} UTC${local ? ` (${local})` : ""}`}</time>;
};

/** Such as `Sun 29 Nov, 18:30 GMT+1`; null when that is UTC, or no zone is called so. */
function inZone(time: Date, zone: string): string | null {
  try {
    const clock = new Intl.DateTimeFormat("en-GB", {
      weekday: "short",
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      timeZone: zone,
      timeZoneName: "short",
    });
    const text = clock.format(time);
    return / (?:UTC|GMT)$/.test(text) ? null : text;
  } catch {
    return null;
  }
}

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
