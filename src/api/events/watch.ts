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
interface WatchedResource {
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

/** The seconds after which the client should poll again. */
const retryAfterSeconds = 2;
/** The polling interval, for changes without an event (pages that do not change the percentage). */
const pollIntervalMs = 1_000;
const keepAliveMs = 15_000;
const maxStreamMs = 600_000;

/**
 * Returns a job or pack: immediately, after a change or N seconds with `Prefer: wait=N`, or as a
 * stream of changes until it ends.
 */
export async function watchResource<R extends WatchedResource>(
  call: WatchCall<R>,
): Promise<Reply<200, R> | Reply<number, Readable>> {
  if (call.ctx.accepts('application/json', 'text/event-stream') === 'text/event-stream') {
    return stream(200, Readable.from(streamChanges(call)), {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'X-Accel-Buffering': 'no',
    });
  }
  const waitSeconds = readWait(call.headers.prefer);
  let resource = call.resource;
  if (waitSeconds > 0 && !isTerminal(resource.state)) {
    const since = knownVersion(call.headers['if-none-match']) ?? resource.version;
    resource = await waitForChange(call, resource, since, waitSeconds * 1_000);
  }
  return ok(resource, {
    version: resource.version,
    headers: {
      ...(isTerminal(resource.state) ? {} : { 'Retry-After': String(retryAfterSeconds) }),
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

async function waitForChange<R extends WatchedResource>(
  call: WatchCall<R>,
  resource: R,
  since: number,
  waitMs: number,
): Promise<R> {
  const watcher = call.deps.events.watch(call.key.projectId);
  try {
    const end = performance.now() + waitMs;
    let latest = await reload(call);
    while (latest.version === since && !call.signal.aborted) {
      const remainingMs = end - performance.now();
      if (remainingMs <= 0 || call.deps.events.closing.aborted) break;
      await watcher.next({ timeoutMs: Math.min(remainingMs, pollIntervalMs), signal: call.signal });
      latest = await reload(call);
    }
    return latest ?? resource;
  } finally {
    watcher.close();
  }
}

async function* streamChanges<R extends WatchedResource>(
  call: WatchCall<R>,
): AsyncGenerator<string> {
  const watcher: Watch = call.deps.events.watch(call.key.projectId);
  try {
    const end = performance.now() + maxStreamMs;
    let sentAt = performance.now();
    let version = -1;
    yield `retry: ${retryAfterSeconds * 1_000}\n\n`;
    while (!call.signal.aborted && !call.deps.events.closing.aborted) {
      const resource = await reload(call);
      if (resource.version !== version) {
        version = resource.version;
        sentAt = performance.now();
        yield `id: ${version}\nevent: ${call.noun}\ndata: ${JSON.stringify(resource)}\n\n`;
        if (isTerminal(resource.state)) return;
      } else if (performance.now() - sentAt > keepAliveMs) {
        sentAt = performance.now();
        yield ': keep-alive\n\n';
      }
      if (performance.now() > end) return;
      await watcher.next({ timeoutMs: pollIntervalMs, signal: call.signal });
    }
  } finally {
    watcher.close();
  }
}

/** Reads the resource again, and checks the key, which may have been revoked or changed. */
async function reload<R extends WatchedResource>(call: WatchCall<R>): Promise<R> {
  const found = await call.inProject((tx, key) => call.read(tx, key));
  if (!found) throw notFound(call.noun, call.params.id);
  return found;
}
