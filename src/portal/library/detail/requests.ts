import type { Static } from 'typebox';
import type { JobRecord } from '../../../contracts/wire/jobs.ts';
import type { DownloadList } from '../../../contracts/wire/library/downloads.ts';
import type { ImagePatch, ImageRecord } from '../../../contracts/wire/library/images.ts';
import type { SignedUrl, SignedUrlWish } from '../../../contracts/wire/library/objects.ts';
import type { EvaluateRequest, Evaluation } from '../../../contracts/wire/policy-decisions.ts';
import type { Page } from '../../api/hooks.ts';
import type { ApiRequest } from '../../api/request.ts';
import type { CollectionPage } from '../browse/requests.ts';

const policies = '/v1/dam/security/policies';

export const getImage = (id: string): ApiRequest<ImageRecord> => ({
  method: 'GET',
  path: `/v1/images/${id}`,
});

/** `version` is the one that was read: a change made since is not overwritten. */
export const patchImage = (
  id: string,
  version: number,
  body: ImagePatch,
): ApiRequest<ImageRecord> => ({
  method: 'PATCH',
  path: `/v1/images/${id}`,
  headers: { 'If-Match': `"${version}"` },
  body,
});

export const jobsOf = (objectId: string): ApiRequest<Page<JobRecord>> => ({
  method: 'GET',
  path: `/v1/objects/${objectId}/jobs`,
  query: { limit: 20 },
});

export const collectionsOf = (objectId: string): ApiRequest<CollectionPage> => ({
  method: 'GET',
  path: `/v1/objects/${objectId}/collections`,
  query: { limit: 50 },
});

export const downloadsOf = (objectId: string): ApiRequest<DownloadList> => ({
  method: 'GET',
  path: `/v1/objects/${objectId}/downloads`,
  query: { limit: 20 },
});

export const evaluate = (
  objectId: string,
  action: EvaluateRequest['action'],
): ApiRequest<Evaluation> => ({
  method: 'POST',
  path: `${policies}/evaluate`,
  body: { action, resource: { type: 'object', id: objectId } } satisfies EvaluateRequest,
});

export const signUrl = (
  objectId: string,
  body: Static<typeof SignedUrlWish>,
): ApiRequest<Static<typeof SignedUrl>> => ({
  method: 'POST',
  path: `/v1/objects/${objectId}/signed-urls`,
  body,
});
