import type { Page } from 'playwright-core';

/**
 * Drags an item of Browse by its picture onto a collection, by their names. `above` is done with the
 * pointer over the collection, before the drop.
 */
export async function dragOnto(
  page: Page,
  item: string,
  collection: string,
  above: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const picture = page
    .locator('.browse-grid [data-index]')
    .filter({ has: page.getByText(item, { exact: true }) })
    .locator('.browse-picture');
  // Waits until it stands still and nothing is over it.
  await picture.hover();
  await page.mouse.down();
  const from = (await picture.boundingBox())!;
  await page.mouse.move(from.x + from.width / 2 + 10, from.y + from.height / 2 + 10, { steps: 3 });
  const target = page
    .getByRole('region', { name: 'Collections to drop on' })
    .getByRole('listitem')
    .filter({ has: page.getByText(collection, { exact: true }) });
  await target.waitFor();
  const to = (await target.boundingBox())!;
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 3 });
  await target.and(page.locator('.over')).waitFor();
  await above();
  await page.mouse.up();
}
