import { type RuleName, ruleNames } from '@scriptorium/contracts/rules';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, type Tab } from '../../support/browser.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { addPolicy, policiesPath } from '../../support/policies.ts';
import { postRaw } from '../../support/uploads.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e gnp.cod '.padEnd(200, 'x');

const pick = (name: string) => (rule: Locator) =>
  rule.getByRole('button', { name }).first().click();
const fill = (label: string, value: string) => async (rule: Locator) => {
  await rule.getByLabel(label).fill(value);
  await rule.getByLabel(label).press('Tab');
};

/** The steps in the form of each rule, and the rule they create. A missing rule does not compile. */
const forms: {
  [R in RuleName]: [title: string, steps: ((rule: Locator) => Promise<unknown>)[], made: object];
} = {
  allowed_mime_types: [
    'Allowed types',
    [pick('Images'), fill('Allow only these types', 'audio/*')],
    { include: ['image/*', 'audio/*'] },
  ],
  max_bytes: ['Maximum file size', [fill('Maximum size', '3')], { bytes: 3_000_000 }],
  max_pixels: ['Maximum image size', [fill('Maximum pixels', '1000')], { pixels: 1_000 }],
  max_pages: ['Maximum page count', [fill('Maximum pages', '7')], { pages: 7 }],
  require_signed_url: [
    'Signed URLs only',
    [fill('Maximum lifetime', '2')],
    { max_ttl_seconds: 7_200 },
  ],
  ip_allow: [
    'Allowed IP addresses',
    [fill('Allowed ranges', '192.0.2.0/24, 2001:db8::/32')],
    { cidrs: ['192.0.2.0/24', '2001:db8::/32'] },
  ],
  ip_deny: [
    'Denied IP addresses',
    [fill('Denied ranges', '198.51.100.7/32')],
    { cidrs: ['198.51.100.7/32'] },
  ],
  time_window: [
    'Time window',
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
    [(rule) => rule.getByLabel('Any metadata').check()],
    { fields: ['gps', 'all'] },
  ],
  require_redaction: [
    'Redaction required',
    [
      (rule) => rule.getByLabel('Personal data to redact').selectOption('some'),
      pick('Person'),
      (rule) => rule.getByLabel('If not redacted').selectOption('serve_redacted'),
    ],
    { entities: ['PERSON'], fallback: 'serve_redacted' },
  ],
  require_review: [
    'Review required',
    [(rule) => rule.getByLabel('The classification').check()],
    { ops: ['redact_pii', 'classify'] },
  ],
  deny_labels: [
    'Denied labels',
    [pick('Invoice'), (rule) => rule.getByLabel('Also deny unclassified files').uncheck()],
    { labels: ['invoice'], require_labels: false },
  ],
  external: [
    'External recogniser',
    [(rule) => rule.getByLabel('If the recogniser is unavailable').selectOption('warn')],
    { text: 'allowed', if_unavailable: 'warn' },
  ],
  retention: ['Retention', [fill('Days', '30')], { min_days: 30 }],
  legal_hold: ['Legal hold', [fill('Reason', hostile)], { reason: hostile }],
};

