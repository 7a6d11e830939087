import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../support/api.ts';
import { seriousFindings } from '../support/axe.ts';
import { describeInBrowser, logIn, openTab } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { findLegibilityFaults } from '../support/legible.ts';
import { addImages } from '../support/library.ts';

describeInBrowser('the portal’s home', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
  });
  const steps = (page: Page) => page.getByRole('region', { name: 'First steps' });
  const done = (page: Page) => steps(page).getByRole('listitem').filter({ hasText: 'Done' });

  it('leads an empty project through its first steps, which tick themselves', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api);
    await steps(page).getByText('0 of 4 done').waitFor();
    await page.getByText('No failed jobs, failing webhooks or open reviews').waitFor();
    await page.getByText('No jobs are running').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await steps(page).getByRole('button', { name: 'Upload a file' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await steps(page).getByRole('link', { name: 'Create an API key' }).click();
    await page.getByRole('heading', { level: 1, name: 'Create API key' }).waitFor();
    await api.call('POST', '/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/hook', event_types: ['dam.*'] },
    });
    await page.goto(`${api.url}/portal/`);
    await done(page).getByText('Connect a webhook').waitFor();
    await steps(page).getByText('1 of 4 done').waitFor();
    await steps(page).getByRole('button', { name: 'Hide the first steps' }).click();
    await steps(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('No jobs are running').waitFor();
    expect(await steps(page).count()).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows webhooks that fail, for however long', async () => {
    const made = await api.call('POST', '/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/down', event_types: ['dam.*'] },
    });
    const tab = await openTab();
    const { page } = tab;
    const attention = page.getByRole('region', { name: 'Needs attention' });
    const line = attention.getByRole('listitem').filter({ hasText: 'http://127.0.0.1:9/down' });
    for (const [hours, state] of [
      [1, 'failing'],
      [26, 'warning'],
      [80, 'critical'],
    ] as const) {
      await api.rows(
        `UPDATE webhook_flow SET failing_since = now() - make_interval(hours => $2), last_failure_at = now()
         WHERE endpoint_id = $1`,
        [made.json.id, hours],
      );
      await logIn(tab, api.url, api);
      await line.getByText(state, { exact: true }).waitFor();
    }
    await api.call('DELETE', `/v1/webhooks/${made.json.id}`);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows what is new by its name, whatever that is', async () => {
    const [name = ''] = hostileTexts;
    const stored = await api.call('POST', '/v1/objects', {
      body: Buffer.from('A letter'),
      headers: { 'content-type': 'text/plain', 'x-filename': encodeURIComponent(name) },
    });
    expect(stored.status).to.equal(201);
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api);
    const added = page.getByRole('region', { name: 'Recently added' });
    await added.locator(`a[href$="/library/objects/${stored.json.id}"]`).waitFor();
    await page
      .getByRole('link', { name: /^Objects/ })
      .getByText('1', { exact: true })
      .waitFor();
    expect(await page.evaluate('window.ran')).to.equal(undefined);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('names its pictures by what is visible of them', async () => {
    await addImages(api, api, [{ title: 'A boat', alt_text: 'A red boat', filename: 'boat.jpg' }]);
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api);
    await page.getByRole('region', { name: 'Recently added' }).getByText('A boat').waitFor();
    expect(await seriousFindings(page)).to.deep.equal([]);
    await tab.close();
  });

  it('draws storage and requests of the last 30 days, with their values as tables', async () => {
    await api.rows(
      `INSERT INTO usage_day (project_id, day, storage_bytes, succeeded, failed)
       SELECT $1, (now() AT TIME ZONE 'UTC')::date - ago, 1000000 * ago, 1000 * ago, ago
       FROM unnest('{2,5}'::integer[]) AS ago`,
      [api.projectId],
    );
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api);
    const usage = page.getByRole('region', { name: 'Usage' });
    const requests = usage.getByRole('table', { name: 'Requests, last 30 days' });
    await requests.getByRole('cell', { name: '5,000', exact: true }).waitFor({ state: 'attached' });
    const storage = usage.getByRole('table', { name: 'Storage, last 30 days' });
    const stored = storage.getByRole('cell', { name: '5.0 MB', exact: true });
    // On its day, and on the two after it.
    await eventually(async () => (await stored.count()) === 3);
    for (const number of ['6,000', '6.0 MB'])
      await usage.getByText(number, { exact: true }).waitFor();
    const chart = usage.getByRole('img', { name: 'Requests, last 30 days' });
    await chart.focus();
    for (let at = 0; at < 3; at++) await page.keyboard.press('ArrowLeft');
    await usage.getByText('Succeeded: 2,000').waitFor();
    await usage.getByText('Failed: 2', { exact: true }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows nothing that the key may not read', async () => {
    const reader = await api.issue(['objects:read']);
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, reader);
    await page.getByRole('region', { name: 'Usage' }).waitFor();
    for (const name of ['Needs attention', 'Running', 'First steps']) {
      expect(await page.getByRole('region', { name }).count(), name).to.equal(0);
    }
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  describe('the command palette', () => {
    it('finds a screen and a file by keyboard alone', async () => {
      const stored = await api.call('POST', '/v1/objects', {
        body: Buffer.from('Tariffs of the harbour'),
        headers: { 'content-type': 'text/plain', 'x-filename': 'tariffs.txt' },
      });
      const tab = await openTab();
      const { page } = tab;
      await logIn(tab, api.url, api);
      let load = (): void => undefined;
      const asked = new Promise<void>((resolve) => {
        load = resolve;
      });
      await page.route(/finder-[^/]*\.js$/, async (route) => {
        await asked;
        await route.continue();
      });
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Find anything' });
      // Before the palette, which is loaded on first use, is there.
      await page.keyboard.type('policy');
      await page.keyboard.press('Backspace');
      load();
      await field.waitFor();
      await eventually(async () => expect(await field.inputValue()).to.equal('polic'));
      await page.getByRole('option', { name: /^Policies/, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
      await field.waitFor({ state: 'detached' });

      await page.keyboard.press('Control+k');
      await field.fill('tariffs');
      const file = page.getByRole('option', { name: 'tariffs.txt' });
      await file.waitFor();
      expect(await findLegibilityFaults(page)).to.deep.equal([]);
      // The file may stand below other finds.
      await field.press('Home');
      while ((await file.getAttribute('aria-selected')) !== 'true') await field.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`/library/objects/${stored.json.id}`));
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });

    it('goes to the first result, however early Enter was pressed', async () => {
      const stored = await api.call('POST', '/v1/objects', {
        body: Buffer.from('Names of those who may enter'),
        headers: { 'content-type': 'text/plain', 'x-filename': 'gatekeepers.txt' },
      });
      const tab = await openTab();
      const { page } = tab;
      await logIn(tab, api.url, api);
      let answer = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route(/\/v1\/search\?/, async (route) => {
        await held;
        await route.continue();
      });
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Find anything' });
      await field.fill('gatekeepers');
      await page.getByRole('status').getByText('Searching').waitFor({ state: 'attached' });
      await field.press('Enter');
      answer();
      await page.waitForURL(new RegExp(`/library/objects/${stored.json.id}`));
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });

    it('opens the original before files derived from it', async () => {
      const names = ['lease-harbour.txt', 'lease-harbour.chunks.jsonl', 'lease-harbour.md'];
      const ids: string[] = [];
      for (const name of names) {
        const stored = await api.call('POST', '/v1/objects', {
          body: Buffer.from(name),
          headers: { 'content-type': 'text/plain', 'x-filename': name },
        });
        ids.push(stored.json.id);
      }
      const [original = '', ...derived] = ids;
      await api.rows('UPDATE object SET derived_from = $1 WHERE id = ANY($2)', [original, derived]);
      const tab = await openTab();
      const { page } = tab;
      await logIn(tab, api.url, api);
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Find anything' });
      await field.fill('lease-harbour');
      await page.getByRole('option', { name: 'lease-harbour.md derived' }).waitFor();
      const files = page.getByRole('option', { name: /^lease-harbour/ });
      expect(await files.first().innerText()).to.equal('lease-harbour.txt');
      await field.press('Enter');
      await page.waitForURL(new RegExp(`/library/objects/${original}`));
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });

    it('finds nothing for what cannot be searched for, and opens identifiers', async () => {
      const made = await api.call('POST', '/v1/webhooks', {
        body: { url: 'http://127.0.0.1:9/other', event_types: ['dam.*'] },
      });
      const tab = await openTab({ expected: [400] });
      const { page } = tab;
      await logIn(tab, api.url, api);
      await page.getByRole('button', { name: 'Find anything' }).click();
      const field = page.getByRole('combobox', { name: 'Find anything' });
      await field.fill('"*"');
      await page.getByRole('status').getByText('1 result').waitFor({ state: 'attached' });
      await page.getByRole('option', { name: 'Search the docs' }).waitFor();
      await field.fill(made.json.id);
      await page.getByRole('option', { name: `Open ${made.json.id}` }).click();
      await page.getByRole('heading', { level: 1, name: 'http://127.0.0.1:9/other' }).waitFor();
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });

    it('finds events by type, operations of the API, and a member', async () => {
      await api.rows(
        `WITH known AS (
           INSERT INTO person (id, issuer, subject) VALUES ($2, 'test', 'mei') RETURNING id)
         INSERT INTO member (project_id, id, user_id, role, source, name)
         SELECT $1, $3, id, 'editor', 'added', 'Mei Tanaka' FROM known`,
        [api.projectId, 'usr_01m7gtek0sx6hv4x5fqk2v9d3e', 'mem_01m7gtek0sx6hv4x5fqk2v9d3e'],
      );
      const tab = await openTab();
      const { page } = tab;
      await logIn(tab, api.url, api);
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Find anything' });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await field.fill('tanaka');
      await page.getByRole('option', { name: /^Mei Tanaka/ }).waitFor();
      await field.fill('restore object');
      await page.getByRole('option', { name: /^Restore an object/ }).waitFor();
      await field.fill('job.failed');
      // The docs have the same title, and may come first.
      await page
        .getByRole('status')
        .getByText(/^\d+ results?$/)
        .waitFor({ state: 'attached' });
      await page
        .getByRole('option', { name: /^documents\.job\.failed/ })
        .first()
        .click();
      await page.waitForURL(/\/events\?type=documents\.job\.failed/);
      await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
      // The lists that the API cannot search are read once, whatever is typed.
      for (const list of ['webhooks', 'policies', 'members', 'keys']) {
        expect(
          asked.filter((path) => path.endsWith(`/${list}`)),
          list,
        ).to.have.length(1);
      }
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });

    it('offers only what the key may do', async () => {
      const reader = await api.issue(['objects:read', 'documents:read']);
      const tab = await openTab();
      const { page } = tab;
      await logIn(tab, api.url, reader);
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Find anything' });
      await field.fill('job');
      await page.getByRole('option', { name: /^Failed jobs/ }).waitFor();
      expect(await page.getByRole('option', { name: /Start a job/ }).count()).to.equal(0);
      await field.fill('webhook');
      // The docs are public.
      await page.getByRole('option', { name: 'Search the docs for “webhook”' }).waitFor();
      await page
        .getByRole('status')
        .getByText(/^\d+ results?$/)
        .waitFor({ state: 'attached' });
      expect(await page.getByRole('option', { name: /^Webhooks ?Deliver/ }).count()).to.equal(0);
      // The docs have an operation of this name, with the page that it is on.
      const action = page.getByRole('option', { name: 'Create a webhook', exact: true });
      expect(await action.count()).to.equal(0);
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });

    it('lists the keys with ?, but not while one types', async () => {
      const tab = await openTab();
      const { page } = tab;
      await logIn(tab, api.url, api, '/events/types');
      await page.getByLabel('Search event types').press('?');
      await page.waitForURL(/q=%3F/);
      const keys = page.getByRole('dialog', { name: 'Keys' });
      expect(await keys.count()).to.equal(0);
      await page.locator('#main').focus();
      await page.keyboard.press('?');
      for (const text of [
        'Find anything',
        'Select the item',
        'Find in the document',
        'Next finding',
      ]) {
        await keys.getByText(text).waitFor();
      }
      expect(await findLegibilityFaults(page)).to.deep.equal([]);
      await page.keyboard.press('Escape');
      await keys.waitFor({ state: 'detached' });
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });
  });
});
