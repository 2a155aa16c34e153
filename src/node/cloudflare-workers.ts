/** Replaces `cloudflare:workers` where the Worker runs on Node (an alias of the bundle). */
class Entrypoint {
  constructor(
    protected readonly ctx: unknown,
    protected readonly env: unknown,
  ) {}
}

export class DurableObject extends Entrypoint {}
export class WorkflowEntrypoint extends Entrypoint {}
