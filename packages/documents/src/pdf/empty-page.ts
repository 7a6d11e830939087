import { type PDFDocument, PDFName, type PDFPageLeaf } from 'pdf-lib';
import type { EmptyPage } from '../results.ts';

const fontName = 'Notice';
/** A4, for a page of unknown size. */
const defaultSize = { widthPt: 595, heightPt: 842 };
/** Minimum and maximum side that all PDF readers support, in points (ISO 32000-1, Annex C). */
const [minSide, maxSide] = [3, 14_400];

/** Adds an empty page that states the reason, in the size of the page that it replaces. */
export function addEmptyPage(document: PDFDocument, empty: EmptyPage): void {
  fillEmptyPage(document, document.addPage().node, empty);
}

/** Replaces all content of a page with the reason why it is empty. */
export function fillEmptyPage(document: PDFDocument, leaf: PDFPageLeaf, empty: EmptyPage): void {
  const { context } = document;
  const isSizeKnown = empty.widthPt > 0 && empty.heightPt > 0;
  const { widthPt, heightPt } = isSizeKnown ? empty : defaultSize;
  const width = Math.min(maxSide, Math.max(minSide, widthPt));
  const height = Math.min(maxSide, Math.max(minSide, heightPt));
  for (const key of leaf.keys()) {
    if (key !== PDFName.Type && key !== PDFName.Parent) leaf.delete(key);
  }
  leaf.set(PDFName.MediaBox, context.obj([0, 0, width, height]));
  const notice = { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' };
  leaf.set(PDFName.Resources, context.obj({ Font: { [fontName]: context.obj(notice) } }));
  const size = Math.max(1, Math.min(12, width / 30));
  const lines = wrap(noticeOf(empty), Math.max(8, Math.floor((width - 4 * size) / (size * 0.55))));
  const textOperators = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join(' ');
  const origin = `${2 * size} ${Math.max(0, height - 4 * size)}`;
  const content = `BT /${fontName} ${size} Tf ${1.4 * size} TL ${origin} Td ${textOperators} ET\n`;
  leaf.set(PDFName.Contents, context.register(context.flateStream(content)));
}

/** Returns the text on an empty page in ASCII: its number in the source, and the reason. */
export function noticeOf({ page, reason }: EmptyPage): string {
  const asciiReason = reason.replace(/[^\x20-\x7e]/g, '?');
  return `Page ${page} could not be read and was left empty. ${asciiReason}`;
}

function wrap(text: string, max: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= max) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
