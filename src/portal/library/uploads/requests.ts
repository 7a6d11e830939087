import type { Static } from 'typebox';
import type { limits } from '../../../contracts/limits.ts';
import type { MemberRecord, MemberRef } from '../../../contracts/wire/library/collections.ts';
import type { ImageList } from '../../../contracts/wire/library/images.ts';
import type { ResumableUpload } from '../../../contracts/wire/library/uploads.ts';
import type { Candidate, Decision } from '../../../contracts/wire/policy-decisions.ts';
import type { ApiRequest } from '../../api/request.ts';

export type Limits = Record<keyof typeof limits, number>;

export const getLimits = (): ApiRequest<Limits> => ({ method: 'GET', path: '/v1/limits' });

/** Evaluates the policies for a file before it is uploaded. */
export const evaluateUpload = (candidate: Static<typeof Candidate>): ApiRequest<Decision> => ({
  method: 'POST',
  path: '/v1/dam/security/policies/evaluate',
  body: { action: 'upload', candidate },
});

/** The request that starts a tus upload. Sent by tus-js-client; this one is only shown. */
export const beginUpload = (
  bytes: number,
  metadata: Record<string, string>,
): ApiRequest<unknown> => ({
  method: 'POST',
  path: '/v1/uploads',
  headers: {
    'Tus-Resumable': '1.0.0',
    'Upload-Length': String(bytes),
    'Upload-Metadata': Object.entries(metadata)
      .map(([key, value]) => `${key} ${base64(value)}`)
      .join(','),
  },
});

export const getUpload = (id: string): ApiRequest<ResumableUpload> => ({
  method: 'GET',
  path: `/v1/uploads/${id}`,
});

export const terminateUpload = (id: string): ApiRequest<null> => ({
  method: 'DELETE',
  path: `/v1/uploads/${id}`,
  headers: { 'Tus-Resumable': '1.0.0' },
});

/** The image of an object, if it is one. */
export const imageOf = (objectId: string): ApiRequest<Static<typeof ImageList>> => ({
  method: 'GET',
  path: '/v1/images',
  query: { object_id: objectId },
});

export const addMember = (collectionId: string, body: MemberRef): ApiRequest<MemberRecord> => ({
  method: 'POST',
  path: `/v1/collections/${collectionId}/members`,
  body,
});

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
