import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { startApi, type Tenant, type TestApi } from '../support/api.ts';
import {
  describeInBrowser,
  logIn,
  openTab,
  scrollsSideways,
  seriousFindings,
  startBrowser,
  type Tab,
} from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { addImages } from '../support/library.ts';

const hostile = [
  '<img src=x onerror=alert(1)>',
  '\u202egpj.exe\u202c',
  'x'.repeat(300),
  '"><script>alert(2)</script>',
];

const scrollOf = (page: Page) => page.evaluate('window.scrollY') as Promise<number>;

describeInBrowser('the portal’s Browse', () => {
  let api: TestApi;
  let browser: Browser;
  /** 450 images in this project; the other has none. */
  before(async () => {
    [api, browser] = await Promise.all([startApi(), startBrowser()]);
    await addImages(
      api,
      api,
      Array.from({ length: 450 }, (_, at) => ({
        title: hostile[at] ?? `Picture ${at}`,
        filename: `picture-${at}.jpg`,
        tags: [at < 4 ? hostile[at]!.slice(0, 100) : 'plain', ...(at % 2 ? ['odd'] : ['even'])],
        orientation: at % 3 ? 'landscape' : 'portrait',
        created_at: new Date(Date.UTC(2026, 0, 1) - at * 60_000).toISOString(),
      })),
    );
  });
  after(async () => {
    await browser.close();
    await api.close();
  });

  const open = async (path = '/library', options = {}, tenant: Tenant = api): Promise<Tab> => {
    const tab = await openTab(browser, options);
    await logIn(tab, api.url, tenant, path);
    return tab;
  };

  it('shows all that is there by its honest number, and only the rows in sight', async () => {
    const tab = await open();
    await tab.page.getByText('450 images', { exact: true }).waitFor();
    const cells = tab.page.getByRole('gridcell');
    await cells.getByText('Picture 5', { exact: true }).waitFor();
    expect(await cells.count()).to.be.below(80);
    await cells.first().focus();
    await tab.page.keyboard.press('End');
    await tab.page.getByText('Picture 449', { exact: true }).waitFor();
    expect(await cells.count()).to.be.below(80);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('keeps filters and place in the address: Back brings both again', async () => {
    const tab = await open();
    const { page } = tab;
    await page.getByRole('button', { name: /^odd \d/ }).click();
    await page.getByText('223 images', { exact: true }).or(page.getByText('225 images')).waitFor();
    await page.getByRole('gridcell').nth(6).hover();
    await page.mouse.wheel(0, 3_000);
    await eventually(async () => expect(await page.evaluate('history.state?.scroll')).above(1_000));
    const cell = page.getByRole('gridcell').nth(24).locator('a');
    await cell.hover();
    const scrolled = await scrollOf(page);
    await cell.click();
    await page.waitForURL(/\/images\/img_.*tag=odd/);
    await page.goBack();
    await page.getByText('Tagged odd').waitFor();
    await eventually(async () => expect(await scrollOf(page)).closeTo(scrolled, 1));
    await page.reload();
    await eventually(async () => expect(await scrollOf(page)).closeTo(scrolled, 1));
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByText('450 images', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('Tagged odd').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('tells an empty library from a search that finds nothing', async () => {
    const tab = await open('/library', {}, api.other);
    await tab.page.getByRole('heading', { name: 'There are no images yet' }).waitFor();
    await tab.page.getByLabel('Search the library').fill('nothing');
    await tab.page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    expect(await seriousFindings(tab.page)).to.deep.equal([]);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  for (const [name, options] of [
    ['light, 320 px wide', { width: 320, height: 640 }],
    ['dark', { theme: 'dark' }],
    ['light, at 200 %', { zoom: 2 }],
  ] as const) {
    it(`is legible to all: ${name}`, async () => {
      const tab = await open('/library?q=Picture', options);
      await tab.page.getByRole('gridcell').getByText('Picture', { exact: false }).first().waitFor();
      await tab.page.getByText('450 images', { exact: true }).waitFor();
      expect(await seriousFindings(tab.page)).to.deep.equal([]);
      expect(await scrollsSideways(tab.page)).to.equal(false);
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });
  }
});
