import { readFile, stat } from 'node:fs/promises';
import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { applyToBox, type Matrix } from '../../../geometry.ts';
import type { Box } from '../../../results.ts';
import type { PageGlyph } from './glyphs.ts';

/**
 * Native methods, saved before pdf.js is loaded. pdf.js and its worker replace them to correct a
 * detail that is irrelevant here. The replacement for `push` is many times slower, for all code in
 * the process.
 */
const { push } = Array.prototype;
const { parse, stringify } = JSON;

function restoreNatives(): void {
  Object.assign(Array.prototype, { push });
  Object.assign(JSON, { parse, stringify });
}

let openFile: { key: string; document: PDFDocumentProxy } | undefined;

/** Closes the document that is kept open between the pages of a file. */
export function closePdfJs(): void {
  const last = openFile;
  openFile = undefined;
  // This only frees memory, so it is not awaited.
  last?.document.loadingTask.destroy().catch(() => undefined);
}

async function openDocument(path: string): Promise<PDFDocumentProxy> {
  const { size, mtimeMs, ino } = await stat(path);
  const key = `${ino}:${size}:${mtimeMs}:${path}`;
  if (openFile?.key === key) return openFile.document;
  closePdfJs();
  stubCanvas();
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const document = await getDocument({
    data: new Uint8Array(await readFile(path)),
    // Fonts may contain programs. They are not run.
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    stopAtErrors: true,
    enableXfa: false,
    maxImageSize: 1,
    cMapUrl: `${join(folder, 'cmaps')}/`,
    cMapPacked: true,
    standardFontDataUrl: `${join(folder, 'standard_fonts')}/`,
    verbosity: VerbosityLevel.ERRORS,
  }).promise.finally(restoreNatives);
  openFile = { key, document };
  return document;
}

/**
 * Prevents pdf.js from loading the canvas that it draws with. Reading text does not need the
 * canvas, which costs 0.2 s of CPU time and tens of megabytes.
 */
function stubCanvas(): void {
  const requireFromPdfJs = createRequire(
    createRequire(import.meta.url).resolve('pdfjs-dist/package.json'),
  );
  const Stub = class {};
  const exports = { DOMMatrix: Stub, ImageData: Stub, Path2D: Stub };
  try {
    const id = requireFromPdfJs.resolve('@napi-rs/canvas');
    requireFromPdfJs.cache[id] ??= Object.assign(new Module(id), { loaded: true, exports });
  } catch {
    // The canvas is an optional dependency.
  }
}

/** A character with an estimated position. */
interface EstimatedGlyph extends Pick<PageGlyph, 'text' | 'box'> {
  /** Tolerance of the position, in points. */
  slack: number;
  /** The run of text that contains the character. */
  run: string;
}

/**
 * Reads the text of a page with pdf.js, in Node, without a canvas and on this thread. Positions of
 * characters are estimated evenly along each run, because pdf.js does not report them.
 */
export async function readWithPdfJs(
  path: string,
  number: number,
): Promise<{ text: string; glyphs: EstimatedGlyph[]; pages: number }> {
  const document = await openDocument(path);
  const page = await document.getPage(number);
  // Maps user space units to points of the page as displayed, as used by PDFium and the regions.
  const { transform } = page.getViewport({ scale: 1 / page.userUnit });
  const toDisplay = matrixOf(transform);
  const content = await page.getTextContent({ disableNormalization: true });
  let text = '';
  const glyphs: EstimatedGlyph[] = [];
  for (const item of content.items) {
    if (!('str' in item)) continue;
    text += item.hasEOL ? `${item.str}\n` : item.str;
    const letters = [...item.str];
    if (item.str.trim() === '') continue;
    const [a, b, c, d, e, f] = matrixOf(item.transform);
    const size = Math.hypot(c, d);
    const [length, along] = [item.width, Math.hypot(a, b)];
    if (!(size > 0 && along > 0)) continue;
    const [ux, uy] = [a / along, b / along];
    const [vx, vy] = [c / size, d / size];
    const step = length / letters.length;
    letters.forEach((letter, index) => {
      if (letter.trim() === '') return;
      const box = applyToBox(
        [
          ux * step,
          uy * step,
          vx * size * 0.6,
          vy * size * 0.6,
          e + ux * step * index,
          f + uy * step * index,
        ],
        [0, 0.05, 1, 1],
      );
      glyphs.push({ text: letter, box: applyToBox(toDisplay, box), slack: step, run: item.str });
    });
  }
  return { text, glyphs, pages: document.numPages };
}

function matrixOf(values: readonly unknown[]): Matrix {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values.map(Number);
  return [a, b, c, d, e, f];
}

/** Whether a character with an estimated position is well within an area. */
export function isGlyphWithin({ box, slack }: { box: Box; slack: number }, area: Box): boolean {
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const isLevel = box[2] - box[0] <= box[3] - box[1] || slack < box[3] - box[1];
  const [dx, dy] = isLevel ? [slack * 0.6, 0.5] : [0.5, slack * 0.6];
  return x > area[0] + dx && x < area[2] - dx && y > area[1] + dy && y < area[3] - dy;
}
