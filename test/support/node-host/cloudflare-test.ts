/** What contract tests use of `cloudflare:test`, on the Node host. */
import type { WorkerProcess } from "../../../src/node/worker-process";

const pending = new WeakMap<object, Promise<unknown>[]>();

export function createExecutionContext(): ExecutionContext {
  const background: Promise<unknown>[] = [];
  const context = {
    waitUntil: (work: Promise<unknown>) => void background.push(work),
    passThroughOnException() {},
  };
  pending.set(context, background);
  return context as never;
}

export async function waitOnExecutionContext(context: ExecutionContext): Promise<void> {
  const background = pending.get(context)!;
  while (background.length) await Promise.allSettled(background.splice(0));
}

const instances = new WeakMap<object, () => object>();

/** Makes the stubs of a namespace lead to their objects in memory. */
export function nameStubs({ env, objects }: WorkerProcess, binding: string, className: string): void {
  const namespace = env[binding] as DurableObjectNamespace;
  const live = (objects as unknown as { objects: Map<string, { instance: object }> }).objects;
  env[binding] = {
    ...namespace,
    get(id: { name: string }) {
      const stub = namespace.get(id as never);
      instances.set(stub, () => live.get(`${className}/${id.name}`)!.instance);
      return stub;
    },
  };
}

/** Gives an object in memory to `use`; the stub's object must have been called before. */
export const runInDurableObject = <T>(stub: object, use: (instance: never) => T): T =>
  use(instances.get(stub)!() as never);
