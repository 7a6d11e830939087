import { expect } from 'chai';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, type Tab } from '../../support/browser.ts';
import { createCollectionClient } from '../../support/collections.ts';
import { eventually } from '../../support/eventually.ts';
import { addImages } from '../../support/library.ts';

describeInBrowser('adding items to collections in the portal', () => {
  let api: TestApi;
  let collections: ReturnType<typeof createCollectionClient>;
  let ids: string[];
  before(async () => {
    api = await useSharedApi();
    collections = createCollectionClient(api);
    ids = await addImages(
      api,
      api,
      Array.from({ length: 6 }, (_, at) => ({
        title: `Picture ${at}`,
        filename: `${at}.jpg`,
      })),
    );
  });

  const open = async (): Promise<Tab> => {
    const tab = await openTab();
    await logIn(tab, api.url, api, '/library?sort=filename');
    await tab.page.getByRole('gridcell').getByText('Picture 5', { exact: true }).waitFor();
    return tab;
  };
  const holds = (id: string, wanted: number[]): Promise<boolean> =>
    eventually(async () => {
      expect(await collections.memberIds(id)).to.have.members(wanted.map((at) => ids[at]!));
      return true;
    }, 30_000);
  const close = async (tab: Tab): Promise<void> => {
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  };

  it('adds the selection, says what was in it before, and takes back the rest', async () => {
    const id = await collections.make({ name: 'Harbour' });
    const tab = await open();
    const { page } = tab;
    const select = async (at: number): Promise<void> =>
      page.getByRole('checkbox', { name: `Select Picture ${at}`, exact: true }).click();
    const add = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Add to collection' }).click();
      await page.getByLabel('Collection', { exact: true }).fill('Harbour');
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    };
    await select(2);
    await add();
    await page.getByText('1 item added to Harbour.').waitFor();
    await holds(id, [2]);
    await select(1);
    await select(4);
    await add();
    await page.getByText('2 items added to Harbour. 1 item already in it.').waitFor();
    await holds(id, [1, 2, 4]);
    await page.getByText('3 of 6 selected').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('2 items removed from Harbour.').waitFor();
    await holds(id, [2]);
    await close(tab);
  });

  it('works by keyboard, as does Undo', async () => {
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
});
