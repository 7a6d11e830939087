import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, type Tab } from '../../support/browser.ts';
import { createCollectionClient, imageRef, objectRef } from '../../support/collections.ts';
import { eventually } from '../../support/eventually.ts';
import { openImaging, type TestImaging } from '../../support/imaging.ts';
import { docx, paragraph, run } from '../../support/office.ts';
import { quarteredPicture } from '../../support/pictures.ts';
import { bornDigitalPdf } from '../../support/samples.ts';
import { postRaw } from '../../support/uploads.ts';

describeInBrowser('the portal’s library', () => {
  let api: TestApi;
  let imaging: TestImaging;
  const ids: Record<string, string> = {};
  before(async () => {
    api = await useSharedApi();
    imaging = await openImaging(api);
    const files: [string, Buffer][] = [
      ['harbour.png', await quarteredPicture(80, 60).png().toBuffer()],
      ['dues.pdf', await bornDigitalPdf([['Harbour dues'], ['Tariff']])],
      ['broken.pdf', Buffer.from('%PDF-1.7\nnothing of use')],
      ['letter.docx', Buffer.from(docx(paragraph(run('To the harbour master'))))],
      ['notes.txt', Buffer.from('The crane rests on Sundays.')],
      ['dues-redacted.pdf', await bornDigitalPdf([['Harbour']])],
      ['dues-text.md', Buffer.from('# Harbour dues')],
    ];
    for (const [name, bytes] of files) ids[name] = (await postRaw(api, bytes, name)).json.id;
    // As a worker does.
    await api.rows(`UPDATE object SET pages = 2 WHERE id = $1`, [ids['dues.pdf']]);
    await api.rows(`UPDATE object SET pages = 1 WHERE id IN ($1, $2)`, [
      ids['broken.pdf'],
      ids['dues-redacted.pdf'],
    ]);
    await api.rows(`UPDATE object SET derived_from = $1 WHERE id IN ($2, $3)`, [
      ids['dues.pdf'],
      ids['dues-redacted.pdf'],
      ids['dues-text.md'],
    ]);
    await imaging.run();
  });
  after(() => imaging.close());

  const open = async (path: string, options = {}): Promise<Tab> => {
    const tab = await openTab(options);
    await logIn(tab, api.url, api, path);
    return tab;
  };
  const cell = (page: Page, name: string) =>
    page.getByRole('gridcell').filter({ has: page.getByText(name, { exact: true }) });
  const names = (page: Page) => page.locator('.browse-name').allTextContents();

  it('shows files of all kinds with previews, without moving anything', async () => {
    // A broken file has no picture: its card stays.
    const tab = await openTab({ expected: [409] });
    const { page } = tab;
    await tab.onEachPage(`globalThis.shift = 0;
      new PerformanceObserver((list) => {
        for (const one of list.getEntries()) if (!one.hadRecentInput) globalThis.shift += one.value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    await logIn(tab, api.url, api, '/library?sort=filename');
    await page.getByText('5 items', { exact: true }).waitFor();
    expect(await names(page)).to.deep.equal([
      'broken.pdf',
      'dues.pdf',
      'harbour.png',
      'letter.docx',
      'notes.txt',
    ]);
    const drawn = cell(page, 'dues.pdf').locator('.browse-page img');
    // Of files without pages, what they say is drawn.
    for (const name of ['dues.pdf', 'letter.docx', 'notes.txt']) {
      await eventually(async () => {
        await imaging.run();
        return (await cell(page, name).locator('.browse-page img').count()) > 0;
      }, 60_000);
    }
    expect(
      await drawn.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).to.equal(480);
    await cell(page, 'harbour.png').locator('img.shown').waitFor();
    await cell(page, 'broken.pdf').locator('.browse-card').getByText('PDF').waitFor();
    await page.reload();
    await cell(page, 'dues.pdf').locator('.browse-page img').waitFor();
    expect(await page.evaluate('globalThis.shift')).to.be.below(0.05);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows one kind, keeping words and tags, and says when uploads are of another', async () => {
    const tab = await open('/library?q=dues', { expected: [409] });
    const { page } = tab;
    const kinds = page.getByRole('navigation', { name: 'Kind' });
    await kinds.getByRole('link', { name: 'PDFs' }).click();
    await page.getByText('1 PDF', { exact: true }).waitFor();
    expect(new URL(page.url()).search).to.equal('?show=pdf&q=dues');
    await page.getByRole('button', { name: 'Remove filter Search: dues' }).click();
    await page.getByText('2 PDFs', { exact: true }).waitFor();
    await kinds.getByRole('link', { name: 'Office' }).click();
    await page.getByText('1 Office file', { exact: true }).waitFor();
    await kinds.getByRole('link', { name: 'Images' }).click();
    await page.getByText('1 image', { exact: true }).waitFor();
    // Its source is of another kind, so it is not folded.
    await kinds.getByRole('link', { name: 'Text' }).click();
    await page.getByText('2 text files', { exact: true }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('keeps what is selected while a search is being applied, if it is found', async () => {
    const tab = await open('/library?sort=filename', { expected: [409] });
    const { page } = tab;
    const tick = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
    await tick('letter.docx').click();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const searching = /\/v1\/objects\?.*q=dues/;
    await page.route(searching, async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest(searching);
    await page.getByLabel('Search the library').fill('dues');
    // The search waits for a pause in typing, or for whatever is done next.
    await tick('dues.pdf').click();
    await asked;
    await tick('notes.txt').click();
    await page.getByText('3 of 5 selected').first().waitFor();
    release();
    await page.getByText('1 of 1 selected').first().waitFor();
    expect(await tick('dues.pdf').isChecked()).to.equal(true);
    // The next search ends it, as any other list does.
    await page.getByLabel('Search the library').fill('letter');
    await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('folds what was made from a file under it', async () => {
    const tab = await open('/library?sort=filename', { expected: [409] });
    const { page } = tab;
    await cell(page, 'dues.pdf').getByRole('link', { name: '2 derived' }).click();
    await page.getByText('Made from dues.pdf').waitFor();
    await page.getByText('2 items', { exact: true }).waitFor();
    expect((await names(page)).toSorted()).to.deep.equal(['dues-redacted.pdf', 'dues-text.md']);
    await page.goBack();
    await page.getByText('5 items', { exact: true }).waitFor();
    await page.getByText('More filters', { exact: true }).click();
    await page.getByLabel('Derived objects').selectOption('In the list');
    await page.getByText('7 items', { exact: true }).waitFor();
    await page.goto(`${api.url}/portal/library`);
    // Without its source, what was made from it is shown.
    await cell(page, 'dues.pdf').hover();
    await page.getByRole('checkbox', { name: 'Select dues.pdf' }).click();
    await page.getByRole('button', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByText('6 items', { exact: true }).waitFor();
    await cell(page, 'dues-redacted.pdf').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('5 items', { exact: true }).waitFor();
    await cell(page, 'dues-redacted.pdf').waitFor({ state: 'detached' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('keeps old addresses working', async () => {
    const tab = await open('/library?show=objects&q=dues', { expected: [409] });
    const { page } = tab;
    await page.getByText('1 item', { exact: true }).waitFor();
    expect(new URL(page.url()).search).to.equal('?q=dues');
    await page.goto(`${api.url}/portal/library?orientation=landscape`);
    await page.getByText('1 image', { exact: true }).waitFor();
    expect(new URL(page.url()).search).to.equal('?orientation=landscape&show=images');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows the first pictures of a collection as its cover', async () => {
    const { data } = (await api.call('GET', '/v1/images')).json;
    await createCollectionClient(api).make({
      name: 'Harbour board',
      members: [objectRef(ids['notes.txt']!), objectRef(ids['dues.pdf']!), imageRef(data[0].id)],
    });
    const tab = await open('/collections');
    const { page } = tab;
    const cover = page.getByRole('link', { name: /^Harbour board/ }).locator('.cover');
    await cover.and(page.locator('[data-pictures="2"]')).waitFor();
    await cover.locator('.browse-page img').waitFor();
    await eventually(async () => {
      const widths = await cover
        .locator('img')
        .evaluateAll((all) =>
          all.map((one) => (one as unknown as { naturalWidth: number }).naturalWidth),
        );
      return widths.length === 2 && widths.every((width) => width > 0);
    }, 30_000);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('lists items in columns that the server sorts by, and keeps the choice', async () => {
    const tab = await open('/library', { expected: [409] });
    const { page } = tab;
    await page.getByText('5 items', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    const sorted = async (column: string, direction: string, wanted: string[]): Promise<void> => {
      await page.getByRole('button', { name: column, exact: true }).click();
      const head = page.getByRole('columnheader', { name: column });
      await eventually(async () => (await head.getAttribute('aria-sort')) === direction);
      await eventually(async () => (await names(page)).join() === wanted.join());
    };
    const byName = ['broken.pdf', 'dues.pdf', 'harbour.png', 'letter.docx', 'notes.txt'];
    await sorted('Name', 'ascending', byName);
    await sorted('Name', 'descending', byName.toReversed());
    const { json } = await api.call('GET', '/v1/objects?originals=true&sort=-bytes');
    const bySize = json.data.map(({ filename }: { filename: string }) => filename);
    await sorted('Size', 'descending', bySize);
    await sorted('Size', 'ascending', bySize.toReversed());
    const kinds = await api.call('GET', '/v1/objects?originals=true&sort=mime');
    await sorted(
      'Kind',
      'ascending',
      kinds.json.data.map(({ filename }: { filename: string }) => filename),
    );
    await page.getByLabel('Density').selectOption('Compact');
    await page.reload();
    await page.getByRole('columnheader', { name: 'Added' }).waitFor();
    expect(await page.getByLabel('Density').inputValue()).to.equal('compact');
    // Moves and selects as in the grid.
    await page.getByRole('gridcell').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 of 5 selected').first().waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
