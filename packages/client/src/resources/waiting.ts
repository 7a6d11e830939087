import { ScriptoriumError } from '../error.ts';
import type { Job, Pack } from '../generated.ts';
import { Patience, pause } from '../retry.ts';
import { readServerSentEvents } from '../sse.ts';
import { connectionFailed, type RequestOptions, type Transport } from '../transport.ts';
import type { FollowOptions } from './events.ts';

/** The service sends a message at least every 15 s. */
const idleMs = 45_000;
/** Maximum time that the service waits for a change, in seconds. */
const waitSeconds = 20;

export interface WaitOptions<T> extends FollowOptions {
  /** Called with the current state and after each change. */
  onProgress?: ((current: T) => void) | undefined;
}

/**
 * A resource that can be awaited: the operation that reads it, and the name of its stream's events.
 */
interface Awaited {
  operation: 'getJob' | 'getPack';
  event: string;
}

/** Whether this state is final. */
export function isOver(state: string): boolean {
  return ['succeeded', 'partially_succeeded', 'failed', 'cancelled'].includes(state);
}

/**
 * Waits until a job or pack has ended. Follows its stream with reconnects, and falls back to
 * `Prefer: wait` if streams are blocked.
 */
export async function waitFor<T extends Job | Pack>(
  transport: Transport,
  what: Awaited,
  id: string,
  { onProgress, onBreak, ...options }: WaitOptions<T>,
): Promise<T> {
  const patience = new Patience(onBreak);
  let seen: T | undefined;
  const look = (current: T): boolean => {
    patience.answered();
    if (current.version !== seen?.version) onProgress?.(current);
    seen = current;
    return isOver(current.state);
  };
  for (let streams = true; ; ) {
    const before = seen?.version;
    const request = { ...options, ...(patience.begun ? { maxRetries: 0 } : {}) };
    try {
      if (streams) {
        for await (const current of follow<T>(transport, what, id, request)) {
          if (look(current)) return current;
        }
      } else {
        const current = await changed(transport, what, id, seen, request);
        if (look(current)) return current;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      await pause(patience.rest(error), options.signal);
    }
    // A stream without news is probably buffered by a proxy.
    streams &&= seen !== undefined && seen.version !== before;
  }
}

/** The states from the stream, until it ends or the connection breaks. */
async function* follow<T>(
  transport: Transport,
  { operation, event: wanted }: Awaited,
  id: string,
  options: RequestOptions,
): AsyncGenerator<T, void, undefined> {
  const headers = { ...options.headers, Accept: 'text/event-stream' };
  const response = await transport.send(operation, { params: { id } }, { ...options, headers });
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return;
  }
  try {
    for await (const { event, data } of readServerSentEvents(response.body, { idleMs })) {
      if (event === wanted) yield JSON.parse(data) as T;
    }
  } catch (error) {
    throw connectionFailed(transport.baseUrl, error);
  }
}

/** Polls: returns after a change, or after a while. */
async function changed<T extends Job | Pack>(
  transport: Transport,
  { operation, event }: Awaited,
  id: string,
  seen: T | undefined,
  options: RequestOptions,
): Promise<T> {
  const headers = {
    ...options.headers,
    ...(seen ? { Prefer: `wait=${waitSeconds}`, 'If-None-Match': `"${seen.version}"` } : {}),
  };
  const response = await transport.send(operation, { params: { id } }, { ...options, headers });
  if (response.status === 304 && seen) return seen;
  const current: unknown = await response.json();
  if (!hasState(current)) {
    throw ScriptoriumError.local('unexpected_answer', `The response is not a ${event}.`);
  }
  return current as T;
}

function hasState(value: unknown): value is { state: string; version: number } {
  return typeof value === 'object' && value !== null && 'version' in value && 'state' in value;
}
