import { expect } from 'chai';
import type { TestApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, type Tab } from '../../support/browser.ts';
import type { IdentityProvider } from '../../support/identity-provider.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { type PeopleApi, startPeopleApi } from '../../support/people.ts';
import { openRelay } from '../../support/relay.ts';

describeInBrowser('the portal’s people', () => {
  let api: TestApi;
  let people: PeopleApi;
  let provider: IdentityProvider;
  before(async () => {
    people = await startPeopleApi();
    ({ api, provider } = people);
  });
  after(async () => {
    await people.close();
  });

  const inviteTo = (role: string, tenant = {}) => people.invite(role, tenant);
  const signedIn = ({ page }: Tab) => page.getByRole('button', { name: 'Log out' }).waitFor();

  const join = async (tab: Awaited<ReturnType<typeof openTab>>) => {
    await tab.page.getByRole('button', { name: /^Join / }).click();
    await signedIn(tab);
  };

  it('invites a person, who signs in with the provider; changes the role and removes them', async () => {
    const admin = await openTab();
    const { page } = admin;
    await logIn(admin, api.url, api, '/members');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('For whom').fill('Mei Tanaka');
    await dialog.getByLabel('Role').selectOption('editor');
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = (await dialog.locator('.dev-secret code').textContent())!;
    await dialog.getByText('Send it to the person.').waitFor();
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: 'Mei Tanaka', exact: true }).waitFor();

    provider.person = { sub: 'mei', name: 'Mei <b>Tanaka</b>', email: 'mei@example.com' };
    const person = await openTab({ expected: [403, 410] });
    await person.page.goto(link);
    await person.page.getByRole('heading', { name: 'Join One as editor?' }).waitFor();
    expect(await findLegibilityFaults(person.page)).to.deep.equal([]);
    await join(person);
    await person.page.getByText('Mei <b>Tanaka</b>').waitFor();
    await person.page.goto(`${api.url}/portal/members`);
    await person.page.getByRole('heading', { name: 'Access denied' }).waitFor();

    await page.reload();
    await page.getByText('mei@example.com').waitFor();
    expect(await page.getByRole('cell', { name: 'Mei Tanaka', exact: true }).count()).to.equal(0);
    await page.getByRole('button', { name: /^Change role of Mei/ }).click();
    await dialog.getByLabel('Role').selectOption('admin');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Admin', exact: true }).waitFor();
    await person.page.reload();
    await person.page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    await person.page.getByText('you', { exact: true }).waitFor();

    const again = await openTab({ expected: [410] });
    await again.page.goto(link);
    await again.page.getByText('The invitation was already used.').waitFor();
    expect(await findLegibilityFaults(again.page)).to.deep.equal([]);

    const relay = await openRelay(api);
    await relay.run();
    await relay.close();
    await page.goto(`${api.url}/portal/audit`);
    await page.getByText('accepted an invitation').first().waitFor();
    await page.locator('.audit-entry').getByText('Mei <b>Tanaka</b>').first().waitFor();

    // Removing the last admin is refused in words.
    await person.page.getByRole('button', { name: /^Remove Mei/ }).click();
    const own = person.page.getByRole('dialog');
    await own.getByRole('button', { name: 'Remove member' }).click();
    await own.getByText(/last admin/).waitFor();
    expect(admin.faults).to.deep.equal([]);
    for (const tab of [admin, person, again]) await tab.close();
  });

  it('offers the provider and the key, switches projects, and ends sessions', async () => {
    provider.person = { sub: 'kofi', name: 'Kofi Mensah' };
    const tab = await openTab();
    const { page } = tab;
    await page.goto(await inviteTo('viewer'));
    await join(tab);
    await page.goto(await inviteTo('admin', api.other));
    await join(tab);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    const button = page.getByRole('link', { name: 'Sign in with Example Login' });
    await button.waitFor();
    await page.getByLabel('API key').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await button.click();
    await signedIn(tab);

    const project = page.getByLabel('Project');
    const other = (await project.locator('option:not(:checked)').textContent())!;
    // The page is loaded again: until then, the former project is on it.
    const loaded = page.waitForEvent('load');
    await project.selectOption({ label: other });
    await loaded;
    await project.locator('option:checked').getByText(other).waitFor({ state: 'attached' });
    await signedIn(tab);

    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByText('this session').waitFor();
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await button.waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('signs out at the provider, so that the next person can sign in', async () => {
    provider.person = { sub: 'nia', name: 'Nia Osei' };
    // What the provider's own pages load and report is not ours.
    const tab = await openTab({ expected: [403] });
    const { page } = tab;
    await page.goto(await inviteTo('viewer'));
    await join(tab);
    provider.person = { sub: 'stranger', name: 'A Stranger' };
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
    await page.getByText('A Stranger, you have signed in').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    // Without a membership, the only session is that at the provider.
    provider.person = { sub: 'nia', name: 'Nia Osei' };
    await page.getByRole('link', { name: 'Sign in as someone else' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
    await signedIn(tab);
    await page.getByText('Nia Osei').waitFor();
    await tab.close();
  }).timeout(60_000);
});
