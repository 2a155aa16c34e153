import type { Owner } from "#core/owner";
import type { Services } from "../services";
import { findRun } from "./find-run";
import { presentRun } from "./present-run";
import type { PresentedRun } from "./schema";

export async function getRun(services: Services, owner: Owner, id: string): Promise<PresentedRun> {
  return presentRun(services, await findRun(services, owner, id));
}
