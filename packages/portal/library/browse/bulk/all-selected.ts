import { send } from '../../../api/request.ts';
import type { Selection } from '../grid/selection.ts';
import { type Item, itemOfImage, itemOfObject } from '../item.ts';
import { listImages, listObjects } from '../list/requests.ts';
import type { Results } from '../results.ts';

/**
 * Returns all selected items. Items that are not loaded yet are fetched page by page.
 * @throws ApiProblem
 */
export async function allSelected(
  results: Results,
  selection: Selection,
  onProgress: (count: number) => void,
): Promise<Item[]> {
  if (!selection.isAll) return [...selection.items.values()];
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const query = { ...results.query, cursor: cursor ?? undefined };
    const page: { items: Item[]; next: string | null } =
      results.kind === 'images' ? await loadImagePage(query) : await loadObjectPage(query);
    items.push(...page.items);
    cursor = page.next;
    onProgress(items.length);
  } while (cursor);
  return items;
}

async function loadImagePage(query: Results['query']) {
  const { data } = await send(listImages(query));
  return { items: data.data.map(itemOfImage), next: data.next_cursor };
}

async function loadObjectPage(query: Results['query']) {
  const { data } = await send(listObjects(query));
  return { items: data.data.map(itemOfObject), next: data.next_cursor };
}
