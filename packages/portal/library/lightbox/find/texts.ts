import type { PageText } from '@scriptorium/contracts/wire/library/page-text';
import { requestFor, send } from '../../../api/request.ts';
import { untilReady } from '../../../kit/page-request.ts';

/** The texts of an object's pages, each read once while the object is shown. */
let kept: { objectId: string; pages: Map<number, PageText> } = { objectId: '', pages: new Map() };

/** Returns the words of a page. @throws ApiProblem */
export async function loadText(
  objectId: string,
  page: number,
  signal: AbortSignal,
): Promise<PageText> {
  if (kept.objectId !== objectId) kept = { objectId, pages: new Map() };
  const { pages } = kept;
  const known = pages.get(page);
  if (known) return known;
  const request = requestFor('getPageText', { id: objectId, n: page });
  const { data } = await untilReady(() => send(request, signal), signal);
  pages.set(page, data);
  return data;
}
