import type { Usage } from "../parley.ts";

/** Dollars; null: the model has no price. Zero is shown as such: the mock model is free. */
export function formatCost(dollars: number | null): string {
  if (dollars === null) return "–";
  if (dollars === 0) return "$0";
  return dollars < 0.01 ? `$${dollars.toFixed(4)}` : `$${dollars.toFixed(2)}`;
}

export const formatCount = (count: number): string => count.toLocaleString("en");

/** `1.2k`, `3.4M`. */
export const formatCompact = (count: number): string =>
  new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(count);

export const tokensOf = (usage: Usage): number => usage.input_tokens + usage.output_tokens;

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** A name of the API as words: `requirement_draft` is "Requirement draft". */
export function humanize(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
