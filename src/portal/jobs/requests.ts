import type { EventRecord } from '../../contracts/wire/events.ts';
import type {
  JobBatchResults,
  JobRecord,
  PageRecord,
  PageStates,
} from '../../contracts/wire/jobs.ts';
import type { PresetRecord } from '../../contracts/wire/presets.ts';
import type { Capabilities } from '../../contracts/wire/service.ts';
import type { Page } from '../api/hooks.ts';
import type { ApiRequest, QueryValue } from '../api/request.ts';

export type Operation = JobRecord['operations'][number];

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

/** An operation to run, with the options that differ from their defaults. */
export interface RequestedOperation {
  op: string;
  options?: Record<string, unknown>;
}

/** What jobs do: operations, or a preset. */
export type JobWork = { operations: RequestedOperation[] } | { preset_id: string };

export const startJob = (
  body: JobWork & {
    source_object_id: string;
    pages?: string;
    metadata?: unknown;
  },
): ApiRequest<JobRecord> => ({ method: 'POST', path: jobs, body });

export const startJobs = (
  body: JobWork & {
    source_object_ids: string[];
    metadata?: unknown;
    on_error: 'continue';
  },
): ApiRequest<JobBatchResults> => ({ method: 'POST', path: `${jobs}/batch`, body });

const presets = '/v1/documents/presets';

export const listPresets = (): ApiRequest<Page<PresetRecord>> => ({
  method: 'GET',
  path: presets,
  query: { limit: 100 },
});

export const createPreset = (body: {
  name: string;
  description?: string;
  operations: RequestedOperation[];
}): ApiRequest<PresetRecord> => ({ method: 'POST', path: presets, body });

export const deletePreset = (id: string): ApiRequest<null> => ({
  method: 'DELETE',
  path: `${presets}/${id}`,
});

export const getCapabilities = (): ApiRequest<Capabilities> => ({
  method: 'GET',
  path: '/v1/capabilities',
});

/** The content of an object: for a link, an image, or pdf.js. */
export const getContent = (id: string): ApiRequest<never> => ({
  method: 'GET',
  path: `/v1/objects/${id}/content`,
});

export const listJobEvents = (
  query: Record<string, QueryValue>,
): ApiRequest<Page<EventRecord>> => ({
  method: 'GET',
  path: '/v1/events',
  query,
});
