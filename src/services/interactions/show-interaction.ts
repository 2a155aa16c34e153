import { Problem } from "#core/errors";
import type { PresentedInteraction } from "./schema";
import type { Services } from "../services";
import type { InteractionRow } from "#store/rows";
import { present, type Viewer } from "./present";

export async function showInteraction(
  services: Services,
  row: InteractionRow,
  viewer: Viewer,
): Promise<PresentedInteraction> {
  const [interaction] = await present(services, [row], viewer);
  if (!interaction) throw new Problem("not_found", `There is no interaction ${row.id}.`);
  return interaction;
}
