import type { Owner } from "#core/owner";
import { findInteraction, noSuchInteraction } from "../interactions/interactions";
import { findRun, noSuchRun } from "./runs";
import type { Services } from "../services";

/** Runs of other workflows do not exist for a key that is bound. @throws Problem `not_found` */
export async function requireRunOf(
  services: Services,
  workflows: readonly string[],
  owner: Owner,
  id: string,
): Promise<void> {
  const { workflow } = await findRun(services, owner, id);
  if (!workflows.includes(workflow)) throw noSuchRun(id);
}

/** @throws Problem `not_found` */
export async function requireInteractionOf(
  services: Services,
  workflows: readonly string[],
  owner: Owner,
  id: string,
): Promise<void> {
  const { run_id } = await findInteraction(services, owner, id);
  const { workflow } = await findRun(services, owner, run_id);
  if (!workflows.includes(workflow)) throw noSuchInteraction(id);
}
