import type { RunInfo } from "#workflow-kit/run";
import type { Ratings } from "../rules/rating/ratings";
import type { JudgedSummary } from "../rules/judgements";

/** What a report says besides its numbers. */
export interface ReportContext {
  title: string | null;
  run: RunInfo & { id: string; mode: "test" | "live" };
  /** `selection`: which of its items are run, in words. */
  dataset: { id: string; name: string; content_hash: string; selection: string };
  /** Why the experiment ended early; null: it did not. */
  stop_reason: string | null;
  /** Models of the experiment's own judges, by role, and the embedding model. */
  judges: Readonly<Record<string, string>>;
  /** Parameters of judged metrics, by metric: `against plain, samples 3`. */
  parameters?: Readonly<Record<string, string>>;
  /** Judged metrics: how often the judge failed, and why. */
  judged?: readonly JudgedSummary[];
  /** Answers of people; null: nobody was asked. */
  ratings?: Ratings | null;
  agreement: readonly Agreement[];
  /** Addresses of the plots by name, for the images in the report; a plot without one is a table alone. */
  plot_links?: Readonly<Record<string, string>>;
}

/** Agreement of raters beyond chance. */
export interface Agreement {
  /** What they rated, such as `clarity`. */
  of: string;
  /** Such as `Krippendorff's alpha, ordinal`. */
  coefficient: string;
  raters: number;
  items: number;
  /** At most 1; null: it cannot be computed. */
  value: number | null;
}

/** A drawing with its table. */
export interface Plot {
  /** Such as `means-accuracy`: letters, digits and `-`. */
  name: string;
  title: string;
  /** The drawing in words. */
  alt: string;
  svg: string;
  table: { head: readonly string[]; rows: readonly (readonly string[])[] };
}
