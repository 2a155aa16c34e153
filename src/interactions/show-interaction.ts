import { Problem } from "../errors";
import type { Services } from "../services";
import type { InteractionRow } from "../store/rows";
import { present, type ShownInteraction, type Viewer } from "./present";

export async function showInteraction(
  services: Services,
  row: InteractionRow,
  viewer: Viewer,
): Promise<ShownInteraction> {
  const [interaction] = await present(services, [row], viewer);
  if (!interaction) throw new Problem("not_found", `There is no interaction ${row.id}.`);
  return interaction;
}
