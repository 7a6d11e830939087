import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import {
  describeInBrowser,
  logIn,
  openTab,
  scrollsSideways,
  sendLogin,
  setFilter,
} from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { hostileTexts } from '../../support/hostile-texts.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

describeInBrowser('the portal’s events', () => {
  let api: TestApi;
  let relay: TestRelay;
  before(async () => {
    api = await useSharedApi();
    relay = await openRelay(api);
  });
  after(() => relay.close());

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
  const row = (page: Page, id: string) => page.locator(`a[href*="${id}"]`);
  const isLive = (page: Page) => page.getByRole('status').getByText('Live', { exact: true });

  it('shows new events at the top without a reload', async () => {
    const [first] = await happen();
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/events');
    await row(page, first!).waitFor();
    await isLive(page).waitFor();
    const [second] = await happen();
    await row(page, second!).waitFor();
    const order = await page
      .locator('.events-row')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
    // What happened is what one sees, not the way to filter it.
    expect((await row(page, second!).boundingBox())!.y).to.be.below(300);
    expect(order[0]).to.contain(second);
    expect(order[1]).to.contain(first);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('holds new events while paused or scrolled down', async () => {
    await happen(40);
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/events');
    await isLive(page).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    const [held] = await happen();
    await page.getByRole('button', { name: '1 new event' }).waitFor();
    expect(await row(page, held!).count()).to.equal(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await row(page, held!).waitFor();

    const anchor = page.locator('.events-row').nth(20);
    await anchor.scrollIntoViewIfNeeded();
    await page.evaluate('window.scrollTo(0, 900)');
    const before = await anchor.boundingBox();
    const ids = await happen(3);
    const pill = page.getByRole('button', { name: '3 new events' });
    await pill.waitFor();
    expect((await anchor.boundingBox())!.y).to.equal(before!.y);
    await pill.click();
    for (const id of ids) await row(page, id).waitFor();
    expect(await page.evaluate('window.scrollY')).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('holds new events while the pointer is over the list or the focus is in it', async () => {
    const [first] = await happen();
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/events');
    await row(page, first!).waitFor();
    await isLive(page).waitFor();
    await row(page, first!).hover();
    const before = await row(page, first!).boundingBox();
    const hovered = await happen(2);
    await page.getByRole('button', { name: '2 new events' }).waitFor();
    expect(await row(page, first!).boundingBox()).to.deep.equal(before);
    // Leaving the list shows them.
    await page.mouse.move(0, 0);
    for (const id of hovered) await row(page, id).waitFor();
    await row(page, first!).focus();
    const [held] = await happen();
    await page.getByRole('button', { name: '1 new event' }).click();
    await row(page, held!).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('keeps filters in the address, opens an event, and acknowledges it', async () => {
    const made = await api.call('POST', '/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/hook', event_types: ['dam.*'] },
    });
    const [id] = await happen();
    const [other] = await relay.record(api.projectId, {
      type: 'media.vod_job.progressed',
      resourceId: 'job_1',
      data: { profile: 'hls_1080p', progress: 40 },
    });
    await relay.run();
    // The event is of an object that does not exist.
    const tab = await openTab({ expected: [404] });
    const { page } = tab;
    await logIn(tab, api.url, api, '/events');
    await row(page, other!).waitFor();
    await setFilter(page, 'Types', { fill: 'dam.object.*' });
    await setFilter(page, 'Published', { choose: 'Not published' });
    await page.waitForURL(/type=dam\.object\.\*.*published=false|published=false.*type=dam/);
    await row(page, id!).waitFor();
    expect(await row(page, other!).count()).to.equal(0);
    await page.reload();
    await row(page, id!).click();
    const one = page.getByRole('complementary', { name: 'Event details' });
    await one.getByRole('heading', { name: 'dam.object.trashed' }).waitFor();
    await one.getByText('No: not acknowledged').waitFor();
    const link = one.getByRole('link', { name: 'http://127.0.0.1:9/hook' });
    expect(await link.getAttribute('href')).to.contain(
      `/portal/webhooks/${made.json.id}/deliveries/`,
    );
    await one.getByRole('button', { name: /as curl/ }).click();
    await eventually(async () => {
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).to.contain(`/v1/events/${id}`);
      return true;
    });
    await one.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    await page.getByText('1 event acknowledged.').waitFor();
    await one.getByText('Yes,').waitFor();
    expect((await api.call('GET', `/v1/events/${id}`)).json.published).to.equal(true);
    await one.getByRole('button', { name: 'Acknowledge up to here' }).click();
    await page.getByRole('button', { name: 'Acknowledge events' }).click();
    await page.getByText(/events acknowledged/).waitFor();
    const left = await api.call('GET', '/v1/events?published=false&include=total&type=dam.*');
    expect(left.json.total).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('creates, moves and deletes a consumer', async () => {
    await happen();
    const tab = await openTab({ expected: [422] });
    const { page } = tab;
    await logIn(tab, api.url, api, '/events/consumers');
    await page.getByRole('button', { name: 'Create consumer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('search-index');
    await dialog.getByLabel('Event types').fill('nothing.*');
    await dialog.getByRole('button', { name: 'Create consumer' }).click();
    await dialog.locator('.fault').waitFor();
    await dialog.getByLabel('Event types').fill('dam.object.*');
    await dialog.getByRole('button', { name: 'Create consumer' }).click();
    await page.getByRole('cell', { name: 'search-index' }).waitFor();
    const lag = async (): Promise<number> =>
      (await api.call('GET', '/v1/events/consumers')).json.data[0].lag;
    expect(await lag()).to.be.greaterThan(0);
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await dialog.getByRole('button', { name: 'Move consumer' }).click();
    await page.getByText('Consumer search-index moved to position').waitFor();
    expect(await lag()).to.equal(0);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete consumer' }).click();
    await page.getByText('No consumers yet').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows examples of event types without links to resources that do not exist', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/events/types?q=dam.object.trashed');
    const table = page.getByRole('region', { name: 'Event types', exact: true });
    await table.getByRole('row').nth(1).waitFor();
    expect(await table.getByRole('row').count()).to.equal(2);
    await table.getByText('object', { exact: true }).waitFor();
    await table.getByRole('button', { name: 'Schema of dam.object.trashed' }).click();
    const example = page.locator('section').filter({ hasText: 'Webhook payload' });
    await example
      .getByText(/"?obj_[0-9a-z]{26}/)
      .first()
      .waitFor();
    expect(await example.getByRole('link').count()).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('hides actions that the key cannot use, and names the missing scopes', async () => {
    const [id] = await happen();
    const reader = await api.issue(['events:read']);
    const tab = await openTab();
    await logIn(tab, api.url, reader, `/events/${id}`);
    await tab.page.getByText('webhooks:read').waitFor();
    expect(await tab.page.getByRole('button', { name: /Acknowledge/ }).count()).to.equal(0);
    await tab.page.getByRole('button', { name: 'Filter', exact: true }).click();
    const menu = tab.page.getByRole('dialog', { name: 'Add a filter' });
    await menu.getByRole('button', { name: 'Published' }).waitFor();
    expect(await menu.getByRole('button', { name: 'Category' }).count()).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
    const none = await api.issue(['objects:read']);
    const second = await openTab();
    await sendLogin(second, api.url, none, '/events');
    await second.page.getByText('Access denied').waitFor();
    await second.close();
  });

  describe('with hostile data', () => {
    let ids: string[];
    before(async () => {
      ids = await relay.record(
        api.projectId,
        ...hostileTexts.map((profile) => ({
          type: 'media.vod_job.succeeded' as const,
          resourceId: 'job_1',
          data: { profile, progress: 100 },
        })),
      );
      await relay.run();
    });
    it('shows it as text, which never runs', async () => {
      const tab = await openTab({ width: 320 });
      const { page } = tab;
      await logIn(tab, api.url, api, '/events');
      for (const id of ids) {
        await page.locator(`a[href*="${id}"]`).click();
        await page.getByRole('complementary').getByText(id).first().waitFor();
        expect(await scrollsSideways(page), id).to.equal(false);
      }
      expect(await page.evaluate('window.ran')).to.equal(undefined);
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });
  });
});
