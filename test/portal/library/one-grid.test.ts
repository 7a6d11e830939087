import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, type Tab } from '../../support/browser.ts';
import { createCollectionClient, imageRef, objectRef } from '../../support/collections.ts';
import { eventually } from '../../support/eventually.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { addImages } from '../../support/library.ts';
import { addPolicy } from '../../support/policies.ts';
import { postRaw } from '../../support/uploads.ts';

describeInBrowser('the grid of the library', () => {
  let api: TestApi;
  let collections: ReturnType<typeof createCollectionClient>;
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
  const ids: string[] = [];
  before(async () => {
    api = await useSharedApi();
    collections = createCollectionClient(api);
    for (const name of names) ids.push((await postRaw(api, `This is ${name}.`, name)).json.id);
  });

  const open = async (path: string, options = {}): Promise<Tab> => {
    const tab = await openTab({ expected: [409], ...options });
    await logIn(tab, api.url, api, path);
    return tab;
  };
  const close = async (tab: Tab): Promise<void> => {
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  };
  const cell = (page: Page, name: string) => page.getByRole('gridcell').filter({ hasText: name });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const membersAre = (id: string, wanted: readonly string[]) =>
    eventually(async () => {
      expect(await collections.memberIds(id)).to.deep.equal(wanted);
      return true;
    }, 30_000);

  it('selects, shows and tags members of a collection, as in Browse', async () => {
    const id = await collections.make({ name: 'Tagged', members: ids.map(objectRef) });
    const tab = await open(`/collections/${id}`);
    const { page } = tab;
    await cell(page, 'b.txt').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText('2 of 4 selected').first().waitFor();
    await button(page, 'Add tags').click();
    await page.getByLabel('Tags to add', { exact: true }).fill('harbour');
    await page.keyboard.press('Enter');
    await button(page, 'Add to 2 items').click();
    await page.getByText('Tags added to 2 items.').waitFor();
    const tagged = await api.call('GET', '/v1/objects?tag=harbour&sort=filename');
    expect(tagged.json.data.map((one: { id: string }) => one.id)).to.deep.equal([ids[1], ids[2]]);
    await cell(page, 'c.txt').focus();
    await page.keyboard.press('v');
    await page.getByRole('dialog', { name: 'c.txt' }).getByText('3 of 4').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await page.locator('[role=gridcell]:focus').getByText('c.txt').waitFor();
    await close(tab);
  });

  it('moves members to another collection, and back', async () => {
    const from = await collections.make({ name: 'From', members: ids.map(objectRef) });
    const to = await collections.make({ name: 'Into' });
    const tab = await open(`/collections/${from}`);
    const { page } = tab;
    await cell(page, 'a.txt').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowRight');
    await button(page, 'Move to collection').click();
    await page.getByLabel('Collection', { exact: true }).fill('Into');
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('2 items moved to Into.').waitFor();
    await membersAre(from, ids.slice(2));
    await membersAre(to, ids.slice(0, 2));
    await page.getByText('2 members').waitFor();
    await button(page, 'Undo').click();
    await page.getByText('2 items moved back to the end of From.').waitFor();
    await membersAre(from, [...ids.slice(2), ...ids.slice(0, 2)]);
    await membersAre(to, []);
    await cell(page, 'a.txt').waitFor();
    await close(tab);
  });

  it('downloads the selection as one ZIP file, without what a policy denies', async () => {
    const tab = await open('/library?sort=filename', { expected: [403, 409] });
    const { page } = tab;
    await cell(page, 'a.txt').focus();
    await page.keyboard.press('Control+a');
    const download = async (press: () => Promise<void>): Promise<string[]> => {
      const started = page.waitForEvent('download');
      await press();
      const file = await started;
      expect(file.suggestedFilename()).to.equal('files.zip');
      return Object.keys(unzipSync(await readFile(await file.path()))).toSorted();
    };
    expect(await download(() => button(page, 'Download').click())).to.deep.equal([
      ...names,
      'manifest.json',
    ]);
    await page.getByText('4 files downloaded.').waitFor();
    await addPolicy(api, {
      scope: { type: 'tag', tags: ['secret'] },
      actions: ['download'],
      rules: [{ type: 'max_bytes', bytes: 1 }],
    });
    await api.call('PATCH', `/v1/objects/${ids[3]}`, { body: { tags: ['secret'] } });
    await button(page, 'Download').click();
    await page.getByLabel('Failed items').getByText('d.txt: ').waitFor();
    const others = button(page, 'Download the other 3');
    expect(await download(() => others.click())).to.deep.equal([
      ...names.slice(0, 3),
      'manifest.json',
    ]);
    await api.call('PATCH', `/v1/objects/${ids[3]}`, { body: { tags: [] } });
    await close(tab);
  });

  it('shares several items as a new collection', async () => {
    const tab = await open('/library?sort=filename');
    const { page } = tab;
    await cell(page, 'a.txt').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowRight');
    await button(page, 'Share').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the collection').fill('For the board');
    await dialog.getByRole('button', { name: 'Create collection' }).click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.locator('.code').textContent();
    const shown = await fetch(link ?? '', { headers: { Accept: 'application/json' } });
    const { files } = (await shown.json()) as { files: { filename: string }[] };
    expect(files.map(({ filename }) => filename)).to.deep.equal(['a.txt', 'b.txt']);
    await dialog.getByRole('button', { name: 'Done' }).click();
    // What it shows is the same grid.
    await page.goto(`${api.url}/portal/shares`);
    await page.getByRole('link', { name: /^Contents of/ }).click();
    await cell(page, 'b.txt').waitFor();
    await cell(page, 'a.txt').focus();
    await page.keyboard.press('Space');
    await page.getByText('1 of 2 selected').first().waitFor();
    await close(tab);
  });

  it('leads back to where an item was opened, at the same place', async () => {
    const many = await addImages(
      api,
      api,
      Array.from({ length: 60 }, (_, at) => ({ filename: `${String(at).padStart(2, '0')}.txt` })),
    );
    const id = await collections.make({ name: 'Many', members: many.map(imageRef) });
    // The images of this test have no renditions.
    const tab = await open(`/collections/${id}`, { expected: [404, 409] });
    const { page } = tab;
    await cell(page, '00.txt').focus();
    await page.keyboard.press('End');
    await page.locator('[role=gridcell]:focus').getByText('59.txt').waitFor();
    const scrollY = () => page.evaluate('window.scrollY') as Promise<number>;
    const before = await scrollY();
    expect(before).to.be.greaterThan(200);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '59.txt', level: 1 }).waitFor();
    await page.getByText('60 of 60', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.getByRole('heading', { name: '58.txt', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Back to Collections' }).click();
    await cell(page, '59.txt').waitFor();
    await eventually(async () => Math.abs((await scrollY()) - before) < 2);
    // Back closes the lightbox, and leads back to it from a page that it opened.
    await cell(page, '57.txt').focus();
    await page.keyboard.press('v');
    const lightbox = page.locator('dialog.lightbox');
    await lightbox.getByText('58 of 60').waitFor();
    await page.keyboard.press('ArrowRight');
    await lightbox.getByText('59 of 60').waitFor();
    await lightbox.getByRole('link', { name: 'Open page' }).click();
    await page.getByRole('heading', { name: '58.txt', level: 1 }).waitFor();
    await page.goBack();
    await lightbox.getByText('59 of 60').waitFor();
    await page.goBack();
    await lightbox.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).to.equal(`/portal/collections/${id}`);
    await close(tab);
  });
});
