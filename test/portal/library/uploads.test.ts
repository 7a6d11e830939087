import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../support/browser.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { quarteredPicture } from '../../support/pictures.ts';

/** A name that would run as HTML, reverse the text direction and overflow, if it could. */
const hostile = `<img src=x onerror=alert(1)>\u202Egnp.${'x'.repeat(180)}.txt`;

const tray = (page: Page) => page.getByRole('complementary', { name: 'Uploads' });
const lineOf = (page: Page, name: string) =>
  tray(page).getByRole('listitem').filter({ hasText: name });

/** Opens the form and sets its files, as the system's file chooser would. */
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
  let folder: string;
  before(async () => {
    [api, folder] = await Promise.all([useSharedApi(), mkdtemp(join(tmpdir(), 'uploads-'))]);
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  it('distinguishes new, existing and rejected files', async () => {
    const tab = await openTab({ expected: [403] });
    const { page } = tab;
    await logIn(tab, api.url, api, '/library');
    await choose(page, [file('letter.txt', 'Dear all')]);
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await lineOf(page, 'letter.txt').getByText('Uploaded.').waitFor();
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
    await lineOf(page, 'good.txt').getByText('Uploaded.').waitFor();
    await lineOf(page, 'letter.txt')
      .getByText('This file already exists, so it was not stored again. Your tags')
      .waitFor();
    const refused = lineOf(page, 'program.txt');
    await refused.getByText('Denied by a policy.').waitFor();
    await refused.getByText('Convert it to').waitFor();
    await page
      .getByText('3 of 3 uploads complete, 1 uploaded, 1 already existed, 1 rejected.')
      .waitFor({ state: 'attached' });
    const href = await lineOf(page, 'good.txt').getByRole('link').getAttribute('href');
    const stored = await api.call('GET', `/v1${href?.replace('/portal/library', '')}`);
    expect(stored.json.tags).to.deep.equal(['harbour']);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('reports empty files and files that policies deny before sending anything', async () => {
    // Limited to a tag, so that it does not affect other tests.
    await api.call('POST', '/v1/dam/security/policies', {
      body: {
        name: 'Small',
        mode: 'enforce',
        scope: { type: 'tag', tags: ['small'] },
        actions: ['upload'],
        rules: [{ type: 'max_bytes', bytes: 1_000 }],
      },
    });
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/library');
    let begun = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/uploads')) begun += 1;
    });
    await choose(page, [file('large.txt', 'x'.repeat(2_000)), file('empty.txt', '')]);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tags').fill('small,');
    await dialog.getByText('The maximum file size is 1.0 kB. Reduce the file size').waitFor();
    await dialog.getByText('The file must not be empty.').waitFor();
    await page.getByRole('button', { name: 'Upload 2 files' }).click();
    await lineOf(page, 'large.txt').getByText('Denied by a policy.').waitFor();
    await lineOf(page, 'empty.txt').getByText('Check the file').waitFor();
    expect(begun).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('resumes when the connection returns, on request, and after a reload', async () => {
    const tab = await openTab();
    const { page } = tab;
    const path = join(folder, 'large.bin');
    await writeFile(path, Buffer.alloc(3_000_000, 7));
    await logIn(tab, api.url, api, '/library');

    // Part of the file is received, then the connection breaks.
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
    await line.getByText('The upload resumes automatically.').waitFor();

    // After a reload, choosing the same file resumes the upload.
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await tray(page).getByText('1.0 MB of 3.0 MB uploaded').waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).to.contain('large.bin');
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    const again = tray(page).locator('input[type=file]');
    await again.setInputFiles([file('large.bin', 'something else')]);
    await page.getByText('This is a different file.').waitFor();
    offsets.length = 0;
    await again.setInputFiles(path);
    await line.getByText('Interrupted at 33%').waitFor();
    await line.getByRole('button', { name: 'Cancel large.bin' }).waitFor();
    broken = false;
    await page.evaluate('dispatchEvent(new Event("online"))');
    await line.getByText('Uploaded.').waitFor();
    expect(offsets[0]).to.equal(1_000_000);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.to.contain('large.bin');
    const { json } = await api.call('GET', '/v1/objects?q=large.bin');
    expect(json.data[0].bytes).to.equal(3_000_000);
    // The browser's own message about the broken connection.
    expect(tab.faults.filter((fault) => !fault.includes('ERR_CONNECTION_RESET'))).to.deep.equal([]);
    await tab.close();
  });

  it('pauses, resumes and cancels', async () => {
    const tab = await openTab();
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
    // The tray stays visible on another screen.
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Resume one.txt' }).click();
    await lineOf(page, 'one.txt').getByText('Uploaded.').waitFor();

    held = undefined;
    await page.getByRole('link', { name: 'Browse' }).click();
    await choose(page, [file('three.txt', 'The third')]);
    const begun = page.waitForRequest(isPatch);
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await begun;
    const ended = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Cancel three.txt' }).click();
    expect((await ended).status()).to.equal(204);
    await lineOf(page, 'three.txt').waitFor({ state: 'detached' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('accepts dropped files with hostile names, and is legible to all', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/library');
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['Dropped'], ${JSON.stringify(hostile)}, { type: 'text/plain' }));
      return transfer;
    })()`);
    const target = page.locator('.upload-target');
    await target.dispatchEvent('dragover', { dataTransfer: data });
    await page.getByText('Drop files to upload').waitFor();
    await target.dispatchEvent('drop', { dataTransfer: data });
    const dialog = page.getByRole('dialog', { name: 'Upload' });
    await dialog.getByText('1 file,').waitFor();
    expect(await findLegibilityFaults(page), 'the form').to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
    await tray(page).getByText('Uploaded.').waitFor();
    expect(await findLegibilityFaults(page), 'the tray').to.deep.equal([]);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('opens the form with the focus on the button that chooses files', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/library');
    await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Upload' });
    await dialog.locator('button:focus', { hasText: 'Choose files…' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('links an uploaded picture to its image', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/library');
    await choose(page, [
      file('red.png', await quarteredPicture(20, 10).png().toBuffer(), 'image/png'),
    ]);
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    const link = lineOf(page, 'red.png').getByRole('link');
    expect(await link.getAttribute('href')).to.match(/^\/portal\/library\/images\/img_/);
    await tab.close();
  });
});

/** Sends the first part of an upload from the page, as if the connection broke afterwards. */
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
