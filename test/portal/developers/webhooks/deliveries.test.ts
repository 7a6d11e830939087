import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  describeInBrowser,
  holdEventStreams,
  logIn,
  openTab,
  setFilter,
} from '../../../support/browser.ts';
import { findPrograms, withPrograms } from '../../../support/debian-program.ts';
import { hostileTexts } from '../../../support/hostile-texts.ts';
import { openPortalWebhooks, type PortalWebhooks } from '../../../support/portal-webhooks.ts';

describeInBrowser('the portal’s deliveries', () => {
  let on: PortalWebhooks;
  before(async () => {
    on = await openPortalWebhooks();
  });
  after(() => on.close());
  beforeEach(() => {
    on.receiver.respondWith(204);
    on.receiver.requests.length = 0;
  });

  /** An endpoint at which one attempt failed and the next succeeded. */
  const failAndSucceed = async (): Promise<string> => {
    const id = await on.create();
    for (const status of [500, 204]) {
      on.receiver.respondWith(status);
      await on.recordEvents();
      await on.deliver(id, [0, 3_600]);
    }
    return id;
  };
  const dialogOf = (page: Page) => page.getByRole('dialog');

  /** Runs the command that the page of a delivery shows to send its message again. */
  const repeatIn = async (page: Page, env: Record<string, string>): Promise<void> => {
    await page.getByRole('button', { name: 'Repeat with curl' }).click();
    const command = await dialogOf(page).locator('pre').textContent();
    const { PATH } = process.env;
    const curl = await findPrograms('curl');
    expect(curl, 'curl').not.to.equal(null);
    await promisify(execFile)('bash', ['-c', command!], {
      env: withPrograms(curl ?? [], { PATH, ...env }),
    });
    await dialogOf(page).getByRole('button', { name: 'Close' }).last().click();
  };

  it('shows a failed delivery with its response, and redelivers it', async () => {
    const id = await on.create({ headers: { 'X-Token': 'hidden-token' } });
    on.receiver.respondWith({
      status: 503,
      body: `${hostileTexts[0]} out of order ${hostileTexts[4]}`,
    });
    const [event] = await on.recordEvents();
    await on.deliver(id, [0, 3_600]);
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}`);
    await page.getByText('failing').first().waitFor();
    await setFilter(page, 'State', { choose: 'Pending: waiting to be sent or retried' });
    await page.getByRole('link', { name: 'dam.object.trashed' }).click();
    const response = page.getByRole('region', { name: 'Response to attempt' });
    await response.getByText('HTTP 503').waitFor();
    expect(await page.locator('.webhook-excerpt').textContent()).to.equal(
      `${hostileTexts[0]} out of order invoicefdp.exe`,
    );
    await page.getByText('Next attempt scheduled for').waitFor();
    await page.getByText(/Wait for response/).waitFor();
    expect(await page.getByRole('link', { name: event! }).count()).to.equal(1);
    const request = page.getByRole('region', { name: 'Request', exact: true });
    const [sent] = on.receiver.requestsOf(event!);
    await request.getByText(sent!.headers['webhook-signature']!, { exact: true }).waitFor();
    await request.getByRole('button', { name: 'Copy as sent' }).click();
    await request.getByRole('button', { name: 'Copied as sent' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(sent!.body.toString());
    expect(await page.content()).not.to.contain('hidden-token');
    await repeatIn(page, { X_TOKEN: 'from the shell', WEBHOOK_SECRET: on.receiver.secret });
    const [, repeated] = on.receiver.requestsOf(event!);
    expect(repeated!.headers['x-token']).to.equal('from the shell');
    expect(repeated!.body.toString()).to.equal(sent!.body.toString());
    on.receiver.respondWith(204);
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Redelivery started.').waitFor();
    await on.deliver(id);
    await response.getByText('HTTP 204').waitFor();
    await page.getByText('2 attempts').waitFor();
    expect(on.receiver.requestsOf(event!).map(({ verified }) => verified)).to.deep.equal([
      true,
      true,
      true,
    ]);
    await page.getByRole('button', { name: 'Show attempt 1' }).click();
    await response.getByText('HTTP 503').waitFor();
    expect((await on.api.call('GET', `/v1/events/${event}`)).json.published).to.equal(true);
    expect(await page.evaluate('window.ran')).to.equal(undefined);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('notices on the page of a delivery that others redeliver it', async () => {
    const id = await on.create();
    on.receiver.respondWith(503);
    const [event] = await on.recordEvents();
    await on.deliver(id, [0]);
    const { json } = await on.api.call('GET', `/v1/webhooks/${id}/deliveries`);
    const delivery = json.data[0].id;
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}/deliveries/${delivery}`);
    await page.getByRole('heading', { name: '1 attempt', exact: true }).waitFor();
    on.receiver.respondWith(204);
    const again = `/v1/webhooks/${id}/deliveries/${delivery}/redeliver`;
    expect((await on.api.call('POST', again)).status).to.equal(202);
    await on.deliver(id);
    await page.getByRole('heading', { name: '2 attempts', exact: true }).waitFor();
    await page.getByRole('region', { name: 'Response to attempt' }).getByText('HTTP 204').waitFor();
    expect(on.receiver.requestsOf(event!)).to.have.length(2);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('sends what waits for a later retry, once the receiver works again', async () => {
    const id = await failAndSucceed();
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}`);
    await page
      .getByText('The last attempt succeeded. 1 delivery waits for a later retry.')
      .waitFor();
    await page.getByRole('button', { name: 'Send 1 pending now' }).click();
    await page.getByText('1 delivery is sent now.').waitFor();
    await page.getByText('The last attempt succeeded.').waitFor({ state: 'detached' });
    await on.deliver(id, [0, 3_600]);
    expect((await on.read(id)).json.health).to.include({ pending: 0, deferred: 0 });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('lists deliveries from before its stream of events was open', async () => {
    const id = await on.create();
    await on.recordEvents();
    await on.deliver(id);
    const tab = await openTab();
    const { page } = tab;
    const release = await holdEventStreams(page);
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}`);
    const rows = page.getByRole('link', { name: 'dam.object.trashed' });
    await rows.first().waitFor();
    await on.recordEvents();
    await on.deliver(id);
    await release();
    await rows.nth(1).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows when a resting endpoint is tried next, and no time that has passed', async () => {
    const id = await on.create();
    await on.recordEvents(12);
    await on.api.rows(
      `UPDATE webhook_flow SET hold_seconds = 300, held_until = now() + interval '300 seconds',
         failures_in_row = 10, failing_since = now() WHERE endpoint_id = $1`,
      [id],
    );
    await on.api.rows(
      `UPDATE due_delivery SET due_at = now() - interval '45 seconds' WHERE endpoint_id = $1`,
      [id],
    );
    const [first] = (await on.api.call('GET', `/v1/webhooks/${id}/deliveries`)).json.data;
    const { held_until: held } = (await on.read(id)).json.health;
    expect(first).to.include({ state: 'pending', attempts_made: 0, next_attempt_at: held });
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}`);
    const list = page.getByRole('region', { name: 'Deliveries, newest first' });
    await list
      .getByText(/^in [45] minutes$/)
      .nth(11)
      .waitFor();
    // Due, but not sent yet.
    await on.api.rows('UPDATE webhook_flow SET held_until = NULL WHERE endpoint_id = $1', [id]);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await list.getByText('As soon as possible').nth(11).waitFor();
    // Live: sent without a click.
    await on.deliver(id);
    await list.getByText('As soon as possible').first().waitFor({ state: 'detached' });
    await list.getByText('succeeded').nth(11).waitFor();
    // While the pointer is over the list, it holds still.
    await page.mouse.move(0, 0);
    await on.recordEvents(1);
    await list.getByText('succeeded').nth(11).waitFor();
    await list.getByText('As soon as possible').waitFor();
    // A paused one sends nothing.
    await on.api.call('POST', `/v1/webhooks/${id}/pause`);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await list.getByText('As soon as possible').first().waitFor({ state: 'detached' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows that attempts fail now and then, although the latest succeeded', async () => {
    const id = await failAndSucceed();
    expect((await on.read(id)).json.health).to.deep.include({
      state: 'degraded',
      last_hour: { attempts: 2, failed: 1 },
    });
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}`);
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
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}`);
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
});
