import type { Services } from "../services";
import { findEndpoint } from "./find-endpoint";
import { type PresentedEndpoint, presentEndpoint } from "./present-endpoint";

export const getEndpoint = async (services: Services, tenant: string, id: string): Promise<PresentedEndpoint> =>
  presentEndpoint(await findEndpoint(services, tenant, id));
