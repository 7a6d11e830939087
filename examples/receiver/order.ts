import { type Event, streamOf } from './event.ts';
import type { Feed } from './feed.ts';
import type { Journal } from './journal.ts';
import type { Message } from './verify.ts';

/**
 * Handles an event. The events of a stream are handled one at a time, in order. If the receiver
 * crashes right afterwards, the same event is handled again, so handlers must be idempotent. For a
 * replay, `replayId` is set: the event is out of order and was handled before.
 */
export type Handle = (event: Event, replayId: string | null) => Promise<void>;

/** Passes the events in the journal to the handler, each of them once, in order and without gaps. */
export interface Order {
  /** Checks a stream for new messages. */
  wake(stream: string): void;
  /** Handles the pending messages of the last run, and the events that the feed has recorded since. */
  start(streams: readonly string[]): void;
  /** Stops once the events in progress have been handled. */
  stop(): Promise<void>;
}

interface Options {
  journal: Journal;
  feed: Feed;
  handle: Handle;
  /** How long to wait for a missing event before reading it from the feed. */
  gapMs: number;
  /** How long to wait before retrying after a failure. */
  retryMs: number;
  log: (message: string) => void;
}

export function createOrder(options: Options): Order {
  const { journal, feed, handle, log } = options;
  const running = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  /** Streams woken while they were being drained. */
  const again = new Set<string>();
  /** Streams with an event that has been missing for `gapMs`. */
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
        log(
          `${stream}: retrying after a failure: ${error instanceof Error ? error.message : error}`,
        );
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
        // Deliveries overtake one another, so a missing event is usually only late.
        later(stream, options.gapMs, () => {
          overdue.add(stream);
          wake(stream);
        });
        return;
      }
    }
  }

  /** Handles the feed's events after the stream's position and before the sequence `until`. */
  async function catchUp(stream: string, until = Number.POSITIVE_INFINITY): Promise<void> {
    const category = stream.slice(stream.indexOf('/') + 1);
    while (!stopped && journal.position(stream) < until - 1) {
      const position = journal.position(stream);
      const { events, first } = await feed.after(category, position);
      if (first !== undefined) {
        log(`${stream}: events after ${position} have been deleted; continuing at ${first}`);
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

/** Stores a message; resolves once it is on disk, with false if it was received before. */
export async function accept(journal: Journal, order: Order, given: Message): Promise<boolean> {
  const { event } = given;
  const stream = streamOf(event);
  // A replayed event that was never handled takes its place in the order.
  const message =
    event.sequence > journal.position(stream) ? { event, key: event.id, replayId: null } : given;
  if (journal.knows(message)) return false;
  await journal.receive(message);
  order.wake(stream);
  return true;
}