describeInBrowser('Policies in the portal', () => {
  let api: TestApi;
  let tab: Tab;
  let small: string;
  let large: string;
  before(async () => {
    api = await useSharedApi();
    small = (await postRaw(api, 'x'.repeat(100), 'small.txt')).json.id;
    large = (await postRaw(api, 'x'.repeat(3_000), 'large.txt')).json.id;
    tab = await openTab({ expected: [412, 422] });
    await logIn(tab, api.url, api, '/policies');
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
    await page.getByRole('button', { name: 'Evaluate' }).click();
    const verdict = page.locator('.policy-dry-run [role=status]');
    await verdict.waitFor();
    return verdict;
  };

  it('has a form for every type of rule', async () => {
    const { page } = tab;
    await page.getByRole('link', { name: 'New policy' }).click();
    await page.getByLabel('Name').fill(hostile);
    for (const type of ruleNames) {
      const [title, steps] = forms[type];
      await page.getByLabel('Add rule').selectOption(type);
      const rule = page.getByRole('group', { name: title, exact: true });
      for (const step of steps) await step(rule);
    }
    const dialog = await review();
    await dialog.getByText('Of 2 available objects, this policy denies:').waitFor();
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await page.getByRole('heading', { level: 1, name: /onerror/ }).waitFor();
    const { rules, mode, actions } = await named(hostile);
    expect(rules).to.deep.equal(ruleNames.map((type) => ({ type, ...forms[type][2] })));
    expect([mode, actions]).to.deep.equal(['audit', ['upload', 'download', 'sign', 'delete']]);
    await page.getByRole('link', { name: 'observed denials' }).waitFor();
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Policies').click();
    await page.getByText('Only from 192.0.2.0/24 or 2001:db8::/32.').waitFor();
    await api.call('DELETE', `${policiesPath}/${(await named(hostile)).id}`, {
      headers: { 'if-match': '*' },
    });
  });

  it('shows errors at the rule that causes them', async () => {
    const { page } = tab;
    await page.goto(`${api.url}/portal/policies/new`);
    await page.getByLabel('Name').fill('Wrong');
    await page.getByLabel('Add rule').selectOption('ip_allow');
    await page.getByLabel('Allowed ranges').fill('300.0.0.0/8');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page
      .getByRole('group', { name: 'Allowed IP addresses' })
      .getByText('must be an IP address range')
      .waitFor();
    expect(await named('Wrong')).to.equal(undefined);
    await page.getByRole('link', { name: 'Cancel' }).click();
  });

  it('evaluates a draft and counts its impact before saving', async () => {
    const { page } = tab;
    await page.goto(`${api.url}/portal/policies/new`);
    await page.getByLabel('Name').fill('Small downloads only');
    await page.getByLabel('Add rule').selectOption('max_bytes');
    await page.getByLabel('Maximum size').fill('1');
    await page.getByLabel('Unit').first().selectOption('kB');
    await page.getByLabel('Mode').selectOption('enforce');
    await page.getByLabel('Download', { exact: true }).check();
    await (await ask(small)).getByText('Allowed', { exact: true }).waitFor();
    const refused = await ask(large);
    await refused.getByText('Denied', { exact: true }).waitFor();
    expect(await refused.innerText()).to.include(
      'This draft, maximum file size: The maximum file size is',
    );
    expect((await policies()).length).to.equal(2);
    const dialog = await review();
    await dialog.getByText('Download of 1 object').waitFor();
    await dialog.locator(`a[href*="${large}"]`).first().waitFor();
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Small downloads only' }).waitFor();
    expect((await named('Small downloads only')).rules).to.deep.equal([
      { type: 'max_bytes', bytes: 1_000 },
    ]);
    await page.getByLabel('Target').selectOption('candidate');
    await page.getByLabel('Size').fill('9');
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await page.locator('.policy-dry-run [role=status]').getByText('Denied').waitFor();
  });

  it('says that its impact depends on the address, and tries one', async () => {
    const { page } = tab;
    await page.goto(`${api.url}/portal/policies/new`);
    const evaluate = page.getByRole('button', { name: 'Evaluate' });
    expect(await evaluate.isDisabled()).to.equal(true);
    await page.getByText('Select an object or image first.').waitFor();
    await page.getByLabel('Name').fill('Office only');
    await page.getByLabel('Add rule').selectOption('ip_allow');
    await page.getByLabel('Allowed ranges').fill('192.0.2.0/24');
    const dialog = await review();
    await dialog.getByText('depends on the address of the request').waitFor();
    expect(await dialog.getByText('denies none').count()).to.equal(0);
    const address = dialog.getByLabel('Address to try');
    await address.fill('198.51.100.7');
    await dialog.getByRole('button', { name: 'Try' }).click();
    await dialog.getByText('Requests from 198.51.100.7:').waitFor();
    await dialog.getByText('Download of 2 objects').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await address.fill('192.0.2.7');
    await address.press('Enter');
    await dialog.getByText('Of 2 available objects, this policy denies none.').waitFor();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
  });

  it('links to the denials observed in audit mode', async () => {
    const { page } = tab;
    const id = await addPolicy(api, {
      name: 'Observed',
      mode: 'audit',
      actions: ['download'],
      rules: [{ type: 'max_bytes', bytes: 1 }],
    });
    await page.goto(`${api.url}/portal/policies/${id}`);
    const verdict = await ask(small);
    await verdict.getByText('Denials that policies in audit mode would record').waitFor();
    await page.getByRole('link', { name: 'observed denials' }).click();
    await page.waitForURL(new RegExp(`/audit\\?.*denial_observed&resource_id=${id}`));
  });

  it('compares conflicting changes before overwriting them', async () => {
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
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await dialog.getByText('Your changes were not saved yet.').waitFor();
    await dialog.getByRole('button', { name: 'Compare changes' }).click();
    await dialog.getByText('“Theirs”').waitFor();
    await dialog.getByText('“Mine”').waitFor();
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
    await theirs('Theirs again');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete policy' }).click();
    await page.getByText('so it was not deleted').waitFor();
    await page.getByRole('button', { name: 'Reload policy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Theirs again' }).waitFor();
  });

  it('selects collections from the tree, and says which holds a deletion releases', async () => {
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
    await page.getByLabel('Scope', { exact: true }).selectOption('collection');
    await page.getByLabel('Boats').check();
    await page.getByLabel('Add rule').selectOption('legal_hold');
    await page.getByLabel('Reason').fill('Case 12');
    const dialog = await review();
    await dialog.getByText('Everything that was ever in scope is held').waitFor();
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Case 12' }).waitFor();
    expect((await named('Case 12')).scope).to.deep.equal({ type: 'collection', ids: [boats] });
    await api.call('DELETE', `/v1/collections/${boats}/members/object/${small}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const confirm = page.getByRole('dialog');
    await confirm.getByText('Its holds are released').waitFor();
    await confirm.getByText('Deletion of 1 object').waitFor();
    await confirm.getByRole('button', { name: 'Delete policy' }).click();
    await page.getByText('“Case 12” deleted.').waitFor();
    expect(await named('Case 12')).to.equal(undefined);
  });

  it('offers no changes to a read-only key', async () => {
    const reader = await openTab({ expected: [403] });
    await logIn(reader, api.url, await api.issue(['policies:read', 'objects:read']), '/policies');
    const { page } = reader;
    await page.getByText('No executables or SVG with scripts.').waitFor();
    expect(await page.getByRole('link', { name: 'New policy' }).count()).to.equal(0);
    await page.getByRole('link', { name: 'No executables and no scripted SVG' }).click();
    await page.getByText('this policy denies none').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).to.equal(0);
    await page.getByLabel('Object or image').fill(small);
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await page.locator('.policy-dry-run [role=status]').waitFor();
    await page.goto(`${api.url}/portal/policies/new`);
    await page.getByText('policies:write').waitFor();
    expect(reader.faults).to.deep.equal([]);
    await reader.close();
  });

  it('links the collections of a scope, also from the trash, and describes a whole day', async () => {
    const collections = await Promise.all(
      ['Kept', 'Gone'].map(async (name) => {
        const { json } = await api.call('POST', '/v1/collections', { body: { name } });
        return json.id as string;
      }),
    );
    const id = await addPolicy(api, {
      scope: { type: 'collection', ids: collections },
      actions: ['download'],
      rules: [{ type: 'time_window', time_zone: 'UTC', days: ['mon'], from: '08:00', to: '08:00' }],
    });
    await api.call('DELETE', `/v1/collections/${collections[1]}`, { headers: { 'if-match': '*' } });
    const { page } = tab;
    await page.goto(`${api.url}/portal/policies/${id}`);
    await page.getByText('Everything in “Kept” or “Gone” (in the trash) or below').waitFor();
    await page.getByText('Only from 08:00 on Monday to 08:00 the next day (UTC).').waitFor();
    await page.getByRole('link', { name: '“Gone”' }).click();
    await page.getByText('This collection is in the trash.').waitFor();
    await api.call('DELETE', `${policiesPath}/${id}`, { headers: { 'if-match': '*' } });
  });

  it('has dialogs and a form of all rules that are legible to all', async () => {
    const { page } = tab;
    await page.goto(`${api.url}/portal/policies`);
    await page.getByRole('link', { name: 'Observed' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('Download of 2 objects').waitFor();
    expect(await findLegibilityFaults(page), 'the deletion').to.deep.equal([]);
    await page.goto(`${api.url}/portal/policies/new`);
    for (const type of ruleNames) await page.getByLabel('Add rule').selectOption(type);
    await page.getByLabel('Scope', { exact: true }).selectOption('collection');
    await page.getByLabel('Boats').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'New policy' }).click();
    await page.getByLabel('Name').fill(hostile);
    await page.getByLabel('Add rule').selectOption('max_bytes');
    await page.getByLabel('Maximum size').fill('1');
    const dialog = await review();
    await dialog.getByText('Of 2 available objects, this policy denies none.').waitFor();
    expect(await findLegibilityFaults(page), 'the saving').to.deep.equal([]);
  });

  it('has not run any user input', () => {
    expect(tab.faults).to.deep.equal([]);
  });
});
