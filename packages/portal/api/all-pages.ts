import type { Page } from './hooks.ts';
import { type ApiRequest, send } from './request.ts';

/** Yields all pages of a list, one by one. @throws ApiProblem */
export async function* allPages<T>(
  request: ApiRequest<Page<T>>,
  signal: AbortSignal,
): AsyncGenerator<T[]> {
  let cursor: string | null = null;
  do {
    const pageRequest: ApiRequest<Page<T>> = {
      ...request,
      query: { ...request.query, limit: 200, ...(cursor ? { cursor } : {}) },
    };
    const { data } = await send(pageRequest, signal);
    yield data.data;
    cursor = data.next_cursor;
  } while (cursor !== null);
}
