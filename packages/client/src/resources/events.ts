import { ScriptoriumError } from '../error.ts';
import type { Event, EventData } from '../generated.ts';
import { ReconnectPolicy, sleep } from '../retry.ts';
import { readServerSentEvents } from '../sse.ts';
import { connectionError, type RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** The service sends a message at least every 15 s. */
const idleMs = 45_000;

export interface FollowOptions extends RequestOptions {
  /** Called for each failure that is retried. */
  onBreak?: ((error: ScriptoriumError) => void) | undefined;
}

/** An event type. */
export type EventType = keyof EventData;

/** An event with typed `data`: `if (event.type === '…')` narrows it. */
export type TypedEvent<T extends EventType = EventType> = {
  [K in T]: Omit<Event, 'type' | 'data'> & { type: K; data: EventData[K] };
}[T];

/** The event feed. */
export class Events extends Resource {
  /** Lists events by `sequence`. */
  list(query: Query<'listEvents'> = {}, options?: RequestOptions) {
    return this.listing('listEvents', { query }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getEvent', { params: { id } }, options);
  }
  /** Acknowledges events, which marks them as `published`. */
  acknowledge(body: Body<'acknowledgeEvents'>, options?: RequestOptions) {
    return this.transport.call('acknowledgeEvents', { body }, options);
  }
  /** Lists all event types with their schema and an example. */
  types(options?: RequestOptions) {
    return this.transport.call('listEventTypes', {}, options);
  }

  /**
   * Streams events as they happen, starting now or after `after`. If the connection ends, it
   * reconnects and continues without loss. It gives up after five minutes without a response.
   * @throws ScriptoriumError for a permanent error: a revoked key, 410 `cursor_expired`
   */
  async *stream(
    query: Query<'streamEvents'> = {},
    { onBreak, ...options }: FollowOptions = {},
  ): AsyncGenerator<TypedEvent, void, undefined> {
    const reconnects = new ReconnectPolicy(onBreak);
    let position = '';
    for (;;) {
      let waitMs = 0;
      try {
        // After the first response, `ReconnectPolicy` decides about retries.
        const retryOptions = reconnects.hasResponded ? { maxRetries: 0 } : {};
        for await (const message of this.#connection(query, position, {
          ...options,
          ...retryOptions,
        })) {
          reconnects.recordResponse();
          position = message.id || position;
          waitMs = message.retry ?? waitMs;
          if (message.event === 'end') throw endError(message.data);
          // The service validates every event against its schema.
          if (message.data !== '') yield JSON.parse(message.data) as TypedEvent;
        }
      } catch (error) {
        options.signal?.throwIfAborted();
        waitMs = reconnects.delayAfter(error);
      }
      await sleep(waitMs, options.signal);
    }
  }

  async *#connection(query: Query<'streamEvents'>, position: string, options: RequestOptions) {
    const response = await this.transport.send(
      'streamEvents',
      { query },
      {
        ...options,
        headers: {
          ...options.headers,
          Accept: 'text/event-stream',
          ...(position ? { 'Last-Event-ID': position } : {}),
        },
      },
    );
    if (!response.body) return;
    try {
      yield* readServerSentEvents(response.body, { idleMs });
    } catch (error) {
      throw connectionError(this.transport.baseUrl, error);
    }
  }
}

/** The reason why the service ended a stream permanently. */
function endError(data: string): ScriptoriumError {
  const { code, detail }: { code?: unknown; detail?: unknown } = JSON.parse(data);
  return new ScriptoriumError({ status: 0, code: String(code), detail: String(detail) });
}
