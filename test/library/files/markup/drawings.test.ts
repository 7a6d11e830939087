import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { sniff } from '../../../../src/library/files/sniff.ts';
import { readTypeAndTraits } from '../../../../src/library/files/traits.ts';
import { HEAD_BYTES } from '../../../../src/storage/storage.ts';
import { describeInBrowser, startBrowser, untilDrawn } from '../../../support/browser.ts';
import { eventually } from '../../../support/eventually.ts';
import { harmlessDrawings, scriptedDrawings } from './table.ts';

const drawings = [...scriptedDrawings, ...harmlessDrawings];

/** As an upload is examined: first its head, then all of it. */
async function look(bytes: Buffer, filename = 'drawing.svg', size = 4_099) {
  const hints = { filename, bytes: bytes.length };
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const sniffed = sniff(bytes.subarray(0, HEAD_BYTES), hints);
  return readTypeAndTraits(sniffed, hints, async () => Readable.from(pieces()));
}

describe('script detection in drawings', () => {
  for (const { name, bytes } of scriptedDrawings) {
    it(`finds ${name}`, async () => {
      const scripted = { mime: 'image/svg+xml', traits: ['scripted'] };
      expect(await look(bytes)).to.deep.equal(scripted);
      expect(await look(bytes, 'drawing.svg', 65_536)).to.deep.equal(scripted);
    });
  }
  for (const { name, bytes } of harmlessDrawings) {
    it(`does not flag ${name}`, async () => {
      expect(await look(bytes)).to.deep.equal({ mime: 'image/svg+xml', traits: [] });
      expect(await look(bytes, 'notes.txt')).to.deep.equal({ mime: 'image/svg+xml', traits: [] });
    });
  }
  it('finds scripts in a drawing named like a text file, since names can change', async () => {
    const missed: string[] = [];
    for (const { name, bytes, runs } of scriptedDrawings) {
      const { mime, traits } = await look(bytes, 'notes.txt');
      const known = mime === 'image/svg+xml' && traits.includes('scripted');
      // A web page is recognised as such.
      if (runs && !known && !mime.includes('html')) missed.push(`${name}: ${mime}`);
    }
    expect(missed).to.deep.equal([]);
  });
  it('flags markup that is too long to examine', async () => {
    const piece = Buffer.from('<g/>'.repeat(2 ** 18));
    const bytes = 20 * 2 ** 20;
    const pieces = function* () {
      yield Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">');
      for (let sent = 0; sent < bytes; sent += piece.length) yield piece;
    };
    const hints = { filename: 'a.svg', bytes };
    const sniffed = { ...sniff(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'), hints) };
    const found = await readTypeAndTraits(sniffed, hints, async () => Readable.from(pieces()));
    expect(found.traits).to.deep.equal(['scripted']);
  });
});

describeInBrowser('Chromium, given the drawings,', () => {
  let server: Server;
  let context: BrowserContext;
  let origin: string;
  before(async () => {
    server = createServer((request, response) => {
      const drawing = drawings[Number(request.url?.slice(1))];
      response.writeHead(drawing ? 200 : 404, { 'content-type': 'image/svg+xml' });
      response.end(drawing?.bytes);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    context = await (await startBrowser()).newContext();
    // Requests for anything else are answered with 204.
    const own = (url: URL) => url.origin === origin && url.pathname.slice(1) in drawings;
    await context.route(
      (url) => !own(url),
      (route) => route.fulfill({ status: 204 }),
    );
  });
  after(async () => {
    await context.close();
    await new Promise((closed) => server.close(closed));
  });
  for (const [index, { name, runs, scripted }] of drawings.entries()) {
    const verdict = { true: 'runs', false: 'does not run', varies: 'may run' }[`${runs}`];
    it(`${verdict} ${name}`, async () => {
      // A page for each, so that no dialog counts for the next drawing.
      const page = await context.newPage();
      let ran = false;
      page.on('dialog', (dialog) => {
        ran = true;
        // The page may be closed by then.
        dialog.dismiss().catch(() => undefined);
      });
      const click = async () => {
        await page.mouse.click(100, 100);
        await untilFollowed(page);
        return ran;
      };
      await page.goto(`${origin}/${index}`, { waitUntil: 'load' });
      await untilAnimated(page);
      if (runs === true) await eventually(click);
      else await click();
      await page.close();
      if (runs !== 'varies') expect(ran).to.equal(runs);
      expect(scripted || !ran).to.equal(true);
    });
  }
});

/** Waits until animations, which begin with the load of a drawing, have been applied to a frame. */
async function untilAnimated(page: Page): Promise<void> {
  await untilDrawn(page);
  await page.waitForFunction('document.documentElement?.getCurrentTime?.() !== 0');
  await untilDrawn(page);
}

/**
 * Waits until the page has run each `javascript:` URL that was followed before: they are run in
 * order, as tasks that may come after several frames, and this follows one more.
 */
async function untilFollowed(page: Page): Promise<void> {
  await untilDrawn(page);
  await page.evaluate(
    `new Promise((followed) => {
      globalThis.followed = followed;
      location.href = 'javascript:void followed()';
    })`,
  );
}
