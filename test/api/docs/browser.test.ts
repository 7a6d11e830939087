import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { startApi, type TestApi } from '../../support/api.ts';
import {
  closeTabs,
  describeInBrowser,
  openTab,
  scrollsSideways,
  seriousFindings,
  startBrowser,
} from '../../support/browser.ts';

describeInBrowser('the documentation in a browser', () => {
  let api: TestApi;
  let browser: Browser;
  before(async () => {
    api = await startApi();
    browser = await startBrowser();
  });
  after(async () => {
    await closeTabs(browser);
    await api.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    for (const width of [320, 1440]) {
      it(`is legible and without errors: ${theme}, ${width} px`, async () => {
        const tab = await openTab(browser, { theme, width });
        for (const path of [
          '/docs',
          '/docs/guides/webhooks',
          '/docs/reference/uploads',
          '/docs/search?q=redaction',
        ]) {
          await tab.page.goto(api.url + path);
          expect(await seriousFindings(tab.page), path).to.deep.equal([]);
          expect(await scrollsSideways(tab.page), path).to.equal(false);
        }
        expect(tab.faults).to.deep.equal([]);
        await tab.close();
      });
    }
  }

  it('never scrolls sideways at any width', async () => {
    const tab = await openTab(browser, { width: 320 });
    await tab.page.goto(`${api.url}/docs`);
    const paths = await tab.page
      .locator('nav a')
      .evaluateAll((found) => [
        ...new Set(found.map((link) => (link as unknown as { pathname: string }).pathname)),
      ]);
    const wide: string[] = [];
    for (const path of paths.filter((one) => !one.endsWith('.json'))) {
      await tab.page.goto(api.url + path);
      if (await scrollsSideways(tab.page)) wide.push(path);
    }
    expect(wide).to.deep.equal([]);
    await tab.close();
  });

  it('finds an operation by keyboard and copies its command', async () => {
    const tab = await openTab(browser);
    const { page } = tab;
    await page.goto(`${api.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('createSignedUrl');
    const hit = page.locator('#hits a').first();
    await hit.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/reference\/objects#createSignedUrl$/);
    await page.locator('#createSignedUrl').getByRole('button', { name: 'Copy: curl' }).click();
    await page.getByRole('button', { name: 'Copy: curl' }).getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).to.match(/^curl -X POST "\$SERVICE_URL\/v1\/objects\/obj_\w+\/signed-urls"/);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('searches guides and reference while typing, and with Enter as a page', async () => {
    const tab = await openTab(browser);
    const { page } = tab;
    await page.goto(`${api.url}/docs`);
    await page.getByLabel('Search').fill('replay missed deliveries');
    await page.locator('#hits').getByText('Recover missed messages').waitFor();
    await page.getByLabel('Search').press('Enter');
    await page.waitForURL(/\/docs\/search\?q=replay/);
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    await page.locator('.hits').getByRole('link', { name: 'Recover missed messages' }).click();
    await page.waitForURL(/guides\/webhooks#recover-missed-messages$/);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('opens the contents on a narrow screen', async () => {
    const tab = await openTab(browser, { width: 320 });
    await tab.page.goto(`${api.url}/docs`);
    await tab.page.getByRole('button', { name: 'Contents' }).click();
    await tab.page.getByRole('navigation').getByRole('link', { name: 'Errors' }).click();
    await tab.page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
    await tab.close();
  });
});
