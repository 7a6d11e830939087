import { Readable } from 'node:stream';
import { Problem } from '@scriptorium/contracts/problems';
import { readBounds, rejectOutsideBounds } from '../../outbox/feed/bounds.ts';
import { type FeedEvent, presentEvent, readEvents } from '../../outbox/feed/feed.ts';
import type { FeedFilters } from '../../outbox/feed/filters.ts';
import type { StreamCall } from '../frame/route.ts';
import { readAfter, viewFor } from './feed-query.ts';

const batchSize = 200;
/** How long the client waits before it reconnects, in milliseconds. */
const retryMs = 1_000;

/** The intervals of a stream, in milliseconds. */
interface Intervals {
  /** The interval of reads without new events, each of which checks the key again. */
  recheckMs: number;
  keepAliveMs: number;
  maxDurationMs: number;
}

const intervals: Intervals = { recheckMs: 5_000, keepAliveMs: 15_000, maxDurationMs: 600_000 };

type FeedCall = Pick<
  StreamCall<string, never, unknown>,
  'deps' | 'headers' | 'inProject' | 'origin' | 'signal'
>;

/**
 * Streams the feed as server-sent events from the position of the client. Throws for an
 * invalid position before anything is sent.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function startEventStream(
  call: FeedCall,
  filters: FeedFilters,
  after: string | undefined,
): Promise<Readable> {
  const from = await call.inProject(async (tx) => {
    const lastId = readLastEventId(call);
    const position = lastId ?? after;
    const { projectId } = call.origin;
    const bounds = await readBounds(tx, projectId, filters.category);
    if (position === undefined) return bounds.latest;
    if (Number(lastId) > bounds.latest) {
      const detail = `The Last-Event-ID is greater than ${bounds.latest}, the sequence of the newest event.`;
      throw invalidLastEventId('unknown_position', detail);
    }
    const sequence = await readAfter(tx, projectId, filters.category, position);
    rejectOutsideBounds({ after: sequence, order: 'asc' }, bounds);
    return sequence;
  });
  return Readable.from(streamEvents(call, filters, from), { objectMode: false });
}

/** Yields the messages of the stream after a sequence. */
export async function* streamEvents(
  call: FeedCall,
  filters: FeedFilters,
  from: number,
  { recheckMs, keepAliveMs, maxDurationMs }: Intervals = intervals,
): AsyncGenerator<string> {
  const { deps, signal } = call;
  const end = performance.now() + maxDurationMs;
  const watch = deps.events.watch(call.origin.projectId);
  try {
    // Sent before the first event, so that a client that reconnects has a position.
    yield `retry: ${retryMs}\nid: ${from}\n\n`;
    let lastSentAt = performance.now();
    for (let after = from; ; ) {
      const { result, view } = await call.inProject(async (tx, key) => ({
        view: viewFor(filters, key.scopes),
        result: await readEvents(tx, call.origin.projectId, filters, {
          after,
          order: 'asc',
          limit: batchSize,
        }),
      }));
      if (result.events.length > 0) {
        yield result.events.map((event) => formatEvent(event, view)).join('');
        lastSentAt = performance.now();
      }
      after = result.position ?? after;
      if (result.hasMore) continue;
      const timeoutMs = Math.min(recheckMs, end - performance.now());
      if (timeoutMs <= 0) break;
      await watch.next({ timeoutMs, signal });
      if (signal.aborted) return;
      if (deps.events.closing.aborted) break;
      if (performance.now() - lastSentAt >= keepAliveMs) {
        // Also moves the position past events that the filters exclude.
        yield `: keep-alive\nid: ${after}\n\n`;
        lastSentAt = performance.now();
      }
    }
    yield `retry: ${retryMs}\n\n`;
  } catch (error) {
    if (!(error instanceof Problem)) {
      // The client reconnects with its position and misses nothing.
      deps.logger.warn({ err: error }, 'event stream failed');
      return;
    }
    const { code, message } = error;
    yield `event: end\ndata: ${JSON.stringify({ code, detail: message })}\n\n`;
  } finally {
    watch.close();
  }
}

function formatEvent(event: FeedEvent, view: { withAddress: boolean }): string {
  return `id: ${event.sequence}\ndata: ${JSON.stringify(presentEvent(event, view))}\n\n`;
}

function readLastEventId(call: FeedCall): string | undefined {
  const given = call.headers['last-event-id'];
  const value = Array.isArray(given) ? given[0] : given;
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,15}$/.test(value)) return value;
  const detail = 'The Last-Event-ID must be the sequence of an event.';
  throw invalidLastEventId('wrong_format', detail);
}

function invalidLastEventId(code: string, detail: string): Problem {
  return new Problem('malformed_request', detail, {
    errors: [{ header: 'Last-Event-ID', code, detail }],
  });
}
