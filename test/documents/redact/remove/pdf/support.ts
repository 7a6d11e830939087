import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlannedPage, PlannedRemoval } from '@scriptorium/documents/redact/contract/plan';
import type { RemovalReport } from '@scriptorium/documents/redact/contract/report';
import type { BoxExtent } from '@scriptorium/documents/redact/contract/requests';
import type { Box, Quarter } from '@scriptorium/documents/results';
import {
  decodePDFRawStream,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFString,
} from 'pdf-lib';
import { openPdf } from '../../../../../packages/documents/src/pdf/pdfium.ts';
import { preparePage } from '../../../../../packages/documents/src/pdf/prepare.ts';
import { redactPages } from '../../../../../packages/documents/src/redact/remove/index.ts';
import {
  type SurveyedGlyph,
  surveyGlyphs,
} from '../../../../../packages/documents/src/redact/remove/pdf/regions/survey.ts';

/** What to remove: text on pages, or boxes (`page` is 1-based) in pictures. */
export interface Wanted {
  words?: readonly string[];
  boxes?: readonly {
    page: number;
    box: Box;
    value?: string;
    direction?: Quarter;
    type?: PlannedRemoval['type'];
  }[];
  pages?: readonly number[];
  style?: 'blackbox' | 'label';
  box?: BoxExtent;
}

export interface Redacted {
  report: RemovalReport;
  bytes: Buffer;
  path: string;
  sha256: string;
  /** The text that PDFium reads on each page. */
  texts: string[];
  /** Every glyph of each page. */
  glyphs: SurveyedGlyph[][];
  before: SurveyedGlyph[][];
}

const union = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

/** A folder for a suite's files, and redaction in it. */
export class Bench {
  folder = '';
  #count = 0;

