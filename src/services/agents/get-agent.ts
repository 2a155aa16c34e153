import type { Owner } from "#core/owner";
import type { Services } from "../services";
import { findAgent } from "./find-agent";
import { presentAgent } from "./present-agent";
import type { PresentedAgent } from "./schema";

/** @throws Problem `not_found` */
export const getAgent = async (services: Services, owner: Owner, id: string): Promise<PresentedAgent> =>
  presentAgent(await findAgent(services, owner, id), services.settings.tools);
