import type { LiveCall } from "#core/live-call";
import type { EventType } from "#core/vocabulary";

/** The calls of a run that are under way, as its instance last reported them. */
export interface LiveCalls {
  /** Grows with each report. */
  version: number;
  calls: LiveCall[];
}

/** The position of a reader of a feed: the events and calls that it has seen. */
export interface FeedPosition {
  /** `seq` of its last event. */
  after: number;
  /** Version of the calls; null: the reader does not want them. */
  calls: number | null;
}

/** An event as streams send it. */
export interface EncodedEvent {
  seq: number;
  type: EventType;
  /** Its JSON, which has no line break. */
  json: string;
}

/** The news since a position; empty when the wait ended first. */
export interface FeedUpdate {
  /** In order of `seq`. */
  events: EncodedEvent[];
  calls: LiveCalls | null;
}

/** Where the feed reads the run's events. */
export interface EventSource {
  /** Events with `seq` above `after`, in order. */
  read(after: number, limit: number): Promise<EncodedEvent[]>;
  /** The highest `seq`; 0 when there is no event. */
  newest(): Promise<number>;
}

/** Most events in one answer. */
export const BATCH = 100;
/** Most events in memory; a reader who is further behind gets them from the source. */
const MAX_KEPT = 200;
/** A call to the feed looks into the source when nobody has done so for this long: an announcement may have been lost. Milliseconds. */
const LOOK_AGAIN_MS = 5000;

const NOTHING: FeedUpdate = { events: [], calls: null };

interface Reader {
  position: FeedPosition;
  answer(news: FeedUpdate): void;
}

/**
 * The live feed of one run: readers wait in it, and an announcement of new events wakes them. The events are read and encoded once for all
 * readers. `seq` is dense per run, so the feed knows whether it has all events from a position on.
 */
export class RunFeed {
  /** The newest events, without a gap. */
  private events: EncodedEvent[] = [];
  /** `seq` of the newest event that the feed knows; null: it has not looked yet. */
  private newest: number | null = null;
  /** An announcement has come since the last look. */
  private isStale = true;
  private lookedAt = 0;
  private looking: Promise<void> | null = null;
  private live: LiveCalls = { version: 0, calls: [] };
  private readonly readers = new Set<Reader>();

  constructor(private readonly source: EventSource) {}

  /** Readers that wait now. */
  get waiting(): number {
    return this.readers.size;
  }

  /**
   * What is new behind a position, as soon as there is anything.
   * @param wait_ms after this time the answer is empty
   */
  async next(position: FeedPosition, wait_ms: number): Promise<FeedUpdate> {
    if (Date.now() - this.lookedAt > LOOK_AGAIN_MS) this.isStale = true;
    // Between the last look and the begin of the wait nothing may be awaited: an announcement would find no reader.
    // A look that is under way counts too: before its end the feed does not know what it holds.
    while (this.isStale || this.looking) {
      await this.look();
      // Announcements may come faster than looks end.
      if (position.after < this.firstKnown || this.updateFor(position)) break;
    }
    if (position.after < this.firstKnown) {
      const events = await this.source.read(position.after, BATCH);
      if (events.length) return { events, calls: null };
    }
    return this.updateFor(position) ?? this.wait(position, wait_ms);
  }

  /** Call after a commit that wrote events. */
  async announce(): Promise<void> {
    this.isStale = true;
    if (this.readers.size === 0) return;
    while (this.isStale) await this.look();
    this.wake();
  }

  /** Call when a call to a model begins or ends. */
  report(calls: LiveCall[]): void {
    this.live = { version: Math.max(Date.now(), this.live.version + 1), calls };
    this.wake();
  }

  /** The feed holds every event above this `seq`. */
  private get firstKnown(): number {
    return (this.newest ?? 0) - this.events.length;
  }

  /** Reads new events; those that call during a look share it. */
  private look(): Promise<void> {
    this.looking ??= this.readNew().finally(() => (this.looking = null));
    return this.looking;
  }

  private async readNew(): Promise<void> {
    this.isStale = false;
    try {
      this.lookedAt = Date.now();
      if (this.newest === null) {
        this.newest = await this.source.newest();
        return;
      }
      for (let read = BATCH; read === BATCH;) {
        const rows = await this.source.read(this.newest, BATCH);
        this.events.push(...rows);
        this.newest = rows.at(-1)?.seq ?? this.newest;
        read = rows.length;
      }
      this.events = this.events.slice(-MAX_KEPT);
    } catch (error) {
      this.isStale = true;
      throw error;
    }
  }

  private updateFor({ after, calls }: FeedPosition): FeedUpdate | null {
    const events = this.events.filter(({ seq }) => seq > after).slice(0, BATCH);
    const live = calls !== null && this.live.version > calls ? this.live : null;
    return events.length || live ? { events, calls: live } : null;
  }

  private wait(position: FeedPosition, wait_ms: number): Promise<FeedUpdate> {
    return new Promise((resolve) => {
      const answer = (news: FeedUpdate) => {
        clearTimeout(timer);
        this.readers.delete(reader);
        resolve(news);
      };
      const reader = { position, answer };
      const timer = setTimeout(() => answer(NOTHING), wait_ms);
      this.readers.add(reader);
    });
  }

  private wake(): void {
    for (const { position, answer } of this.readers) {
      // More events came at once than are kept: the reader asks again, and gets those in between from the source.
      const news = position.after < this.firstKnown ? NOTHING : this.updateFor(position);
      if (news) answer(news);
    }
  }
}
