import type { Services } from "../services";
import { findDelivery } from "./find-delivery";
import { type PresentedDelivery, presentDelivery, type Viewer } from "./present-delivery";

export const getDelivery = async (
  services: Services,
  tenant: string,
  id: string,
  viewer: Viewer,
): Promise<PresentedDelivery> => presentDelivery(services, await findDelivery(services, tenant, id), viewer);
