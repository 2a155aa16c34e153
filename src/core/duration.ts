import { z } from "zod";

export const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of a valid duration such as `90s`, `30m`, `12h` or `7d`. */
export function durationMs(text: string): number {
  const unit = text.at(-1) as keyof typeof UNITS;
  return Number(text.slice(0, -1)) * UNITS[unit];
}

/** A whole number with a unit (`s`, `m`, `h`, `d`), within bounds. */
export const duration = (min: string, max: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}[smhd]$/, {
      error: "Write a whole number and a unit, like 90s, 30m, 12h or 7d.",
      abort: true, // it has no length that could be out of bounds
    })
    .refine((text) => durationMs(text) >= durationMs(min) && durationMs(text) <= durationMs(max), {
      message: `Between ${min} and ${max}.`,
    });

/** A moment as a field of the API. */
export const time = z.iso.datetime().meta({ description: "RFC 3339, UTC.", example: "2026-11-21T09:30:00.000Z" });
