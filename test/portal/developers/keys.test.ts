import { expect } from 'chai';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, sendLogin } from '../../support/browser.ts';
import { hostileTexts } from '../../support/hostile-texts.ts';
import { findLegibilityFaults } from '../../support/legible.ts';

describeInBrowser('the portal’s API keys', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
  });

  const make = async (body: object): Promise<{ id: string; api_key: string }> => {
    const made = await api.call('POST', '/v1/keys', { body });
    expect(made.status, made.text).to.equal(201);
    return made.json;
  };
  const works = async (key: string): Promise<boolean> =>
    (await api.call('GET', '/v1/keys/self', { key })).status === 200;

  it('creates a key, shows its secret once, rolls it, and revokes it', async () => {
    const tab = await openTab({ expected: [422] });
    const { page } = tab;
    await logIn(tab, api.url, api, '/keys');
    await page.getByRole('link', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('Nightly import');
    await page.getByLabel('objects:write').check();
    await page.getByLabel('objects:read').check();
    await page.getByLabel('Allowed addresses').fill('127.0.0.0/8\nnonsense');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page
      .getByText(/nonsense/)
      .first()
      .waitFor();
    await page.getByLabel('Allowed addresses').fill('127.0.0.0/8');
    await page.getByRole('button', { name: 'Create API key' }).click();

    const dialog = page.getByRole('dialog');
    const secret = await dialog.locator('code').first().textContent();
    expect(await works(secret!)).to.equal(true);
    expect(await findLegibilityFaults(page), 'the secret').to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.getByRole('alert').getByText('You have not copied the API key.').waitFor();
    await dialog.getByRole('button', { name: 'Copy API key' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(secret);
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('heading', { level: 1, name: 'Nightly import' }).waitFor();
    expect(await page.content()).not.to.contain(secret);
    await page.getByText('Upload, change, trash and restore objects.').waitFor();

    const first = page.url();
    await page.getByRole('button', { name: 'Roll', exact: true }).click();
    await dialog.getByLabel('Old key stops working').selectOption('Immediately');
    await dialog.getByRole('button', { name: 'Roll key' }).click();
    const second = await dialog.locator('code').first().textContent();
    expect([await works(secret!), await works(second!)]).to.deep.equal([false, true]);
    await dialog.getByRole('button', { name: 'Copy API key' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.waitForURL((url) => url.href !== first);

    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    const revoke = dialog.getByRole('button', { name: 'Revoke key' });
    expect(await revoke.isDisabled()).to.equal(true);
    await dialog.getByLabel('Type Nightly import').fill('Nightly import');
    await revoke.click();
    await page.getByText('API key Nightly import revoked.').waitFor();
    expect(await works(second!)).to.equal(false);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('selects the scopes of a task, and only tasks that the session may grant', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/keys/new');
    await page.getByRole('button', { name: 'Read only' }).click();
    await page.getByRole('button', { name: 'Upload files' }).click();
    expect(await page.getByRole('button', { pressed: true }).allTextContents()).to.deep.equal([
      'Upload files',
    ]);
    expect(await page.getByLabel('objects:write').isChecked()).to.equal(true);
    expect(await page.getByLabel('objects:download').isChecked()).to.equal(false);
    await page.getByLabel('Name').fill('Scanner');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy API key' }).waitFor();
    const { json } = await api.call('GET', '/v1/keys');
    const scanner = json.data.find(({ name }: { name: string }) => name === 'Scanner');
    expect(scanner.scopes).to.have.members(['objects:read', 'objects:write']);

    const narrow = await api.issue(['keys:read', 'keys:write', 'objects:read', 'objects:write']);
    const other = await openTab();
    await logIn(other, api.url, narrow, '/keys/new');
    expect(await other.page.getByRole('button', { name: 'Upload files' }).isEnabled()).to.equal(
      true,
    );
    expect(await other.page.getByRole('button', { name: 'Everything' }).isEnabled()).to.equal(
      false,
    );
    expect([...tab.faults, ...other.faults]).to.deep.equal([]);
    await other.close();
    await tab.close();
  });

  it('grants only the scopes of the session’s key', async () => {
    const narrow = await api.issue(['keys:read', 'keys:write', 'objects:read']);
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, narrow, '/keys/new');
    expect(await page.getByLabel('objects:read').isEnabled()).to.equal(true);
    expect(await page.getByLabel('policies:write').isEnabled()).to.equal(false);
    expect(await page.getByText('You do not have this scope').count()).to.be.greaterThan(10);
    await page.goto(`${api.url}/portal/keys/${api.keyId}`);
    await page.getByText('This key has scopes that you do not have').waitFor();
    expect(await page.getByRole('button', { name: 'Roll', exact: true }).count()).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('warns before revoking the session’s own key, and ends the session', async () => {
    const own = await api.issue(['keys:read', 'keys:write']);
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, own, `/keys/${own.keyId}`);
    await page.getByText('You are logged in with this key').waitFor();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Revoking it ends your session.').waitFor();
    await page.getByLabel(/^Type/).fill('Test');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('names the scopes that a key lacks', async () => {
    const none = await api.issue(['objects:read']);
    const tab = await openTab();
    await sendLogin(tab, api.url, none, '/keys');
    await tab.page.getByText('Access denied').waitFor();
    await tab.page.getByText('keys:read').waitFor();
    await tab.close();

    const reader = await api.issue(['keys:read']);
    const second = await openTab();
    await logIn(second, api.url, reader, '/keys');
    await second.page.getByRole('table').waitFor();
    expect(await second.page.getByRole('link', { name: 'Create API key' }).count()).to.equal(0);
    await second.close();
  });

  it('shows hostile names as text, which never runs', async () => {
    for (const name of hostileTexts) {
      await make({ name: name.slice(0, 100), scopes: ['objects:read'] });
    }
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/keys');
    for (const [path, ready] of [
      ['', page.getByRole('table')],
      ['/new', page.getByLabel('objects:read')],
      [`/${api.keyId}`, page.locator('.facts').first()],
    ] as const) {
      await page.goto(`${api.url}/portal/keys${path}`);
      await ready.waitFor();
    }
    expect(await page.evaluate('window.ran')).to.equal(undefined);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
