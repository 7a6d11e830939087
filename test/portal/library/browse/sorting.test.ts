import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../../support/browser.ts';
import { eventually } from '../../../support/eventually.ts';
import { postRaw } from '../../../support/uploads.ts';

const names = ['beta', 'alpha', 'Gamma'];

describeInBrowser('sorted lists of the portal', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
    const post = async (path: string, body: object): Promise<void> => {
      const { status, text } = await api.call('POST', path, { body });
      expect(status, text).to.be.below(300);
    };
    for (const name of names) {
      const { json: object } = await postRaw(api, `%PDF-1.7\n${name}\n%%EOF\n`, `${name}.pdf`);
      await post('/v1/documents/jobs', {
        source_object_id: object.id,
        operations: [{ op: 'ocr' }],
      });
      await post('/v1/documents/packs', { name, source: { object_ids: [object.id] } });
      await post('/v1/keys', { name, scopes: ['keys:read'] });
      await post('/v1/webhooks', { url: `http://127.0.0.1:9/${name}`, event_types: ['dam.*'] });
    }
    await api.rows(
      `UPDATE job SET state = CASE o.filename WHEN 'beta.pdf' THEN 'succeeded' WHEN 'alpha.pdf'
         THEN 'failed' ELSE 'cancelled' END, finished_at = now()
       FROM object o WHERE o.id = job.source_object_id AND job.project_id = $1`,
      [api.projectId],
    );
  });

  const shown = (page: Page) =>
    page.locator('tbody tr:not(.table-skeleton) td:first-child a').allTextContents();
  const untilShown = (page: Page, wanted: readonly string[]) =>
    eventually(async () => {
      const found = await shown(page);
      return found.filter((name) => wanted.includes(name)).join() === wanted.join();
    });

  for (const { path, column, ascending, by, usual = 'Created' } of [
    { path: '/keys', column: 'Name', by: 'name', ascending: ['alpha', 'beta', 'Gamma'] },
    { path: '/packs', column: 'Pack', by: 'name', ascending: ['alpha', 'beta', 'Gamma'] },
    {
      path: '/jobs',
      column: 'State',
      by: 'state',
      ascending: ['Gamma.pdf', 'alpha.pdf', 'beta.pdf'],
    },
    {
      path: '/webhooks',
      column: 'Webhook',
      by: 'url',
      ascending: ['Gamma', 'alpha', 'beta'].map((name) => `http://127.0.0.1:9/${name}`),
    },
  ] as { path: string; column: string; by: string; ascending: string[]; usual?: string }[]) {
    it(`sorts ${path} by its column heads, by keyboard, and keeps the order in the address`, async () => {
      const tab = await openTab();
      const { page } = tab;
      await logIn(tab, api.url, api, path);
      const head = (title: string) => page.getByRole('columnheader', { name: title, exact: true });
      const isSorted = (title: string, how: string | null) =>
        eventually(async () => (await head(title).getAttribute('aria-sort')) === how);
      await isSorted(usual, 'descending');
      await isSorted(column, null);
      await head(column).getByRole('button').focus();
      await page.keyboard.press('Enter');
      await isSorted(column, 'ascending');
      await isSorted(usual, null);
      await untilShown(page, ascending);
      await page.keyboard.press('Enter');
      await isSorted(column, 'descending');
      await untilShown(page, ascending.toReversed());
      expect(new URL(page.url()).searchParams.get('sort')).to.equal(`-${by}`);
      await page.reload();
      await isSorted(column, 'descending');
      await untilShown(page, ascending.toReversed());
      // The usual order needs no parameter, and begins with the latest.
      await head(usual).getByRole('button').click();
      await isSorted(usual, 'descending');
      expect(new URL(page.url()).searchParams.has('sort')).to.equal(false);
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });
  }

  it('can be sorted on a phone, where rows are cards', async () => {
    const tab = await openTab({ width: 390 });
    const { page } = tab;
    await logIn(tab, api.url, api, '/keys');
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await untilShown(page, ['alpha', 'beta', 'Gamma']);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('of policies are sorted by a choice', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/policies');
    const titles = () => page.locator('.policy-list h2').allTextContents();
    await page.getByLabel('Sort by').selectOption('By name');
    const sorted = [
      'Images are delivered without their location',
      'No executables and no scripted SVG',
    ];
    await eventually(async () => (await titles()).join() === sorted.join());
    expect(new URL(page.url()).searchParams.get('sort')).to.equal('name');
    await page.getByLabel('Sort by').selectOption('Newest first');
    await eventually(async () => !new URL(page.url()).searchParams.has('sort'));
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
