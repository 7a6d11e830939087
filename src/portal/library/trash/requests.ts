import type { Static } from 'typebox';
import type { CollectionList } from '../../../contracts/wire/collections.ts';
import type { ObjectList } from '../../../contracts/wire/objects.ts';
import type { ApiRequest } from '../../api/request.ts';

export type ObjectPage = Static<typeof ObjectList>;
export type CollectionPage = Static<typeof CollectionList>;

/** Objects that are gone, or never came to be. */
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

const pathOf = (id: string): string =>
  `/v1/${id.startsWith('col_') ? 'collections' : 'objects'}/${id}`;

export const restore = (id: string): ApiRequest<unknown> => ({
  method: 'POST',
  path: `${pathOf(id)}/restore`,
});

/** Ends what was refused or failed at once; nothing else can be ended before its time. */
export const remove = (id: string): ApiRequest<null> => ({ method: 'DELETE', path: pathOf(id) });
