import type { Owner } from "#core/owner";
import type { Services } from "../services";
import { noSuchRun } from "./find-run";
import { presentRun } from "./present-run";
import type { PresentedRun } from "./schema";

export async function getRun(services: Services, owner: Owner, id: string): Promise<PresentedRun> {
  const found = await services.store.runDetails.withRun(owner, id);
  if (!found) throw noSuchRun(id);
  return presentRun(services, found.row, found.details);
}
