import { log } from "#core/log";
import type { Services } from "../services";
import type { Health } from "./schema";

/** Queries the database once. @param request_id names the request in the log when the database does not answer */
export async function getHealth({ store, settings }: Services, request_id: string): Promise<Health> {
  const { version } = settings;
  try {
    await store.ping();
    return { status: "ok", version };
  } catch (error) {
    log.error("the database does not answer", { request_id, error });
    return { status: "unavailable", version };
  }
}
