import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BATCH, type EncodedEvent, type EventSource, RunFeed } from "#services/run-feed";

const WAIT = 60_000;

/** A run's events in a list, and how often it was read. */
function stored(count = 0) {
  const rows: EncodedEvent[] = [];
  const add = (more: number) => {
    for (let left = more; left > 0; left--) rows.push({ seq: rows.length + 1 } as EncodedEvent);
  };
  add(count);
  let reads = 0;
  let broken = false;
  const look = <T>(value: T) => {
    reads++;
    return broken ? Promise.reject(new Error("D1 is away")) : Promise.resolve(value);
  };
  const source: EventSource = {
    read: (after, limit) => look(rows.filter(({ seq }) => seq > after).slice(0, limit)),
    newest: () => look(rows.length),
  };
  return { source, add, reads: () => reads, break: (is: boolean) => (broken = is) };
}

const seqs = ({ events }: { events: EncodedEvent[] }) => events.map(({ seq }) => seq);
const at = (after: number) => ({ after, calls: null });
const turn = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a reader", () => {
  it("gets what is stored behind its position at once", async () => {
    const feed = new RunFeed(stored(5).source);
    expect(seqs(await feed.next(at(2), WAIT))).toEqual([3, 4, 5]);
  });

  it("that comes while another one's first look is under way misses nothing", async () => {
    const events = stored(5);
    const answered = Promise.withResolvers<void>();
    const source: EventSource = {
      ...events.source,
      newest: async () => {
        const newest = await events.source.newest();
        await answered.promise;
        return newest;
      },
    };
    const feed = new RunFeed(source);
    const readers = [0, 2, 0].map((after) => feed.next(at(after), WAIT));
    await turn();
    answered.resolve();
    await turn();
    events.add(1);
    await feed.announce();
    const first = await Promise.all(readers.map(async (news) => seqs(await news)[0]));
    expect(first).toEqual([1, 3, 1]);
  });

  it("that waits while more events come at once than are kept asks again, and misses nothing", async () => {
    const events = stored(1);
    const feed = new RunFeed(events.source);
    const news = feed.next(at(1), WAIT);
    await turn();
    events.add(BATCH * 3);
    await feed.announce();
    expect(seqs(await news)).toEqual([]);
    expect(seqs(await feed.next(at(1), WAIT))[0]).toBe(2);
  });

  it("waits for an announcement, and gets the events that came", async () => {
    const events = stored(2);
    const feed = new RunFeed(events.source);
    const news = feed.next(at(2), WAIT);
    await turn();
    expect(feed.waiting).toBe(1);
    events.add(2);
    await feed.announce();
    expect(seqs(await news)).toEqual([3, 4]);
    expect(feed.waiting).toBe(0);
  });

  it("gets nothing when its wait is over", async () => {
    const feed = new RunFeed(stored(2).source);
    const news = feed.next(at(2), 500);
    await vi.advanceTimersByTimeAsync(500);
    expect(await news).toEqual({ events: [], calls: null });
    expect(feed.waiting).toBe(0);
  });

  it("reads a long history in batches, each in order", async () => {
    const feed = new RunFeed(stored(BATCH * 3 + 1).source);
    let after = 0;
    for (const expected of [BATCH, BATCH, BATCH, 1]) {
      const news = seqs(await feed.next(at(after), WAIT));
      expect(news).toEqual(Array.from({ length: expected }, (_, n) => after + n + 1));
      after = news.at(-1)!;
    }
  });

  it("that asks behind the last event waits, also for events below its position", async () => {
    const events = stored(1);
    const feed = new RunFeed(events.source);
    const [ahead, current] = [feed.next(at(100), 1000), feed.next(at(1), WAIT)];
    await turn();
    events.add(1);
    await feed.announce();
    expect(seqs(await current)).toEqual([2]);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await ahead).events).toEqual([]);
  });

  it("does not spin when the events of the run have been removed", async () => {
    const events = stored(3);
    const feed = new RunFeed(events.source);
    await feed.next(at(0), WAIT);
    events.source.read = () => Promise.resolve([]);
    const news = feed.next(at(0), 1000);
    await turn();
    expect(feed.waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await news).events).toEqual([]);
  });
});

