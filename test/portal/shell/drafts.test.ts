import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../support/browser.ts';
import { uploadImage } from '../../support/images.ts';
import { findLegibilityFaults } from '../../support/legible.ts';

describeInBrowser('unsaved input in the portal', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
  });

  const goTo = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name }).click();
  const restored = (page: Page) => page.getByText('Your unsaved changes were restored.');

  it('of a policy is kept across screens and reloads, until it is discarded', async () => {
    const tab = await openTab();
    const { page } = tab;
    const name = page.getByLabel('Name', { exact: true });
    await logIn(tab, api.url, api, '/policies/new');
    await name.fill('Half a policy');
    await page.getByLabel('Add rule').selectOption('ip_allow');
    await goTo(page, 'Webhooks');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await page.goBack();
    await restored(page).waitFor();
    expect(await name.inputValue()).to.equal('Half a policy');
    await page.getByRole('group', { name: 'Allowed IP addresses' }).waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await page.reload();
    await restored(page).waitFor();
    expect(await name.inputValue()).to.equal('Half a policy');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await restored(page).waitFor({ state: 'detached' });
    expect(await name.inputValue()).to.equal('');
    await page.reload();
    await name.waitFor();
    expect(await restored(page).count()).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('of a webhook is kept without secrets in the browser, and forgotten on Cancel', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/webhooks/new');
    await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/half');
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByLabel('Header', { exact: true }).fill('Authorization');
    const secret = page.getByLabel('Value', { exact: true });
    await secret.fill('Bearer of secrets');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.to.include('Bearer');
    await goTo(page, 'Policies');
    await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
    await page.goBack();
    await restored(page).waitFor();
    expect(await secret.inputValue()).to.equal('Bearer of secrets');
    // The value cannot be kept across a reload.
    await secret.press('End');
    await secret.pressSequentially('!');
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const dialog = await asked;
    expect(dialog.type()).to.equal('beforeunload');
    await dialog.accept();
    await reloaded;
    await restored(page).waitFor();
    expect(await page.getByLabel('URL', { exact: true }).inputValue()).to.equal(
      'http://127.0.0.1:9/half',
    );
    expect(await secret.inputValue()).to.equal('');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await page.goBack();
    await page.getByLabel('URL', { exact: true }).waitFor();
    expect(await page.getByLabel('URL', { exact: true }).inputValue()).to.equal('');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('of a description is kept, and saved over the version that was read', async () => {
    const { id } = await uploadImage(api, 'draft.png', []);
    const tab = await openTab({ expected: [412] });
    const { page } = tab;
    await logIn(tab, api.url, api, `/library/images/${id}`);
    await page.getByLabel('Title').fill('Mine');
    await goTo(page, 'Jobs');
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await api.call('PATCH', `/v1/images/${id}`, { body: { title: 'Theirs' } });
    await page.goBack();
    await restored(page).waitFor();
    expect(await page.getByLabel('Title').inputValue()).to.equal('Mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Conflicting changes' });
    await dialog.getByText('Someone else also changed: Title').waitFor();
    await dialog.getByRole('button', { name: 'Discard mine' }).click();
    await page.reload();
    await page.getByLabel('Title').waitFor();
    expect(await page.getByLabel('Title').inputValue()).to.equal('Theirs');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('is removed when the person logs out', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/keys/new');
    await page.getByLabel('Name', { exact: true }).fill('Half a key');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).to.include('Half a key');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.to.include('Half a key');
    await logIn(tab, api.url, api, '/keys/new');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
