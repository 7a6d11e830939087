import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import { type RuleName, ruleNames } from '../../src/contracts/rules.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { describeInBrowser, logIn, openTab, startBrowser, type Tab } from '../support/browser.ts';
import { illegible } from '../support/legible.ts';
import { addPolicy, policiesPath } from '../support/policies.ts';
import { postRaw } from '../support/uploads.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e gnp.cod '.padEnd(200, 'x');

const pick = (name: string) => (rule: Locator) =>
  rule.getByRole('button', { name }).first().click();
const fill = (label: string, value: string) => async (rule: Locator) => {
  await rule.getByLabel(label).fill(value);
  await rule.getByLabel(label).press('Tab');
};

/** What a person does in the form of each rule, and what comes of it. A rule that is missing does not compile. */
const forms: {
  [R in RuleName]: [title: string, steps: ((rule: Locator) => Promise<unknown>)[], made: object];
} = {
  allowed_mime_types: [
    'Allowed types',
    [pick('Images'), fill('Nothing but these types', 'audio/*')],
    { include: ['image/*', 'audio/*'] },
  ],
  max_bytes: ['Largest file', [fill('Largest size', '3')], { bytes: 3_000_000 }],
  max_pixels: ['Largest image', [fill('Most pixels', '1000')], { pixels: 1_000 }],
  max_pages: ['Longest document', [fill('Most pages', '7')], { pages: 7 }],
  require_signed_url: ['Signed URLs only', [fill('Longest time', '2')], { max_ttl_seconds: 7_200 }],
  ip_allow: [
    'Only from addresses',
    [fill('Ranges that are allowed', '192.0.2.0/24, 2001:db8::/32')],
    { cidrs: ['192.0.2.0/24', '2001:db8::/32'] },
  ],
  ip_deny: [
    'Not from addresses',
    [fill('Ranges that are refused', '198.51.100.7/32')],
    { cidrs: ['198.51.100.7/32'] },
  ],
  time_window: [
    'Only at times',
    [fill('From', '09:00'), (rule) => rule.getByLabel('Sunday').uncheck()],
    {
      time_zone: 'UTC',
      from: '09:00',
      to: '18:00',
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
    },
  ],
  strip_metadata: [
    'Strip metadata',
    [(rule) => rule.getByLabel('Any words about them').check()],
    { fields: ['gps', 'all'] },
  ],
  require_redaction: [
    'Redaction required',
    [
      (rule) => rule.getByLabel('Personal data that must be gone').selectOption('some'),
      pick('Person'),
      (rule) =>
        rule.getByLabel('A download of what is not redacted').selectOption('serve_redacted'),
    ],
    { entities: ['PERSON'], fallback: 'serve_redacted' },
  ],
  deny_labels: [
    'Labels refused',
    [pick('Invoice'), (rule) => rule.getByLabel('Refuse what nobody has classified').uncheck()],
    { labels: ['invoice'], require_labels: false },
  ],
  retention: ['Retention', [fill('Days', '30')], { min_days: 30 }],
  legal_hold: ['Legal hold', [fill('Reason', hostile)], { reason: hostile }],
};