describe("the source", () => {
  it("is read once for a hundred readers, and not at all while nothing is announced", async () => {
    const events = stored(4);
    const feed = new RunFeed(events.source);
    const readers = Array.from({ length: 100 }, () => feed.next(at(4), WAIT));
    await turn();
    const before = events.reads();
    await vi.advanceTimersByTimeAsync(WAIT - 1);
    expect(events.reads()).toBe(before);
    events.add(1);
    await feed.announce();
    for (const news of await Promise.all(readers)) expect(seqs(news)).toEqual([5]);
    expect(events.reads()).toBe(before + 1);
  });

  it("is read again when an announcement came while nobody waited", async () => {
    const events = stored(1);
    const feed = new RunFeed(events.source);
    await feed.next(at(0), WAIT);
    events.add(1);
    await feed.announce();
    expect(seqs(await feed.next(at(1), WAIT))).toEqual([2]);
  });

  it("is read again for an announcement that came during a look", async () => {
    const events = stored(1);
    const feed = new RunFeed(events.source);
    const news = feed.next(at(1), WAIT);
    await turn();
    let release = () => {};
    const { read } = events.source;
    events.source.read = async (after, limit) => {
      const rows = await read(after, limit);
      await new Promise<void>((resolve) => (release = resolve));
      return rows;
    };
    const first = feed.announce();
    await turn();
    events.source.read = read;
    events.add(1);
    const second = feed.announce();
    release();
    await Promise.all([first, second]);
    expect(seqs(await news)).toEqual([2]);
  });

  it("that answers more slowly than announcements come still gives its events to a single reader", async () => {
    const events = stored(1);
    const feed = new RunFeed(events.source);
    await feed.next(at(0), WAIT);
    const { read } = events.source;
    events.source.read = async (after, limit) => {
      const rows = await read(after, limit);
      await new Promise((resolve) => setTimeout(resolve, 10));
      return rows;
    };
    const announcements = setInterval(() => {
      events.add(1);
      void feed.announce();
    }, 4);
    await vi.advanceTimersByTimeAsync(4);
    let news: number[] = [];
    void feed.next(at(1), WAIT).then((found) => (news = seqs(found)));
    await vi.advanceTimersByTimeAsync(50);
    clearInterval(announcements);
    expect(news[0]).toBe(2);
  });

  it("is looked into after seconds when an announcement was lost", async () => {
    const events = stored(1);
    const feed = new RunFeed(events.source);
    await feed.next(at(0), WAIT);
    events.add(1);
    const tooEarly = feed.next(at(1), 1000);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await tooEarly).events).toEqual([]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(seqs(await feed.next(at(1), WAIT))).toEqual([2]);
  });

  it("that fails fails the call, and the next call reads it", async () => {
    const events = stored(1);
    const feed = new RunFeed(events.source);
    const news = feed.next(at(1), 1000);
    await turn();
    events.add(1);
    events.break(true);
    await expect(feed.announce()).rejects.toThrow("D1 is away");
    await vi.advanceTimersByTimeAsync(1000);
    expect((await news).events).toEqual([]);
    events.break(false);
    expect(seqs(await feed.next(at(1), WAIT))).toEqual([2]);
  });
});

describe("calls under way", () => {
  const call = { step: "write/draft#1", role: "writer", model: "a/x", since: 5 };

  it("wake readers that want them, with each report once", async () => {
    const feed = new RunFeed(stored(1).source);
    const wanted = feed.next({ after: 1, calls: 0 }, WAIT);
    const unwanted = feed.next(at(1), 1000);
    await turn();
    feed.report([call]);
    const { calls } = await wanted;
    expect(calls!.calls).toEqual([call]);
    const later = feed.next({ after: 1, calls: calls!.version }, 1000);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await later).calls).toBeNull();
    expect((await unwanted).calls).toBeNull();
  });

  it("are shown to a reader that comes later, and grow in version within a millisecond", async () => {
    const feed = new RunFeed(stored(1).source);
    feed.report([call]);
    const first = (await feed.next({ after: 1, calls: 0 }, WAIT)).calls!;
    feed.report([]);
    const second = (await feed.next({ after: 1, calls: first.version }, WAIT)).calls!;
    expect(second.calls).toEqual([]);
    expect(second.version).toBeGreaterThan(first.version);
  });
});
