import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, type Tab } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { openImaging, type TestImaging } from '../../support/imaging.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { quarteredPicture } from '../../support/pictures.ts';
import { bornDigitalPdf } from '../../support/samples.ts';
import { postRaw } from '../../support/uploads.ts';

const pages = [['One crane', 'lifts the other.'], ['A crane rests.']];

describeInBrowser('the portal’s lightbox', () => {
  let api: TestApi;
  let imaging: TestImaging;
  let imageId: string;
  let noteId: string;
  before(async () => {
    api = await useSharedApi();
    imaging = await openImaging(api);
    const picture = await postRaw(api, await quarteredPicture(900, 600).png().toBuffer(), 'a.png');
    imageId = picture.json.image_id;
    const document = await postRaw(api, await bornDigitalPdf(pages), 'b.pdf');
    const note = await postRaw(api, 'The crane rests on Sundays.', 'c.txt');
    noteId = note.json.id;
    await api.rows(`UPDATE object SET pages = 2 WHERE id = $1`, [document.json.id]);
    await imaging.run();
  });
  after(() => imaging.close());

  const open = async (options = {}): Promise<Tab> => {
    const tab = await openTab(options);
    await logIn(tab, api.url, api, '/library?sort=filename');
    await tab.page.getByText('3 items', { exact: true }).waitFor();
    return tab;
  };
  const view = async (page: Page, at: number): Promise<void> => {
    await page.locator(`[data-index="${at}"]`).focus();
    await page.keyboard.press('v');
    await page.locator('dialog.lightbox .lightbox-stage').waitFor();
  };
  const shown = (page: Page, name: string) =>
    page.locator('dialog.lightbox').getByRole('heading', { name, exact: true });
  /** Draws pages as a worker does, until something is there. */
  const drawn = (page: Page, selector: string): Promise<boolean> =>
    eventually(async () => {
      await imaging.run();
      return (await page.locator(selector).count()) > 0;
    }, 60_000);

  it('goes from item to item by keyboard, and returns to the tile', async () => {
    // A page that is not drawn in time is asked for again.
    const tab = await open({ expected: [409] });
    const { page } = tab;
    await view(page, 0);
    await shown(page, 'a.png').waitFor();
    await page.getByText('1 of 3', { exact: true }).waitFor();
    const picture = page.locator('.lightbox-image img');
    const widthOf = async (): Promise<number> => (await picture.boundingBox())!.width;
    const fitting = await widthOf();
    await page.keyboard.press('+');
    await eventually(async () => expect(await widthOf()).to.be.above(fitting * 1.2));
    await page.keyboard.press('0');
    await eventually(async () => expect(await widthOf()).to.equal(fitting));
    await page.keyboard.press('ArrowRight');
    await shown(page, 'b.pdf').waitFor();
    await page.getByText('Page 1 of 2', { exact: true }).waitFor();
    await drawn(page, '.lightbox-page img[alt="Page 1"]');
    await page.keyboard.press('PageDown');
    await page.getByText('Page 2 of 2', { exact: true }).waitFor();
    await drawn(page, '.lightbox-page img[alt="Page 2"]');
    await page.keyboard.press('ArrowRight');
    await shown(page, 'c.txt').waitFor();
    await page.getByRole('list', { name: 'Nearby items' }).getByLabel('b.pdf').click();
    await shown(page, 'b.pdf').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog.lightbox').waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await page.evaluate('document.activeElement.dataset.index')).to.equal('1'),
    );
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows the text of other documents as a page', async () => {
    const tab = await open({ expected: [409] });
    const { page } = tab;
    await drawn(page, '[data-index="2"] .browse-page img');
    await view(page, 2);
    await shown(page, 'c.txt').waitFor();
    await drawn(page, '.lightbox-page img[alt="Page 1"]');
    // Its words have no places.
    await page.getByRole('button', { name: 'Find in the document' }).waitFor({ state: 'detached' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('lets the words of a page be selected and copied', async () => {
    const tab = await open({ expected: [409] });
    const { page } = tab;
    await view(page, 1);
    await drawn(page, '.lightbox-text text');
    await drawn(page, '.lightbox-page img[alt="Page 1"]');
    const words = page.locator('.lightbox-text text');
    expect(await words.allTextContents()).to.deep.equal(['One', 'crane', 'lifts', 'the', 'other.']);
    // The page moves while the rest of the lightbox loads.
    await eventually(async () => {
      const picture = (await page.locator('.lightbox-page img').boundingBox())!;
      const word = (await words.first().boundingBox())!;
      const last = (await words.nth(2).boundingBox())!;
      // Over the word in the picture: its line begins 40 points from the left of 420.
      expect((word.x - picture.x) / picture.width).to.be.closeTo(40 / 420, 0.02);
      await page.mouse.move(word.x + 1, word.y + word.height / 2);
      await page.mouse.down();
      await page.mouse.move(last.x + last.width - 1, last.y + last.height / 2, { steps: 8 });
      await page.mouse.up();
      await page.keyboard.press('Control+c');
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal('One crane\nlifts');
      return true;
    });
    expect(await page.locator('.lightbox-page p').textContent()).to.equal(
      'One crane\nlifts the other.',
    );
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('finds words in the document, page by page', async () => {
    const tab = await open({ expected: [409] });
    const { page } = tab;
    await view(page, 1);
    await drawn(page, '.lightbox-text text');
    await page.keyboard.press('Control+f');
    const field = page.getByRole('searchbox', { name: 'Find in the document' });
    const status = page.locator('.lightbox-find [role="status"]');
    const says = (text: string) =>
      eventually(async () => {
        await imaging.run();
        return expect(await status.textContent()).to.equal(text);
      }, 60_000);
    const onPage = (at: number) => page.getByText(`Page ${at} of 2`, { exact: true }).waitFor();
    await field.fill('CRÂNE');
    await says('1 of 2');
    expect(await page.locator('.lightbox-text rect.current').count()).to.equal(1);
    await field.press('Enter');
    await says('2 of 2');
    await onPage(2);
    await field.press('Enter');
    await says('1 of 2');
    await onPage(1);
    await field.press('Shift+Enter');
    await says('2 of 2');
    await onPage(2);
    // Over the end of a line.
    await field.fill('crane  lifts');
    await says('1 of 1');
    await onPage(1);
    await eventually(async () =>
      expect(await page.locator('.lightbox-text rect.current').count()).to.equal(2),
    );
    await field.fill('heron');
    await says('Not found');
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await shown(page, 'b.pdf').waitFor();
    expect(await page.locator('.lightbox-text rect').count()).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('saves a field as one leaves it, and takes it back', async () => {
    const tab = await open({ expected: [409] });
    const { page } = tab;
    const saved = async (): Promise<unknown> => {
      const { json } = await api.call('GET', `/v1/images/${imageId}`);
      return [json.title, json.description, json.tags];
    };
    await page.getByRole('gridcell').first().hover();
    await page.getByRole('button', { name: 'View a.png' }).click();
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('The quay');
    // Keys belong to the field.
    await title.press('ArrowRight');
    await page.getByLabel('Description').fill('At dusk.');
    await page.getByLabel('Tags', { exact: true }).fill('sea');
    await page.getByLabel('Tags', { exact: true }).press('Enter');
    await eventually(async () =>
      expect(await saved()).to.deep.equal(['The quay', 'At dusk.', ['sea']]),
    );
    await shown(page, 'The quay').waitFor();
    await title.fill('The pier');
    await title.press('Enter');
    await shown(page, 'The pier').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await shown(page, 'The quay').waitFor();
    expect(await title.inputValue()).to.equal('The quay');
    await eventually(async () =>
      expect(await saved()).to.deep.equal(['The quay', 'At dusk.', ['sea']]),
    );
    // What was typed when the next item is shown is saved, too.
    await title.fill('The jetty');
    await page.getByRole('button', { name: 'Next item' }).click();
    await eventually(async () =>
      expect(await saved()).to.deep.equal(['The jetty', 'At dusk.', ['sea']]),
    );
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('gridcell').getByText('The jetty').waitFor();
    await page.getByRole('button', { name: 'sea 1' }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('overwrites nothing that another client has saved', async () => {
    const tab = await open({ expected: [409, 412] });
    const { page } = tab;
    await view(page, 2);
    const name = page.getByLabel('File name');
    await eventually(async () => expect(await name.inputValue()).to.equal('c.txt'));
    await api.call('PATCH', `/v1/objects/${noteId}`, { body: { filename: 'theirs.txt' } });
    await name.fill('mine.txt');
    await name.press('Enter');
    await page.getByRole('alert').waitFor();
    await eventually(async () => expect(await name.inputValue()).to.equal('theirs.txt'));
    await name.fill('mine.txt');
    await name.press('Enter');
    await shown(page, 'mine.txt').waitFor();
    const { json } = await api.call('GET', `/v1/objects/${noteId}`);
    expect(json.filename).to.equal('mine.txt');
    await api.call('PATCH', `/v1/objects/${noteId}`, { body: { filename: 'c.txt' } });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('is dark in both themes', async () => {
    const shades: string[] = [];
    for (const theme of ['light', 'dark'] as const) {
      const tab = await open({ theme });
      await view(tab.page, 0);
      for (const part of ['.lightbox', '.lightbox > header', '.lightbox-stage']) {
        const asked = `getComputedStyle(document.querySelector('${part}')).backgroundColor`;
        shades.push((await tab.page.evaluate(asked)) as string);
      }
      await tab.close();
    }
    expect(shades.slice(0, 3)).to.deep.equal(shades.slice(3));
    for (const shade of shades) {
      for (const part of shade.match(/\d+/g)!) expect(Number(part), shade).to.be.below(50);
    }
  });

  it('is legible to all', async () => {
    const tab = await open({ expected: [409] });
    const { page } = tab;
    await view(page, 0);
    await page.getByLabel('Description').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
