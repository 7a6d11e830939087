import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engines, RedactionCheck, RemovalReport } from '@scriptorium/documents';
import type { Box } from '@scriptorium/documents/results';
import { PdfWriter, ref } from '../../../support/corpus/pdf-writer.ts';
import { callOptions, sharedEngines } from '../../../support/engines.ts';

/** What had to be removed from the files of these tests. */
export const secret = 'Wilhelmina Thornbury';
export const values: RemovalReport['values'] = [
  { type: 'PERSON', value: secret },
  { type: 'US_SSN', value: '078-05-1120' },
];

/** The page of these tests, in points, and the box painted on it, as displayed. */
export const size = { width: 420, height: 595 };
export const region: Box = [120, 75, 330, 93];
/** Where text would be under the box. */
export const under = '1 0 0 1 124 507 Tm';

/** A correctly redacted page. Tests plant in it what a remover may have missed. */
export interface Sheet {
  writer: PdfWriter;
  font: number;
  /** Operators under and over the box. */
  below: string;
  above: string;
  box: string;
  resources: string;
  /** More entries of /Font in its resources. */
  fonts: string;
  page: string;
  catalog: string;
  trailer: string;
  pageNumber: number;
}

export type Change = (sheet: Sheet) => void | Promise<void>;

const visibleText = [
  'BT /F1 11 Tf 1 0 0 1 40 540 Tm (Notes on a meeting by the river) Tj',
  '1 0 0 1 40 507 Tm (Signed by) Tj 1 0 0 1 340 507 Tm (today) Tj',
  '1 0 0 1 40 480 Tm (Nothing else was said of the garden.) Tj ET\n',
].join('\n');

/** Changes the page and writes it. */
export async function write(
  change: Change = () => undefined,
  toFile: (sheet: Sheet, root: number) => Buffer = ({ writer, trailer }, root) =>
    writer.toBuffer(`/Root ${ref(root)} ${trailer}`),
): Promise<Buffer> {
  const writer = new PdfWriter();
  const root = writer.reserve();
  const tree = writer.reserve();
  const pageNumber = writer.reserve();
  const font = writer.add(
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  );
  const [x0, y0, x1, y1] = region;
  const sheet: Sheet = {
    writer,
    font,
    below: '',
    above: '',
    box: `0 g ${x0} ${size.height - y1} ${x1 - x0} ${y1 - y0} re f\n`,
    resources: '',
    fonts: '',
    page: '',
    catalog: '',
    trailer: '',
    pageNumber,
  };
  await change(sheet);
  const content = writer.stream('', `${visibleText}${sheet.below}${sheet.box}${sheet.above}`);
  writer.set(root, `<< /Type /Catalog /Pages ${ref(tree)} ${sheet.catalog} >>`);
  writer.set(tree, `<< /Type /Pages /Kids [${ref(pageNumber)}] /Count 1 >>`);
  writer.set(
    pageNumber,
    `<< /Type /Page /Parent ${ref(tree)} /MediaBox [0 0 ${size.width} ${size.height}] /Contents ${ref(content)} /Resources << /Font << /F1 ${ref(font)} ${sheet.fonts} >> ${sheet.resources} >> ${sheet.page} >>`,
  );
  return toFile(sheet, root);
}

export const report = (changes: Partial<RemovalReport['pages'][number]> = {}): RemovalReport => ({
  pages: [
    {
      page: 1,
      outputPage: 1,
      treatment: 'redacted',
      reason: null,
      widthPt: size.width,
      heightPt: size.height,
      regions: [{ box: region, type: 'PERSON' }],
      // Text over a picture counts as visible if a recogniser has read it.
      seen: { sure: [[0, 0, size.width, size.height]] },
      ...changes,
    },
  ],
  values,
});

/** Runs all checks on files in a child, as jobs do. */
export class Judge {
  #engines: Engines | undefined;
  #folder = '';
  #files = 0;

  async open(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'check-test-'));
    this.#engines = sharedEngines();
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async checks(
    bytes: Uint8Array,
    said = report(),
    mime = 'application/pdf',
  ): Promise<RedactionCheck[]> {
    if (!this.#engines) throw new Error('The judge is not open.');
    this.#files += 1;
    const path = join(this.#folder, `file-${this.#files}`);
    const reportFile = join(this.#folder, `report-${this.#files}`);
    await writeFile(path, bytes);
    await writeFile(reportFile, JSON.stringify(said));
    const found = await this.#engines.checkFile({ path, mime, reportFile }, callOptions);
    for (const { outputPage } of said.pages) {
      found.push(
        ...(await this.#engines.checkPage({ path, mime, reportFile, outputPage }, callOptions)),
      );
    }
    return found;
  }

  /** Names of the failed checks, with their messages. */
  async failures(bytes: Uint8Array, said = report(), mime = 'application/pdf'): Promise<string[]> {
    const found = await this.checks(bytes, said, mime);
    return found.filter(({ passed }) => !passed).map(({ name, detail }) => `${name}: ${detail}`);
  }
}
