import { expect } from 'chai';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../support/browser.ts';
import { createCollectionClient } from '../../support/collections.ts';
import { hostileTexts } from '../../support/hostile-texts.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { postRaw } from '../../support/uploads.ts';

describeInBrowser('shares', () => {
  let api: TestApi;
  let collection: string;
  before(async () => {
    api = await useSharedApi();
    const members: { resource_type: string; resource_id: string }[] = [];
    for (const name of ['plan.txt', ...hostileTexts]) {
      const { json } = await postRaw(api, name, name);
      // A policy denies one that is named like a program.
      if (json.id) members.push({ resource_type: 'object', resource_id: json.id });
    }
    const collections = createCollectionClient(api);
    collection = await collections.make({ name: 'Harbour', members });
    for (const name of hostileTexts) await collections.make({ name, parent_id: collection });
  });
  const share = async (body: object) =>
    (await api.call('POST', '/v1/shares', { body: { collection_id: collection, ...body } })).json;

  it('are created on a collection, opened by a stranger, changed and revoked', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, `/collections/${collection}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('For the board');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.locator('.code').textContent();
    await dialog.getByRole('button', { name: 'Done' }).click();

    const stranger = await openTab({ expected: [410] });
    await stranger.page.goto(link ?? '');
    await stranger.page.getByRole('heading', { name: 'For the board' }).waitFor();
    await stranger.page.getByRole('link', { name: /plan\.txt/ }).click();
    const downloading = stranger.page.waitForEvent('download');
    await stranger.page.getByRole('link', { name: 'Download' }).click();
    expect((await downloading).suggestedFilename()).to.equal('plan.txt');

    await page.goto(`${api.url}/portal/shares`);
    const row = page.getByRole('row', { name: /For the board/ });
    await row.getByText('1 view, 1 download').waitFor();
    await row.getByRole('link', { name: 'Harbour' }).waitFor();
    await row.getByRole('button', { name: 'Change For the board' }).click();
    await page.getByLabel('Title').fill('For everyone');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Revoke For everyone' }).click();
    await page.getByRole('button', { name: 'Revoke share' }).click();
    await page
      .getByRole('row', { name: /For everyone/ })
      .getByText('revoked')
      .waitFor();
    await stranger.page.goto(link ?? '');
    await stranger.page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    expect([...tab.faults, ...stranger.faults]).to.deep.equal([]);
    await stranger.close();
    await tab.close();
  });

  it('are listed with the names of all keys and collections from a request each', async () => {
    const collections = createCollectionClient(api);
    for (const name of ['Quay', 'Pier', 'Mole']) {
      const id = await collections.make({ name });
      const creator = await api.issue(['*']);
      const body = { collection_id: id };
      const { status, text } = await api.call('POST', '/v1/shares', { ...creator, body });
      expect(status, text).to.equal(201);
    }
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api);
    const asked: URL[] = [];
    page.on('request', (request) => asked.push(new URL(request.url())));
    await page.goto(`${api.url}/portal/shares`);
    for (const name of ['Quay', 'Pier', 'Mole']) {
      await page.getByRole('link', { name, exact: true }).waitFor();
    }
    await page.getByRole('table').locator('.skeleton').waitFor({ state: 'detached' });
    for (const kind of ['collections', 'keys']) {
      const ofKind = asked.filter(({ pathname }) => pathname.includes(`/v1/${kind}`));
      expect(
        ofKind.map(({ pathname, searchParams }) => [pathname, searchParams.get('id') !== null]),
      ).to.deep.equal([[`/portal/api/v1/${kind}`, true]]);
    }
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('show pages that are legible to all, whatever names are in them', async () => {
    const plain = await share({ message: hostileTexts.join('\n') });
    const locked = await share({ password: 'low tide at nine' });
    const inbox = await share({ kind: 'upload', title: hostileTexts[0], accept: ['text/plain'] });
    const tab = await openTab({ expected: [403] });
    const { page } = tab;
    for (const { url } of [plain, locked, inbox]) {
      await page.goto(url);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await findLegibilityFaults(page)).to.deep.equal([]);
      expect(await page.evaluate('window.ran')).to.equal(undefined);
    }
    await page.goto(plain.url);
    await page
      .getByRole('link', { name: /onload/ })
      .first()
      .click();
    await page.getByText('There are no files here yet.').waitFor();
    await page.goto(locked.url);
    await page.getByLabel('Password').fill('high tide');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('alert').getByText('The password is incorrect.').waitFor();
    await page.getByLabel('Password').fill('low tide at nine');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Harbour' }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('show the previous and the next file of a collection, in the font of the portal', async () => {
    const { url } = await share({});
    const tab = await openTab();
    const { page } = tab;
    await page.goto(url);
    const names = await page.locator('.grid:not(.folders) .name').allTextContents();
    await page.getByRole('link', { name: names[0]! }).first().click();
    const title = page.getByRole('heading', { level: 1 });
    expect(await title.textContent()).to.equal(names[0]);
    expect(await page.getByRole('link', { name: 'Previous' }).count()).to.equal(0);
    for (const name of names.slice(1)) {
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    }
    expect(await page.getByRole('link', { name: 'Next' }).count()).to.equal(0);
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.getByRole('heading', { level: 1, name: names.at(-2)!, exact: true }).waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'All files' }).click();
    await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor();
    expect(
      await page.evaluate(`document.fonts.load('15px Inter').then(({ length }) => length)`),
    ).to.equal(1);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('say in words which files they accept', async () => {
    const tab = await openTab();
    for (const [accept, words] of [
      [['image/*'], 'Pictures only.'],
      [['image/*', 'application/pdf'], 'Pictures and PDF only.'],
    ] as const) {
      await tab.page.goto((await share({ kind: 'upload', accept })).url);
      await tab.page.getByText(words).waitFor();
      await tab.page.getByText('Drop files here').waitFor();
    }
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('take several files with names and progress, and say why one is refused', async () => {
    const inbox = await share({ kind: 'upload', accept: ['text/plain'], max_bytes: 50 });
    const tab = await openTab({ expected: [415] });
    const { page } = tab;
    await page.goto(inbox.url);
    await page.getByLabel('Your name').fill('Zoë');
    const file = (name: string, text: string) => {
      return { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
    };
    await page
      .getByLabel('Files')
      .setInputFiles([
        file('first.txt', 'First'),
        file(hostileTexts[0]!, 'Named badly'),
        file('page.txt', '<!doctype html><p>Page</p>'),
        file('large.txt', 'x'.repeat(51)),
      ]);
    const entry = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await entry('first.txt').getByText('Received').waitFor();
    await entry('onerror').getByText('Received').waitFor();
    await entry('page.txt').getByText('The file is of the type text/html.').waitFor();
    await entry('large.txt').getByText('The file is too large. At most 50 bytes').waitFor();
    expect(await page.evaluate('window.ran')).to.equal(undefined);
    const { json } = await api.call('GET', `/v1/shares/${inbox.id}`);
    expect(json.uploads).to.equal(2);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
