import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Origin } from '@scriptorium/contracts/origin';
import { expect } from 'chai';
import type { Route, StreamRoute } from '../../../src/api/frame/route.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { inProject } from '../../../src/db/transaction.ts';
import { record } from '../../../src/outbox/record.ts';
import { startApi, type TestApi, useSharedApi } from '../../support/api.ts';
import {
  describeInBrowser,
  logIn,
  openTab,
  sendLogin,
  setFilter,
  type Tab,
} from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { addPolicy } from '../../support/policies.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';
import { postRaw } from '../../support/uploads.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e gnp.cod =cmd()'.padEnd(200, 'x');

describeInBrowser('Audit in the portal', () => {
  let api: TestApi;
  let relay: TestRelay;
  let tab: Tab;
  /** A service whose exports break off. */
  let breaking: TestApi | undefined;
  let policyId: string;
  before(async () => {
    api = await useSharedApi();
    relay = await openRelay(api);
    policyId = await addPolicy(api, {
      name: hostile,
      actions: ['download'],
      rules: [{ type: 'max_bytes', bytes: 1 }],
    });
    const object = (await postRaw(api, 'more than a byte', 'letter.txt')).json.id;
    await api.call('GET', `/v1/objects/${object}/content`);
    const narrow = await api.issue(['objects:read']);
    await api.call('GET', '/v1/keys', narrow);
    await say('say-1', '2026-11-20T10:00:00Z');
    await relay.run();
    tab = await openTab();
    await logIn(tab, api.url, api, '/audit');
  });
  after(async () => {
    await relay.close();
    await breaking?.close();
  });

  /** Records an event from another address, at a given time. */
  const say = async (requestId: string, at: string) => {
    const { projectId } = api;
    const actor = { type: 'worker' as const, id: 'worker-1' };
    const origin: Origin = { projectId, actor, address: '198.51.100.4', requestId };
    const [id] = await inProject(relay.worker, projectId, (tx) =>
      record(tx, origin, {
        type: 'access.api_key.created',
        resourceId: 'key_1',
        data: { name: hostile, prefix: 'sk_', scopes: ['*'] },
      }),
    );
    await api.rows('UPDATE event SET occurred_at = $1 WHERE id = $2', [at, id]);
  };
  const entries = () => tab.page.locator('.audit-entry');
  const save = async (form: string) => {
    const { page } = tab;
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByLabel('Format').selectOption(form);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ]);
    await dialog.getByRole('status').waitFor();
    const text = await readFile(await file.path(), 'utf8');
    const told = await dialog.getByRole('status').innerText();
    await page.keyboard.press('Escape');
    return { text, told, name: file.suggestedFilename() };
  };

  it('lists who did what, on what and from where, by day, and highlights denials', async () => {
    const { page } = tab;
    const refused = page.locator('.audit-entry.bad');
    await refused.first().waitFor();
    expect(await refused.count()).to.equal(3);
    await refused.getByText('denied by the policy').first().waitFor();
    const texts = await entries().allInnerTexts();
    expect(
      texts.some((text) => /was denied listKeys: the API key lacks the required scope/.test(text)),
    ).to.equal(true);
    expect(
      texts.some((text) =>
        /was not allowed to download letter\.txt: denied by the policy [^_]+ \(/.test(text),
      ),
    ).to.equal(true);
    expect(texts.some((text) => /was denied the request \w+ by a policy/.test(text))).to.equal(
      true,
    );
    expect(texts.some((text) => text.includes('127.0.0.1'))).to.equal(true);
    expect(await page.locator('.audit-day').count()).to.equal(2);
    expect(await page.locator('.audit-day h2').first().innerText()).to.match(
      /^Friday,? 20 November 2026$/,
    );
    await refused
      .last()
      .getByRole('button', { name: /Details/ })
      .click();
    await refused.last().getByText('"rule_type": "max_bytes"').waitFor();
    await refused
      .last()
      .locator(`a[href$="${policyId}"]`)
      .or(page.getByText('req_'))
      .first()
      .waitFor();
    await page.getByRole('navigation', { name: 'Category' }).getByText('Changes').click();
    await page.getByText('stored “letter.txt” (text/plain, 16 B)').waitFor();
  });

  it('keeps its filters in the address, and filters by properties of a record', async () => {
    const { page } = tab;
    await page.goto(`${api.url}/portal/audit?address=198.51.100.4`);
    await page.getByText('1 record in total').waitFor();
    await page.getByRole('button', { name: 'IP address: 198.51.100.4' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter IP address' }).click();
    await page.waitForURL((url) => !url.searchParams.has('address'));
    await setFilter(page, 'Actor', { choose: 'A worker' });
    await page.waitForURL(/actor_type=worker/);
    await setFilter(page, 'Request', { fill: 'say-1' });
    await page.waitForURL(/actor_type=worker.*request_id=say-1/);
    await setFilter(page, 'Before', { fill: '2026-11-01T00:00' });
    await page.getByText('No matching records').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByRole('button', { name: 'Denials only', exact: true }).click();
    await page.waitForURL(/type=access.request.denied&type=dam.policy.denied/);
    await page.locator('.audit-entry.bad').nth(2).waitFor();
    expect(await entries().count()).to.equal(3);
    const denied = entries().filter({ hasText: 'listKeys' });
    await denied.getByRole('button', { name: /Details/ }).click();
    await denied.getByRole('link', { name: 'Filter by this request' }).click();
    await page.waitForURL(/request_id=req_/);
    await entries().first().waitFor();
    expect(await entries().count()).to.equal(1);
  });

  it('changes a filter that is set, by keyboard alone', async () => {
    const { page } = tab;
    await page.goto(`${api.url}/portal/audit?address=198.51.100.4`);
    const chip = page.getByRole('button', { name: /^IP address: / });
    await chip.focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('dialog', { name: 'IP address' }).getByLabel('IP address');
    await field.waitFor();
    expect(await field.inputValue()).to.equal('198.51.100.4');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await page.locator(':focus').textContent()).to.equal('IP address: 198.51.100.4');
    await page.keyboard.press('Enter');
    await field.fill('198.51.100.5');
    await page.keyboard.press('Enter');
    await page.waitForURL(/address=198\.51\.100\.5/);
    await page.getByText('No matching records').waitFor();
  });

  it('exports exactly the filtered records, as returned by the API', async () => {
    const { page } = tab;
    await page.goto(`${api.url}/portal/audit?type=access.*`);
    await entries().first().waitFor();
    const query = '/v1/events?category=audit&type=access.*&order=desc';
    const asLines = { headers: { accept: 'application/x-ndjson' } };
    const asTable = { headers: { accept: 'text/csv' } };
    const lines = await save('ndjson');
    expect(lines.text).to.equal((await api.call('GET', query, asLines)).text);
    expect(lines.name).to.match(/^audit-2.*\.ndjson$/);
    const table = await save('csv');
    expect(table.text).to.equal((await api.call('GET', query, asTable)).text);
    expect(table.told).to.match(/^5 records/);
    expect(table.text.split('\r\n').filter((line) => /(^|,)"?=/.test(line))).to.deep.equal([]);
    expect(await page.evaluate(leftovers)).to.deep.equal([`audit`]);
  });

  it('reports an interrupted export and saves no partial file', async () => {
    breaking = await startApi({ routes: routes.map(brokenExport) });
    const broken = await openTab();
    await logIn(broken, breaking.url, breaking, '/audit');
    const { page } = broken;
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    page.on('download', () => expect.fail('a partial export was saved'));
    await dialog.getByRole('button', { name: 'Export' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/interrupted after \d records? .*No file was saved/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).waitFor();
    await broken.close();
  });

  it('names the scope that a key lacks', async () => {
    const denied = await openTab({ expected: [403] });
    await sendLogin(denied, api.url, await api.issue(['events:read']), '/audit');
    await denied.page.getByText('audit:read').waitFor();
    await denied.close();
    const only = await openTab({ expected: [403] });
    await logIn(only, api.url, await api.issue(['events:read', 'audit:read']), '/audit');
    await only.page.locator('.audit-entry').first().waitFor();
    expect(only.faults).to.deep.equal([]);
    await only.close();
  });

  it('has an export whose dialog is legible to all', async () => {
    const { page } = tab;
    await page.goto(`${api.url}/portal/audit`);
    await entries()
      .first()
      .getByRole('button', { name: /Details/ })
      .click();
    await page.getByRole('button', { name: 'Export' }).click();
    const { total } = (await api.call('GET', '/v1/events?category=audit&include=total')).json;
    await page.getByRole('dialog').getByText(`${total} records`).waitFor();
    expect(await findLegibilityFaults(page), 'the export').to.deep.equal([]);
  });

  it('has not run any user input', () => {
    expect(tab.faults).to.deep.equal([]);
  });
});

/** The names of the files in the origin private file system, up to their first dash. */
const leftovers = `(async () => {
  const names = [];
  for await (const [, folder] of (await navigator.storage.getDirectory()).entries())
    for await (const [name] of folder.entries()) names.push(name.split('-')[0]);
  return [...new Set(names)];
})()`;

/** The route of events, with CSV exports that break off after two lines. */
function brokenExport(route: Route): Route {
  if (route.operationId !== 'listEvents' || route.kind !== 'stream') return route;
  const broken: StreamRoute = {
    ...route,
    handler: async (call) => {
      if (call.ctx.accepts('application/json', 'text/csv') !== 'text/csv') {
        return route.handler(call);
      }
      async function* half() {
        yield 'head\r\none\r\ntwo\r\n';
        // Fail only once the headers are sent; before that, the response would be a problem.
        await eventually(async () => call.ctx.res.headersSent);
        throw new Error('The connection is lost.');
      }
      return { status: 200, headers: { 'Content-Type': 'text/csv' }, body: Readable.from(half()) };
    },
  };
  return broken;
}
