import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../support/api.ts';
import { describeInBrowser, openTab } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { openImaging, type TestImaging } from '../support/imaging.ts';
import { addImages } from '../support/library.ts';
import { quarteredPicture } from '../support/pictures.ts';

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** Presses Tab, or Shift and Tab, until the target has focus. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let at = 0; at < 80; at++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach the target.`);
}

describeInBrowser('a picture on its way through the portal', () => {
  let api: TestApi;
  let imaging: TestImaging;
  let folder: string;
  before(async () => {
    [api, folder] = await Promise.all([useSharedApi(), mkdtemp(join(tmpdir(), 'journey-'))]);
    imaging = await openImaging(api);
    await addImages(api, api, [{ title: 'Another one' }, { title: 'And one more' }]);
    await writeFile(
      join(folder, 'lighthouse.png'),
      await quarteredPicture(60, 40).png().toBuffer(),
    );
  });
  after(async () => {
    await imaging.close();
    await rm(folder, { recursive: true });
  });

  it('is uploaded, found, tagged and collected by keyboard alone', async () => {
    const tab = await openTab();
    const { page } = tab;
    const { keyboard } = page;
    const press = async (target: Locator): Promise<void> => {
      await tabTo(page, target);
      await keyboard.press('Enter');
    };
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

    await page.goto(`${api.url}/portal/library`);
    await tabTo(page, page.getByLabel('Project'));
    await keyboard.type(api.projectId);
    await tabTo(page, page.getByLabel('API key'));
    await keyboard.type(api.key);
    await keyboard.press('Enter');
    await page.getByText('2 items', { exact: true }).waitFor();

    await press(button('Upload'));
    const chooser = page.waitForEvent('filechooser');
    await press(button('Choose files…'));
    await (await chooser).setFiles(join(folder, 'lighthouse.png'));
    await press(button('Upload 1 file'));
    const tray = page.getByRole('complementary', { name: 'Uploads' });
    await tray.getByText('Uploaded.').waitFor();

    // It appears in the list, and so does its picture once a worker has created it.
    await page.getByText('3 items', { exact: true }).waitFor();
    const cell = page.getByRole('gridcell').filter({ hasText: 'lighthouse.png' });
    await cell.getByText('Processing').waitFor();
    await imaging.run();
    await cell.locator('img.shown').waitFor();

    // Closing the dialog returned focus to where it was opened.
    await tabTo(page, page.getByLabel('Search the library'));
    await keyboard.type('lighthouse');
    await page.getByText('1 item', { exact: true }).waitFor();
    await tabTo(page, cell);
    await keyboard.press('Space');
    await press(button('Add tags'));
    await page.getByLabel('Tags to add', { exact: true }).waitFor();
    await keyboard.type('harbour');
    await press(button('Add to 1 item'));
    await page.getByText('Tags added to 1 item.').waitFor();
    await press(button('Add to collection'));
    await page.getByLabel('Collection', { exact: true }).waitFor();
    await keyboard.type('By the sea');
    await button('Create and add').waitFor();
    await keyboard.press('Enter');
    await page.getByText('1 item added to By the sea.').waitFor();
    await press(button('Clear selection'));
    await eventually(() => hasFocus(cell));

    await tabTo(page, page.getByRole('link', { name: 'Collections' }), 'Shift+Tab');
    await keyboard.press('Enter');
    await press(page.getByRole('treeitem', { name: 'By the sea' }));
    await page.getByRole('heading', { name: 'By the sea' }).waitFor();
    const members = page.getByRole('grid', { name: 'Members' });
    await members.getByRole('gridcell').filter({ hasText: 'lighthouse.png' }).waitFor();
    const { json } = await api.call('GET', '/v1/images?tag=harbour&include=collections');
    expect(json.data.map((one: { filename: string }) => one.filename)).to.deep.equal([
      'lighthouse.png',
    ]);
    expect(json.data[0].collections[0].name).to.equal('By the sea');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
