import { type Event, streamOf } from './event.ts';
import type { Feed } from './feed.ts';
import type { Journal } from './journal.ts';
import type { Message } from './verify.ts';

/**
 * What is done with an event: all of a stream in order, one at a time. A crash just after it has it
 * run once more for the same event, so doing it twice must be like doing it once. For a replay
 * `replayId` is set: then it is out of order, and was done before unless it was missed.
 */
export type Handle = (event: Event, replayId: string | null) => Promise<void>;

/** Hands on what the journal holds: each event once, in order, and none left out. */
export interface Order {
  /** Looks at a stream again: something came. */
  wake(stream: string): void;
  /** Hands on what is left from before and what the feed has since. */
  start(streams: readonly string[]): void;
  /** Lets what is being handled finish. */
  stop(): Promise<void>;
}

interface Options {
  journal: Journal;
  feed: Feed;
  handle: Handle;
  /** For how long a missing event may still come by itself before the feed is asked for it. */
  gapMs: number;
  /** How long to wait after a failure. */
  retryMs: number;
  log: (message: string) => void;
}

export function createOrder(options: Options): Order {
  const { journal, feed, handle, log } = options;
  const running = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  /** Woken while they were running. */
  const again = new Set<string>();
  /** Something is missing, and it has had its time to come. */
  const overdue = new Set<string>();
  let stopped = false;

  function wake(stream: string): void {
    if (stopped) return;
    if (running.has(stream)) {
      again.add(stream);
      return;
    }
    again.delete(stream);
    const run = drain(stream)
      .catch((error: unknown) => {
        log(`${stream} waits: ${error instanceof Error ? error.message : error}`);
        later(stream, options.retryMs, () => wake(stream));
      })
      .finally(() => {
        running.delete(stream);
        if (again.has(stream)) wake(stream);
      });
    running.set(stream, run);
  }

  async function drain(stream: string): Promise<void> {
    await redo(stream);
    while (!stopped) {
      const next = journal.next(stream);
      const missing = next ? next.event.sequence - journal.position(stream) - 1 : 0;
      if (overdue.has(stream)) {
        await catchUp(stream, next?.event.sequence);
        overdue.delete(stream);
      } else if (!next) {
        return;
      } else if (missing === 0) {
        await apply(next.event);
      } else {
        // Deliveries overtake one another; mostly what is missing is only a moment late.
        later(stream, options.gapMs, () => {
          overdue.add(stream);
          wake(stream);
        });
        return;
      }
    }
  }

  /** Handles what the feed has after the stream's position, up to an event that is here already. */
  async function catchUp(stream: string, until = Number.POSITIVE_INFINITY): Promise<void> {
    const category = stream.slice(stream.indexOf('/') + 1);
    while (!stopped && journal.position(stream) < until - 1) {
      const position = journal.position(stream);
      const { events, first } = await feed.after(category, position);
      if (first !== undefined) {
        log(`${stream}: the feed has lost what came after ${position}; it goes on at ${first}`);
        await journal.advance(stream, first - 1);
        continue;
      }
      if (events.length === 0) return;
      for (const event of events) {
        if (stopped || event.sequence >= until) return;
        await apply(event);
      }
    }
  }

  async function apply(event: Event): Promise<void> {
    await handle(event, null);
    await journal.advance(streamOf(event), event.sequence);
  }

  async function redo(stream: string): Promise<void> {
    for (const message of journal.replays(stream)) {
      if (stopped) return;
      await handle(message.event, message.replayId);
      await journal.finish(message);
    }
  }

  function later(stream: string, ms: number, run: () => void): void {
    if (stopped || timers.has(stream)) return;
    const timer = setTimeout(() => {
      timers.delete(stream);
      run();
    }, ms);
    timers.set(stream, timer);
  }

  return {
    wake,
    start(streams) {
      for (const stream of new Set([...streams, ...journal.streams()])) {
        overdue.add(stream);
        wake(stream);
      }
    },
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}

/** Takes a message in: true when it is new. Resolves when it is on the disk. */
export async function accept(journal: Journal, order: Order, given: Message): Promise<boolean> {
  const { event } = given;
  const stream = streamOf(event);
  // What a replay brings that was never handled takes its place in the order like any other.
  const message =
    event.sequence > journal.position(stream) ? { event, key: event.id, replayId: null } : given;
  if (journal.knows(message)) return false;
  await journal.receive(message);
  order.wake(stream);
  return true;
}
