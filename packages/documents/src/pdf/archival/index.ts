import { EngineError } from '@scriptorium/sandbox/errors';
import { type PDFDocument, PDFHeader, PDFName, type PDFPageLeaf } from 'pdf-lib';
import { readExistingPage } from '../../ocr/existing-page.ts';
import type { ArchiveReport, EmptyPage, PageResult } from '../../results.ts';
import { noticeOf } from '../empty-page.ts';
import { setContents } from '../page-content.ts';
import type { PdfDocument } from '../pdfium.ts';
import { rasterise, type TextLayer } from '../rasterise.ts';
import { fontName } from '../text-run.ts';
import { archivalFaults } from './check.ts';
import { faultsOfPage } from './page-clauses.ts';
import { repair } from './repair.ts';

/** Converts the pages of a document to PDF/A-2b. */
export type ArchivalConverter = {
  archived: ArchiveReport;
  /**
   * Replaces a page that PDF/A does not allow with a picture of the page and its words. Returns
   * false if the page can stay.
   */
  replace(leaf: PDFPageLeaf, result: PageResult): Promise<boolean>;
  /** Converts all pages that `replace` was not called for, except those left empty. */
  finishPages(empty: readonly EmptyPage[]): Promise<void>;
};

/** Returns the result with all words in the text layer, because a picture contains no text. */
function withAllWords(result: PageResult): PageResult {
  return { ...result, words: result.words.map((word) => ({ ...word, source: 'ocr' as const })) };
}

/**
 * Writes the notice of a page that could not be read as invisible text, because no embedded font
 * can draw it.
 */
function writeNotice(layer: TextLayer, leaf: PDFPageLeaf, page: EmptyPage): void {
  const { context, encoding } = layer;
  const { digits } = encoding.encode(noticeOf(page));
  leaf.set(PDFName.Resources, context.obj({ Font: { [fontName]: layer.font } }));
  const text = `BT\n3 Tr\n/${fontName} 8 Tf 1 0 0 1 8 8 Tm <${digits}> Tj\nET\n`;
  setContents(context, leaf, [context.register(context.flateStream(text))]);
  layer.used = true;
}

/**
 * Starts the conversion of a document to PDF/A-2b (ISO 19005-2): removes content that the standard
 * forbids. `source` renders the pages that must become pictures; null if the document was made from
 * pictures.
 */
export function startArchivalConversion(
  document: PDFDocument,
  layer: TextLayer,
  source: PdfDocument | null,
): ArchivalConverter {
  const removed = [...repair(document)];
  const pictures: ArchiveReport['pictures'] = [];
  const visited = new Set<PDFPageLeaf>();
  document.context.header = PDFHeader.forVersion(1, 7);
  /** `read` returns the words of a page that must become a picture. */
  const replace = async (leaf: PDFPageLeaf, read: () => Promise<PageResult>): Promise<boolean> => {
    visited.add(leaf);
    const faults = source ? faultsOfPage(leaf).shown : [];
    if (!source || faults.length === 0) return false;
    const result = await read();
    await rasterise(layer, leaf, withAllWords(result), source);
    pictures.push({ page: result.page, faults });
    return true;
  };
  return {
    archived: { pictures, removed },
    replace: (leaf, result) => replace(leaf, async () => result),
    async finishPages(empty) {
      const notices = new Map(empty.map((page) => [page.page, page]));
      for (const [at, { node }] of document.getPages().entries()) {
        const notice = notices.get(at + 1);
        if (notice) writeNotice(layer, node, notice);
        else if (source && !visited.has(node))
          await replace(node, () => readExistingPage(source, at + 1));
      }
      pictures.sort((a, b) => a.page - b.page);
    },
  };
}

/** @throws EngineError if a written file does not conform to PDF/A-2b. */
export async function requireArchival(bytes: Uint8Array): Promise<void> {
  const faults = await archivalFaults(Buffer.from(bytes));
  if (faults.length === 0) return;
  const list = faults.slice(0, 5).join('; ');
  throw new EngineError(
    'unsupported',
    `The document cannot be made PDF/A-2b. Clauses of ISO 19005-2 that it would not meet: ${list}. Use \`pdfa: false\`, or \`existing_text: "force"\` to rasterise its pages.`,
  );
}
