import type { Static } from 'typebox';
import type {
  ShareCreate,
  ShareList,
  SharePatch,
  ShareRecord,
} from '../../../contracts/wire/library/shares.ts';
import type { ApiRequest } from '../../api/request.ts';

const path = '/v1/shares';

/** What can be shared. */
export type Shared = { object_id: string } | { collection_id: string };

export const listShares = (
  query: Partial<Record<'object_id' | 'collection_id' | 'state', string>> = {},
): ApiRequest<Static<typeof ShareList>> => ({ method: 'GET', path, query });

export const createShare = (body: ShareCreate): ApiRequest<ShareRecord> => ({
  method: 'POST',
  path,
  body,
});

export const updateShare = (
  { id, version }: ShareRecord,
  body: SharePatch,
): ApiRequest<ShareRecord> => ({
  method: 'PATCH',
  path: `${path}/${id}`,
  headers: { 'If-Match': `"${version}"` },
  body,
});

export const revokeShare = ({ id }: ShareRecord): ApiRequest<null> => ({
  method: 'DELETE',
  path: `${path}/${id}`,
});

/** A link as people copy it. */
export function linkOf({ url }: ShareRecord): string | null {
  return url && new URL(url, window.location.origin).href;
}