describeInBrowser('Policies in the portal', () => {
  let api: TestApi;
  let browser: Browser;
  let tab: Tab;
  let small: string;
  let large: string;
  before(async () => {
    [api, browser] = await Promise.all([startApi(), startBrowser()]);
    small = (await postRaw(api, 'x'.repeat(100), 'small.txt')).json.id;
    large = (await postRaw(api, 'x'.repeat(3_000), 'large.txt')).json.id;
    tab = await openTab(browser, { expected: [412, 422] });
    await logIn(tab, api.url, api, '/policies');
  });
  after(async () => {
    await browser.close();
    await api.close();
  });

  const policies = async () => (await api.call('GET', policiesPath)).json.data;
  const named = async (name: string) =>
    (await policies()).find((policy: { name: string }) => policy.name === name);
  const review = async () => {
    await tab.page.getByRole('button', { name: 'Review and save' }).click();
    const dialog = tab.page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Impact' }).waitFor();
    return dialog;
  };
  const ask = async (resource: string) => {
    const { page } = tab;
    await page.getByLabel('Object or image').fill(resource);
    await page.getByRole('button', { name: 'Ask' }).click();
    const verdict = page.locator('.policy-dry-run [role=status]');
    await verdict.waitFor();
    return verdict;
  };

  it('has a form for every rule, and makes of it what was filled in', async () => {
    const { page } = tab;
    await page.getByRole('link', { name: 'New policy' }).click();
    await page.getByLabel('Name').fill(hostile);
    for (const type of ruleNames) {
      const [title, steps] = forms[type];
      await page.getByLabel('Add a rule').selectOption(type);
      const rule = page.getByRole('group', { name: title, exact: true });
      for (const step of steps) await step(rule);
    }
    const dialog = await review();
    await dialog.getByText('Of all 2 available objects it refuses').waitFor();
    await dialog.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByRole('heading', { level: 1, name: /onerror/ }).waitFor();
    const { rules, mode, actions } = await named(hostile);
    expect(rules).to.deep.equal(ruleNames.map((type) => ({ type, ...forms[type][2] })));
    expect([mode, actions]).to.deep.equal(['audit', ['upload', 'download', 'sign', 'delete']]);
    await page.getByText('What it would have refused', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'All policies' }).click();
    await page.getByText('Only from 192.0.2.0/24 or 2001:db8::/32.').waitFor();
    await api.call('DELETE', `${policiesPath}/${(await named(hostile)).id}`, {
      headers: { 'if-match': '*' },
    });
  });

  it('tells what is wrong at the rule it is wrong in', async () => {
    const { page } = tab;
    await page.goto(`${api.url}/portal/policies/new`);
    await page.getByLabel('Name').fill('Wrong');
    await page.getByLabel('Add a rule').selectOption('ip_allow');
    await page.getByLabel('Ranges that are allowed').fill('300.0.0.0/8');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page
      .getByRole('group', { name: 'Only from addresses' })
      .getByText('must be a range of addresses')
      .waitFor();
    expect(await named('Wrong')).to.equal(undefined);
  });

  it('tries a draft out: what it would allow, refuse, and how much of what there is', async () => {
    const { page } = tab;
    await page.goto(`${api.url}/portal/policies/new`);
    await page.getByLabel('Name').fill('Small downloads only');
    await page.getByLabel('Add a rule').selectOption('max_bytes');
    await page.getByLabel('Largest size').fill('1');
    await page.getByLabel('Unit').first().selectOption('kB');
    await page.getByLabel('Mode').selectOption('enforce');
    await page.getByLabel('Download', { exact: true }).check();
    await (await ask(small)).getByText('It would be allowed.').waitFor();
    const refused = await ask(large);
    await refused.getByText('It would be refused.').waitFor();
    expect(await refused.innerText()).to.include('This draft, largest file: A file may have');
    expect((await policies()).length).to.equal(2);
    const dialog = await review();
    await dialog.getByText('Download of 1 object').waitFor();
    await dialog.getByRole('link', { name: large }).first().waitFor();
    await dialog.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Small downloads only' }).waitFor();
    expect((await named('Small downloads only')).rules).to.deep.equal([
      { type: 'max_bytes', bytes: 1_000 },
    ]);
    await page.getByLabel('Of', { exact: true }).selectOption('candidate');
    await page.getByLabel('Size').fill('9');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('It would be refused.').waitFor();
  });

  it('shows what audit mode observed, by a link into Audit', async () => {
    const { page } = tab;
    const id = await addPolicy(api, {
      name: 'Observed',
      mode: 'audit',
      actions: ['download'],
      rules: [{ type: 'max_bytes', bytes: 1 }],
    });
    await page.goto(`${api.url}/portal/policies/${id}`);
    const verdict = await ask(small);
    await verdict.getByText('Policies in audit mode would refuse it').waitFor();
    await page.getByRole('link', { name: 'what it would have refused' }).click();
    await page.waitForURL(new RegExp(`/audit\\?.*denial_observed&resource_id=${id}`));
  });

  it('saves over nobody: a policy that changed meanwhile is compared first', async () => {
    const { page } = tab;
    const id = await addPolicy(api, {
      name: 'Shared',
      actions: ['upload'],
      rules: [{ type: 'max_bytes', bytes: 1_000_000 }],
    });
    const theirs = (name: string) =>
      api.call('PATCH', `${policiesPath}/${id}`, { headers: { 'if-match': '*' }, body: { name } });
    await page.goto(`${api.url}/portal/policies/${id}/edit`);
    await page.getByLabel('Name').fill('Mine');
    await theirs('Theirs');
    const dialog = await review();
    await dialog.getByRole('button', { name: 'Save the policy' }).click();
    await dialog.getByText('Nothing was saved').waitFor();
    await dialog.getByRole('button', { name: 'Compare with what is saved' }).click();
    await dialog.getByText('“Theirs”').waitFor();
    await dialog.getByText('“Mine”').waitFor();
    await dialog.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
    await theirs('Theirs again');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the policy' }).click();
    await page.getByText('Nothing was deleted').waitFor();
    await page.getByRole('button', { name: 'Look at it as it is now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Theirs again' }).waitFor();
  });

  it('takes collections from the tree, and tells what a deletion lets go', async () => {
    const { page } = tab;
    const harbour = (await api.call('POST', '/v1/collections', { body: { name: hostile } })).json
      .id;
    const inner = { name: 'Boats', parent_id: harbour };
    const boats = (await api.call('POST', '/v1/collections', { body: inner })).json.id;
    await api.call('POST', `/v1/collections/${boats}/members`, {
      body: { resource_type: 'object', resource_id: small },
    });
    await page.goto(`${api.url}/portal/policies/new`);
    await page.getByLabel('Name').fill('Case 12');
    await page.getByLabel('Mode').selectOption('enforce');
    await page.getByLabel('About', { exact: true }).selectOption('collection');
    await page.getByLabel('Boats').check();
    await page.getByLabel('Add a rule').selectOption('legal_hold');
    await page.getByLabel('Reason').fill('Case 12');
    const dialog = await review();
    await dialog.getByText('stays held').waitFor();
    await dialog.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Case 12' }).waitFor();
    expect((await named('Case 12')).scope).to.deep.equal({ type: 'collection', ids: [boats] });
    await api.call('DELETE', `/v1/collections/${boats}/members/object/${small}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const confirm = page.getByRole('dialog');
    await confirm.getByText('lets go of every hold').waitFor();
    await confirm.getByText('Deletion of 1 object').waitFor();
    await confirm.getByRole('button', { name: 'Delete the policy' }).click();
    await page.getByText('is deleted.').waitFor();
    expect(await named('Case 12')).to.equal(undefined);
  });

  it('reads without offering changes to a key that may only read', async () => {
    const reader = await openTab(browser, { expected: [403] });
    await logIn(reader, api.url, await api.issue(['policies:read']), '/policies');
    const { page } = reader;
    await page.getByText('No executables or SVG with scripts.').waitFor();
    expect(await page.getByRole('link', { name: 'New policy' }).count()).to.equal(0);
    await page.getByRole('link', { name: 'No executables and no scripted SVG' }).click();
    await page.getByText('it refuses nothing').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).to.equal(0);
    await page.getByLabel('Object or image').fill(small);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('It would be', { exact: false }).waitFor();
    await page.goto(`${api.url}/portal/policies/new`);
    await page.getByText('policies:write').waitFor();
    expect(reader.faults).to.deep.equal([]);
    await reader.close();
  });

  it('is legible to all', async () => {
    const { page } = tab;
    await page.goto(`${api.url}/portal/policies`);
    await page.getByRole('link', { name: 'Observed' }).waitFor();
    expect(await illegible(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Observed' }).click();
    await page.getByText('Download of 2 objects').waitFor();
    expect(await illegible(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('Download of 2 objects').waitFor();
    expect(await illegible(page), 'the deletion').to.deep.equal([]);
    await page.goto(`${api.url}/portal/policies/new`);
    for (const type of ruleNames) await page.getByLabel('Add a rule').selectOption(type);
    await page.getByLabel('About', { exact: true }).selectOption('collection');
    await page.getByLabel('Boats').waitFor();
    expect(await illegible(page)).to.deep.equal([]);
    await page.goto(`${api.url}/portal/policies/new`);
    await page.getByLabel('Name').fill(hostile);
    await page.getByLabel('Add a rule').selectOption('max_bytes');
    await page.getByLabel('Largest size').fill('1');
    const dialog = await review();
    await dialog.getByText('Of all 2 available objects it refuses').waitFor();
    expect(await illegible(page), 'the saving').to.deep.equal([]);
  });

  it('has run nothing that anybody wrote', () => {
    expect(tab.faults).to.deep.equal([]);
  });
});
