import { expect } from 'chai';
import { type Tenant, type TestApi, useSharedApi } from '../../support/api.ts';
import {
  describeInBrowser,
  logIn,
  openTab,
  scrollsSideways,
  type Tab,
} from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { type UploadedImage, uploadImage } from '../../support/images.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { bornDigitalPdf } from '../../support/samples.ts';
import { postRaw } from '../../support/uploads.ts';

const script = '<img src=x onerror=alert(1)>';

describeInBrowser('the portal’s page of an image or object', () => {
  let api: TestApi;
  let image: UploadedImage;
  let documentId: string;
  before(async () => {
    api = await useSharedApi();
    image = await uploadImage(api, `${'y'.repeat(120)}.png`, [script, 'plain']);
    const body = { title: `${script} ${'x'.repeat(300)}`, metadata: { a: 1, [script]: script } };
    await api.call('PATCH', `/v1/images/${image.id}`, { body });
    const uploaded = await postRaw(api, 'Words.', 'notes \u202etxt.exe.txt');
    documentId = uploaded.json.id;
  });

  const open = async (path: string, options = {}, tenant: Tenant = api): Promise<Tab> => {
    const tab = await openTab(options);
    await logIn(tab, api.url, tenant, path);
    return tab;
  };

  it('saves only the fields that changed', async () => {
    const { id } = await uploadImage(api, 'saved.png', ['kept']);
    const tab = await open(`/library/images/${id}`);
    const { page } = tab;
    await page.getByLabel('Title').fill('A boat');
    await page.getByRole('button', { name: 'Add entry' }).click();
    await page.getByLabel('Name of entry 1').fill('shelf');
    await page.getByLabel('Value of shelf').fill('12');
    // Leaving the field adds the tag, without Enter.
    await page.getByLabel('Tags', { exact: true }).fill('sea');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Changes saved.', { exact: true }).waitFor();
    const { json } = await api.call('GET', `/v1/images/${id}`);
    expect(json).to.include({ title: 'A boat', description: null });
    expect(json.tags).to.have.members(['kept', 'sea']);
    expect(json.metadata).to.deep.equal({ shelf: 12 });
    await page.getByRole('heading', { name: 'A boat', level: 1 }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows who downloaded it by which way, or since when that is recorded', async () => {
    const id = (await postRaw(api, 'The plan of the quay', 'quay.txt')).json.id;
    const tab = await open(`/library/objects/${id}`);
    const { page } = tab;
    const panel = page.locator('section.card', {
      has: page.getByRole('heading', { name: 'Downloads' }),
    });
    await panel.getByText('Not downloaded.').waitFor();
    await panel.getByText(/^Recorded since \w/).waitFor();
    const signed = await api.call('POST', `/v1/objects/${id}/signed-urls`, { body: {} });
    await fetch(signed.json.url);
    for (let times = 0; times < 2; times++) {
      await api.call('GET', `/v1/objects/${id}/content`);
    }
    const shared = { object_id: id, title: 'For the board' };
    const { url } = (await api.call('POST', '/v1/shares', { body: shared })).json;
    await fetch(`${url}/files/${id}/download`);
    await api.deps.downloadCounts.flush();
    await page.reload();
    const row = (text: string) => panel.getByRole('row').filter({ hasText: text });
    await row('original, by a shared link').getByRole('link', { name: 'For the board' }).waitFor();
    await row('original, by a signed URL').getByRole('link', { name: 'First key' }).waitFor();
    await row('original, directly').getByRole('cell', { name: '2', exact: true }).waitFor();
    expect(await scrollsSideways(page)).to.equal(false);
    await page.goto(`${api.url}/portal/audit?category=audit&resource_id=${id}`);
    await page.getByRole('button', { name: 'Downloads only' }).click();
    await page.waitForURL(/dam\.share\.downloaded/);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows conflicting changes and overwrites them only on request', async () => {
    const { id } = await uploadImage(api, 'shared.png');
    const tab = await open(`/library/images/${id}`, { expected: [412] });
    const { page } = tab;
    await page.getByLabel('Title').fill('Mine');
    const theirs = { title: 'Theirs', description: 'Their words' };
    await api.call('PATCH', `/v1/images/${id}`, { body: theirs });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Conflicting changes' });
    await dialog.getByRole('cell', { name: 'Theirs', exact: true }).waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByText('Changes saved.', { exact: true }).waitFor();
    const { json } = await api.call('GET', `/v1/images/${id}`);
    expect(json).to.include({ title: 'Mine', description: 'Their words' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('explains what a policy denies, and creates a working signed URL', async () => {
    const created = await api.call('POST', '/v1/dam/security/policies', {
      body: {
        name: 'Links only',
        mode: 'enforce',
        scope: { type: 'tag', tags: ['linked'] },
        actions: ['download'],
        rules: [{ type: 'require_signed_url', max_ttl_seconds: 3600 }],
      },
    });
    expect(created.status, created.text).to.equal(201);
    await api.call('PATCH', `/v1/objects/${documentId}`, { body: { tags: ['linked'] } });
    const tab = await open(`/library/objects/${documentId}`);
    const { page } = tab;
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Download\s*Denied/ })
      .waitFor();
    await page.getByRole('link', { name: 'Download denied' }).waitFor();
    expect(await page.getByRole('link', { name: 'Download', exact: true }).count()).to.equal(0);
    await page.getByRole('link', { name: 'Links only' }).first().waitFor();
    await page.getByText(/^Allowed: .*Move to trash/).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Signed URL' }).click();
    await page.getByRole('button', { name: 'Create URL' }).click();
    const url = await page.locator('dialog .code').textContent();
    expect(await (await fetch(url!)).text()).to.equal('Words.');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('navigates to the neighbours in the list and back to the list', async () => {
    const tab = await open('/library?sort=filename&show=images');
    const { page } = tab;
    await page.getByRole('gridcell').first().locator('a').click();
    const { json } = await api.call('GET', '/v1/images?include=total');
    await page.getByText(`1 of ${json.total}`, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText(`2 of ${json.total}`, { exact: true }).waitFor();
    // A reload drops the list, but the history entry keeps the neighbours.
    await page.reload();
    await page.getByText(`2 of ${json.total}`, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.getByText(`1 of ${json.total}`, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Back to Browse' }).click();
    await page.getByRole('grid').waitFor();
    expect(new URL(page.url()).search).to.equal('?sort=filename&show=images');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('goes back with Escape to where it was opened, from anywhere but a field', async () => {
    const { id } = await uploadImage(api, 'escaped.png', ['escaped']);
    const tab = await open('/library?tag=escaped');
    const { page } = tab;
    const title = page.getByRole('heading', { name: 'escaped.png', level: 1 });
    await page.getByRole('gridcell').first().locator('a').click();
    await title.waitFor();
    // In a field and in a dialog, the key belongs to these.
    await page.getByLabel('Title').focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Signed URL' }).click();
    await page.getByRole('button', { name: 'Create URL' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await title.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('grid').waitFor();
    expect(new URL(page.url()).search).to.equal('?tag=escaped');
    const created = await api.call('POST', '/v1/collections', {
      body: { name: 'Escapes', members: [{ resource_type: 'image', resource_id: id }] },
    });
    await page.goto(`${api.url}/portal/collections/${created.json.id}`);
    await page.getByRole('link', { name: 'escaped.png' }).click();
    await title.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Escapes' }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    // Opened on its own, the screen has nowhere to go back to.
    const alone = await tab.context.newPage();
    await alone.goto(`${api.url}/portal/library/images/${id}?tag=escaped`);
    await alone.getByRole('heading', { name: 'escaped.png', level: 1 }).waitFor();
    await alone.keyboard.press('Escape');
    await alone.getByRole('grid').waitFor();
    await tab.close();
  });

  it('previews a file that is not an image, on request', async () => {
    const pdf = await postRaw(api, await bornDigitalPdf([['One'], ['Two']]), 'pages.pdf');
    const text = await postRaw(api, `Plain words ${script}`, 'plain.txt');
    const tab = await open(`/library/objects/${pdf.json.id}`);
    const { page } = tab;
    await page.getByRole('button', { name: 'Show preview' }).click();
    await page.getByText('Page 1 of 2').waitFor();
    await page.locator('canvas[data-page="1"]').waitFor();
    await page.goto(`${api.url}/portal/library/objects/${text.json.id}`);
    await page.getByRole('button', { name: 'Show preview' }).click();
    await page.getByText(`Plain words ${script}`).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('moves an image to trash and restores it', async () => {
    const { id } = await uploadImage(api, 'gone.png');
    const tab = await open(`/library/images/${id}`);
    await tab.page.getByRole('button', { name: 'Trash' }).click();
    await tab.page.getByText('In the trash.').waitFor();
    await tab.page.getByRole('button', { name: 'Restore' }).click();
    await tab.page.getByRole('button', { name: 'Trash' }).waitFor();
    await eventually(async () => {
      const { json } = await api.call('GET', `/v1/images/${id}`);
      return json.state === 'available';
    });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('offers no changes to a read-only key', async () => {
    const tenant = await api.issue(['images:read']);
    const tab = await open(`/library/images/${image.id}`, {}, tenant);
    await tab.page.getByRole('link', { name: script }).waitFor();
    for (const name of ['Save', 'Trash', 'More actions']) {
      expect(await tab.page.getByRole('button', { name }).count()).to.equal(0);
    }
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('reports an image that does not exist', async () => {
    const tab = await open('/library/images/img_00000000000000000000000000', { expected: [404] });
    await tab.page.getByRole('alert').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
