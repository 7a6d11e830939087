import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../../support/browser.ts';
import { eventually } from '../../../support/eventually.ts';
import { addImages } from '../../../support/library.ts';

const count = 3_000;

describeInBrowser('a far jump in the portal’s library', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
    await addImages(
      api,
      api,
      Array.from({ length: count }, (_, at) => ({
        title: `Picture ${at}`,
        filename: `picture-${at}.jpg`,
        width: 300 + (at % 5) * 60,
        height: 300,
        created_at: new Date(Date.UTC(2026, 0, 1) - at * 3_600_000).toISOString(),
      })),
    );
  });

  const tile = (page: Page, at: number) => page.locator(`[data-index="${at}"]`);
  const shows = (page: Page, at: number, name: string) =>
    tile(page, at).getByText(name, { exact: true }).waitFor({ state: 'attached' });
  const elements = (page: Page) =>
    page.evaluate('document.getElementsByTagName("*").length') as Promise<number>;

  for (const layout of ['justified', 'list']) {
    it(`loads what is there only, and works there as anywhere, in the ${layout} layout`, async () => {
      const tab = await openTab();
      const { page } = tab;
      await tab.onEachPage(`localStorage.setItem('library-view', '${layout} normal')`);
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        const isPage = searchParams.get('limit') === '200' && !searchParams.has('object_id');
        if (isPage && /\/v1\/(objects|images)$/.test(pathname)) asked.push('page');
        if (searchParams.get('include') === 'stops') asked.push('stops');
      });
      await logIn(tab, api.url, api, '/library');
      await page.getByText(/^[\d,]+ items$/).waitFor();
      await shows(page, 0, 'Picture 0');
      const atTop = await elements(page);
      // The stops may be asked for before the jump.
      asked.splice(0, asked.length, ...asked.filter((one) => one === 'stops'));

      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)');
      await eventually(async () => {
        const at = (await page.evaluate(
          `Number(document.elementFromPoint(innerWidth / 2, innerHeight / 2).closest('[data-index]')?.dataset.index)`,
        )) as number;
        expect(at).to.be.within(count / 3, (2 * count) / 3);
        await shows(page, at, `Picture ${at}`);
        return true;
      }, 30_000);
      expect(asked.filter((one) => one === 'stops')).to.have.length(1);
      expect(asked.length, asked.join(' ')).to.be.at.most(4);
      expect(await elements(page)).to.be.below(3 * atTop);

      // To the end: one more page, and the stops are known.
      await page.getByRole('gridcell').first().focus();
      await page.keyboard.press('End');
      await shows(page, count - 1, `Picture ${count - 1}`);
      expect(asked.length, asked.join(' ')).to.be.at.most(7);

      // Selected across what is not loaded, then moved to trash from down here.
      await page.keyboard.press('Shift+PageUp');
      const from = (await page.evaluate('Number(document.activeElement.dataset.index)')) as number;
      const selected = count - from;
      await page.getByText(`${selected} of`, { exact: false }).first().waitFor();
      await page.getByRole('button', { name: 'Trash' }).click();
      await page.getByRole('button', { name: 'Move to trash' }).click();
      const left = count - selected;
      await page.getByText(`${left.toLocaleString('en-GB')} items`, { exact: true }).waitFor();
      await page.getByRole('gridcell').last().waitFor();
      await shows(page, left - 1, `Picture ${left - 1}`);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(`${count.toLocaleString('en-GB')} items`, { exact: true }).waitFor();
      await page.getByRole('gridcell').first().focus();
      await page.keyboard.press('Home');
      await shows(page, 0, 'Picture 0');
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });
  }
});
