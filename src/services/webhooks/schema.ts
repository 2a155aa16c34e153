import { z } from "zod";
import { WEBHOOK_TYPES } from "#core/vocabulary";

export const webhookTypeSchema = z
  .enum(WEBHOOK_TYPES)
  .meta({ id: "WebhookType", description: "Events of runs, and that another endpoint was disabled." });

export const endpointStatusSchema = z.enum(["enabled", "disabled"]).meta({ id: "WebhookEndpointStatus" });
