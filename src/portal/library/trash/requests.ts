import type { ApiRequest } from '../../api/request.ts';
import type { CollectionPage, ObjectPage } from '../browse/requests.ts';

/** The states of objects that are trashed, or were never available. */
export type EndedState = 'trashed' | 'rejected' | 'failed';

export const listEnded = (state: EndedState): ApiRequest<ObjectPage> => ({
  method: 'GET',
  path: '/v1/objects',
  query: { state, limit: 100, include: 'total' },
});

export const listTrashedCollections = (): ApiRequest<CollectionPage> => ({
  method: 'GET',
  path: '/v1/collections',
  query: { state: 'trashed', limit: 100, include: 'total' },
});

/** Permanently deletes a rejected or failed object. Trashed objects are purged by the service. */
export const remove = (id: string): ApiRequest<null> => ({
  method: 'DELETE',
  path: `/v1/objects/${id}`,
});
