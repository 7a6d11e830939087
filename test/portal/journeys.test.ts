import { expect } from 'chai';
import { describeInBrowser, logIn, openTab } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { Journey } from '../support/journey.ts';
import { observeShifts } from '../support/layout-shifts.ts';
import { quarteredPicture } from '../support/pictures.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { openReviews, type Reviews } from '../support/reviews.ts';
import { bornDigitalPdf } from '../support/samples.ts';

/**
 * What people do in their first days, each from Home, with the least that it takes: more clicks or keys
 * than here need a reason.
 */
describeInBrowser('a first-time user', () => {
  let on: Reviews;
  let receiver: Receiver;
  before(async () => {
    [on, receiver] = await Promise.all([openReviews(), startReceiver()]);
    on.workers.start('imaging', 'webhooks');
  });
  after(async () => {
    await receiver.close();
    await on.close();
  });

  const begin = async (expected: readonly number[] = []): Promise<Journey> => {
    const tab = await openTab({ expected });
    await logIn(tab, on.api.url, on.api, '/account');
    await observeShifts(tab);
    await tab.page.goto(`${on.api.url}/portal/`);
    await tab.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    return new Journey(tab);
  };
  const read = async (path: string) => {
    const { status, json, text } = await on.api.call('GET', path);
    expect(status, text).to.equal(200);
    return json;
  };

  it('uploads a picture by drop, finds it, tags it, collects it and shares the collection', async () => {
    const bytes = await quarteredPicture(120, 80).png().toBuffer();
    const at = await begin();
    const { page } = at;
    await at.drop({ name: 'lighthouse.png', type: 'image/png', bytes });
    await at.button('Upload 1 file');
    await page.getByRole('complementary', { name: 'Uploads' }).getByText('Uploaded.').waitFor();
    await at.link('Browse');
    await at.write(page.getByLabel('Search the library'), 'lighthouse');
    // As fast as a person may be: what is searched is still on its way.
    await at.click(page.getByRole('checkbox', { name: /lighthouse/ }));
    await at.button('Add tags');
    await at.write(page.getByLabel('Tags to add', { exact: true }), 'harbour');
    await at.button('Add to 1 item');
    await page.getByText('Tags added to 1 item.').waitFor();
    await at.button('Add to collection');
    await at.write(page.getByLabel('Collection', { exact: true }), 'By the sea');
    await at.button('Create and add');
    await at.click(page.getByRole('link', { name: 'Open By the sea' }));
    await page.getByRole('heading', { name: 'By the sea' }).waitFor();
    await at.button('Share');
    await at.button('Create link');
    await at.button('Copy link');
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    const shown = await fetch(link, { headers: { accept: 'application/json' } });
    const { files } = (await shown.json()) as { files: { filename: string }[] };
    expect(files.map(({ filename }) => filename)).to.deep.equal(['lighthouse.png']);
    expect((await read('/v1/images?tag=harbour')).data).to.have.length(1);
    await at.end({ clicks: 13, texts: 3 });
  });

  it('redacts a letter with a preset, reviews what was found, and downloads the result', async () => {
    const bytes = await bornDigitalPdf([
      ['Dear Mara Kleinhoevel,', 'write to mara@example.org or call +49 30 1234567.'],
    ]);
    const at = await begin();
    const { page } = at;
    await at.link('Jobs');
    await at.click(page.getByRole('link', { name: 'Start job' }).first());
    await page.getByRole('heading', { level: 1, name: 'Start job' }).waitFor();
    await at.drop({ name: 'letter.pdf', type: 'application/pdf', bytes });
    await at.button('Upload 1 file');
    await page.getByRole('button', { name: 'Remove letter.pdf' }).waitFor();
    await at.button(/^Redact with a review/);
    await at.click(page.locator('#main').getByRole('button', { name: 'Start job' }));
    await at.link('Open the review');
    await page.getByRole('heading', { level: 1, name: 'letter.pdf' }).waitFor();
    await at.button('Submit review');
    const dialog = page.getByRole('dialog');
    await at.click(dialog.getByLabel(/^Accept \d+ pending findings?/));
    await at.click(dialog.getByRole('button', { name: 'Submit review' }));
    const downloading = page.waitForEvent('download');
    await at.link('Download result');
    expect((await downloading).suggestedFilename()).to.match(/\.pdf$/);
    await at.end({ clicks: 11 });
  });

  it('creates a webhook, sees that it fails and why, and recovers what was missed', async () => {
    receiver.respondWith({ status: 503, body: 'out of order' });
    const at = await begin();
    const { page } = at;
    await at.link('Webhooks');
    await at.click(page.getByRole('link', { name: 'Create webhook' }).first());
    await at.write(page.getByLabel('URL', { exact: true }), receiver.url);
    await at.click(page.getByLabel('All of dam.object.*'));
    await at.button('Create webhook');
    await at.button('Copy secret');
    await at.button('Done');
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
    await on.upload('A note', 'note.txt');
    await page.getByText('exhausted', { exact: true }).first().waitFor();
    await at.click(page.getByRole('link', { name: /^dam\.object\./ }).first());
    await page.getByText('HTTP 503').first().waitFor();
    await page.getByText('out of order').waitFor();
    receiver.respondWith(204);
    await at.click(page.getByRole('navigation', { name: 'Breadcrumb' }).getByText(receiver.url));
    await at.button('Recover since…');
    await at.button(/^Send \d+ events?$/);
    await page.getByText('completed', { exact: true }).waitFor();
    const { data } = await read('/v1/webhooks');
    expect(data[0].health.pending).to.equal(0);
    await at.end({ clicks: 11, texts: 1 });
  });

  it('writes a policy, tries it, sees its impact and saves it', async () => {
    await on.upload('x'.repeat(3_000), 'large.txt');
    const at = await begin();
    const { page } = at;
    await at.link('Policies');
    await at.click(page.getByRole('link', { name: 'New policy' }).first());
    await at.write(page.getByLabel('Name'), 'Small files only');
    await at.choose(page.getByLabel('Add rule'), 'max_bytes');
    await at.write(page.getByLabel('Maximum size'), '1');
    // Of a file of two megabytes, and about what the rule is about.
    await at.button('Evaluate');
    await page
      .locator('.policy-dry-run [role=status]')
      .getByText('Denials that policies in audit mode would record')
      .waitFor();
    await at.button('Review and save');
    await page.getByRole('dialog').getByRole('heading', { name: 'Impact' }).waitFor();
    await at.button('Save policy');
    await page.getByRole('heading', { level: 1, name: 'Small files only' }).waitFor();
    await at.end({ clicks: 9, texts: 2 });
  });

  it('invites a person', async () => {
    const at = await begin();
    const { page } = at;
    await at.link('Members');
    await at.button('Invite a person');
    await at.write(page.getByRole('dialog').getByLabel('For whom'), 'Mei Tanaka');
    await at.choose(page.getByRole('dialog').getByLabel('Role'), 'editor');
    await at.button('Create link');
    await at.button('Copy link');
    await at.button('Done');
    await page.getByRole('cell', { name: 'Mei Tanaka', exact: true }).waitFor();
    await at.end({ clicks: 7, texts: 1 });
  });

  it('answers who downloaded a file', async () => {
    const object = await on.upload('The plan of the quay', 'plan.txt');
    const body = { object_id: object, title: 'For the board' };
    const share = (await on.api.call('POST', '/v1/shares', { body })).json;
    expect((await fetch(`${share.url}/files/${object}/download`)).status).to.equal(200);
    const at = await begin();
    const { page } = at;
    await at.press('Control+k');
    await at.write(page.getByRole('combobox', { name: 'Find anything' }), 'plan.txt');
    await at.click(page.getByRole('option', { name: /^plan\.txt/ }));
    await page.getByRole('heading', { level: 1, name: 'plan.txt' }).waitFor();
    const downloads = page.getByRole('region', { name: 'Downloads' }).first();
    await downloads.getByRole('link', { name: 'For the board' }).waitFor();
    await at.end({ clicks: 1, keys: 1, texts: 1 });
  });

  it('creates a key for their code', async () => {
    const at = await begin();
    const { page } = at;
    await at.link('API keys');
    await at.click(page.getByRole('link', { name: 'Create API key' }).first());
    await at.write(page.getByLabel('Name'), 'Website');
    await at.click(page.getByLabel('objects:read'));
    await at.button('Create API key');
    await at.button('Copy API key');
    await at.button('Done');
    await page.getByRole('heading', { level: 1, name: 'Website' }).waitFor();
    await at.end({ clicks: 7, texts: 1 });
  });

  it('takes a mistaken deletion back', async () => {
    const object = await on.upload('Not to be lost', 'precious.txt');
    const at = await begin();
    const { page } = at;
    await at.link('Browse');
    await at.click(page.getByRole('checkbox', { name: /precious\.txt/ }));
    await at.button('Trash');
    await at.button('Move to trash');
    await at.button('Undo');
    await eventually(async () => (await read(`/v1/objects/${object}`)).state === 'available');
    await at.end({ clicks: 5 });
  });

  it('lets people without a key upload to a collection', async () => {
    await on.api.call('POST', '/v1/collections', { body: { name: 'Regatta' } });
    const at = await begin();
    const { page } = at;
    await at.link('Collections');
    await at.click(page.getByRole('treeitem', { name: 'Regatta' }));
    await at.button('Share');
    await at.choose(page.getByLabel('Visitors can', { exact: true }), 'upload');
    await at.button('Create link');
    await at.button('Copy link');
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    const sent = await fetch(`${link}/files`, {
      method: 'POST',
      headers: {
        'content-type': 'text/plain',
        'x-filename': 'crew.txt',
        accept: 'application/json',
      },
      body: 'Four and a cox',
    });
    expect(sent.status).to.equal(201);
    await at.end({ clicks: 7 });
  });

  it('builds a pack of a document for a language model', async () => {
    await on.upload('# Tariff\n\nHarbour dues are paid on Mondays.\n', 'tariff.md');
    const at = await begin();
    const { page } = at;
    await at.link('Browse');
    await at.click(page.getByRole('checkbox', { name: /tariff\.md/ }));
    await at.button('Build pack');
    await page.getByRole('heading', { level: 1, name: 'Build pack' }).waitFor();
    await at.write(page.getByLabel('Name'), 'Tariff');
    await at.click(page.locator('#main').getByRole('button', { name: 'Build pack' }));
    const downloading = page.waitForEvent('download');
    await at.link('Download');
    expect((await downloading).suggestedFilename()).to.match(/\.zip$/);
    await at.end({ clicks: 6, texts: 1 });
  });
});
