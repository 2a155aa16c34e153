import { bullets, inline, table } from "#workflow-kit/markdown";
import type { ReportContext } from "./about";

/** Most reasons of one metric that are shown. */
const MAX_REASONS = 5;

/** How often judges scored and failed, and why; null: nothing was judged. */
export function judgesTable({ judged = [] }: ReportContext): string | null {
  if (judged.length === 0) return null;
  const rows = judged.map(({ metric, judged: scored, failed, limited }) => [
    `\`${metric}\``,
    ...[scored, limited, failed].map(String),
  ]);
  const reasons = judged.flatMap(({ metric, reasons: of }) =>
    of
      .slice(0, MAX_REASONS)
      .map(({ reason, trials }) => `\`${metric}\`, ${trials} ${trials === 1 ? "trial" : "trials"}: ${inline(reason)}`),
  );
  const counted = "A trial where the judge failed has no value in this metric: it counts neither as won nor as lost.";
  return [
    table(["Metric", "Trials judged", "of these on a part of the material", "Judge failed"], rows),
    ...(reasons.length > 0 ? [bullets(reasons), counted] : []),
  ].join("\n\n");
}
