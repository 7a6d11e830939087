import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../support/browser.ts';
import { findLegibilityFaults } from '../../support/legible.ts';

describeInBrowser('a part of the portal that cannot be loaded', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
  });

  const link = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name });
  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  /** The faults other than those of the missing connection. */
  const others = (faults: readonly string[]) =>
    faults.filter((fault) => !/net::ERR_(INTERNET_DISCONNECTED|FAILED)/.test(fault));

  it('is loaded once the connection returns, and other screens stay usable', async () => {
    // Without scripts in its cache.
    const tab = await openTab({ newProcess: true });
    const { page, context } = tab;
    await logIn(tab, api.url, api, '/account');
    await context.setOffline(true);
    await link(page, 'Policies').click();
    await page.getByRole('alert').getByText('No connection').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await link(page, 'Sessions').click();
    await title(page, 'Sessions').waitFor();
    await link(page, 'Policies').click();
    await page.getByRole('alert').getByText('No connection').waitFor();
    await context.setOffline(false);
    await title(page, 'Policies').waitFor();
    // The styles were not loaded either.
    const styles = `[...document.querySelectorAll('link[rel="stylesheet"]')]`;
    expect(await page.evaluate(`${styles}.filter(({ sheet }) => sheet === null).length`)).to.equal(
      0,
    );
    expect(others(tab.faults)).to.deep.equal([]);
    await tab.close();
  });

  it('is shown with its data once the connection returns', async () => {
    const tab = await openTab();
    const { page, context } = tab;
    await logIn(tab, api.url, api, '/webhooks');
    await page.getByText('No webhooks yet').waitFor();
    await link(page, 'Sessions').click();
    await title(page, 'Sessions').waitFor();
    await context.setOffline(true);
    await link(page, 'Webhooks').click();
    await page.getByRole('alert').getByText('No connection').waitFor();
    await context.setOffline(false);
    await page.getByText('No webhooks yet').waitFor();
    expect(others(tab.faults)).to.deep.equal([]);
    await tab.close();
  });

  it('is not requested again while a slow request for it runs', async () => {
    const tab = await openTab({ newProcess: true, expected: [503] });
    const { page } = tab;
    await logIn(tab, api.url, api, '/account');
    await page.clock.install();
    let requests = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/webhooks?*', async (route) => {
      requests += 1;
      if (requests === 1) {
        const problem = { code: 'dependency_unavailable', title: 'Busy', detail: 'Busy.' };
        return route.fulfill({ status: 503, json: { ...problem, status: 503 } });
      }
      await released;
      return route.continue();
    });
    await link(page, 'Webhooks').click();
    await page.getByRole('alert').getByText('Busy.').waitFor();
    const repeated = page.waitForRequest('**/v1/webhooks?*');
    await page.clock.runFor(2_000);
    await repeated;
    await page.clock.runFor(60_000);
    release();
    await page.getByText('No webhooks yet').waitFor();
    expect(requests).to.equal(2);
    expect(others(tab.faults)).to.deep.equal([]);
    await tab.close();
  });

  it('asks to reload after an upgrade, which shows the screen', async () => {
    const tab = await openTab({ newProcess: true, expected: [404] });
    const { page } = tab;
    await logIn(tab, api.url, api, '/account');
    // As a server with another build does.
    await page.route('**/portal/assets/*', (route) =>
      route.fulfill({ status: 404, contentType: 'application/problem+json', body: '{}' }),
    );
    await page.route('**/portal/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<script type="module" src="/portal/assets/index-other.js"></script>',
      }),
    );
    await link(page, 'Policies').click();
    await page.getByRole('alert').getByText('A new version is available').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await title(page, 'Policies').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('says so in a dialog if it is the palette, which Escape closes', async () => {
    const tab = await openTab({ newProcess: true });
    const { page, context } = tab;
    await logIn(tab, api.url, api, '/account');
    await context.setOffline(true);
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Find anything' });
    await dialog.getByText('No connection').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await context.setOffline(false);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).waitFor();
    expect(others(tab.faults)).to.deep.equal([]);
    await tab.close();
  });

  it('does not take other screens with it when it fails to render', async () => {
    const tab = await openTab();
    const { page } = tab;
    await page.route('**/v1/dam/security/policies*', (route) =>
      route.fulfill({ json: { data: [null], next_cursor: null, total: null } }),
    );
    await logIn(tab, api.url, api, '/account');
    await link(page, 'Policies').click();
    await page.getByRole('heading', { name: 'This page has failed' }).waitFor();
    await link(page, 'Sessions').click();
    await title(page, 'Sessions').waitFor();
    expect(tab.faults.join('\n')).to.match(/^uncaught: /);
    await tab.close();
  });
});
