import type {
  ConsumerCreate,
  ConsumerRecord,
  ConsumerSeek,
} from '../../../contracts/wire/consumers.ts';
import type { EventRecord, EventTypeRecord } from '../../../contracts/wire/events.ts';
import type { DeliveryRecord } from '../../../contracts/wire/webhooks.ts';
import type { Page } from '../../api/hooks.ts';
import type { ApiRequest } from '../../api/request.ts';

/** The filters of the feed, named as in the API and the address. */
export interface EventFilters {
  type: readonly string[];
  category: string;
  published: string;
  resource_id: string;
  occurred_after: string;
  occurred_before: string;
}

export type EventPage = Page<EventRecord> & { latest_sequence: number };

export const listEvents = (filters: EventFilters): ApiRequest<EventPage> => ({
  method: 'GET',
  path: '/v1/events',
  query: { ...filters, order: 'desc' },
});

/** Streams the feed after a sequence. Streams cannot be filtered by `published`. */
export const streamEvents = (
  { published: _published, ...filters }: EventFilters,
  after: number,
): ApiRequest<EventRecord> => ({
  method: 'GET',
  path: '/v1/events/stream',
  query: { ...filters, after },
});

export const getEvent = (id: string): ApiRequest<EventRecord> => ({
  method: 'GET',
  path: `/v1/events/${id}`,
});

export const listEventDeliveries = (id: string): ApiRequest<Page<DeliveryRecord>> => ({
  method: 'GET',
  path: '/v1/webhooks/deliveries',
  query: { event_id: id },
});

export const acknowledgeEvents = (
  body: { event_ids: string[] } | { up_to_sequence: number },
): ApiRequest<{ acknowledged: number }> => ({ method: 'POST', path: '/v1/events/ack', body });

export const listEventTypes = (): ApiRequest<{ data: EventTypeRecord[] }> => ({
  method: 'GET',
  path: '/v1/event-types',
});

const consumers = '/v1/events/consumers';

export const listConsumers = (): ApiRequest<Page<ConsumerRecord>> => ({
  method: 'GET',
  path: consumers,
});

export const createConsumer = (body: ConsumerCreate): ApiRequest<ConsumerRecord> => ({
  method: 'POST',
  path: consumers,
  body,
});

export const seekConsumer = (id: string, body: ConsumerSeek): ApiRequest<ConsumerRecord> => ({
  method: 'POST',
  path: `${consumers}/${id}/seek`,
  body,
});

export const deleteConsumer = (id: string): ApiRequest<null> => ({
  method: 'DELETE',
  path: `${consumers}/${id}`,
});
