import type { Services } from "../services";
import { findRun } from "./find-run";
import { type PresentedRun, presentRun } from "./present-run";

export async function getRun(services: Services, tenant: string, id: string): Promise<PresentedRun> {
  return presentRun(services, await findRun(services, tenant, id));
}
