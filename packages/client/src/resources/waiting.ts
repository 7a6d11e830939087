import { ScriptoriumError } from '../error.ts';
import type { Job, Pack } from '../generated.ts';
import { ReconnectPolicy, sleep } from '../retry.ts';
import { readServerSentEvents } from '../sse.ts';
import { connectionError, type RequestOptions, type Transport } from '../transport.ts';
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
 * A resource to wait for: the operation that reads it, and the name of the events of its stream.
 */
interface WaitTarget {
  operation: 'getJob' | 'getPack';
  event: string;
}

/** Whether this state is final. */
export function isFinalState(state: string): boolean {
  return ['succeeded', 'partially_succeeded', 'failed', 'cancelled'].includes(state);
}

/**
 * Waits until a job or pack has ended. Follows its stream with reconnects, and falls back to
 * `Prefer: wait` if streams are blocked.
 */
export async function waitFor<T extends Job | Pack>(
  transport: Transport,
  target: WaitTarget,
  id: string,
  { onProgress, onBreak, ...options }: WaitOptions<T>,
): Promise<T> {
  const reconnects = new ReconnectPolicy(onBreak);
  let latest: T | undefined;
  const report = (current: T): boolean => {
    reconnects.recordResponse();
    if (current.version !== latest?.version) onProgress?.(current);
    latest = current;
    return isFinalState(current.state);
  };
  for (let usesStream = true; ; ) {
    const previousVersion = latest?.version;
    const request = { ...options, ...(reconnects.hasResponded ? { maxRetries: 0 } : {}) };
    try {
      if (usesStream) {
        for await (const current of followStream<T>(transport, target, id, request)) {
          if (report(current)) return current;
        }
      } else {
        const current = await pollForChange(transport, target, id, latest, request);
        if (report(current)) return current;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      await sleep(reconnects.delayAfter(error), options.signal);
    }
    // A stream without news is probably buffered by a proxy.
    usesStream &&= latest !== undefined && latest.version !== previousVersion;
  }
}

/** The states from the stream, until it ends or the connection breaks. */
async function* followStream<T>(
  transport: Transport,
  { operation, event: eventName }: WaitTarget,
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
      if (event === eventName) yield JSON.parse(data) as T;
    }
  } catch (error) {
    throw connectionError(transport.baseUrl, error);
  }
}

/** Polls: returns after a change, or after `waitSeconds`. */
async function pollForChange<T extends Job | Pack>(
  transport: Transport,
  { operation, event }: WaitTarget,
  id: string,
  latest: T | undefined,
  options: RequestOptions,
): Promise<T> {
  const headers = {
    ...options.headers,
    ...(latest ? { Prefer: `wait=${waitSeconds}`, 'If-None-Match': `"${latest.version}"` } : {}),
  };
  const response = await transport.send(operation, { params: { id } }, { ...options, headers });
  if (response.status === 304 && latest) return latest;
  const current: unknown = await response.json();
  if (!hasState(current)) {
    throw ScriptoriumError.local('unexpected_answer', `The response is not a ${event}.`);
  }
  return current as T;
}

function hasState(value: unknown): value is { state: string; version: number } {
  return typeof value === 'object' && value !== null && 'version' in value && 'state' in value;
}
