import { Readable } from 'node:stream';
import { isTerminal, type JobState } from '@scriptorium/contracts/jobs';
import { limits } from '@scriptorium/contracts/limits';
import { notFound } from '@scriptorium/contracts/problems';
import type { Identity } from '../../access/authenticate.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Watch } from '../../outbox/feed/listen.ts';
import { ok, type Reply, stream } from '../frame/reply.ts';
import type { StreamCall } from '../frame/route.ts';

/** A resource that changes until it ends: a job or a pack. */
interface Watched {
  state: JobState;
  version: number;
}

type WatchCall<R> = Pick<
  StreamCall<'/{id}', never, R>,
  'ctx' | 'deps' | 'headers' | 'inProject' | 'key' | 'params' | 'resource' | 'signal'
> & {
  /** The name of the resource, in its stream and in errors. */
  noun: string;
  /** Reads it again with the key's current permissions. */
  read(tx: Tx, key: Identity): Promise<R | null>;
};

/** When the client should poll again. */
const retryAfterSeconds = 2;
/** The interval of checks for changes without an event (pages that do not change the percent). */
const lookMs = 1_000;
const keepAliveMs = 15_000;
const streamMs = 600_000;

/**
 * Returns a job or pack immediately, with `Prefer: wait=N` after a change or N seconds, or as a stream of
 * changes until it ends.
 */
export async function watch<R extends Watched>(
  call: WatchCall<R>,
): Promise<Reply<200, R> | Reply<number, Readable>> {
  if (call.ctx.accepts('application/json', 'text/event-stream') === 'text/event-stream') {
    return stream(200, Readable.from(changes(call)), {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'X-Accel-Buffering': 'no',
    });
  }
  const waitSeconds = readWait(call.headers.prefer);
  let job = call.resource;
  if (waitSeconds > 0 && !isTerminal(job.state)) {
    const since = knownVersion(call.headers['if-none-match']) ?? job.version;
    job = await waitForChange(call, job, since, waitSeconds * 1_000);
  }
  return ok(job, {
    version: job.version,
    headers: {
      ...(isTerminal(job.state) ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(waitSeconds > 0 ? { 'Preference-Applied': `wait=${waitSeconds}` } : {}),
    },
  });
}

/** The preferred wait in seconds (RFC 7240 §4.3), bounded; 0 for none. */
function readWait(prefer: string | string[] | undefined): number {
  const found = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i.exec(String(prefer ?? ''));
  return found ? Math.min(Number(found[1]), limits.wait_seconds_max) : 0;
}

/** The version in `If-None-Match`, which the client already has. */
function knownVersion(header: string | undefined): number | undefined {
  const found = /^"(\d{1,9})"$/.exec(header ?? '');
  return found ? Number(found[1]) : undefined;
}

async function waitForChange<R extends Watched>(
  call: WatchCall<R>,
  job: R,
  since: number,
  waitMs: number,
): Promise<R> {
  const news = call.deps.events.watch(call.key.projectId);
  try {
    const end = performance.now() + waitMs;
    let seen = await look(call);
    while (seen.version === since && !call.signal.aborted) {
      const left = end - performance.now();
      if (left <= 0 || call.deps.events.closing.aborted) break;
      await news.next({ timeoutMs: Math.min(left, lookMs), signal: call.signal });
      seen = await look(call);
    }
    return seen ?? job;
  } finally {
    news.close();
  }
}

async function* changes<R extends Watched>(call: WatchCall<R>): AsyncGenerator<string> {
  const news: Watch = call.deps.events.watch(call.key.projectId);
  try {
    const end = performance.now() + streamMs;
    let sentAt = performance.now();
    let version = -1;
    yield `retry: ${retryAfterSeconds * 1_000}\n\n`;
    while (!call.signal.aborted && !call.deps.events.closing.aborted) {
      const job = await look(call);
      if (job.version !== version) {
        version = job.version;
        sentAt = performance.now();
        yield `id: ${version}\nevent: ${call.noun}\ndata: ${JSON.stringify(job)}\n\n`;
        if (isTerminal(job.state)) return;
      } else if (performance.now() - sentAt > keepAliveMs) {
        sentAt = performance.now();
        yield ': still here\n\n';
      }
      if (performance.now() > end) return;
      await news.next({ timeoutMs: lookMs, signal: call.signal });
    }
  } finally {
    news.close();
  }
}

/** Reads it again and checks the key, which may have been revoked or changed. */
async function look<R extends Watched>(call: WatchCall<R>): Promise<R> {
  const found = await call.inProject((tx, key) => call.read(tx, key));
  if (!found) throw notFound(call.noun, call.params.id);
  return found;
}
