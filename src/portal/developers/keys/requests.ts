import type { Static } from 'typebox';
import type {
  KeyCreate,
  KeyList,
  KeyPatch,
  KeyRecord,
  NewKeyRecord,
  RolledKeyRecord,
} from '../../../contracts/wire/keys.ts';
import type { ApiRequest } from '../../api/request.ts';

const path = '/v1/keys';

export const listKeys = (query: {
  state?: string;
  sort?: string | undefined;
  limit?: number;
}): ApiRequest<Static<typeof KeyList>> => ({ method: 'GET', path, query });

export const getKey = (id: string): ApiRequest<KeyRecord> => ({
  method: 'GET',
  path: `${path}/${id}`,
});

export const createKey = (body: KeyCreate): ApiRequest<NewKeyRecord> => ({
  method: 'POST',
  path,
  body,
});

export const updateKey = (id: string, body: KeyPatch): ApiRequest<KeyRecord> => ({
  method: 'PATCH',
  path: `${path}/${id}`,
  body,
});

export const rollKey = (id: string, overlapSeconds: number): ApiRequest<RolledKeyRecord> => ({
  method: 'POST',
  path: `${path}/${id}/roll`,
  body: { overlap_seconds: overlapSeconds },
});

export const revokeKey = (id: string): ApiRequest<null> => ({
  method: 'DELETE',
  path: `${path}/${id}`,
});
