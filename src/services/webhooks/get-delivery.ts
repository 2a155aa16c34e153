import type { Owner } from "#core/owner";
import type { Services } from "../services";
import { findDelivery } from "./find-delivery";
import type { Viewer } from "../interactions/show-interaction";
import { presentDelivery } from "./present-delivery";
import type { PresentedDelivery } from "./schema";

/** @throws Problem `not_found` */
export const getDelivery = async (
  services: Services,
  { owner, id, viewer }: { owner: Owner; id: string; viewer: Viewer },
): Promise<PresentedDelivery> => presentDelivery(services, await findDelivery(services, owner, id), viewer);
