import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { parseValues } from '../../../../packages/portal/developers/webhooks/form/fields.ts';
import { newSecret } from '../../../../src/webhooks/sign.ts';
import { describeInBrowser, logIn, openTab, sendLogin } from '../../../support/browser.ts';
import { hostileTexts } from '../../../support/hostile-texts.ts';
import { openPortalWebhooks, type PortalWebhooks } from '../../../support/portal-webhooks.ts';

describe('the values of a webhook’s filter', () => {
  it('are JSON scalars, or otherwise strings', () => {
    expect(parseValues('a, 2, true, null, "x, y", "3"')).to.deep.equal([
      'a',
      2,
      true,
      null,
      'x, y',
      '3',
    ]);
    expect(parseValues('{"a": 1')).to.deep.equal(['{"a": 1']);
  });
});

describeInBrowser('the portal’s webhooks', () => {
  let on: PortalWebhooks;
  before(async () => {
    on = await openPortalWebhooks();
  });
  after(() => on.close());
  beforeEach(() => {
    on.receiver.respondWith(204);
    on.receiver.requests.length = 0;
  });

  const dialogOf = (page: Page) => page.getByRole('dialog');

  it('creates a webhook, shows errors at their fields, and shows the secret once', async () => {
    const tab = await openTab({ expected: [422] });
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, '/webhooks');
    await page.getByRole('link', { name: 'Create webhook' }).first().click();
    await page.getByLabel('URL', { exact: true }).fill('https://169.254.169.254/latest');
    await page.getByLabel('All of documents.job.*').check();
    expect(await page.getByLabel('documents.job.failed').isDisabled()).to.equal(true);
    await page.getByLabel('dam.object.created').check();
    await page.getByLabel('Custom pattern').fill('nothing.*');
    await page.getByRole('button', { name: 'Add pattern' }).click();
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByRole('textbox', { name: 'Header' }).fill('Host');
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('example.com');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('does not match any event type').first().waitFor();
    await page.getByRole('button', { name: 'Remove nothing.*' }).click();
    await page.getByRole('button', { name: 'Remove header Host' }).click();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Webhooks can only use public addresses').waitFor();
    await page.getByLabel('URL', { exact: true }).fill(`${on.receiver.url}?new`);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Pointer').fill('/data/state');
    await page.getByLabel('Values').fill('failed, 2');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const secret = await dialogOf(page).locator('code').first().textContent();
    expect(secret).to.match(/^whsec_/);
    await dialogOf(page).getByText('verifyWebhook').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Copy secret' }).click();
    await dialogOf(page).getByRole('button', { name: 'Copied' }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: on.receiver.url }).waitFor();
    expect(await page.content()).not.to.contain(secret);
    const id = page.url().split('/').at(-1)!;
    expect((await on.read(id)).json).to.deep.include({
      event_types: ['documents.job.*', 'dam.object.created'],
      filter: { '/data/state': ['failed', 2] },
    });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('edits a webhook without losing hidden headers, and reports conflicting changes', async () => {
    const id = await on.create({ headers: { 'X-Token': 'abc' }, filter: { '/data/a': [1] } });
    const tab = await openTab({ expected: [412] });
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}/edit`);
    await page.getByLabel('Description').fill('Orders');
    await page.getByRole('button', { name: /Remove filter/ }).click();
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByRole('textbox', { name: 'Header' }).last().fill('X-Second');
    await page.getByLabel('Value', { exact: true }).last().fill('two');
    await on.api.call('PATCH', `/v1/webhooks/${id}`, {
      body: { max_in_flight: 7 },
      headers: { 'if-match': '"1"' },
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This webhook was changed after you opened it').waitFor();
    await page.getByRole('button', { name: 'Apply mine to the new version' }).click();
    await page
      .getByText('This webhook was changed after you opened it')
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Webhook “Orders” updated.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    const now = (await on.read(id)).json;
    expect(now).to.deep.include({ description: 'Orders', filter: null });
    expect(Object.keys(now.headers)).to.deep.equal(['X-Token', 'X-Second']);
    // It subscribes to all events, which would not be published until delivered here as well.
    await on.api.call('DELETE', `/v1/webhooks/${id}`, { headers: { 'if-match': '*' } });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('has a playground that signs messages step by step, and sends them', async () => {
    const id = await on.create();
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, '/webhooks');
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByLabel('Event type', { exact: true }).selectOption('documents.job.failed');
    await page.getByLabel('Endpoint').selectOption(id);
    const steps = page.getByRole('region', { name: 'Signature' });
    await steps.getByText(/^evt_\w+\.\d+\.\{/).waitFor();
    on.receiver.respondWith({ status: 202, body: 'taken' });
    await page.getByRole('button', { name: 'Send to this endpoint' }).click();
    await page.getByRole('region', { name: 'Response' }).getByText('HTTP 202').waitFor();
    const sent = on.receiver.requests.at(-1)!;
    expect(JSON.parse(sent.body.toString()).type).to.equal('documents.job.failed');
    await steps.getByText('Computed with the example secret').waitFor();
    await page.getByLabel('Secret').fill('whsec_not base64');
    await steps.getByText('followed by base64').waitFor();
    await page.getByLabel('Secret').fill(newSecret());
    await steps.getByText('No match: ').waitFor();
    await page.getByLabel('Secret').fill(on.receiver.secret);
    await steps.getByText('signed with this secret').waitFor();
    expect(await steps.textContent()).to.contain(sent.headers['webhook-signature']);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('tests, rotates, pauses, enables, disables and deletes', async () => {
    const id = await on.create();
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}`);
    const dialog = dialogOf(page);
    await page.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByLabel('Event type').selectOption('dam.object.trashed');
    await dialog.getByText('"type": "dam.object.trashed"').waitFor();
    await dialog.getByRole('button', { name: 'Send test message' }).click();
    await dialog.getByText('HTTP 204').waitFor();
    await dialog.getByText('webhook-signature: v1,').waitFor();
    expect(on.receiver.requests[0]!.verified).to.equal(true);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    const more = async (action: string): Promise<void> => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page
        .getByRole('dialog', { name: 'More actions' })
        .getByRole('button', { name: action, exact: true })
        .click();
    };
    await more('Rotate secret');
    await dialog.getByText('every message carries both signatures').waitFor();
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
    expect(await dialog.locator('code').first().textContent()).to.match(/^whsec_/);
    await dialog.getByRole('button', { name: 'Copy secret' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();

    for (const [verb, message] of [
      ['Pause', 'Paused. Events are kept'],
      ['Enable', '” enabled.'],
      ['Disable', 'Disabled'],
    ] as const) {
      if (verb === 'Enable') await page.getByRole('button', { name: verb, exact: true }).click();
      else await more(verb);
      await dialog.getByRole('button', { name: `${verb} webhook` }).click();
      await page.getByText(message).first().waitFor();
    }
    await more('Delete');
    await dialog.getByText('It has no pending deliveries.').waitFor();
    await dialog.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('” deleted.').waitFor();
    expect((await on.api.call('GET', `/v1/webhooks/${id}`)).status).to.equal(404);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('hides actions that the key cannot use, and names the missing scopes', async () => {
    const id = await on.create();
    const reader = await on.api.issue(['webhooks:read']);
    const tab = await openTab();
    await logIn(tab, on.api.url, reader, `/webhooks/${id}`);
    await tab.page.getByText('No deliveries yet').waitFor();
    for (const name of ['Send test', 'More actions']) {
      expect(await tab.page.getByRole('button', { name }).count(), name).to.equal(0);
    }
    await tab.page.goto(`${on.api.url}/portal/webhooks/new`);
    await tab.page.getByText('Creating webhooks requires the scope').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
    const none = await on.api.issue(['objects:read']);
    const second = await openTab();
    await sendLogin(second, on.api.url, none, '/webhooks');
    await second.page.getByText('Access denied').waitFor();
    await second.close();
  });

  describe('with hostile text in everything', () => {
    let id: string;
    let delivery: string;
    before(async () => {
      const filter = { '/data/name': [...hostileTexts] };
      id = await on.create({
        url: `${on.receiver.url}?${'x'.repeat(300)}`,
        description: hostileTexts.join(' '),
        headers: { 'X-Token': 'abc' },
        signing: ['v1', 'v1a'],
      });
      on.receiver.respondWith({ status: 500, body: hostileTexts.join('\n') });
      await on.recordEvents();
      await on.deliver(id);
      await on.api.call('PATCH', `/v1/webhooks/${id}`, {
        body: { filter },
        headers: { 'if-match': '"1"' },
      });
      delivery = (await on.api.call('GET', `/v1/webhooks/${id}/deliveries`)).json.data[0].id;
    });
    it('shows it as text, which never runs', async () => {
      const tab = await openTab();
      const { page } = tab;
      await logIn(tab, on.api.url, on.api, '/webhooks');
      for (const [path, ready] of [
        ['', 'table'],
        [`/${id}`, 'table'],
        [`/${id}/settings`, '.facts'],
        [`/${id}/stats`, '.chart-bar'],
        [`/${id}/edit`, '.webhook-types'],
        [`/${id}/deliveries/${delivery}`, '.webhook-excerpt'],
      ] as const) {
        await page.goto(`${on.api.url}/portal/webhooks${path}`);
        await page.locator(ready).first().waitFor();
      }
      expect(await page.evaluate('window.ran')).to.equal(undefined);
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });
  });
});
