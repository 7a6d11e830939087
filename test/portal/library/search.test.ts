import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inProject } from '../../../src/db/transaction.ts';
import { indexOwnText } from '../../../src/library/objects/text.ts';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, type Tab } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { openImaging, type TestImaging } from '../../support/imaging.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { quarteredPicture } from '../../support/pictures.ts';
import { bornDigitalPdf } from '../../support/samples.ts';
import { postRaw } from '../../support/uploads.ts';

const pages = [
  ['Contents of the report'],
  ['The harbour is deep.', 'The tall crane of the harbour rests.', 'A crane flies.'],
];

describeInBrowser('the portal’s search', () => {
  let api: TestApi;
  let imaging: TestImaging;
  let documentId: string;
  before(async () => {
    api = await useSharedApi();
    imaging = await openImaging(api);
    const picture = await postRaw(api, await quarteredPicture(900, 600).png().toBuffer(), 'a.png');
    const document = await postRaw(api, await bornDigitalPdf(pages), 'b.pdf');
    documentId = document.json.id;
    await api.rows('UPDATE object SET pages = 2 WHERE id = $1', [documentId]);
    const texts = pages.map((lines, at) => ({ page: at + 1, text: lines.join('\n') }));
    await inProject(api.deps.database, api.projectId, async (tx) =>
      indexOwnText(tx, api.projectId, documentId, texts),
    );
    await api.call('PATCH', `/v1/images/${picture.json.image_id}`, {
      body: { title: 'Yellow crane', description: 'Photographed in the harbour' },
    });
  });
  after(() => imaging.close());

  const open = async (path: string): Promise<Tab> => {
    const tab = await openTab({ expected: [409] });
    await logIn(tab, api.url, api, path);
    return tab;
  };
  /** The marked line of a page, drawn as a worker draws it. */
  const markedOn = async (page: Page, at: number): Promise<string> => {
    const frame = page.getByRole('group', { name: `Page ${at}`, exact: true });
    await eventually(async () => {
      await imaging.run();
      return (await frame.locator('rect.current').count()) > 0;
    }, 60_000);
    await frame.locator(`img[alt="Page ${at}"]`).waitFor();
    const current = (await frame.locator('rect.current').first().boundingBox())!;
    const words = await frame.locator('text').all();
    const line: string[] = [];
    for (const word of words) {
      const box = (await word.boundingBox())!;
      const middle = box.y + box.height / 2;
      if (middle > current.y && middle < current.y + current.height) {
        line.push((await word.textContent()) ?? '');
      }
    }
    return line.join(' ');
  };

  it('finds pictures and documents under All, and shows the passages', async () => {
    const tab = await open('/library?q=crane+harbour');
    const { page } = tab;
    await page.getByText('2 items', { exact: true }).waitFor();
    const cells = page.getByRole('gridcell');
    // The picture is first: its title matches.
    expect(await cells.first().innerText()).to.include('Yellow crane');
    expect(await cells.first().locator('mark').allInnerTexts()).to.deep.equal(['harbour']);
    expect(await cells.nth(1).innerText()).to.match(/b\.pdf\s+Page 2: .*The tall crane of the/);
    expect(await cells.nth(1).locator('mark').allInnerTexts()).to.include.members([
      'crane',
      'harbour',
    ]);
    expect(await page.getByLabel('Sort by').inputValue()).to.equal('');
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('opens a document at the page of the passage, with the line marked', async () => {
    const tab = await open('/library?q=crane+harbour');
    const { page } = tab;
    await page.getByRole('gridcell').getByText('b.pdf').click();
    await page.waitForURL(/\/objects\/obj_.*page=2/);
    expect(await markedOn(page, 2)).to.equal('The tall crane of the harbour rests.');
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    // The page belongs to this document only.
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.getByRole('heading', { level: 1, name: 'Yellow crane' }).waitFor();
    expect(new URL(page.url()).search).to.equal('?q=crane+harbour');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('finds a picture by the name of the photographer, and shows it in the lightbox', async () => {
    await api.rows(`UPDATE image SET creator = 'Ada Vane', copyright = '© Lindhaven Press'`);
    const tab = await open('/library?q=ada+vane');
    const { page } = tab;
    await page.getByText('1 item', { exact: true }).waitFor();
    const cell = page.getByRole('gridcell');
    expect(await cell.locator('mark').allInnerTexts()).to.deep.equal(['Ada', 'Vane']);
    await cell.focus();
    await page.keyboard.press('v');
    const drawer = page.getByRole('complementary', { name: 'Details' });
    await drawer.getByText('© Lindhaven Press').waitFor();
    await drawer.getByText('Ada Vane', { exact: true }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('finds the same under Images as under All, with the same passages', async () => {
    const tab = await open('/library?show=images&q=ada+vane');
    const { page } = tab;
    await page.getByText('1 image', { exact: true }).waitFor();
    const cell = page.getByRole('gridcell');
    expect(await cell.innerText()).to.include('Yellow crane');
    expect(await cell.locator('mark').allInnerTexts()).to.deep.equal(['Ada', 'Vane']);
    await page.goto(`${api.url}/portal/library?show=images&q=yelow+crane&orientation=landscape`);
    await page.getByText('Showing results for yellow crane.').waitFor();
    await page.getByText('1 image', { exact: true }).waitFor();
    expect(await cell.innerText()).to.include('Yellow crane');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('corrects a misspelt word, and marks the corrected one', async () => {
    const tab = await open('/library?q=cranne+rests');
    const { page } = tab;
    await page.getByText('Showing results for crane rests.').waitFor();
    await page.getByText('1 item', { exact: true }).waitFor();
    await page.getByRole('gridcell').getByText('b.pdf').click();
    expect(await markedOn(page, 2)).to.equal('The tall crane of the harbour rests.');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('sorts a search in other orders', async () => {
    const tab = await open('/library?q=crane');
    const { page } = tab;
    await page.getByText('2 items', { exact: true }).waitFor();
    await page.getByLabel('Sort by').selectOption('Name, A to Z');
    await page.waitForURL(/sort=filename/);
    await eventually(async () =>
      expect(await page.getByRole('gridcell').last().innerText()).to.include('b.pdf'),
    );
    await page.getByText('2 items', { exact: true }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows the passage in the palette, and opens it', async () => {
    const tab = await open('/');
    const { page } = tab;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('tall crane');
    const option = page.getByRole('option', { name: /^b\.pdf Page 2/ });
    await option.waitFor();
    expect(await option.locator('mark').allInnerTexts()).to.include.members(['tall', 'crane']);
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await option.click();
    await page.waitForURL(new RegExp(`/library/objects/${documentId}\\?q=tall\\+crane&page=2`));
    expect(await markedOn(page, 2)).to.equal('The tall crane of the harbour rests.');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows related passages if no item has all words of a question, and opens one', async () => {
    const tab = await open('/library?q=where+does+the+tall+crane+sleep');
    const { page } = tab;
    await page.getByText('No matching items').waitFor();
    const passages = page.getByRole('region', { name: 'Related passages' });
    const first = passages.getByRole('listitem').first();
    expect(await first.innerText()).to.match(/^b\.pdf Page 2\s+.*The tall crane of the/);
    expect(await first.locator('mark').allInnerTexts()).to.include.members(['tall', 'crane']);
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await first.getByRole('link').click();
    await page.waitForURL(new RegExp(`/library/objects/${documentId}\\?.*page=2`));
    expect(await markedOn(page, 2)).to.equal('The tall crane of the harbour rests.');
    // The filters of the list apply.
    await page.goto(`${api.url}/portal/library?show=office&q=where+does+the+tall+crane+sleep`);
    await page.getByText('No matching Office files').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await passages.count()).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('answers a question in the palette with passages', async () => {
    const tab = await open('/');
    const { page } = tab;
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Find anything' });
    await field.fill('where does the tall crane sleep?');
    await page.locator('.palette-group', { hasText: 'Passages' }).waitFor();
    const option = page.getByRole('option', { name: /^b\.pdf Page 2/ });
    expect(await option.locator('mark').allInnerTexts()).to.include.members(['tall', 'crane']);
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    // A file that is found by all words is not repeated with its passages.
    await field.fill('tall crane');
    await page.locator('.palette-group', { hasText: 'Files and images' }).waitFor();
    await page
      .getByRole('status')
      .getByText(/results?$/)
      .waitFor();
    expect(await page.getByRole('option', { name: /b\.pdf/ }).count()).to.equal(1);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
