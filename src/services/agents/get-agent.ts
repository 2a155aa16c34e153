import type { Services } from "../services";
import { findAgent } from "./find-agent";
import { presentAgent } from "./present-agent";
import type { PresentedAgent } from "./schema";

/** @throws Problem `not_found` */
export const getAgent = async (services: Services, tenant: string, id: string): Promise<PresentedAgent> =>
  presentAgent(await findAgent(services, tenant, id), services.settings.tools);
