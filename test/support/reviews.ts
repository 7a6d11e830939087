import type { FindingRecord, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import type { ApiResponse, Tenant } from './api.ts';
import { eventually } from './eventually.ts';
import { openRedactions, type Redactions, shareRedactions } from './redactions.ts';

/** Jobs that wait for reviews, and what reviewers do. */
export interface Reviews extends Redactions {
  /** Starts a redaction of an object that waits for a review, and returns its open review. */
  awaitReview(objectId: string, options?: object): Promise<ReviewRecord>;
  /** The review of a job once it is open. */
  reviewOf(jobId: string): Promise<ReviewRecord>;
  get(reviewId: string): Promise<ReviewRecord>;
  findings(reviewId: string, query?: string): Promise<FindingRecord[]>;
  decide(reviewId: string, body: object, tenant?: Pick<Tenant, 'key'>): Promise<ApiResponse>;
  add(reviewId: string, body: object, tenant?: Pick<Tenant, 'key'>): Promise<ApiResponse>;
  /** Submits the review in its current version, unless another is given. */
  submit(
    reviewId: string,
    body?: object,
    options?: { version?: number; key?: string },
  ): Promise<ApiResponse>;
}

export async function openReviews(): Promise<Reviews> {
  const redactions = await openRedactions(undefined, 'real');
  redactions.workers.start('maintenance');
  return reviewsOf(redactions);
}

/** The same over the service that the tests of a run share. */
export async function shareReviews(): Promise<Reviews> {
  return reviewsOf(await shareRedactions('real'));
}

function reviewsOf(redactions: Redactions): Reviews {
  const { api } = redactions;
  const path = '/v1/documents/reviews';
  const get = async (id: string): Promise<ReviewRecord> => {
    const response = await api.call('GET', `${path}/${id}`);
    if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
    return response.json;
  };
  const reviewOf = (jobId: string): Promise<ReviewRecord> =>
    eventually(async () => {
      const { json } = await api.call('GET', `${path}?job_id=${jobId}&state=open`);
      return json.data[0] ?? null;
    });
  return {
    ...redactions,
    get,
    reviewOf,
    awaitReview: async (objectId, options = {}) => {
      const body = { source_object_id: objectId, review: 'required', ...options };
      const started = await api.call('POST', '/v1/documents/redact', { body });
      if (started.status !== 202) throw new Error(`${started.status} ${started.text}`);
      return reviewOf(started.json.id);
    },
    findings: async (id, query = '') => {
      const response = await api.call('GET', `${path}/${id}/findings?limit=200${query}`);
      if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
      return response.json.data;
    },
    decide: (id, body, tenant = {} as never) =>
      api.call('PATCH', `${path}/${id}/findings`, { body, ...tenant }),
    add: (id, body, tenant = {} as never) =>
      api.call('POST', `${path}/${id}/findings`, { body, ...tenant }),
    submit: async (id, body = {}, { version, key } = {}) => {
      const current = version ?? (await get(id)).version;
      return api.call('POST', `${path}/${id}/submit`, {
        body,
        headers: { 'if-match': `"${current}"` },
        ...(key === undefined ? {} : { key }),
      });
    },
  };
}