  async open(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'remove-'));
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  /** Redacts a PDF, or a picture of another type. */
  async redact(source: Uint8Array, wanted: Wanted, mime = 'application/pdf'): Promise<Redacted> {
    this.#count += 1;
    const name = join(this.folder, String(this.#count));
    const path = `${name}.in`;
    await writeFile(path, source);
    const isPdf = mime === 'application/pdf';
    const { plans, glyphs: before } = isPdf
      ? await plansOf(path, wanted)
      : { plans: plansForPicture(wanted), glyphs: [] };
    const plansFile = `${name}.plans`;
    await writeFile(plansFile, plans.map((plan) => JSON.stringify(plan)).join('\n'));
    const outPath = `${name}.out`;
    const { style = 'blackbox', box } = wanted;
    const report = await redactPages({ path, mime, plansFile, style, box, outPath });
    const bytes = await readFile(outPath);
    const texts: string[] = [];
    const glyphs: SurveyedGlyph[][] = [];
    if (bytes.toString('latin1', 0, 5) === '%PDF-') {
      for (const page of await glyphsOf(outPath)) {
        glyphs.push(page);
        texts.push(textOf(page));
      }
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { report, bytes, path: outPath, sha256, texts, glyphs, before };
  }
}

const textOf = (glyphs: readonly SurveyedGlyph[]): string =>
  glyphs.map(({ code }) => String.fromCodePoint(code)).join('');

async function glyphsOf(path: string): Promise<SurveyedGlyph[][]> {
  const document = await openPdf(path);
  const pages: SurveyedGlyph[][] = [];
  try {
    for (let number = 1; number <= document.pageCount; number += 1) {
      await preparePage(document, number);
      pages.push((await surveyGlyphs(document, number)).glyphs);
    }
  } finally {
    document.close();
  }
  return pages;
}

async function plansOf(path: string, { words = [], boxes = [], pages }: Wanted) {
  const document = await openPdf(path);
  const plans: PlannedPage[] = [];
  const all: SurveyedGlyph[][] = [];
  try {
    for (let page = 1; page <= document.pageCount; page += 1) {
      if (pages && !pages.includes(page)) continue;
      await preparePage(document, page);
      const { frame, glyphs } = await surveyGlyphs(document, page);
      all.push(glyphs);
      const letters = glyphs.filter(({ code }) => code > 0x20);
      const text = textOf(letters);
      const removals: PlannedRemoval[] = [];
      for (const value of words) {
        const bare = value.replaceAll(' ', '');
        for (let at = text.indexOf(bare); at >= 0; at = text.indexOf(bare, at + 1)) {
          const box = letters
            .slice(at, at + bare.length)
            .map(({ ink }) => ink)
            .reduce(union);
          removals.push({ type: 'PERSON', score: 1, value, boxes: [box], source: 'pdf' });
        }
      }
      for (const { page: own, box, value = 'picture' } of boxes) {
        if (own === page) {
          removals.push({ type: 'PERSON', score: 1, value, boxes: [box], source: 'ocr' });
        }
      }
      const turned = frame.rotation % 180 !== 0;
      const [widthPt, heightPt] = turned
        ? [frame.height, frame.width]
        : [frame.width, frame.height];
      plans.push({ state: 'planned', page, widthPt, heightPt, removals, redactedText: '' });
    }
  } finally {
    document.close();
  }
  return { plans, glyphs: all };
}

function plansForPicture({ boxes = [] }: Wanted): PlannedPage[] {
  const pages = [...new Set(boxes.map(({ page }) => page))];
  return pages.map((page) => ({
    state: 'planned',
    page,
    widthPt: 1,
    heightPt: 1,
    redactedText: '',
    removals: boxes
      .filter((wanted) => wanted.page === page)
      .map(({ box, value = 'picture', direction = 0, type = 'PERSON' }) => ({
        type,
        score: 1,
        value,
        boxes: [box],
        source: 'ocr',
        direction,
      })),
  }));
}

/** A document of one page with handwritten content. `F` is Helvetica. */
export async function pageOf(
  content: string,
  options: {
    size?: [number, number];
    resources?: (document: PDFDocument) => Record<string, unknown>;
    change?: (document: PDFDocument) => void;
  } = {},
): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const [width, height] = options.size ?? [400, 300];
  const { node } = document.addPage([width, height]);
  const font = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Helvetica',
      Encoding: 'WinAnsiEncoding',
    }),
  );
  const resources = context.obj({ Font: { F: font } });
  for (const [key, value] of Object.entries(options.resources?.(document) ?? {})) {
    resources.set(PDFName.of(key), context.obj(value as Record<string, never>));
  }
  node.set(PDFName.Resources, resources);
  node.set(PDFName.Contents, context.register(context.stream(content)));
  options.change?.(document);
  return document.save({ addDefaultPage: false, updateFieldAppearances: false });
}

/** All text in a PDF's objects: strings, names and decoded streams. */
export async function everythingIn(bytes: Uint8Array): Promise<string> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  let text = '';
  const visit = (value: unknown): void => {
    if (value instanceof PDFString || value instanceof PDFHexString)
      text += ` ${value.decodeText()}`;
    else if (value instanceof PDFDict)
      for (const [key, inner] of value.entries()) {
        text += ` ${key.decodeText()}`;
        visit(inner);
      }
    else if (value !== null && typeof value === 'object' && 'asArray' in value) {
      for (const item of (value as { asArray(): unknown[] }).asArray()) visit(item);
    } else if (value instanceof PDFName) text += ` ${value.decodeText()}`;
  };
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    visit(object);
    if (object instanceof PDFRawStream) {
      visit(object.dict);
      let decoded: Buffer;
      try {
        decoded = Buffer.from(decodePDFRawStream(object).decode());
      } catch {
        decoded = Buffer.from(object.contents);
      }
      const raw = decoded.toString('latin1');
      text += ` ${raw} ${raw.replace(/<([0-9a-fA-F]+)>/g, (_, digits: string) => Buffer.from(digits, 'hex').toString('latin1'))}`;
    }
  }
  return text;
}
