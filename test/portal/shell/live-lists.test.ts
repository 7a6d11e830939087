import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, rowOf, type Tab } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
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
  /** Starts jobs for one file, and publishes their events together. @returns their identifiers */
  const startJobs = async (count: number): Promise<string[]> => {
    const stored = await api.call('POST', '/v1/objects', {
      body: Buffer.from('A letter for many jobs'),
      headers: { 'content-type': 'text/plain', 'x-filename': 'many.txt' },
    });
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const { json } = await api.call('POST', '/v1/documents/jobs', {
        body: { source_object_id: stored.json.id, operations: [{ op: 'classify' }] },
      });
      ids.push(json.id);
    }
    await relay.run();
    return ids;
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

  const burst = 50;
  /** The number of rows that are shown of those with the ids, and the number on the button. */
  const counts = (page: Page, ids: readonly string[]) =>
    page.evaluate<[shown: number, held: number]>(`(() => {
      const links = [...document.querySelectorAll('.live-list a')].map(({ href }) => href);
      const button = [...document.querySelectorAll('button')]
        .map(({ textContent }) => /^(\\d+) new /.exec(textContent)?.[1])
        .find(Boolean);
      const shown = ${JSON.stringify(ids)}.filter((id) => links.some((href) => href.includes(id)));
      return [shown.length, Number(button ?? 0)];
    })()`);
  for (const { nouns, path, arrive } of [
    { nouns: 'jobs', path: '/jobs', arrive: () => startJobs(burst) },
    {
      nouns: 'events',
      path: '/events',
      arrive: async () => {
        const ids = await relay.record(
          api.projectId,
          ...Array.from({ length: burst }, () => ({
            type: 'dam.object.trashed' as const,
            resourceId: newId('object'),
            data: {},
          })),
        );
        await relay.run();
        return ids;
      },
    },
  ]) {
    describe(`when ${burst} ${nouns} arrive at once`, () => {
      let tab: Tab;
      const open = async (): Promise<Page> => {
        await startJobs(12);
        tab = await openTab();
        await observeShifts(tab);
        await logIn(tab, api.url, api, path);
        await tab.page.locator('.live-list a').nth(11).waitFor();
        if (path === '/events') {
          await tab.page.getByRole('status').getByText('Live', { exact: true }).waitFor();
        }
        await watchRequests(tab).untilIdle();
        await forgetShifts(tab.page);
        return tab.page;
      };
      const showAll = async (page: Page, ids: readonly string[]): Promise<void> => {
        await page.getByRole('button', { name: new RegExp(`^\\d+ new ${nouns}$`) }).click();
        await eventually(async () => (await counts(page, ids))[0] === burst);
        expect((await counts(page, ids))[1]).to.equal(0);
        expect(tab.faults).to.deep.equal([]);
        await tab.close();
      };

      it('hold them all while the pointer is over a row', async () => {
        const page = await open();
        const row = page.locator('.live-list a').nth(5);
        await row.hover();
        const before = await row.boundingBox();
        const name = await row.getAttribute('href');
        const ids = await arrive();
        await page.getByRole('button', { name: `${burst} new ${nouns}` }).waitFor();
        expect(await counts(page, ids)).to.deep.equal([0, burst]);
        expect(await row.getAttribute('href')).to.equal(name);
        expect(await row.boundingBox()).to.deep.equal(before);
        expect((await shiftsOf(page)).sum).to.be.lessThan(0.05);
        await showAll(page, ids);
      });

      it('show at most one every five seconds, and hold the others', async () => {
        const page = await open();
        const ids = await arrive();
        // Two rows moved one by one; the button counts the others.
        await eventually(async () => (await counts(page, ids))[0] >= 2);
        const [shown, held] = await counts(page, ids);
        expect(shown + held).to.equal(burst);
        const { worst, shifts } = await shiftsOf(page);
        expect(worst, JSON.stringify(shifts)).to.be.lessThan(0.05);
        await showAll(page, ids);
      });
    });
  }
});
