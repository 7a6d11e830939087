import type { ApiResponse, CallOptions, TestApi } from './api.ts';

export interface ResourceRef {
  resource_type: 'image' | 'object';
  resource_id: string;
}

export const imageRef = (id: string): ResourceRef => ({ resource_type: 'image', resource_id: id });
export const objectRef = (id: string): ResourceRef => ({
  resource_type: 'object',
  resource_id: id,
});

/** The operations of tests on collections, in the words of the API. */
export function createCollectionClient(api: TestApi) {
  const call = (method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> =>
    api.call(method, path, options);
  const requireSuccess = (response: ApiResponse): ApiResponse => {
    if (response.status > 299) throw new Error(`${response.status} ${response.text}`);
    return response;
  };
  const path = (id: string, ...segments: string[]): string =>
    ['/v1/collections', id, ...segments].join('/');
  return {
    /** Makes one; throws when it is rejected. */
    async make(body: object): Promise<string> {
      return requireSuccess(
        await call('POST', '/v1/collections', { body: { name: 'Harbour', ...body } }),
      ).json.id;
    },
    create: (body: unknown, options: CallOptions = {}) =>
      call('POST', '/v1/collections', { ...options, body }),
    async get(id: string) {
      return requireSuccess(await call('GET', path(id))).json;
    },
    patch: (id: string, body: unknown, options: CallOptions = {}) =>
      call('PATCH', path(id), { ...options, body }),
    trash: (id: string, options: CallOptions = {}) => call('DELETE', path(id), options),
    restore: (id: string) => call('POST', path(id, 'restore')),
    add: (id: string, ref: unknown, options: CallOptions = {}) =>
      call('POST', path(id, 'members'), { ...options, body: ref }),
    batch: (id: string, body: unknown, options: CallOptions = {}) =>
      call('POST', path(id, 'members/batch'), { ...options, body }),
    remove: (id: string, ref: ResourceRef, options: CallOptions = {}) =>
      call('DELETE', path(id, 'members', ref.resource_type, ref.resource_id), options),
    move: (id: string, ref: ResourceRef, body: unknown, options: CallOptions = {}) =>
      call('PATCH', path(id, 'members', ref.resource_type, ref.resource_id), { ...options, body }),
    members: (id: string, search = '') => call('GET', `${path(id, 'members')}${search}`),
    list: (search = '') => call('GET', `/v1/collections${search}`),
    /** The identifiers of all members, page by page. */
    async memberIds(id: string, limit = 200): Promise<string[]> {
      const ids: string[] = [];
      let cursor = '';
      do {
        const response = requireSuccess(
          await call('GET', `${path(id, 'members')}?limit=${limit}${cursor}`),
        );
        ids.push(
          ...response.json.data.map((member: { resource_id: string }) => member.resource_id),
        );
        cursor = response.json.next_cursor ? `&cursor=${response.json.next_cursor}` : '';
      } while (cursor);
      return ids;
    },
  };
}

/** The codes of a problem's faults with where they lie. */
export function faultsOf(response: ApiResponse): string[] {
  return (response.json.errors ?? []).map(
    (fault: { pointer?: string; parameter?: string; code: string }) =>
      `${fault.pointer ?? fault.parameter} ${fault.code}`,
  );
}
