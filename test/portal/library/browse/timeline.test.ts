import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../../support/browser.ts';
import { eventually } from '../../../support/eventually.ts';
import { addImages } from '../../../support/library.ts';

describeInBrowser('the portal’s bar of months', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
    // 100 each in March and February 2026 and in December 2025.
    const days = ['2026-03-15', '2026-02-15', '2025-12-15'];
    await addImages(
      api,
      api,
      days.flatMap((day) =>
        Array.from({ length: 100 }, (_, at) => ({
          title: `Of ${day}, ${at}`,
          tags: at % 2 ? ['odd'] : [],
          created_at: `${day}T12:00:${String(at % 60).padStart(2, '0')}Z`,
        })),
      ),
    );
  });

  const months = (page: Page) =>
    page.getByRole('navigation', { name: 'Months' }).getByRole('button').allTextContents();

  it('counts what matches, and leads to each month', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/library');
    const shows = (wanted: string[]): Promise<boolean> =>
      eventually(async () => {
        expect(await months(page)).to.deep.equal(wanted);
        return true;
      }, 30_000);
    await shows(['Mar 2026, 100 items', 'Feb 2026, 100 items', 'Dec 2025, 100 items']);
    await page.getByRole('button', { name: 'Dec 2025, 100 items' }).click();
    await page.getByRole('gridcell').getByText('Of 2025-12-15', { exact: false }).first().waitFor();
    await page.locator('.browse-timeline [aria-current]').getByText('2025').waitFor();
    await page.getByRole('button', { name: /^odd \d/ }).click();
    await shows(['Mar 2026, 50 items', 'Feb 2026, 50 items', 'Dec 2025, 50 items']);
    await page
      .getByRole('checkbox', { name: 'Select Of 2026-03-15', exact: false })
      .first()
      .click();
    await page.getByRole('button', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await shows(['Mar 2026, 49 items', 'Feb 2026, 50 items', 'Dec 2025, 50 items']);
    await page.getByLabel('Sort by').selectOption('Oldest first');
    await shows(['Dec 2025, 50 items', 'Feb 2026, 50 items', 'Mar 2026, 49 items']);
    await page.getByLabel('Sort by').selectOption('Name, A to Z');
    await page.getByRole('navigation', { name: 'Months' }).waitFor({ state: 'detached' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows when images were taken if they are sorted by it, with the undated ones last', async () => {
    const tenant = api.other;
    await addImages(api, tenant, [
      ...Array.from({ length: 60 }, (_, at) => ({
        title: `Taken in 1999, ${at}`,
        captured_at: '1999-12-15T12:00:00Z',
      })),
      { title: 'Taken in 2001', captured_at: '2001-06-15T12:00:00Z' },
      { title: 'Undated' },
    ]);
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, tenant, '/library?show=images&sort=-captured_at');
    const shows = (wanted: string[]): Promise<boolean> =>
      eventually(async () => {
        expect(await months(page)).to.deep.equal(wanted);
        return true;
      }, 30_000);
    const [june, december] = ['Jun 2001, 1 item', 'Dec 1999, 60 items'];
    await shows([june, december, 'No date, 1 item']);
    await page.getByRole('button', { name: /^No date/ }).click();
    await page.getByRole('gridcell').getByText('Undated', { exact: true }).waitFor();
    await page.getByLabel('Sort by').selectOption('Date taken, oldest');
    await shows([december, june, 'No date, 1 item']);
    await page.getByLabel('Sort by').selectOption('Newest first');
    await eventually(async () => {
      expect((await months(page)).map((text) => text.split(', ')[1])).to.deep.equal(['62 items']);
      return true;
    }, 30_000);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('counts images by the filters that only they have, in every layout', async () => {
    const [wide] = await addImages(api, api, [
      {
        title: 'Wide',
        tags: ['wide'],
        orientation: 'landscape',
        created_at: '2024-05-01T00:00:00Z',
      },
    ]);
    const tab = await openTab();
    const { page } = tab;
    await tab.onEachPage(`localStorage.setItem('library-view', 'justified normal')`);
    await logIn(tab, api.url, api, '/library?show=images');
    const shows = (wanted: string[]): Promise<boolean> =>
      eventually(async () => {
        expect(await months(page)).to.deep.equal(wanted);
        return true;
      }, 30_000);
    await shows([
      'Mar 2026, 99 items',
      'Feb 2026, 100 items',
      'Dec 2025, 100 items',
      'May 2024, 1 item',
    ]);
    await page.getByRole('button', { name: 'Dec 2025, 100 items' }).click();
    const cells = page.getByRole('gridcell');
    await cells.getByText('Of 2025-12-15', { exact: false }).first().waitFor({ state: 'attached' });
    await page.locator('.browse-timeline [aria-current]').getByText('2025').waitFor();
    await page.getByRole('button', { name: /^Landscape \d/ }).click();
    await shows(['May 2024, 1 item']);
    // Ranked by relevance, they have no order in time.
    await page.getByLabel('Search the library').fill('wide');
    await page.getByRole('navigation', { name: 'Months' }).waitFor({ state: 'detached' });
    await api.call('DELETE', `/v1/images/${wide}`);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
