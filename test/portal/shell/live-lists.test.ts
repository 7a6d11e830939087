import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, rowOf } from '../../support/browser.ts';
import {
  forgetShifts,
  observeShifts,
  shiftsOf,
  watchRequests,
} from '../../support/layout-shifts.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

describeInBrowser('the portal’s live lists', () => {
  let api: TestApi;
  let relay: TestRelay;
  before(async () => {
    api = await useSharedApi();
    relay = await openRelay(api);
  });
  after(() => relay.close());

  let files = 0;
  /** A job that waits, because no worker runs. @returns its identifier */
  const startJob = async (): Promise<string> => {
    files += 1;
    const stored = await api.call('POST', '/v1/objects', {
      body: Buffer.from(`Letter ${files}`),
      headers: { 'content-type': 'text/plain', 'x-filename': `letter-${files}.txt` },
    });
    expect(stored.status, stored.text).to.equal(201);
    const made = await api.call('POST', '/v1/documents/jobs', {
      body: { source_object_id: stored.json.id, operations: [{ op: 'classify' }] },
    });
    expect(made.status, made.text).to.equal(202);
    await relay.run();
    return made.json.id;
  };
  const cancelJob = async (id: string): Promise<void> => {
    const cancelled = await api.call('POST', `/v1/documents/jobs/${id}/cancel`);
    expect(cancelled.status, cancelled.text).to.be.lessThan(300);
    await relay.run();
  };
  const scrollTo = (page: Page, top: number) => page.evaluate(`window.scrollTo(0, ${top})`);

  it('on Home say that no job is running only if that is true, also while scrolled', async () => {
    const tab = await openTab({ height: 500 });
    const { page } = tab;
    await logIn(tab, api.url, api);
    const section = page.getByRole('region', { name: 'Running' });
    const link = (id: string) => section.locator(`a[href$="/jobs/${id}"]`);
    const none = section.getByText('No jobs are running');
    await none.waitFor();
    const { y } = (await section.getByRole('heading').boundingBox())!;
    await scrollTo(page, y + 10);
    const first = await startJob();
    await link(first).waitFor();
    expect(await none.count()).to.equal(0);

    await scrollTo(page, y + 10);
    await cancelJob(first);
    await section.getByText('cancelled').waitFor();
    expect(await none.count()).to.equal(0);
    const second = await startJob();
    await scrollTo(page, 0);
    await link(second).waitFor();
    await link(first).waitFor({ state: 'detached' });
    await cancelJob(second);
    await none.waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('move little of what is read when a row arrives', async () => {
    for (let count = 0; count < 12; count += 1) await startJob();
    const tab = await openTab();
    const { page } = tab;
    await observeShifts(tab);
    await logIn(tab, api.url, api, '/jobs');
    const region = page.getByRole('region', { name: 'Jobs', exact: true });
    await region.getByRole('row').nth(12).waitFor();
    await watchRequests(tab).untilIdle();
    for (let count = 0; count < 3; count += 1) {
      await forgetShifts(page);
      await rowOf(page, await startJob()).waitFor();
      const { sum, shifts } = await shiftsOf(page);
      expect(sum, JSON.stringify(shifts)).to.be.lessThan(0.05);
    }
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
