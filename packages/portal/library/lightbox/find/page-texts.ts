import type { PageText } from '@scriptorium/contracts/wire/library/page-text';
import { requestFor, send } from '../../../api/request.ts';
import { retryUntilReady } from '../../../kit/page-request.ts';

/** The page texts of one object, each requested once while the object is shown. */
let cache: { objectId: string; pages: Map<number, PageText> } = { objectId: '', pages: new Map() };

/** Returns the words of a page. @throws ApiProblem */
export async function loadText(
  objectId: string,
  page: number,
  signal: AbortSignal,
): Promise<PageText> {
  if (cache.objectId !== objectId) cache = { objectId, pages: new Map() };
  const { pages } = cache;
  const cached = pages.get(page);
  if (cached) return cached;
  const request = requestFor('getPageText', { id: objectId, n: page });
  const { data } = await retryUntilReady(() => send(request, signal), signal);
  pages.set(page, data);
  return data;
}
