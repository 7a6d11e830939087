import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page, Request } from 'playwright-core';
import { startApi, type TestApi } from '../support/api.ts';
import {
  describeInBrowser,
  logIn,
  openTab,
  scrollsSideways,
  seriousFindings,
  startBrowser,
} from '../support/browser.ts';
import { quartered } from '../support/pictures.ts';

/** A name that would run, turn the line round and not break, if it were let. */
const hostile = `<img src=x onerror=alert(1)>\u202Egnp.${'x'.repeat(180)}.txt`;

const tray = (page: Page) => page.getByRole('complementary', { name: 'Uploads' });
const lineOf = (page: Page, name: string) =>
  tray(page).getByRole('listitem').filter({ hasText: name });

/** Opens the form and gives it files, as the chooser of the system would. */
async function choose(
  page: Page,
  files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0],
) {
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
  await page.getByRole('dialog').locator('input[type=file]').first().setInputFiles(files);
}

const file = (name: string, text: string | Buffer, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});

describeInBrowser('uploads in the portal', () => {
  let api: TestApi;
  let browser: Browser;
  let folder: string;
  before(async () => {
    [api, browser, folder] = await Promise.all([
      startApi(),
      startBrowser(),
      mkdtemp(join(tmpdir(), 'uploads-')),
    ]);
  });
  after(async () => {
    await browser.close();
    await api.close();
    await rm(folder, { recursive: true });
  });

  it('says three different things of a good file, one that is there, and one that is refused', async () => {
    const tab = await openTab(browser, { expected: [403] });
    const { page } = tab;
    await logIn(tab, api.url, api, '/library');
    await choose(page, [file('letter.txt', 'Dear all')]);
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await lineOf(page, 'letter.txt').getByText('Stored.').waitFor();
    await tray(page).getByRole('button', { name: 'Clear finished' }).click();

    const program = Buffer.concat([
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]),
      Buffer.alloc(64),
    ]);
    await choose(page, [
      file('good.txt', 'A good one'),
      file('letter.txt', 'Dear all'),
      file('program.txt', program),
    ]);
    await page.getByRole('textbox', { name: 'Tags' }).fill('harbour');
    await page.getByRole('button', { name: 'Upload 3 files' }).click();
    await lineOf(page, 'good.txt').getByText('Stored.').waitFor();
    await lineOf(page, 'letter.txt')
      .getByText('This file was there already, so it was not stored again. The tags')
      .waitFor();
    const refused = lineOf(page, 'program.txt');
    await refused.getByText('Refused by a policy.').waitFor();
    await refused.getByText('Convert it to').waitFor();
    await page
      .getByText('3 of 3 uploads done, 1 stored, 1 there already, 1 refused.')
      .waitFor({ state: 'attached' });
    const href = await lineOf(page, 'good.txt').getByRole('link').getAttribute('href');
    const stored = await api.call('GET', `/v1${href?.replace('/portal/library', '')}`);
    expect(stored.json.tags).to.deep.equal(['harbour']);
    expect(await seriousFindings(page)).to.deep.equal([]);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('says what the policies refuse before a byte is sent, and empty files', async () => {
    // For what is tagged so, that it is in nobody else's way.
    await api.call('POST', '/v1/dam/security/policies', {
      body: {
        name: 'Small',
        mode: 'enforce',
        scope: { type: 'tag', tags: ['small'] },
        actions: ['upload'],
        rules: [{ type: 'max_bytes', bytes: 1_000 }],
      },
    });
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, '/library');
    let begun = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/uploads')) begun += 1;
    });
    await choose(page, [file('large.txt', 'x'.repeat(2_000)), file('empty.txt', '')]);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tags').fill('small,');
    await dialog.getByText('A file may have at most 1.0 kB. Make it smaller').waitFor();
    await dialog.getByText('The file has no bytes.').waitFor();
    await page.getByRole('button', { name: 'Upload 2 files' }).click();
    await lineOf(page, 'large.txt').getByText('Refused by a policy.').waitFor();
    await lineOf(page, 'empty.txt').getByText('Check the file').waitFor();
    expect(begun).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('goes on by itself when the line comes back, when told to, and after a reload', async () => {
    const tab = await openTab(browser);
    const { page } = tab;
    const path = join(folder, 'large.bin');
    await writeFile(path, Buffer.alloc(3_000_000, 7));
    await logIn(tab, api.url, api, '/library');

    // Half of it arrives, then the line breaks.
    let broken = true;
    const offsets: number[] = [];
    await page.route('**/portal/api/v1/uploads/*', async (route) => {
      const request = route.request();
      if (request.method() === 'PATCH') {
        const offset = Number(request.headers()['upload-offset']);
        offsets.push(offset);
        if (broken) {
          if (offset === 0) await sendPart(page, request.url(), 1_000_000);
          return route.abort('connectionreset');
        }
      }
      return route.continue();
    });
    await choose(page, path);
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    const line = lineOf(page, 'large.bin');
    await line.getByText('Interrupted at').waitFor();
    await line.getByText('It goes on by itself').waitFor();

    // Left, and taken up again after a reload: the same file goes on where it was.
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await tray(page).getByText('1.0 MB of 3.0 MB are there.').waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).to.contain('large.bin');
    expect(await seriousFindings(page)).to.deep.equal([]);
    const again = tray(page).locator('input[type=file]');
    await again.setInputFiles([file('large.bin', 'something else')]);
    await page.getByText('That is another file.').waitFor();
    offsets.length = 0;
    await again.setInputFiles(path);
    await line.getByText('Interrupted at 33 %').waitFor();
    await line.getByRole('button', { name: 'Cancel large.bin' }).waitFor();
    broken = false;
    await page.evaluate('dispatchEvent(new Event("online"))');
    await line.getByText('Stored.').waitFor();
    expect(offsets[0]).to.equal(1_000_000);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.to.contain('large.bin');
    const { json } = await api.call('GET', '/v1/objects?q=large.bin');
    expect(json.data[0].bytes).to.equal(3_000_000);
    // What the browser itself says of the broken line.
    expect(tab.faults.filter((fault) => !fault.includes('ERR_CONNECTION_RESET'))).to.deep.equal([]);
    await tab.close();
  });

  it('pauses, resumes and cancels', async () => {
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, '/library');
    let held: (() => void) | undefined;
    await page.route('**/portal/api/v1/uploads/*', async (route) => {
      if (route.request().method() === 'PATCH' && held === undefined) {
        await new Promise<void>((resolve) => {
          held = resolve;
        });
      }
      return route.continue().catch(() => undefined);
    });
    const isPatch = (request: Request) => request.method() === 'PATCH';
    await choose(page, [file('one.txt', 'The first')]);
    const sent = page.waitForRequest(isPatch);
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await sent;
    await page.getByRole('button', { name: 'Pause one.txt' }).click();
    await lineOf(page, 'one.txt').getByText('Paused at').waitFor();
    held?.();
    // It is still there on another screen.
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Resume one.txt' }).click();
    await lineOf(page, 'one.txt').getByText('Stored.').waitFor();

    held = undefined;
    await page.getByRole('link', { name: 'Browse' }).click();
    await choose(page, [file('three.txt', 'The third')]);
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await page.waitForRequest(isPatch);
    const ended = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Cancel three.txt' }).click();
    expect((await ended).status()).to.equal(204);
    await lineOf(page, 'three.txt').waitFor({ state: 'detached' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('takes what is dropped and pasted, with hostile names, at 320 px and 200 %, light and dark', async () => {
    for (const look of [
      { theme: 'light', width: 320 },
      { theme: 'dark', width: 1280, zoom: 2 },
    ] as const) {
      const tab = await openTab(browser, look);
      const { page } = tab;
      await logIn(tab, api.url, api, '/library');
      const name = JSON.stringify(hostile);
      const data = await page.evaluateHandle(`(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['Dropped, ${look.theme}'], ${name}, { type: 'text/plain' }));
        return transfer;
      })()`);
      const target = page.locator('.upload-target');
      await target.dispatchEvent('dragover', { dataTransfer: data });
      await page.getByText('Drop to upload').waitFor();
      await target.dispatchEvent('drop', { dataTransfer: data });
      const dialog = page.getByRole('dialog', { name: 'Upload' });
      await dialog.getByText('1 file,').waitFor();
      expect(await seriousFindings(page)).to.deep.equal([]);
      expect(await scrollsSideways(page)).to.equal(false);
      await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
      await tray(page).getByText('Stored.').waitFor();
      expect(await seriousFindings(page)).to.deep.equal([]);
      expect(await scrollsSideways(page)).to.equal(false);
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    }
  });

  it('knows the image that a picture became', async () => {
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, '/library');
    await choose(page, [file('red.png', await quartered(20, 10).png().toBuffer(), 'image/png')]);
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    const link = lineOf(page, 'red.png').getByRole('link');
    expect(await link.getAttribute('href')).to.match(/^\/portal\/library\/images\/img_/);
    await tab.close();
  });
});

/** Sends the beginning of an upload from the page, as what got through before a line broke. */
async function sendPart(page: Page, url: string, bytes: number): Promise<void> {
  const { csrf_token: token } = (await page.evaluate(
    `fetch('/portal/session').then((answer) => answer.json())`,
  )) as { csrf_token: string };
  const answer = await page.context().request.patch(url, {
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
      'X-CSRF-Token': token,
    },
    data: Buffer.alloc(bytes, 7),
  });
  expect(answer.status()).to.equal(204);
}
