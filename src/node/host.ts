/**
 * The port between the platform in this folder and what runs it: `npm run simulate` runs it on a virtual clock and decides the order of all
 * calls; a server runs it on the real clock (`realHost`).
 */

/** The parts of the platform that a Worker calls. `step` is the platform's own record of a step, which is never refused. */
export type Service = "d1" | "r2" | "object" | "workflow" | "step" | "crypto";

/** A call of the Worker to a service of the platform. */
export interface Call {
  to: Service;
  /** Names the call to a reader, for example its SQL. */
  what: string;
  /** False when the call changes nothing. */
  writes: boolean;
}

/** A part of a process with a memory of its own: a Durable Object, a Workflow instance, a request. Nothing of it runs after its end. */
export class Life {
  private own = false;

  constructor(
    readonly name: string,
    private readonly parent: Life | null = null,
  ) {}

  get hasEnded(): boolean {
    return this.own || this.parent?.hasEnded === true;
  }

  end(): void {
    this.own = true;
  }
}

export interface Host {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls `fn` at a time, in a life: not at all when the life has ended by then.
   * @param life null: the platform itself
   * @returns cancels it
   */
  at(time: number, life: Life | null, fn: () => void): () => void;
  /**
   * Carries a call to the platform, and its answer back to the caller. Either may be late, lost or refused.
   * @param where the life that performs it, when the call arrives; by default the platform itself does
   */
  call<T>(call: Call, perform: () => T | Promise<T>, where?: () => Life): Promise<T>;
}

/** `setTimeout` takes no longer wait. Milliseconds. */
const MAX_TIMER = 2 ** 31 - 1;

/** How what calls write comes to the disk (`GroupCommits`). */
export interface Disk {
  /** Settles when what was written so far is on the disk; undefined: it is there already. */
  durable(): Promise<unknown> | undefined;
  /** Commits what was written in this turn of the event loop, since no other call comes in it. */
  endTurn(): void;
}

const NO_DISK: Disk = { durable: () => undefined, endTurn: () => {} };

/** Runs everything at once, on the machine's clock. A call is answered when what was written so far is on the disk. */
export function realHost(disk: Disk = NO_DISK): Host {
  /** Calls that wait for their turn. */
  let waiting = 0;
  return {
    now: () => Date.now(),
    at(time, life, fn) {
      let timer: ReturnType<typeof setTimeout>;
      const wait = () => {
        const left = time - Date.now();
        timer = setTimeout(left > MAX_TIMER ? wait : ring, Math.min(Math.max(0, left), MAX_TIMER));
      };
      const ring = () => {
        if (!life?.hasEnded) fn();
      };
      wait();
      return () => clearTimeout(timer);
    },
    async call(_call, perform) {
      waiting++;
      await nextTurn();
      waiting--;
      try {
        return await perform();
      } finally {
        const durable = disk.durable(); // before the end of the turn, after which a group that was lost is forgotten
        if (waiting === 0) disk.endTurn();
        await durable;
      }
    },
  };
}

/** Runs everything at once; what a call writes is durable when it returns. */
export const directHost: Host = realHost();

/**
 * Each call gets a turn of the event loop of its own. A storage operation of an object is done within a turn, so that no other call can come
 * in while one is awaited.
 */
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
