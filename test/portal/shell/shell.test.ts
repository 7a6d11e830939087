import { expect } from 'chai';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, sendLogin } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { findLegibilityFaults } from '../../support/legible.ts';

const unknown = [
  '/foo',
  '/library/foo',
  '/library/foo/bar',
  '/collections/foo/bar',
  '/trash/foo',
  '/jobs/a/b/c/d',
  '/events/foo/bar',
  '/webhooks/foo/bar',
  '/keys/foo/bar',
  '/audit/foo/bar',
  '/policies/foo/bar',
  '/members/foo',
  '/account/foo',
];

describeInBrowser('the portal’s shell', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
  });

  it('asks for a key, rejects a wrong one, and keeps the session across a reload', async () => {
    const tab = await openTab();
    const { page } = tab;
    await page.goto(`${api.url}/portal`);
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await sendLogin(tab, api.url, { ...api, key: `${api.key.slice(0, -1)}!` });
    await page.getByRole('alert').getByText('The API key is invalid.').waitFor();
    await sendLogin(tab, api.url, api, '/keys');
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await page.getByText(api.projectId).waitFor();
    await page.reload();
    await page.getByText(api.projectId).waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.to.contain(
      api.key.slice(3, 12),
    );
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows "Page not found" at every unknown address', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/keys');
    for (const path of unknown) {
      await page.goto(`${api.url}/portal${path}`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count(), path).to.equal(0);
    }
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('says in the title of the document what is open', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/keys');
    // The portal's policy forbids evaluation, which waiting for a function needs.
    const titled = (title: string) => eventually(async () => (await page.title()) === title);
    await titled('API keys');
    await page.getByRole('link', { name: 'Create API key' }).click();
    await titled('Create API key – API keys');
    const path = page.getByRole('navigation', { name: 'Breadcrumb' });
    await path.getByRole('link', { name: 'API keys' }).click();
    await titled('API keys');
    await page.goto(`${api.url}/portal/policies`);
    await titled('Policies');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('keeps relative times true while they are shown', async () => {
    // The clock of its context cannot be reset.
    const tab = await openTab({ newProcess: true });
    const { page } = tab;
    await api.call('POST', '/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/timed', event_types: ['dam.*'] },
    });
    await page.clock.install();
    await logIn(tab, api.url, api, '/webhooks');
    const row = page.getByRole('row').filter({ hasText: 'http://127.0.0.1:9/timed' });
    await row.getByText(/second|now/).waitFor();
    await page.clock.fastForward('05:00');
    await row.getByText('5 minutes ago').waitFor();
    await page.clock.fastForward('01:00:00');
    await row.getByText('1 hour ago').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('leads the keyboard past the sidebar, to the content or to the list', async () => {
    await api.call('POST', '/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/first', event_types: ['dam.*'] },
    });
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/webhooks');
    const link = page.getByRole('link', { name: 'http://127.0.0.1:9/first' });
    await link.waitFor();
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Skip to the list' }).press('Enter');
    const focused = await page.locator(':focus').getAttribute('href');
    expect(focused).to.equal(await link.getAttribute('href'));
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('has a menu on a phone that opens a screen and is closed by Escape', async () => {
    const tab = await openTab({ width: 390, touch: true });
    const { page } = tab;
    await logIn(tab, api.url, api, '/webhooks');
    const menu = page.getByRole('button', { name: 'Menu' });
    const sheet = page.getByRole('dialog', { name: 'Menu' });
    await menu.click();
    await sheet.getByText('One', { exact: true }).waitFor();
    expect(await sheet.getByText(api.projectId).count()).to.equal(0);
    expect(await sheet.locator('kbd').filter({ visible: true }).count()).to.equal(0);
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('aria-label')).to.equal('Menu');
    await menu.click();
    await sheet.getByRole('link', { name: 'Policies' }).click();
    await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
    await sheet.waitFor({ state: 'detached' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('gives a long title a row of its own on a phone', async () => {
    const name = 'Nightly import of everything that the archive of the harbour has received';
    const key = await api.call('POST', '/v1/keys', { body: { name, scopes: ['objects:read'] } });
    const tab = await openTab({ width: 390 });
    await logIn(tab, api.url, api, `/keys/${key.json.id}`);
    const head = tab.page.locator('.page-head');
    await head.getByRole('button', { name: 'Edit' }).waitFor();
    const [whole, title] = await Promise.all([
      head.boundingBox(),
      head.getByRole('heading', { level: 1 }).boundingBox(),
    ]);
    expect(title!.width).to.equal(whole!.width);
    await tab.close();
  });
});
