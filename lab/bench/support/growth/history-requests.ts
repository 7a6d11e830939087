import type pg from 'pg';
import type { Tenant } from '../api/tenants.ts';
import type { Bench } from '../bench.ts';

/** Sends a request with the key of a project. */
export type Send = (method: string, path: string, body?: unknown) => Promise<Reply>;

/** The data that a growth benchmark fills, and its requests. */
export interface Subject {
  /** Fills a project with rows; `client` is a superuser's. */
  fill(target: FillTarget, client: pg.Client, size: number): Promise<void>;
  /** The requests of one round, by name. */
  requests(
    send: Send,
    target: FillTarget,
    size: number,
  ): Promise<Record<string, () => Promise<unknown>>>;
}

/** The project that is filled. */
export interface FillTarget {
  bench: Bench;
  tenant: Tenant;
  endpointId: string;
}

/** The parts of responses that requests use. */
export interface Reply {
  id: string;
  data: { id: string }[];
  next_cursor: string | null;
  total?: number | null;
}

/** The resources that one round refers to. */
export interface HistoryTargets {
  objectId: string;
  endpointId: string;
  jobId: string;
  /** The sequence of the event in the middle. */
  middleSequence: number;
  deliveryId: string;
  eventId: string;
  consumerId: string;
}

/** The requests of a project with a long history. Each is sent once per round. */
export const historyRequests: Record<
  string,
  (send: Send, known: HistoryTargets) => Promise<unknown>
> = {
  'newest events': (send) => send('GET', '/events?limit=100&order=desc'),
  'events from the first': (send) => send('GET', '/events?limit=100&after=0'),
  'events from the middle': (send, { middleSequence: middle }) =>
    send('GET', `/events?limit=100&after=${middle}`),
  'newest events of a type': (send) =>
    send('GET', '/events?limit=100&order=desc&type=documents.job.succeeded'),
  'the only event of a type': (send) => send('GET', '/events?type=dam.object.purged'),
  'events of a resource': (send, { objectId }) => send('GET', `/events?resource_id=${objectId}`),
  'an event': (send, { eventId }) => send('GET', `/events/${eventId}`),
  'unpublished events': (send) => send('GET', '/events?published=false'),
  'events after a consumer': (send, { consumerId }) =>
    send('GET', `/events/consumers/${consumerId}/events?limit=100`),
  'a commit of a consumer': (send, { consumerId, middleSequence: middle }) =>
    send('POST', `/events/consumers/${consumerId}/commit`, { sequence: middle }),
  'newest deliveries': (send, { endpointId }) =>
    send('GET', `/webhooks/${endpointId}/deliveries?limit=100`),
  'exhausted deliveries': (send, { endpointId }) =>
    send('GET', `/webhooks/${endpointId}/deliveries?limit=100&state=exhausted`),
  'the only skipped delivery': (send, { endpointId }) =>
    send('GET', `/webhooks/${endpointId}/deliveries?state=skipped`),
  'the only delivery of a type': (send, { endpointId }) =>
    send('GET', `/webhooks/${endpointId}/deliveries?event_type=dam.object.purged`),
  'deliveries answered with 404': (send, { endpointId }) =>
    send('GET', `/webhooks/${endpointId}/deliveries?status_code=404`),
  'deliveries of an event': (send, { eventId }) =>
    send('GET', `/webhooks/deliveries?event_id=${eventId}`),
  'a delivery': (send, { endpointId, deliveryId }) =>
    send('GET', `/webhooks/${endpointId}/deliveries/${deliveryId}`),
  'figures of a webhook': (send, { endpointId }) => send('GET', `/webhooks/${endpointId}/stats`),
  'newest jobs': (send) => send('GET', '/documents/jobs?limit=100'),
  'failed jobs': (send) => send('GET', '/documents/jobs?limit=100&state=failed'),
  'the only job cancelled': (send) => send('GET', '/documents/jobs?state=cancelled'),
  'jobs of an object': (send, { objectId }) =>
    send('GET', `/documents/jobs?source_object_id=${objectId}`),
  'a job': (send, { jobId }) => send('GET', `/documents/jobs/${jobId}`),
  'a new job, cancelled': async (send, { objectId }) => {
    const job = await send('POST', '/documents/jobs', {
      source_object_id: objectId,
      operations: [{ op: 'ocr' }],
    });
    await send('POST', `/documents/jobs/${job.id}/cancel`);
  },
  'a changed object, with its event and delivery': (send, { objectId }) =>
    send('PATCH', `/objects/${objectId}`, { metadata: { at: Math.random() } }),
};
