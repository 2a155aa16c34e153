import { Core, type ParleyOptions } from "./core.ts";
import { artifacts, corpora, datasets, exportTenant } from "./files.ts";
import * as api from "./generated/sdk.gen.ts";
import { runs } from "./runs.ts";
import type { RequestOptions } from "./transport.ts";
import { unwrap } from "./webhooks.ts";

const resources = (core: Core) => ({
  runs: runs(core),
  artifacts: artifacts(core),
  interactions: {
    list: core.list(api.listInteractions),
    get: core.one(api.getInteraction),
    answer: core.bodyFor(api.answerInteraction),
    /** Gives it a later deadline. */
    extend: core.bodyFor(api.extendInteraction),
    /** Addresses it to somebody else, with a new link. */
    reassign: core.bodyFor(api.reassignInteraction),
    /** The run continues as when nobody answers. */
    withdraw: core.one(api.withdrawInteraction),
  },
  /** Questions by the secret in their `callback_url`, without a key. */
  callbacks: { get: core.one(api.getCallback, "token"), answer: core.bodyFor(api.answerCallback, "token") },
  workflows: { list: core.list(api.listWorkflows), get: core.one(api.getWorkflow, "name") },
  agents: {
    create: core.body(api.createAgent),
    list: core.list(api.listAgents),
    get: core.one(api.getAgent),
    update: core.bodyFor(api.updateAgent),
    delete: core.one(api.deleteAgent),
  },
  corpora: corpora(core),
  documents: {
    create: core.bodyFor(api.addDocuments),
    list: core.listOf(api.listDocuments),
    get: core.part(api.getDocument, "document_id"),
    text: core.part(api.getDocumentContent, "document_id", { parseAs: "text" }),
    delete: core.part(api.deleteDocument, "document_id"),
  },
  datasets: datasets(core),
  templates: {
    create: core.body(api.createTemplate),
    list: core.list(api.listTemplates),
    get: core.one(api.getTemplate),
    update: core.bodyFor(api.updateTemplate),
    delete: core.one(api.deleteTemplate),
    /** Starts a run. */
    start: core.bodyFor(api.startTemplate),
  },
  schedules: {
    create: core.body(api.createSchedule),
    list: core.list(api.listSchedules),
    get: core.one(api.getSchedule),
    update: core.bodyFor(api.updateSchedule),
    delete: core.one(api.deleteSchedule),
    /** Starts a run now. */
    trigger: core.one(api.triggerSchedule),
    listOccurrences: core.listOf(api.listOccurrences),
  },
  keys: {
    create: core.body(api.createKey),
    list: core.list(api.listKeys),
    get: core.one(api.getKey),
    update: core.bodyFor(api.updateKey),
    revoke: core.one(api.revokeKey),
    roll: core.bodyFor(api.rollKey),
  },
  providers: {
    list: core.list(api.listProviders),
    get: core.one(api.getProvider, "provider"),
    putKey: core.bodyFor(api.putProviderKey, "provider"),
    deleteKey: core.one(api.deleteProviderKey, "provider"),
  },
  models: { list: core.plain(api.listModels) },
  audit: { list: core.list(api.listAuditEntries) },
  budget: { get: core.plain(api.getBudget), put: core.body(api.putBudget) },
  tenant: {
    get: core.plain(api.getTenant),
    delete: core.plain(api.deleteTenant),
    metrics: core.plain(api.getMetrics),
    /** Sums of usage and cost by day, workflow, role or model. */
    usage: core.query(api.getUsage),
    export: (options?: RequestOptions) => exportTenant(core, options),
  },
  webhookEndpoints: {
    create: core.body(api.createWebhookEndpoint),
    list: core.list(api.listWebhookEndpoints),
    get: core.one(api.getWebhookEndpoint),
    update: core.bodyFor(api.updateWebhookEndpoint),
    delete: core.one(api.deleteWebhookEndpoint),
    rotateSecret: core.bodyFor(api.rotateWebhookSecret),
    ping: core.one(api.pingWebhookEndpoint),
    listDeliveries: core.listOf(api.listDeliveries),
    /** Of an endpoint with `delivery: "poll"`. */
    lease: core.bodyFor(api.leaseDeliveries),
    acknowledge: core.bodyFor(api.acknowledgeDeliveries),
  },
  deliveries: { get: core.one(api.getDelivery), redeliver: core.one(api.redeliver) },
  /** Checks and parses webhooks that your server receives. */
  webhooks: { unwrap },
  /** State of the service; needs no key. */
  health: core.plain(api.getHealth),
});

export type Parley = ReturnType<typeof resources>;

/** A client of the API. Every operation of the OpenAPI document is a method of one of its resources. */
export const Parley = function (options: ParleyOptions = {}) {
  return resources(new Core(options));
} as unknown as new (options?: ParleyOptions) => Parley;
