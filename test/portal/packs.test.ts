import { isTerminal } from '@scriptorium/contracts/jobs';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { PackRecord } from '@scriptorium/contracts/wire/packs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  describeInBrowser,
  holdEventStreams,
  logIn,
  openTab,
  rowOf,
  scrollsSideways,
  setFilter,
  type Tab,
} from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { findLegibilityFaults } from '../support/legible.ts';
import { addPolicy } from '../support/policies.ts';
import { openRedactions, type Redactions } from '../support/redactions.ts';

describeInBrowser('the portal’s packs', () => {
  let on: Redactions;
  let tab: Tab;
  let page: Page;
  before(async () => {
    on = await openRedactions(undefined, 'real');
    on.workers.start('maintenance', 'imaging');
    // 409: a page picture that is still being drawn is asked for again.
    tab = await openTab({ expected: [404, 409, 422] });
    ({ page } = tab);
    await logIn(tab, on.api.url, on.api, '/packs');
  });
  afterEach(async () => {
    await on.api.rows('DELETE FROM policy');
    expect(tab.faults).to.deep.equal([]);
  });
  after(async () => {
    await on.close();
  });

  const packs = '/v1/documents/packs';
  const open = (path: string) => page.goto(`${on.api.url}/portal${path}`);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const note = (name: string, text: string): Promise<string> =>
    on.upload(Buffer.from(`# ${name}\n\n${text}\n`), name);
  const create = async (body: object): Promise<PackRecord> => {
    const answer = await on.api.call('POST', packs, { body: { name: 'Notes', ...body } });
    expect(answer.status, answer.text).to.equal(202);
    return answer.json;
  };
  const build = async (body: object): Promise<PackRecord> => {
    const { id } = await create(body);
    return eventually(async () => {
      const { json } = await on.api.call('GET', `${packs}/${id}`);
      return isTerminal(json.state) ? (json as PackRecord) : null;
    });
  };
  /** The pack whose page is shown. */
  const shown = async (): Promise<PackRecord> =>
    (await on.api.call('GET', `${packs}/${new URL(page.url()).pathname.split('/').at(-1)}`)).json;
  const documentRow = (name: string) =>
    page.getByRole('region', { name: 'Documents', exact: true }).getByRole('row').filter({
      hasText: name,
    });

  it('builds a pack of a selection in the library, by keyboard', async () => {
    await page.getByText('No packs yet').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await note('quay.md', 'The quay closes at sunset.');
    await note('crane.md', 'The crane rests on Sundays.');
    await open('/library?show=objects');
    await page.getByText('2 items', { exact: true }).waitFor();
    await page.getByRole('gridcell').first().focus();
    await page.keyboard.press('Control+a');
    await button('Build pack').focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 objects selected').waitFor();
    await page.getByText('crane.md').waitFor();
    expect(await button('Build pack').isDisabled()).to.equal(true);
    // A reload keeps the selection.
    await page.reload();
    await page.getByText('2 objects selected').waitFor();
    await page.getByLabel('Name').focus();
    await page.keyboard.type('Harbour');
    await page.keyboard.press('Enter');
    await heading('Harbour').waitFor();
    await page.getByText('2 of 2 documents done').waitFor();
    await page.getByText('100%').waitFor();
    await documentRow('quay.md').getByText('succeeded').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).to.equal('Harbour.zip');
  });

  it('builds a pack of a collection, says why a document is withheld, and retries it', async () => {
    const [open1, secret] = [
      await note('open.md', 'All may read this.'),
      await note('no.md', 'No.'),
    ];
    await on.api.call('PATCH', `/v1/objects/${secret}`, { body: { tags: ['secret'] } });
    await addPolicy(on.api, {
      scope: { type: 'tag', tags: ['secret'] },
      actions: ['process'],
      rules: [{ type: 'allowed_mime_types', include: ['image/*'] }],
    });
    const members = [open1, secret].map((id) => ({ resource_type: 'object', resource_id: id }));
    const made = await on.api.call('POST', '/v1/collections', { body: { name: 'Board', members } });
    await open(`/collections/${made.json.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('link', { name: 'Build pack' }).click();
    await eventually(async () => (await page.getByLabel('Name').inputValue()) === 'Board');
    await page.getByLabel('Redaction').selectOption('personal');
    await page.getByLabel('Reviewed by people').waitFor();
    await page.getByLabel('Redaction').selectOption('');
    await page.getByLabel('Tokens per chunk').fill('10');
    await button('Build pack').click();
    await page
      .getByText(/at least/)
      .first()
      .waitFor();
    await page.getByLabel('Tokens per chunk').fill('400');
    await button('Build pack').click();
    await heading('Board').waitFor();
    await page.getByText('1 of 2 documents are not in the pack').waitFor();
    await documentRow('no.md').getByText('policy_denied').waitFor();
    await setFilter(page, 'State', { choose: 'withheld' });
    await documentRow('open.md').waitFor({ state: 'detached' });
    const before = await shown();
    expect(before.source.collection_id).to.equal(made.json.id);
    expect(before.options.chunk_tokens).to.equal(400);
    await on.api.rows('DELETE FROM policy');
    await button('Retry missing documents').click();
    await page.getByText('2 of 2 documents done').waitFor();
    await page.getByRole('link', { name: before.id }).waitFor();
    const again = await shown();
    expect([again.retry_of, again.progress.documents_reused]).to.deep.equal([before.id, 1]);
  });

  it('builds a pack of what a filter matches, and counts it before', async () => {
    const id = await note('tagged.md', 'Tagged.');
    await on.api.call('PATCH', `/v1/objects/${id}`, { body: { tags: ['a, b'] } });
    await open('/packs');
    await page.getByRole('link', { name: 'Build pack' }).click();
    await page.getByLabel('Source').selectOption('filter');
    await page.getByLabel('Tags', { exact: true }).focus();
    await page.getByText(/\d+ matching objects/).waitFor();
    await page.getByLabel('Media types').fill('text/markdown');
    await page.getByLabel('Words').fill('Tagged');
    await page.getByText('1 matching object', { exact: true }).waitFor();
    await page.getByLabel('Name').fill('Tagged');
    await page.getByLabel('A picture of each page').check();
    await button('Build pack').click();
    await page.getByText('1 of 1 document done').waitFor();
    const pack = await shown();
    expect(pack.source.filter).to.deep.include({ q: 'Tagged', mime: ['text/markdown'] });
    expect(pack.options.include).to.deep.equal(['markdown', 'chunks', 'pages']);
  });

  it('refreshes a pack, and lists what has changed', async () => {
    const ids = [
      await note('kept.md', 'Kept.'),
      await note('new.md', 'Before.'),
      await note('x.md', 'X.'),
    ];
    const first = await build({ source: { object_ids: ids } });
    await on.api.call('DELETE', `/v1/objects/${ids[2]}?purge=true`);
    await note('new.md', 'After.');
    await open(`/packs/${first.id}`);
    await page.getByRole('link', { name: 'Refresh' }).click();
    await page.getByText('3 objects selected').waitFor();
    await page.getByRole('button', { name: 'Remove new.md' }).click();
    await page.getByText('Add an object').click();
    await page.getByLabel('Find an object').fill('after');
    const found = page.getByRole('list', { name: 'Objects found' }).getByRole('button');
    await eventually(async () => (await found.count()) === 1);
    await found.click();
    await button('Refresh pack').click();
    await button('Leave out objects that were not found').click();
    await page.getByText('2 objects selected').waitFor();
    await button('Refresh pack').click();
    const changes = page.getByRole('region', { name: 'Changes', exact: true });
    await changes.getByRole('row').filter({ hasText: 'new.md' }).getByText('changed').waitFor();
    await changes.getByRole('row').filter({ hasText: 'x.md' }).getByText('removed').waitFor();
    await page.getByText('1 processed before').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    expect((await shown()).refreshes).to.equal(first.id);
  });

  it('updates the list live, and cancels a pack', async () => {
    // Without room for jobs, a pack waits.
    await on.api.rows(`INSERT INTO project_quota VALUES ($1, 'jobs_in_flight', 0)`, [
      on.api.projectId,
    ]);
    try {
      await open('/packs?state=running');
      await page.getByText('No matching packs').waitFor();
      const pack = await create({ source: { object_ids: [await note('w.md', 'Waits.')] } });
      await open('/packs');
      const row = rowOf(page, pack.id);
      await row.getByText(/^(queued|running)$/).waitFor();
      await row.getByRole('link').click();
      await page.getByText('Live', { exact: true }).waitFor();
      await button('Cancel pack').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel pack' }).click();
      await documentRow('w.md').getByText('cancelled').waitFor();
      await button('Retry missing documents').waitFor();
      await open('/packs');
      await row.getByText('cancelled').waitFor();
    } finally {
      await on.api.rows('DELETE FROM project_quota');
    }
    const source = { object_ids: [await note('live.md', 'Live.')] };
    const { id } = await create({ name: 'Later', source });
    const live = rowOf(page, id);
    await live.getByText('succeeded').waitFor();
    await live.getByText('1 of 1 document done').waitFor();
  });

  it('lists what happened before its stream of events was open', async () => {
    const release = await holdEventStreams(page);
    await open('/packs?state=succeeded');
    await page.locator('#main').getByRole('row').nth(1).waitFor();
    const { id } = await build({ source: { object_ids: [await note('early.md', 'Early.')] } });
    await eventually(async () => {
      const { json } = await on.api.call('GET', `/v1/events?type=documents.pack.*&order=desc`);
      return json.data.some(
        (event: EventRecord) => event.resource_id === id && event.type.endsWith('.succeeded'),
      );
    });
    expect(await rowOf(page, id).count()).to.equal(0);
    await release();
    await rowOf(page, id).waitFor();
  });

  it('works on a narrow screen, and offers no changes without the scope', async () => {
    const name = '<img src=x onerror=alert(1)> \u202egnp.exe';
    const pack = await build({ name, source: { object_ids: [await note('n.md', 'Narrow.')] } });
    const reader = await on.api.issue(['documents:read', 'objects:read']);
    const other = await openTab({ width: 390, theme: 'dark' });
    await logIn(other, on.api.url, reader, '/packs');
    await other.page.getByRole('link', { name: '<img' }).click();
    await other.page.getByText('1 of 1 document done').waitFor();
    await other.page.getByText('requires the scope').waitFor();
    expect(await other.page.getByRole('button', { name: /Refresh|Retry|Cancel/ }).count()).to.equal(
      0,
    );
    expect(await other.page.getByRole('link', { name: /Refresh|Download/ }).count()).to.equal(0);
    expect(await scrollsSideways(other.page)).to.equal(false);
    await other.page.goto(`${on.api.url}/portal/packs/new?refreshes=${pack.id}`);
    await other.page.getByText('Building packs requires the scope').waitFor();
    expect(other.faults).to.deep.equal([]);
    await other.close();
  });
});
