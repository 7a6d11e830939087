import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser, logIn, openTab } from '../../../support/browser.ts';
import { findLegibilityFaults } from '../../../support/legible.ts';
import { openPortalWebhooks, type PortalWebhooks } from '../../../support/portal-webhooks.ts';
import { runReplayStep } from '../../../support/replays.ts';

describeInBrowser('the portal’s replays', () => {
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

  it('counts the events of a replay before it starts, and shows its progress', async () => {
    const id = await on.create();
    on.receiver.respondWith(500);
    await on.recordEvents(3);
    await on.deliver(id);
    on.receiver.respondWith(204);
    on.receiver.requests.length = 0;
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}/replays`);
    await page.getByRole('button', { name: 'Replay events' }).click();
    const dialog = dialogOf(page);
    expect(await dialog.getByRole('button', { name: /^Replay/ }).count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Count events' }).click();
    await dialog.getByText('3 events will be sent again').waitFor();
    expect(on.receiver.requests).to.have.length(0);
    await dialog.getByRole('button', { name: 'Replay 3 events' }).click();
    await page.getByText('Replay of 3 events started.').waitFor();
    const [replay] = (await on.api.call('GET', `/v1/webhooks/${id}/replays`)).json.data;
    while (await runReplayStep(on.relay.worker, replay.id)) await on.deliver(id);
    await page.getByText('3 succeeded').waitFor();
    await page.getByText('completed').waitFor();
    expect(on.receiver.requests).to.have.length(3);

    await page.getByRole('button', { name: 'Replay events' }).click();
    await dialog.getByLabel('Events', { exact: true }).selectOption('all');
    await dialog.getByRole('button', { name: 'Count events' }).click();
    await dialog.getByRole('button', { name: /^Replay \d+ events/ }).click();
    await page.getByRole('button', { name: 'Cancel replay' }).click();
    await page.getByText('Replay cancelled.').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('recovers what failed or never went since a time, and counts it before', async () => {
    // No other test has events of these types.
    const types = ['dam.image.trashed', 'dam.image.restored'] as const;
    const id = await on.create({ event_types: [types[0]] });
    const record = async (type: (typeof types)[number], count: number) => {
      await on.relay.record(
        on.api.projectId,
        ...Array.from({ length: count }, () => ({ type, resourceId: newId('image'), data: {} })),
      );
      await on.relay.run();
    };
    on.receiver.respondWith(500);
    await record(types[0], 2);
    await on.deliver(id); // exhausted
    await record(types[1], 3); // not subscribed to yet
    await on.api.call('PATCH', `/v1/webhooks/${id}`, {
      body: { event_types: [...types] },
      headers: { 'if-match': '"1"' },
    });
    await record(types[0], 1);
    await on.deliver(id, [0, 3_600]); // pending
    const tab = await openTab({ expected: [422] });
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}`);
    await page.getByRole('button', { name: 'Recover since…' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('5 events will be sent').waitFor();
    await dialog.getByText('1 delivery is pending and not included').waitFor();
    expect(await findLegibilityFaults(page), 'recover').to.deep.equal([]);
    await dialog.getByLabel('Since').selectOption('other');
    await dialog.getByLabel('Time').fill('2100-01-01T00:00');
    await dialog.getByText('must be in the past').waitFor();
    expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).to.equal(true);
    await dialog.getByLabel('Since').selectOption('1');
    on.receiver.respondWith(204);
    on.receiver.requests.length = 0;
    await dialog.getByRole('button', { name: 'Send 5 events' }).click();
    await page.getByText('Replay of 5 events started.').waitFor();
    const [replay] = (await on.api.call('GET', `/v1/webhooks/${id}/replays`)).json.data;
    while (await runReplayStep(on.relay.worker, replay.id)) await on.deliver(id);
    await page.getByText('5 succeeded').waitFor();
    expect(on.receiver.requests).to.have.length(5);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('leaves pending deliveries out of replays, and says so', async () => {
    // No other test has events of this type.
    const type = 'dam.object.restored' as const;
    const id = await on.create({ event_types: [type] });
    on.receiver.respondWith(500);
    const event = () => ({ type, resourceId: newId('object'), data: {} });
    await on.relay.record(on.api.projectId, event(), event());
    await on.relay.run();
    await on.deliver(id, [0, 3_600]);
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, on.api.url, on.api, `/webhooks/${id}/replays`);
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
});
