import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { degrees, PDFDocument, type PDFFont, type PDFPage, StandardFonts } from 'pdf-lib';
import sharp, { type Sharp } from 'sharp';
import { type Raster, renderPage } from '../../packages/documents/src/pdf/bitmaps.ts';
import { openPdf, withPage } from '../../packages/documents/src/pdf/pdfium.ts';

/**
 * Documents for tests, made here and now: pages of text as PDF (drawn or scanned) and as images.
 * `pages` are lists of lines; the first line stands near the top of a page of A5, at 14 points.
 */
export const pageWidth = 420;
export const pageHeight = 595;
const fontSize = 14;
const lineHeight = 22;
const margin = 40;

/** Runs `use` with the bytes in a separate file, which is removed afterwards. */
export async function withFile<T>(
  bytes: Uint8Array,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'));
  try {
    const path = join(folder, 'sample');
    await writeFile(path, bytes);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function drawLines(page: PDFPage, lines: readonly string[], font: PDFFont): void {
  lines.forEach((text, index) => {
    const y = pageHeight - margin - fontSize - index * lineHeight;
    page.drawText(text, { x: margin, y, size: fontSize, font });
  });
}

async function save(document: PDFDocument): Promise<Buffer> {
  return Buffer.from(await document.save());
}

/** A PDF whose text is text. */
export async function bornDigitalPdf(pages: readonly (readonly string[])[]): Promise<Buffer> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const lines of pages) drawLines(document.addPage([pageWidth, pageHeight]), lines, font);
  return save(document);
}

/** Draws a page of a PDF with PDFium, as displayed, at `dpi`. */
export async function rasterOf(pdf: Uint8Array, number = 1, dpi = 72): Promise<Raster> {
  return withFile(pdf, async (path) => {
    const document = await openPdf(path);
    try {
      return await withPage(document, number, (page) =>
        renderPage(document.pdfium, page, {
          width: Math.round((document.pdfium.FPDF_GetPageWidthF(page) / 72) * dpi),
          height: Math.round((document.pdfium.FPDF_GetPageHeightF(page) / 72) * dpi),
          grey: false,
          annotations: true,
        }),
      );
    } finally {
      document.close();
    }
  });
}

/** All text of a PDF as PDFium reads it back, page by page. */
export async function textOf(pdf: Uint8Array): Promise<string[]> {
  return withFile(pdf, async (path) => {
    const document = await openPdf(path);
    const { pdfium } = document;
    try {
      const texts: string[] = [];
      for (let number = 1; number <= document.pageCount; number += 1) {
        texts.push(
          await withPage(document, number, (page) => {
            const text = pdfium.FPDFText_LoadPage(page);
            const count = pdfium.FPDFText_CountChars(text);
            let letters = '';
            for (let index = 0; index < count; index += 1) {
              letters += String.fromCodePoint(pdfium.FPDFText_GetUnicode(text, index));
            }
            pdfium.FPDFText_ClosePage(text);
            return letters.replace(/\r\n/g, '\n');
          }),
        );
      }
      return texts;
    } finally {
      document.close();
    }
  });
}

/** A page of text as a picture: clean print as a scanner sees it. */
async function scanOf(lines: readonly string[], dpi = 150): Promise<Sharp> {
  const { data, width, height, channels } = await rasterOf(await bornDigitalPdf([lines]), 1, dpi);
  return sharp(data, { raw: { width, height, channels } }).greyscale();
}

type ScanOptions = {
  dpi?: number;
  /** Turns the picture on the page clockwise, as paper put in the wrong way. */
  rotation?: 0 | 90 | 180 | 270;
  /** /Rotate of the page. The picture is turned back, so that the page displays upright. */
  pageRotation?: 0 | 90 | 180 | 270;
  /** Where the page's boxes start, in its user space. */
  offset?: [number, number];
};

/** Adds a page that holds one picture of the lines and nothing else. */
async function addScan(
  document: PDFDocument,
  lines: readonly string[],
  { dpi = 150, rotation: turned = 0, pageRotation: rotate = 0, offset = [0, 0] }: ScanOptions,
): Promise<void> {
  const scan = await scanOf(lines, dpi);
  const upright = await scan.png().toBuffer();
  const jpeg = await sharp(upright)
    .rotate((turned - rotate + 360) % 360)
    .jpeg({ quality: 85 })
    .toBuffer();
  const image = await document.embedJpg(jpeg);
  const width = (image.width / dpi) * 72;
  const height = (image.height / dpi) * 72;
  const [x, y] = offset;
  const page = document.addPage([width, height]);
  page.setMediaBox(x - 30, y - 30, width + 60, height + 60);
  page.setCropBox(x, y, width, height);
  page.setRotation(degrees(rotate));
  page.drawImage(image, { x, y, width, height });
}

