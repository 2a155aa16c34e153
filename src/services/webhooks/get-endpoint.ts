import type { Owner } from "#core/owner";
import type { Services } from "../services";
import { findEndpoint } from "./find-endpoint";
import { presentEndpoint } from "./present-endpoint";
import type { PresentedEndpoint } from "./schema";

export const getEndpoint = async (services: Services, owner: Owner, id: string): Promise<PresentedEndpoint> =>
  presentEndpoint(await findEndpoint(services, owner, id));
