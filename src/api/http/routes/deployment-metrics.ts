import { createHash, timingSafeEqual } from "node:crypto";
import { Problem } from "#core/errors";
import { deploymentExposition, EXPOSITION } from "#services/metrics/exposition";
import { getDeploymentMetrics } from "#services/metrics/get-deployment-metrics";
import { processMetrics } from "#services/telemetry/metrics";
import { type AppContext, Router } from "../context";

/** For the operator's Prometheus: all tenants, by a token of its own that opens nothing else. It is no operation of the API. */
export const deploymentMetrics = new Router("Service");

deploymentMetrics.get("/metrics", async (c) => {
  requireToken(c);
  const stored = deploymentExposition(await getDeploymentMetrics(c.var.services));
  const counted = (await processMetrics()?.exposition()) ?? "";
  return c.text(stored + counted, 200, { "Content-Type": EXPOSITION, "Cache-Control": "no-store" });
});

/** @throws Problem `not_found` when the deployment has no token, `unauthenticated` */
function requireToken(c: AppContext): void {
  const { metrics_token } = c.var.services.settings;
  if (metrics_token === null)
    throw new Problem("not_found", "There is nothing at /metrics: this deployment has no METRICS_TOKEN.");
  const given = /^bearer +(\S+)$/i.exec(c.req.header("Authorization")?.trim() ?? "")?.[1] ?? "";
  if (!timingSafeEqual(digest(given), digest(metrics_token)))
    throw new Problem("unauthenticated", "Send `Authorization: Bearer <METRICS_TOKEN>`.");
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
