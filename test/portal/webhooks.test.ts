import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { newId } from '../../src/contracts/ids.ts';
import { inTransaction, prepared } from '../../src/db/transaction.ts';
import { readValues } from '../../src/portal/developers/webhooks/form/fields.ts';
import { newSecret } from '../../src/webhooks/sign.ts';
import { startApi, type TestApi } from '../support/api.ts';
import {
  closeTabs,
  describeInBrowser,
  holdStreams,
  logIn,
  openTab,
  sendLogin,
  setFilter,
  startBrowser,
} from '../support/browser.ts';
import { deliverTo } from '../support/deliver.ts';
import { hostile } from '../support/hostile.ts';
import { illegible } from '../support/legible.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { openRelay, type TestRelay } from '../support/relay.ts';
import { stepReplay } from '../support/replays.ts';

describe('the values of a webhook’s filter', () => {
  it('are JSON scalars, or otherwise strings', () => {
    expect(readValues('a, 2, true, null, "x, y", "3"')).to.deep.equal([
      ...['a', 2, true, null, 'x, y', '3'],
    ]);
    expect(readValues('{"a": 1')).to.deep.equal(['{"a": 1']);
  });
});

describeInBrowser('the portal’s webhooks', () => {
  let api: TestApi;
  let relay: TestRelay;
  let browser: Browser;
  let receiver: Receiver;
  before(async () => {
    [api, browser, receiver] = await Promise.all([startApi(), startBrowser(), startReceiver()]);
    relay = await openRelay(api);
  });
  after(async () => {
    await closeTabs(browser);
    await relay.close();
    await receiver.close();
    await api.close();
  });
  beforeEach(() => {
    receiver.answer(204);
    receiver.requests.length = 0;
  });

  const create = async (body: object = {}): Promise<string> => {
    const made = await api.call('POST', '/v1/webhooks', {
      body: { url: receiver.url, event_types: ['dam.*'], secret: receiver.secret, ...body },
    });
    expect(made.status, made.text).to.equal(201);
    return made.json.id;
  };
  const read = async (id: string) => (await api.call('GET', `/v1/webhooks/${id}`)).json;
  const happen = async (count = 1): Promise<string[]> => {
    const ids = await relay.record(
      api.projectId,
      ...Array.from({ length: count }, () => ({
        type: 'dam.object.trashed' as const,
        resourceId: newId('object'),
        data: {},
      })),
    );
    await relay.run();
    return ids;
  };
  /** Sends pending deliveries as the workers would: one attempt each, without retries by default. */
  const deliver = async (id: string, retrySchedule: number[] = [0]): Promise<void> => {
    await inTransaction(relay.worker, (tx) =>
      prepared(
        tx,
        'UPDATE webhook_flow SET window_size = 100, held_until = NULL WHERE endpoint_id = $1',
        [id],
      ),
    );
    const { dialer, seal } = api.deps;
    const using = { database: relay.worker, dialer, unseal: seal.open, retrySchedule };
    while ((await deliverTo(using, id)) > 0);
  };
  /** An endpoint at which one attempt failed and the next succeeded. */
  const failAndSucceed = async (): Promise<string> => {
    const id = await create();
    for (const status of [500, 204]) {
      receiver.answer(status);
      await happen();
      await deliver(id, [0, 3_600]);
    }
    return id;
  };
  const dialogOf = (page: Page) => page.getByRole('dialog');

  it('creates a webhook, shows errors at their fields, and shows the secret once', async () => {
    const tab = await openTab(browser, { expected: [422] });
    const { page } = tab;
    await logIn(tab, api.url, api, '/webhooks');
    await page.getByRole('link', { name: 'Create webhook' }).first().click();
    await page.getByLabel('URL').fill('https://169.254.169.254/latest');
    await page.getByLabel('All of documents.job.*').check();
    expect(await page.getByLabel('documents.job.failed').isDisabled()).to.equal(true);
    await page.getByLabel('dam.object.created').check();
    await page.getByLabel('Custom pattern').fill('nothing.*');
    await page.getByRole('button', { name: 'Add pattern' }).click();
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByRole('textbox', { name: 'Header' }).fill('Host');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('does not match any event type').first().waitFor();
    await page.getByRole('button', { name: 'Remove nothing.*' }).click();
    await page.getByRole('button', { name: 'Remove header Host' }).click();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Webhooks can only use public addresses').waitFor();
    await page.getByLabel('URL').fill(`${receiver.url}?new`);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Pointer').fill('/data/state');
    await page.getByLabel('Values').fill('failed, 2');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const secret = await dialogOf(page).locator('code').first().textContent();
    expect(secret).to.match(/^whsec_/);
    await dialogOf(page).getByText('verifyWebhook').waitFor();
    expect(await illegible(page), 'the secret').to.deep.equal([]);
    await dialogOf(page).getByRole('button', { name: 'Copy secret' }).click();
    await dialogOf(page).getByRole('button', { name: 'Copied' }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
    expect(await page.content()).not.to.contain(secret);
    const id = page.url().split('/').at(-1)!;
    expect(await read(id)).to.deep.include({
      event_types: ['documents.job.*', 'dam.object.created'],
      filter: { '/data/state': ['failed', 2] },
    });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('edits a webhook without losing hidden headers, and reports conflicting changes', async () => {
    const id = await create({ headers: { 'X-Token': 'abc' }, filter: { '/data/a': [1] } });
    const tab = await openTab(browser, { expected: [412] });
    const { page } = tab;
    await logIn(tab, api.url, api, `/webhooks/${id}/edit`);
    await page.getByLabel('Description').fill('Orders');
    await page.getByRole('button', { name: /Remove filter/ }).click();
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByRole('textbox', { name: 'Header' }).last().fill('X-Second');
    await page.getByLabel('Value', { exact: true }).last().fill('two');
    await api.call('PATCH', `/v1/webhooks/${id}`, {
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
    await page.getByText('Webhook updated.').waitFor();
    const now = await read(id);
    expect(now).to.deep.include({ description: 'Orders', filter: null });
    expect(Object.keys(now.headers)).to.deep.equal(['X-Token', 'X-Second']);
    // It subscribes to all events, which would not be published until delivered here as well.
    await api.call('DELETE', `/v1/webhooks/${id}`, { headers: { 'if-match': '*' } });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  /** Runs the command that the page of a delivery shows to send its message again. */
  const repeatIn = async (page: Page, env: Record<string, string>): Promise<void> => {
    await page.getByRole('button', { name: 'Repeat with curl' }).click();
    const command = await dialogOf(page).locator('pre').textContent();
    const { PATH: path = '' } = process.env;
    await promisify(execFile)('bash', ['-c', command!], { env: { PATH: path, ...env } });
    await dialogOf(page).getByRole('button', { name: 'Close' }).last().click();
  };

  it('shows a failed delivery with its response, and redelivers it', async () => {
    const id = await create({ headers: { 'X-Token': 'hidden-token' } });
    receiver.answer({ status: 503, body: `${hostile[0]} out of order ${hostile[4]}` });
    const [event] = await happen();
    await deliver(id, [0, 3_600]);
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, `/webhooks/${id}`);
    await page.getByText('failing').first().waitFor();
    await setFilter(page, 'State', { choose: 'Pending: waiting to be sent or retried' });
    await page.getByRole('link', { name: 'dam.object.trashed' }).click();
    const response = page.getByRole('region', { name: 'Response to attempt' });
    await response.getByText('HTTP 503').waitFor();
    expect(await page.locator('.webhook-excerpt').textContent()).to.equal(
      `${hostile[0]} out of order invoicefdp.exe`,
    );
    await page.getByText('Next attempt scheduled for').waitFor();
    await page.getByText(/Wait for response/).waitFor();
    expect(await page.getByRole('link', { name: event! }).count()).to.equal(1);
    const request = page.getByRole('region', { name: 'Request', exact: true });
    const [sent] = receiver.of(event!);
    await request.getByText(sent!.headers['webhook-signature']!, { exact: true }).waitFor();
    await request.getByRole('button', { name: 'Copy as sent' }).click();
    await request.getByRole('button', { name: 'Copied as sent' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(sent!.body.toString());
    expect(await page.content()).not.to.contain('hidden-token');
    await repeatIn(page, { X_TOKEN: 'from the shell', WEBHOOK_SECRET: receiver.secret });
    const [, repeated] = receiver.of(event!);
    expect(repeated!.headers['x-token']).to.equal('from the shell');
    expect(repeated!.body.toString()).to.equal(sent!.body.toString());
    receiver.answer(204);
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Redelivery started.').waitFor();
    await deliver(id);
    await response.getByText('HTTP 204').waitFor();
    await page.getByText('2 attempts').waitFor();
    expect(receiver.of(event!).map(({ verified }) => verified)).to.deep.equal([true, true, true]);
    await page.getByRole('button', { name: 'Show attempt 1' }).click();
    await response.getByText('HTTP 503').waitFor();
    expect((await api.call('GET', `/v1/events/${event}`)).json.published).to.equal(true);
    expect(await page.evaluate('window.ran')).to.equal(undefined);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('notices on the page of a delivery that others redeliver it', async () => {
    const id = await create();
    receiver.answer(503);
    const [event] = await happen();
    await deliver(id, [0]);
    const { json } = await api.call('GET', `/v1/webhooks/${id}/deliveries`);
    const delivery = json.data[0].id;
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, `/webhooks/${id}/deliveries/${delivery}`);
    await page.getByRole('heading', { name: '1 attempt', exact: true }).waitFor();
    receiver.answer(204);
    const again = `/v1/webhooks/${id}/deliveries/${delivery}/redeliver`;
    expect((await api.call('POST', again)).status).to.equal(202);
    await deliver(id);
    await page.getByRole('heading', { name: '2 attempts', exact: true }).waitFor();
    await page.getByRole('region', { name: 'Response to attempt' }).getByText('HTTP 204').waitFor();
    expect(receiver.of(event!)).to.have.length(2);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('lists deliveries from before its stream of events was open', async () => {
    const id = await create();
    await happen();
    await deliver(id);
    const tab = await openTab(browser);
    const { page } = tab;
    const release = await holdStreams(page);
    await logIn(tab, api.url, api, `/webhooks/${id}`);
    const rows = page.getByRole('link', { name: 'dam.object.trashed' });
    await rows.first().waitFor();
    await happen();
    await deliver(id);
    await release();
    await rows.nth(1).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('counts the events of a replay before it starts, and shows its progress', async () => {
    const id = await create();
    receiver.answer(500);
    await happen(3);
    await deliver(id);
    receiver.answer(204);
    receiver.requests.length = 0;
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, `/webhooks/${id}/replays`);
    await page.getByRole('button', { name: 'Replay events' }).click();
    const dialog = dialogOf(page);
    expect(await dialog.getByRole('button', { name: /^Replay/ }).count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Count events' }).click();
    await dialog.getByText('3 events will be sent again').waitFor();
    expect(receiver.requests).to.have.length(0);
    await dialog.getByRole('button', { name: 'Replay 3 events' }).click();
    await page.getByText('Replay of 3 events started.').waitFor();
    const [replay] = (await api.call('GET', `/v1/webhooks/${id}/replays`)).json.data;
    while (await stepReplay(relay.worker, replay.id)) await deliver(id);
    await page.getByText('3 succeeded').waitFor();
    await page.getByText('completed').waitFor();
    expect(receiver.requests).to.have.length(3);

    await page.getByRole('button', { name: 'Replay events' }).click();
    await dialog.getByLabel('Events', { exact: true }).selectOption('all');
    await dialog.getByRole('button', { name: 'Count events' }).click();
    await dialog.getByRole('button', { name: /^Replay \d+ events/ }).click();
    await page.getByRole('button', { name: 'Cancel replay' }).click();
    await page.getByText('Replay cancelled.').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows when a resting endpoint is tried next, and no time that has passed', async () => {
    const id = await create();
    await happen(12);
    await api.rows(
      `UPDATE webhook_flow SET hold_seconds = 300, held_until = now() + interval '300 seconds',
         failures_in_row = 10, failing_since = now() WHERE endpoint_id = $1`,
      [id],
    );
    await api.rows(
      `UPDATE due_delivery SET due_at = now() - interval '45 seconds' WHERE endpoint_id = $1`,
      [id],
    );
    const [first] = (await api.call('GET', `/v1/webhooks/${id}/deliveries`)).json.data;
    const { held_until: held } = (await read(id)).health;
    expect(first).to.include({ state: 'pending', attempts_made: 0, next_attempt_at: held });
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, `/webhooks/${id}`);
    const list = page.getByRole('region', { name: 'Deliveries, newest first' });
    await list
      .getByText(/^in [45] minutes$/)
      .nth(11)
      .waitFor();
    // Due, but not sent yet.
    await api.rows('UPDATE webhook_flow SET held_until = NULL WHERE endpoint_id = $1', [id]);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await list.getByText('As soon as possible').nth(11).waitFor();
    // Live: sent without a click.
    await deliver(id);
    await list.getByText('As soon as possible').first().waitFor({ state: 'detached' });
    await list.getByText('succeeded').nth(11).waitFor();
    await happen(1);
    await list.getByText('succeeded').nth(11).waitFor();
    await list.getByText('As soon as possible').waitFor();
    // A paused one sends nothing.
    await api.call('POST', `/v1/webhooks/${id}/pause`);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await list.getByText('As soon as possible').first().waitFor({ state: 'detached' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows that attempts fail now and then, although the latest succeeded', async () => {
    const id = await failAndSucceed();
    expect((await read(id)).health).to.deep.include({
      state: 'degraded',
      last_hour: { attempts: 2, failed: 1 },
    });
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, `/webhooks/${id}`);
    await page.getByText('degraded', { exact: true }).waitFor();
    await page.getByText('1 of 2 attempts failed in the last hour').waitFor();
    await page.getByText('Last error:').waitFor();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click();
    const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) });
    await row.getByText('degraded', { exact: true }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('draws attempts and response times over time, and has their values as tables', async () => {
    const id = await failAndSucceed();
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, `/webhooks/${id}`);
    await page.getByRole('link', { name: 'Statistics' }).click();
    const stats = page.getByRole('region', { name: 'Statistics' });
    await stats.getByText('1 · HTTP 5xx 1').waitFor();
    await stats.getByText('50%').waitFor();
    expect(await stats.locator('.chart-bar').count()).to.be.within(2, 3);
    const table = stats.getByRole('table', { name: 'Attempts' });
    expect(await table.getByRole('row').count()).to.be.within(2, 3);
    // The latest points are reached with the keyboard.
    const chart = stats.getByRole('img', { name: 'Attempts' });
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await stats.getByText(/Succeeded: \d/).waitFor();
    await stats.getByRole('button', { name: '7 days' }).click();
    await stats.locator('[aria-pressed="true"]', { hasText: '7 days' }).waitFor();
    await stats.getByText('1 · HTTP 5xx 1').waitFor();
    expect(new URL(page.url()).searchParams.get('period')).to.equal('7d');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('recovers what failed or never went since a time, and counts it before', async () => {
    // No other test has events of these types.
    const types = ['dam.image.trashed', 'dam.image.restored'] as const;
    const id = await create({ event_types: [types[0]] });
    const record = async (type: (typeof types)[number], count: number) => {
      await relay.record(
        api.projectId,
        ...Array.from({ length: count }, () => ({ type, resourceId: newId('image'), data: {} })),
      );
      await relay.run();
    };
    receiver.answer(500);
    await record(types[0], 2);
    await deliver(id); // exhausted
    await record(types[1], 3); // not subscribed to yet
    await api.call('PATCH', `/v1/webhooks/${id}`, {
      ...{ body: { event_types: [...types] }, headers: { 'if-match': '"1"' } },
    });
    await record(types[0], 1);
    await deliver(id, [0, 3_600]); // pending
    const tab = await openTab(browser, { expected: [422] });
    const { page } = tab;
    await logIn(tab, api.url, api, `/webhooks/${id}`);
    await page.getByRole('button', { name: 'Recover since…' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('5 events will be sent').waitFor();
    await dialog.getByText('1 delivery is pending and left out').waitFor();
    expect(await illegible(page), 'recover').to.deep.equal([]);
    await dialog.getByLabel('Since').selectOption('other');
    await dialog.getByLabel('Time').fill('2100-01-01T00:00');
    await dialog.getByText('must be in the past').waitFor();
    expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).to.equal(true);
    await dialog.getByLabel('Since').selectOption('1');
    receiver.answer(204);
    receiver.requests.length = 0;
    await dialog.getByRole('button', { name: 'Send 5 events' }).click();
    await page.getByText('Replay of 5 events started.').waitFor();
    const [replay] = (await api.call('GET', `/v1/webhooks/${id}/replays`)).json.data;
    while (await stepReplay(relay.worker, replay.id)) await deliver(id);
    await page.getByText('5 succeeded').waitFor();
    expect(receiver.requests).to.have.length(5);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('leaves pending deliveries out of replays, and says so', async () => {
    // No other test has events of this type.
    const type = 'dam.object.restored' as const;
    const id = await create({ event_types: [type] });
    receiver.answer(500);
    const event = () => ({ type, resourceId: newId('object'), data: {} });
    await relay.record(api.projectId, event(), event());
    await relay.run();
    await deliver(id, [0, 3_600]);
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, `/webhooks/${id}/replays`);
    await page.getByRole('button', { name: 'Replay events' }).click();
    const dialog = dialogOf(page);
    for (const only of ['failed', 'all']) {
      await dialog.getByLabel('Events', { exact: true }).selectOption(only);
      await dialog.getByRole('button', { name: 'Count events' }).click();
      await dialog.getByText('No events match.').waitFor();
      await dialog.getByText('2 deliveries are still pending.').waitFor();
    }
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('has a playground that signs messages step by step, and sends them', async () => {
    const id = await create();
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, '/webhooks');
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByLabel('Event type', { exact: true }).selectOption('documents.job.failed');
    await page.getByLabel('Endpoint').selectOption(id);
    const steps = page.getByRole('region', { name: 'Signature' });
    await steps.getByText(/^evt_\w+\.\d+\.\{/).waitFor();
    receiver.answer({ status: 202, body: 'taken' });
    await page.getByRole('button', { name: 'Send to this endpoint' }).click();
    await page.getByRole('region', { name: 'Answer' }).getByText('HTTP 202').waitFor();
    const sent = receiver.requests.at(-1)!;
    expect(JSON.parse(sent.body.toString()).type).to.equal('documents.job.failed');
    await steps.getByText('Computed with the example secret').waitFor();
    await page.getByLabel('Secret').fill('whsec_not base64');
    await steps.getByText('followed by base64').waitFor();
    await page.getByLabel('Secret').fill(newSecret());
    await steps.getByText('None matches').waitFor();
    await page.getByLabel('Secret').fill(receiver.secret);
    await steps.getByText('They match').waitFor();
    expect(await steps.textContent()).to.contain(sent.headers['webhook-signature']);
    expect(await illegible(page)).to.deep.equal([]);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('tests, rotates, pauses, enables, disables and deletes', async () => {
    const id = await create();
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, `/webhooks/${id}`);
    const dialog = dialogOf(page);
    await page.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByLabel('Event type').selectOption('dam.object.trashed');
    await dialog.getByText('"type": "dam.object.trashed"').waitFor();
    await dialog.getByRole('button', { name: 'Send test message' }).click();
    await dialog.getByText('HTTP 204').waitFor();
    await dialog.getByText('webhook-signature: v1,').waitFor();
    expect(receiver.requests[0]!.verified).to.equal(true);
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

    for (const [verb, said] of [
      ['Pause', 'Paused. Events are kept'],
      ['Enable', 'Webhook enabled.'],
      ['Disable', 'Disabled'],
    ] as const) {
      if (verb === 'Enable') await page.getByRole('button', { name: verb, exact: true }).click();
      else await more(verb);
      await dialog.getByRole('button', { name: `${verb} webhook` }).click();
      await page.getByText(said).first().waitFor();
    }
    await more('Delete');
    await dialog.getByText('It has no pending deliveries.').waitFor();
    await dialog.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('Webhook deleted.').waitFor();
    expect((await api.call('GET', `/v1/webhooks/${id}`)).status).to.equal(404);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('hides actions that the key cannot use, and names the missing scopes', async () => {
    const id = await create();
    const reader = await api.issue(['webhooks:read']);
    const tab = await openTab(browser);
    await logIn(tab, api.url, reader, `/webhooks/${id}`);
    await tab.page.getByText('No deliveries yet').waitFor();
    for (const name of ['Send test', 'More actions']) {
      expect(await tab.page.getByRole('button', { name }).count(), name).to.equal(0);
    }
    await tab.page.goto(`${api.url}/portal/webhooks/new`);
    await tab.page.getByText('Creating webhooks requires the scope').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
    const none = await api.issue(['objects:read']);
    const second = await openTab(browser);
    await sendLogin(second, api.url, none, '/webhooks');
    await second.page.getByText('Access denied').waitFor();
    await second.close();
  });

  describe('with hostile text in everything', () => {
    let id: string;
    let delivery: string;
    before(async () => {
      const filter = { '/data/name': [...hostile] };
      id = await create({
        url: `${receiver.url}?${'x'.repeat(300)}`,
        description: hostile.join(' '),
        headers: { 'X-Token': 'abc' },
        signing: ['v1', 'v1a'],
      });
      receiver.answer({ status: 500, body: hostile.join('\n') });
      await happen();
      await deliver(id);
      await api.call('PATCH', `/v1/webhooks/${id}`, {
        body: { filter },
        headers: { 'if-match': '"1"' },
      });
      delivery = (await api.call('GET', `/v1/webhooks/${id}/deliveries`)).json.data[0].id;
    });
    it('shows it as text and is accessible', async () => {
      const tab = await openTab(browser);
      const { page } = tab;
      await logIn(tab, api.url, api, '/webhooks');
      for (const [path, ready] of [
        ['', 'table'],
        [`/${id}`, 'table'],
        [`/${id}/settings`, '.facts'],
        [`/${id}/stats`, '.chart-bar'],
        [`/${id}/edit`, '.webhook-types'],
        [`/${id}/deliveries/${delivery}`, '.webhook-excerpt'],
      ] as const) {
        await page.goto(`${api.url}/portal/webhooks${path}`);
        await page.locator(ready).first().waitFor();
        expect(await illegible(page), path).to.deep.equal([]);
      }
      expect(await page.evaluate('window.ran')).to.equal(undefined);
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });
  });
});
