import type { Static } from 'typebox';
import type { DecisionVerb } from '../../contracts/reviews.ts';
import type {
  FindingRecord,
  FindingsAdded,
  FindingsChanged,
  NewFinding,
  ReviewPageRecord,
  ReviewRecord,
  ReviewStats,
  ReviewSubmission,
  ReviewTextRecord,
} from '../../contracts/wire/reviews.ts';
import type { Page } from '../api/hooks.ts';
import type { ApiRequest, QueryValue } from '../api/request.ts';

const reviews = '/v1/documents/reviews';

type Query = Record<string, QueryValue>;

export const listReviews = (query: Query): ApiRequest<Page<ReviewRecord>> => ({
  method: 'GET',
  path: reviews,
  query,
});

export const getReview = (id: string): ApiRequest<ReviewRecord> => ({
  method: 'GET',
  path: `${reviews}/${id}`,
});

export const getReviewStats = (): ApiRequest<ReviewStats> => ({
  method: 'GET',
  path: `${reviews}/stats`,
});

export const listReviewPages = (id: string, query: Query): ApiRequest<Page<ReviewPageRecord>> => ({
  method: 'GET',
  path: `${reviews}/${id}/pages`,
  query,
});

export const listText = (id: string, query: Query): ApiRequest<Page<ReviewTextRecord>> => ({
  method: 'GET',
  path: `${reviews}/${id}/text`,
  query,
});

export const listFindings = (id: string, query: Query): ApiRequest<Page<FindingRecord>> => ({
  method: 'GET',
  path: `${reviews}/${id}/findings`,
  query,
});

export const decideFindings = (
  id: string,
  body: { ids: readonly string[]; decision: DecisionVerb; type?: string },
): ApiRequest<Static<typeof FindingsChanged>> => ({
  method: 'PATCH',
  path: `${reviews}/${id}/findings`,
  body,
});

export const addFindings = (
  id: string,
  body: NewFinding,
): ApiRequest<Static<typeof FindingsAdded>> => ({
  method: 'POST',
  path: `${reviews}/${id}/findings`,
  body,
});

export const removeFinding = (
  id: string,
  findingId: string,
): ApiRequest<Static<typeof FindingsChanged>> => ({
  method: 'DELETE',
  path: `${reviews}/${id}/findings/${findingId}`,
});

export const claimReview = (id: string): ApiRequest<ReviewRecord> => ({
  method: 'POST',
  path: `${reviews}/${id}/claim`,
});

export const releaseReview = (id: string): ApiRequest<ReviewRecord> => ({
  method: 'POST',
  path: `${reviews}/${id}/release`,
});

/** `version` is that of the review as it was shown. */
export const submitReview = (
  { id, version }: Pick<ReviewRecord, 'id' | 'version'>,
  body: Partial<ReviewSubmission>,
): ApiRequest<ReviewRecord> => ({
  method: 'POST',
  path: `${reviews}/${id}/submit`,
  headers: { 'If-Match': `"${version}"` },
  body,
});

export const rejectReview = (id: string, reason: string): ApiRequest<ReviewRecord> => ({
  method: 'POST',
  path: `${reviews}/${id}/reject`,
  body: { reason },
});

/** The certificate of a redaction, as signed JSON or, with a header `Accept`, as PDF. */
export const getCertificate = (jobId: string): ApiRequest<never> => ({
  method: 'GET',
  path: `/v1/documents/jobs/${jobId}/certificate`,
});
