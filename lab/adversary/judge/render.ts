import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startBrowser } from '../../../test/support/browser.ts';
import { hasChromium } from '../../../test/support/chromium.ts';
import type { Reading } from '../../../test/support/corpus/reading.ts';
import { hasTool, runTool } from '../../bench/support/redaction/tools.ts';
import { type View, viewsOf } from './views.ts';

/** The resolution of drawn pages, in dots per inch. */
const dpi = '200';
/** The largest pictures of a PDF that are read individually. */
const maxPictures = 12;

/** Pages of a PDF as programs draw them, and the pictures in it. */
export async function renderPdf(path: string, scratch: string): Promise<View[]> {
  const pages = await drawViews(scratch, 'pages by poppler', (out) =>
    runTool('pdftoppm', ['-r', dpi, '-png', path, join(out, 'page')]),
  );
  const mupdfPages = hasTool('mutool')
    ? await drawViews(scratch, 'pages by MuPDF', (out) =>
        runTool('mutool', ['draw', '-q', '-r', dpi, '-o', join(out, 'page%d.png'), path]),
      )
    : [];
  const pictures = await drawViews(scratch, 'pictures of the file', (out) =>
    runTool('pdfimages', ['-png', path, join(out, 'picture')]),
  );
  // Including pictures that no page uses, or that only an undrawn part of a page's dictionary
  // refers to.
  const objects = hasTool('mutool')
    ? await drawViews(scratch, 'pictures that MuPDF extracts', (out) =>
        runTool('mutool', ['extract', resolve(path)], [0], out),
      )
    : [];
  const largest = [...pictures, ...objects].toSorted((a, b) => b.data.length - a.data.length);
  return [...pages, ...mupdfPages, ...largest.slice(0, maxPictures)];
}

/** The views of all pictures that a program writes into a folder. */
async function drawViews(
  scratch: string,
  reader: string,
  draw: (folder: string) => Promise<unknown>,
): Promise<View[]> {
  const folder = join(scratch, 'drawn');
  await mkdir(folder, { recursive: true });
  try {
    await draw(folder);
    const views: View[] = [];
    // MuPDF also extracts fonts.
    const names = (await readdir(folder)).filter((name) => /\.(?:png|jpe?g|tiff?)$/.test(name));
    for (const name of names.sort()) {
      views.push(...(await viewsOf(await readFile(join(folder, name)), reader)));
    }
    return views;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An Office file as LibreOffice lays it out: the path of the PDF, or null without LibreOffice. */
export async function convertToPdf(path: string, scratch: string): Promise<string | null> {
  if (!hasTool('soffice')) return null;
  await mkdir(scratch, { recursive: true });
  const profile = `-env:UserInstallation=${pathToFileURL(join(scratch, 'profile'))}`;
  await runTool('soffice', [
    profile,
    '--headless',
    '--convert-to',
    'pdf',
    '--outdir',
    scratch,
    path,
  ]);
  const pdfName = (await readdir(scratch)).find((name) => name.endsWith('.pdf'));
  if (!pdfName) throw new Error('LibreOffice made no PDF.');
  return join(scratch, pdfName);
}

/** A page of HTML as Chromium shows it, and its text. Nothing without Chromium. */
export async function renderHtml(
  source: string,
  scratch: string,
): Promise<{ views: View[]; readings: Reading[] }> {
  if (!hasChromium()) return { views: [], readings: [] };
  // A browser detects the type of a file by its name.
  await mkdir(scratch, { recursive: true });
  const path = join(scratch, 'page.html');
  await copyFile(source, path);
  const page = await (await startBrowser()).newPage({
    viewport: { width: 900, height: 1100 },
    deviceScaleFactor: 2,
  });
  try {
    await page.goto(pathToFileURL(path).href);
    const picture = await page.screenshot({ fullPage: true });
    const text = await page.locator('body').innerText();
    return {
      views: await viewsOf(picture, 'a page by Chromium'),
      readings: [{ by: 'text by Chromium', text, kind: 'text' }],
    };
  } finally {
    await page.close();
  }
}

/** A picture as Chromium shows it on white and on black. Nothing without Chromium. */
export async function renderPicture(bytes: Buffer, mime: string): Promise<View[]> {
  if (!hasChromium() || mime === 'image/tiff') return [];
  const page = await (await startBrowser()).newPage({ viewport: { width: 1000, height: 900 } });
  try {
    const views: View[] = [];
    for (const background of ['white', 'black']) {
      await page.setContent(
        `<body style="margin:0;background:${background}"><img src="data:${mime};base64,${bytes.toString('base64')}"></body>`,
      );
      await page.evaluate('document.images[0].decode()');
      const screenshot = await page.screenshot({ fullPage: true });
      views.push(...(await viewsOf(screenshot, `Chromium on ${background}`)));
    }
    return views;
  } finally {
    await page.close();
  }
}
