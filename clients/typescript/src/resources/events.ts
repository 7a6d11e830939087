import { ScriptoriumError } from '../error.ts';
import type { Event, EventData } from '../generated.ts';
import { Patience, pause } from '../retry.ts';
import { readServerSentEvents } from '../sse.ts';
import { connectionFailed, type RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** The service says something at least every 15 s. */
const idleMs = 45_000;

export interface FollowOptions extends RequestOptions {
  /** Told of each break that is got over. */
  onBreak?: ((error: ScriptoriumError) => void) | undefined;
}

/** What kind of event it is. */
export type EventType = keyof EventData;

/** An event whose `data` is known by its `type`: `if (event.type === '…')` tells it apart. */
export type TypedEvent<T extends EventType = EventType> = {
  [K in T]: Omit<Event, 'type' | 'data'> & { type: K; data: EventData[K] };
}[T];

/** Events of the outbox. */
export class Events extends Resource {
  /** What happened, in the order of `sequence`. */
  list(query: Query<'listEvents'> = {}, options?: RequestOptions) {
    return this.listing('listEvents', { query }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getEvent', { params: { id } }, options);
  }
  /** Confirms events: they are `published` from now on. */
  acknowledge(body: Body<'acknowledgeEvents'>, options?: RequestOptions) {
    return this.transport.call('acknowledgeEvents', { body }, options);
  }
  /** Every type there is, with its schema and an example. */
  types(options?: RequestOptions) {
    return this.transport.call('listEventTypes', {}, options);
  }

  /**
   * Events as they happen, from now on or after `after`, without an end. When the connection breaks
   * or the service ends it, it is opened again and goes on after the last event, without loss; only
   * when nobody answers for five minutes it gives up.
   * @throws ScriptoriumError for what will not pass: a revoked key, 410 `cursor_expired`
   */
  async *stream(
    query: Query<'streamEvents'> = {},
    { onBreak, ...options }: FollowOptions = {},
  ): AsyncGenerator<TypedEvent, void, undefined> {
    const patience = new Patience(onBreak);
    let position = '';
    for (;;) {
      let waitMs = 0;
      try {
        // Once begun, its patience is what decides.
        const tries = patience.begun ? { maxRetries: 0 } : {};
        for await (const told of this.#connection(query, position, { ...options, ...tries })) {
          patience.answered();
          position = told.id || position;
          waitMs = told.retry ?? waitMs;
          if (told.event === 'end') throw endOf(told.data);
          // The service holds every event against its schema when it is recorded.
          if (told.data !== '') yield JSON.parse(told.data) as TypedEvent;
        }
      } catch (error) {
        options.signal?.throwIfAborted();
        waitMs = patience.rest(error);
      }
      await pause(waitMs, options.signal);
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
      throw connectionFailed(this.transport.baseUrl, error);
    }
  }
}

/** Why the service ended a stream for good. */
function endOf(data: string): ScriptoriumError {
  const { code, detail }: { code?: unknown; detail?: unknown } = JSON.parse(data);
  return new ScriptoriumError({ status: 0, code: String(code), detail: String(detail) });
}
