import type { Page } from './hooks.ts';
import { type ApiRequest, send } from './request.ts';

/** Follows the cursor of a list to its end. @throws ApiProblem */
export async function* everything<T>(
  request: ApiRequest<Page<T>>,
  signal: AbortSignal,
): AsyncGenerator<T[]> {
  let cursor: string | null = null;
  do {
    const asked: ApiRequest<Page<T>> = {
      ...request,
      query: { ...request.query, limit: 200, ...(cursor ? { cursor } : {}) },
    };
    const { data } = await send(asked, signal);
    yield data.data;
    cursor = data.next_cursor;
  } while (cursor !== null);
}
