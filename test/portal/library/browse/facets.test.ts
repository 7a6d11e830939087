import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../../support/browser.ts';
import { eventually } from '../../../support/eventually.ts';
import { addImages } from '../../../support/library.ts';

describeInBrowser('the portal’s facets by keyboard', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
    const tags = Array.from({ length: 30 }, (_, at) => `tag-${String(at).padStart(2, '0')}`);
    await addImages(api, api, [
      { title: 'One', tags: [...tags, '-tag-00'], orientation: 'landscape' },
      { title: 'Two', mime: 'image/png', tags: ['tag-00'], orientation: 'portrait' },
    ]);
  });

  const focused = (page: Page) =>
    page.evaluate(
      `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent`,
    );
  const focusIs = (page: Page, wanted: string): Promise<boolean> =>
    eventually(async () => {
      expect(await focused(page)).to.equal(wanted);
      return true;
    }, 15_000);

  it('are one stop of the Tab key each, within which arrow keys move', async () => {
    const tab = await openTab({ width: 1280, height: 900 });
    const { page } = tab;
    await logIn(tab, api.url, api, '/library?show=images');
    await page.getByText('2 images', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^tag-29 \d/ }).waitFor();
    await page.getByLabel('Search tags').focus();
    const press = (key: string) => page.keyboard.press(key);
    await press('Tab');
    await focusIs(page, 'All of');
    await press('Tab');
    await focusIs(page, 'tag-002');
    await press('ArrowDown');
    await focusIs(page, '-tag-001');
    await press('ArrowRight');
    await focusIs(page, 'Exclude -tag-00');
    await press('ArrowUp');
    await focusIs(page, 'Exclude tag-00');
    await press('ArrowLeft');
    await press('End');
    await focusIs(page, 'tag-291');
    await press('Home');
    await press('ArrowUp');
    await focusIs(page, 'tag-002');
    await press('End');
    // Out and back again: to where it was.
    await press('Tab');
    await focusIs(page, 'JPEG1');
    await press('Shift+Tab');
    await focusIs(page, 'tag-291');
    // And chosen, it stays in focus.
    await press('Enter');
    await page.getByText('1 image', { exact: true }).waitFor();
    await focusIs(page, 'tag-291');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('leave at most 12 stops from the search to the first tile', async () => {
    const tab = await openTab({ width: 1280, height: 900 });
    const { page } = tab;
    await logIn(tab, api.url, api, '/library?show=images');
    await page.getByRole('button', { name: /^tag-29 \d/ }).waitFor();
    await page.getByLabel('Search the library').focus();
    let stops = 0;
    while ((await page.evaluate(`document.activeElement?.getAttribute('role')`)) !== 'gridcell') {
      await page.keyboard.press('Tab');
      stops += 1;
      expect(stops).to.be.at.most(12);
    }
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
