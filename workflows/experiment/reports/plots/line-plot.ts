import type { Scale } from "./numbers";

export interface LinePoint {
  /** Place among the categories, from 0. */
  at: number;
  mean: number;
  /** null, as `high`: no interval. */
  low: number | null;
  high: number | null;
}

export interface LinePlot {
  title: string;
  subtitle: string;
  description: string;
  /** What the categories are, such as `round`. */
  across: string;
  categories: readonly string[];
  /** Title of the upright axis. */
  axis: string;
  scale: Scale;
  series: readonly { name: string; points: readonly LinePoint[] }[];
  /** A level to compare with, and its meaning. */
  reference: { value: number; words: string } | null;
}
