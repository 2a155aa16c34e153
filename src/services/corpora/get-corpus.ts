import type { Services } from "../services";
import { findCorpus } from "./find-corpus";
import { presentCorpus } from "./present";
import type { PresentedCorpus } from "./schema";

/** @throws Problem `not_found` */
export const getCorpus = async (services: Services, tenant: string, id: string): Promise<PresentedCorpus> =>
  presentCorpus(await findCorpus(services, tenant, id));