/** A PDF of scans: pictures of text, without any text. */
export async function scannedPdf(
  pages: readonly (readonly string[])[],
  options: ScanOptions = {},
): Promise<Buffer> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for (const lines of pages) await addScan(document, lines, options);
  return save(document);
}

/** A PDF whose odd pages are scans and whose even pages have text. */
export async function mixedPdf(pages: readonly (readonly string[])[]): Promise<Buffer> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const [index, lines] of pages.entries()) {
    if (index % 2 === 0) await addScan(document, lines, {});
    else drawLines(document.addPage([pageWidth, pageHeight]), lines, font);
  }
  return save(document);
}

/** A picture of a page with its resolution written in it. */
export async function imageOf(
  kind: 'png' | 'jpeg' | 'webp' | 'tiff',
  lines: readonly string[],
  dpi = 150,
): Promise<Buffer> {
  const scan = (await scanOf(lines, dpi)).withMetadata({ density: dpi });
  if (kind === 'png') return scan.png().toBuffer();
  if (kind === 'jpeg') return scan.jpeg({ quality: 85 }).toBuffer();
  if (kind === 'webp') return scan.webp({ lossless: true }).toBuffer();
  return scan.tiff({ compression: 'deflate' }).toBuffer();
}

/** A grey TIFF of several pages, uncompressed, written by hand: libvips wants equal pages. */
export async function multiPageTiff(
  pages: readonly (readonly string[])[],
  dpi = 150,
): Promise<Buffer> {
  const parts: Buffer[] = [Buffer.from('II*\0\0\0\0\0', 'latin1')];
  let length = 8;
  let link = 4;
  const header = parts[0] ?? Buffer.alloc(0);
  let previous = header;
  for (const lines of pages) {
    const { data, info } = await (await scanOf(lines, dpi))
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const entries: [tag: number, type: number, count: number, value: number][] = [
      [256, 4, 1, info.width],
      [257, 4, 1, info.height],
      [258, 3, 1, 8],
      [259, 3, 1, 1],
      [262, 3, 1, 1],
      [273, 4, 1, length],
      [277, 3, 1, 1],
      [278, 4, 1, info.height],
      [279, 4, 1, data.length],
      [282, 5, 1, length + data.length],
      [283, 5, 1, length + data.length],
      [296, 3, 1, 2],
    ];
    const resolution = Buffer.alloc(8);
    resolution.writeUInt32LE(dpi, 0);
    resolution.writeUInt32LE(1, 4);
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length, 0);
    entries.forEach(([tag, type, count, value], index) => {
      const at = 2 + index * 12;
      directory.writeUInt16LE(tag, at);
      directory.writeUInt16LE(type, at + 2);
      directory.writeUInt32LE(count, at + 4);
      directory.writeUInt32LE(value, at + 8);
    });
    previous.writeUInt32LE(length + data.length + 8, link);
    parts.push(data, resolution, directory);
    length += data.length + 8 + directory.length;
    previous = directory;
    link = directory.length - 4;
  }
  return Buffer.concat(parts);
}

/** A one-page PDF written by hand, for what pdf-lib would put right. */
export function handmadePdf(
  content: string,
  options: { mediaBox?: string; page?: string; trailer?: string; objects?: readonly string[] } = {},
): Buffer {
  const { mediaBox = `0 0 ${pageWidth} ${pageHeight}`, page = '', trailer = '' } = options;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${mediaBox}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${page} >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...(options.objects ?? []),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = text.length;
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** A PDF with an encryption made by PDFium: with `user` it asks for a password to open. */
export async function encryptedPdf(
  lines: readonly string[],
  passwords: { user: string; owner: string },
): Promise<Buffer> {
  return withFile(await scannedPdf([lines]), async (path) => {
    const document = await openPdf(path);
    const { pdfium, handle } = document;
    try {
      pdfium.EPDF_SetEncryption(handle, passwords.user, passwords.owner, 0xfffffffc | 0);
      const writer = pdfium.PDFiumExt_OpenFileWriter();
      pdfium.PDFiumExt_SaveAsCopy(handle, writer);
      const size = pdfium.PDFiumExt_GetFileWriterSize(writer);
      const at = pdfium.pdfium.wasmExports.malloc(size);
      pdfium.PDFiumExt_GetFileWriterData(writer, at, size);
      const bytes = Buffer.from(pdfium.heap().slice(at, at + size));
      pdfium.pdfium.wasmExports.free(at);
      pdfium.PDFiumExt_CloseFileWriter(writer);
      return bytes;
    } finally {
      document.close();
    }
  });
}
