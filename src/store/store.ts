import { AgentStore } from "./agents";
import { DEFAULT_QUOTAS, type Quotas } from "#core/quotas";
import { ArchiveStore } from "./archive/archive-store";
import { RunArchives } from "./archive/archives";
import { AuditStore } from "./audit";
import { availableD1, availableR2 } from "./availability";
import { ArtifactStore } from "./artifacts";
import { ChildStore } from "./children";
import { BudgetStore } from "./budgets";
import { CapabilityStore } from "./capabilities";
import { CorpusStore } from "./corpora";
import { ScheduleStore } from "./schedules";
import { TemplateStore } from "./templates";
import { DatasetStore } from "./datasets";
import { DocumentStore } from "./documents";
import { ContentStore } from "./contents";
import { EventStore } from "./events";
import { ExportStore } from "./exports";
import { type Commit, RepeatableCommits } from "./group-commit";
import { MetricsStore } from "./metrics";
import { UsageStore } from "./usage";
import { RunDetailStore } from "./run-details";
import { RunEndStore } from "./run-ends";
import { IdempotencyStore } from "./idempotency";
import { InstanceStore } from "./instances";
import { InteractionStore } from "./interactions";
import { KeyStore } from "./keys";
import { LeaseStore } from "./leases";
import { PaperStore } from "./papers";
import { PassageStore } from "./passages";
import { ProviderKeyStore } from "./provider-keys";
import { QuotaStore } from "./quotas";
import { RunQueue } from "./queue";
import { RunStore } from "./runs";
import { SealStore } from "./seals";
import { StageStore } from "./stages";
import { StreamStore } from "./streams";
import { TenantStore } from "./tenants";
import { MaintenanceStore } from "./maintenance";
import { WebhookStore } from "./webhooks";

/** The only access to D1 and R2. D1 is the source of truth (architecture, law 1). */
export class Store {
  readonly contents: ContentStore;
  readonly archive: ArchiveStore;
  readonly quotas: QuotaStore;
  readonly runs: RunStore;
  readonly children: ChildStore;
  readonly instances: InstanceStore;
  readonly stages: StageStore;
  readonly runDetails: RunDetailStore;
  readonly maintenance: MaintenanceStore;
  readonly queue: RunQueue;
  readonly tenants: TenantStore;
  readonly exports: ExportStore;
  readonly metrics: MetricsStore;
  readonly usage: UsageStore;
  readonly runEnds: RunEndStore;
  readonly artifacts: ArtifactStore;
  readonly interactions: InteractionStore;
  readonly events: EventStore;
  readonly keys: KeyStore;
  readonly audit: AuditStore;
  readonly streams: StreamStore;
  readonly agents: AgentStore;
  readonly providerKeys: ProviderKeyStore;
  readonly corpora: CorpusStore;
  readonly templates: TemplateStore;
  readonly schedules: ScheduleStore;
  readonly datasets: DatasetStore;
  readonly documents: DocumentStore;
  readonly budgets: BudgetStore;
  readonly passages: PassageStore;
  readonly webhooks: WebhookStore;
  readonly leases: LeaseStore;
  readonly capabilities: CapabilityStore;
  readonly papers: PaperStore;
  readonly idempotency: IdempotencyStore;
  readonly seals: SealStore;

  /**
   * Its methods throw Unavailable while D1 or R2 does not answer, and those that create things of a tenant QuotaExceeded.
   * @param quotas limits of tenants for which the operator set no other
   * @param commit groups the commits of runs; null: each goes to D1 by itself
   */
  constructor(database: D1Database, objects: R2Bucket, quotas: Quotas = DEFAULT_QUOTAS, commit: Commit | null = null) {
    const db = availableD1(database);
    const bucket = availableR2(objects);
    const commits = new RepeatableCommits(db, commit);
    this.contents = new ContentStore(db, bucket);
    const archives = new RunArchives(db, bucket);
    this.quotas = new QuotaStore(db, quotas);
    this.idempotency = new IdempotencyStore(db, this.contents, this.quotas);
    this.runs = new RunStore(db, this.contents, archives, this.idempotency, this.quotas);
    this.children = new ChildStore(db, this.contents, archives, this.quotas);
    this.instances = new InstanceStore(db, commits);
    this.stages = new StageStore(db, archives);
    this.runDetails = new RunDetailStore(db);
    this.archive = new ArchiveStore(db, bucket, archives, this.stages);
    this.maintenance = new MaintenanceStore(db);
    this.queue = new RunQueue(db);
    this.tenants = new TenantStore(db);
    this.exports = new ExportStore(db, archives);
    this.metrics = new MetricsStore(db, this.quotas);
    this.usage = new UsageStore(db);
    this.runEnds = new RunEndStore(db);
    this.artifacts = new ArtifactStore(db, this.contents, archives, commits);
    this.interactions = new InteractionStore(db, archives, this.idempotency);
    this.events = new EventStore(db, archives);
    this.keys = new KeyStore(db, this.idempotency, this.quotas);
    this.audit = new AuditStore(db);
    this.streams = new StreamStore(db, this.quotas);
    this.agents = new AgentStore(db, this.idempotency, this.quotas);
    this.providerKeys = new ProviderKeyStore(db);
    this.documents = new DocumentStore(db, this.contents, this.idempotency, this.quotas);
    this.corpora = new CorpusStore(db, this.contents, this.documents, this.idempotency, this.quotas);
    this.templates = new TemplateStore(db, this.idempotency);
    this.schedules = new ScheduleStore(db, this.idempotency);
    this.datasets = new DatasetStore(db, this.contents, this.idempotency, this.quotas);
    this.passages = new PassageStore(db, this.quotas);
    this.webhooks = new WebhookStore(db, archives, this.idempotency, this.quotas);
    this.leases = new LeaseStore(db, this.idempotency);
    this.capabilities = new CapabilityStore(db);
    this.budgets = new BudgetStore(db);
    this.seals = new SealStore(db);
    this.papers = new PaperStore(bucket);
  }
}
