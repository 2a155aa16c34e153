import type { Owner } from "#core/owner";
import type { Services } from "../services";
import { findCorpus } from "./find-corpus";
import { presentCorpus } from "./present";
import type { PresentedCorpus } from "./schema";

/** @throws Problem `not_found` */
export const getCorpus = async (services: Services, owner: Owner, id: string): Promise<PresentedCorpus> =>
  presentCorpus(await findCorpus(services, owner, id));
