import type { EventRecord } from '../../contracts/wire/events.ts';
import type {
  JobBatchResults,
  JobRecord,
  PageRecord,
  PageStates,
} from '../../contracts/wire/jobs.ts';
import type { ObjectRecord } from '../../contracts/wire/objects.ts';
import type { Capabilities } from '../../contracts/wire/service.ts';
import type { Page } from '../api/hooks.ts';
import type { ApiRequest, QueryValue } from '../api/request.ts';

export type Operation = JobRecord['operations'][number];
export type Output = JobRecord['outputs'][number];

const jobs = '/v1/documents/jobs';

export const listJobs = (query: Record<string, QueryValue>): ApiRequest<Page<JobRecord>> => ({
  method: 'GET',
  path: jobs,
  query,
});

export const getJob = (id: string): ApiRequest<JobRecord> => ({
  method: 'GET',
  path: `${jobs}/${id}`,
});

export const getPageStates = (id: string): ApiRequest<PageStates> => ({
  method: 'GET',
  path: `${jobs}/${id}/page-states`,
});

export const listPages = (
  id: string,
  query: Record<string, QueryValue>,
): ApiRequest<Page<PageRecord>> => ({ method: 'GET', path: `${jobs}/${id}/pages`, query });

export const cancelJob = (id: string): ApiRequest<JobRecord> => ({
  method: 'POST',
  path: `${jobs}/${id}/cancel`,
});

export const retryJob = (id: string, scope: 'failed_pages' | 'all'): ApiRequest<JobRecord> => ({
  method: 'POST',
  path: `${jobs}/${id}/retry`,
  body: { scope },
});

/** What is asked of a source: an operation, and the options that are not as usual. */
export interface AskedOperation {
  op: string;
  options?: Record<string, unknown>;
}

export const startJob = (body: {
  source_object_id: string;
  operations: AskedOperation[];
  pages?: string;
  metadata?: unknown;
}): ApiRequest<JobRecord> => ({ method: 'POST', path: jobs, body });

export const startJobs = (body: {
  source_object_ids: string[];
  operations: AskedOperation[];
  metadata?: unknown;
  on_error: 'continue';
}): ApiRequest<JobBatchResults> => ({ method: 'POST', path: `${jobs}/batch`, body });

export const getCapabilities = (): ApiRequest<Capabilities> => ({
  method: 'GET',
  path: '/v1/capabilities',
});

export const findObjects = (q: string): ApiRequest<Page<ObjectRecord>> => ({
  method: 'GET',
  path: '/v1/objects',
  query: { q, limit: 20 },
});

/** The bytes of an object: for a link, a picture, or pdf.js. */
export const getContent = (id: string): ApiRequest<never> => ({
  method: 'GET',
  path: `/v1/objects/${id}/content`,
});

export const listEvents = (query: Record<string, QueryValue>): ApiRequest<Page<EventRecord>> => ({
  method: 'GET',
  path: '/v1/events',
  query,
});

export const streamEvents = (type: string): ApiRequest<never> => ({
  method: 'GET',
  path: '/v1/events/stream',
  query: { type },
});
