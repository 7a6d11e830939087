import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { joinApi, type Tenant, type TestApi } from '../../support/api.ts';
import { findingsInThemes } from '../../support/axe.ts';
import { describeInBrowser, logIn, openTab, type Tab } from '../../support/browser.ts';
import { dragOnto } from '../../support/carry.ts';
import { collectionsOf } from '../../support/collections.ts';
import { eventually } from '../../support/eventually.ts';
import { addImages } from '../../support/library.ts';

describeInBrowser('dragging items onto collections in the portal', () => {
  let api: TestApi;
  let collections: ReturnType<typeof collectionsOf>;
  let ids: string[];
  before(async () => {
    api = await joinApi();
    collections = collectionsOf(api);
    ids = await addImages(
      api,
      api,
      Array.from({ length: 6 }, (_, at) => ({
        title: `Picture ${at}`,
        filename: `${at}.jpg`,
      })),
    );
  });

  const open = async (path = '/library?sort=filename', tenant: Tenant = api): Promise<Tab> => {
    const tab = await openTab();
    await logIn(tab, api.url, tenant, path);
    await tab.page.getByRole('gridcell').getByText('Picture 5', { exact: true }).waitFor();
    return tab;
  };
  const holds = (id: string, wanted: number[]): Promise<boolean> =>
    eventually(async () => {
      expect(await collections.order(id)).to.have.members(wanted.map((at) => ids[at]!));
      return true;
    }, 30_000);
  const tray = (page: Page) => page.getByRole('region', { name: 'Collections to drop on' });
  const close = async (tab: Tab): Promise<void> => {
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  };

  it('adds one item, or the selection, and takes it back', async () => {
    const id = await collections.make({ name: 'Harbour' });
    const tab = await open();
    const { page } = tab;
    await dragOnto(page, 'Picture 2', 'Harbour');
    await page.getByText('1 item added to Harbour.').waitFor();
    await tray(page).waitFor({ state: 'detached' });
    await holds(id, [2]);
    for (const at of [1, 2, 4]) {
      await page.getByRole('checkbox', { name: `Select Picture ${at}`, exact: true }).click();
    }
    await dragOnto(page, 'Picture 4', 'Harbour', async () => {
      await page.getByText('Drop 3 items on a collection, or press Esc to cancel.').waitFor();
      await tray(page).getByText('+3', { exact: true }).waitFor();
      await tray(page).getByText('1 member', { exact: true }).waitFor();
      expect(await findingsInThemes(page)).to.deep.equal([]);
    });
    await page.getByText('2 items added to Harbour. 1 item already in it.').waitFor();
    await holds(id, [1, 2, 4]);
    await page.getByText('3 of 6 selected').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('2 items removed from Harbour.').waitFor();
    await holds(id, [2]);
    // One that is not selected is dragged alone.
    await dragOnto(page, 'Picture 0', 'Harbour');
    await holds(id, [2, 0]);
    expect(new URL(page.url()).pathname).to.equal('/portal/library');
    await close(tab);
  });

  it('is cancelled by Escape, and by a drop elsewhere', async () => {
    const id = await collections.make({ name: 'Untouched' });
    const tab = await open();
    const { page } = tab;
    await page.getByRole('checkbox', { name: 'Select Picture 1', exact: true }).click();
    await dragOnto(page, 'Picture 1', 'Untouched', () => page.keyboard.press('Escape'));
    await tray(page).waitFor({ state: 'detached' });
    // Escape clears the selection only without a drag.
    await page.getByText('1 of 6 selected').first().waitFor();
    const box = (await page
      .getByRole('gridcell')
      .filter({ hasText: 'Picture 2' })
      .locator('.browse-picture')
      .boundingBox())!;
    await page.mouse.move(box.x + 60, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 90, box.y + 60, { steps: 3 });
    await tray(page).getByText('Untouched').waitFor();
    await page.mouse.up();
    await tray(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).to.equal('/portal/library');
    expect(await collections.order(id)).to.deep.equal([]);
    await close(tab);
  });

  it('offers a new collection, in every layout', async () => {
    const tab = await open();
    const { page } = tab;
    for (const layout of ['Justified', 'List']) {
      await page.getByRole('button', { name: layout, exact: true }).click();
      await dragOnto(page, 'Picture 3', 'Another, or new');
      const dialog = page.getByRole('dialog', { name: 'Add 1 item to a collection' });
      await dialog.getByLabel('Collection', { exact: true }).fill(`Of ${layout}`);
      await dialog.getByRole('button', { name: 'Create and add' }).click();
      await page.getByText(`1 item added to Of ${layout}.`).waitFor();
    }
    await close(tab);
  });

  it('has its keyboard equivalent in the selection’s action, with Undo', async () => {
    const id = await collections.make({ name: 'By keyboard' });
    const tab = await open();
    const { page } = tab;
    await page.getByRole('gridcell').first().focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Add to collection' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('By keyboard');
    await page.getByRole('radio', { name: 'By keyboard' }).and(page.locator(':checked')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('1 item added to By keyboard.').waitFor();
    await holds(id, [0]);
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 item removed from By keyboard.').waitFor();
    await holds(id, []);
    await close(tab);
  });

  it('draws a rectangle instead for a key that cannot change collections', async () => {
    const tenant = await api.issue(['images:read', 'images:write', 'objects:read']);
    const tab = await open('/library?show=images&sort=filename', tenant);
    const { page } = tab;
    const pictures = page.getByRole('gridcell').locator('.browse-picture');
    const [one, other] = [
      (await pictures.nth(0).boundingBox())!,
      (await pictures.nth(1).boundingBox())!,
    ];
    await page.mouse.move(one.x + one.width / 2, one.y + 40);
    await page.mouse.down();
    await page.mouse.move(other.x + other.width / 2, other.y + 40, { steps: 4 });
    await page.locator('.browse-band').waitFor();
    await page.mouse.up();
    await page.getByText('2 of 6 selected').first().waitFor();
    expect(await tray(page).count()).to.equal(0);
    await close(tab);
  });
});
