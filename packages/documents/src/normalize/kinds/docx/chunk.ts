import { posix } from 'node:path';
import { EngineError } from '@scriptorium/sandbox/errors';
import { decode } from '../../../files/encoding/index.ts';
import { decodeHtml } from '../../../files/html.ts';
import { readMail } from '../../../files/mail/parts.ts';
import type { Package } from '../../../files/opc.ts';
import type { DocBlock, NormalDocument } from '../../document.ts';
import { blocksOfHtml } from '../html/index.ts';
import { blocksOfSavedPage } from '../mail/index.ts';
import { readRtf } from '../rtf/index.ts';
import { blocksOfText } from '../text.ts';

/**
 * Returns the blocks of a part in another format that Word shows in a document (`altChunk`,
 * ECMA-376 part 1, 17.17.2): HTML, MHTML, plain text, RTF or another Word document. Returns null
 * for other formats and for parts that cannot be read.
 */
export function blocksOfChunk(
  { parts, contentTypeOf }: Package,
  name: string,
  readWord: (bytes: Uint8Array) => NormalDocument,
): DocBlock[] | null {
  const bytes = parts.get(name);
  if (!bytes || bytes.length === 0) return null;
  try {
    const blocks = readChunk(bytes, `${contentTypeOf(name)} ${posix.extname(name)}`, readWord);
    // Headings of level 1 are below the title, like `Heading 1` of Word.
    return blocks?.map((block) => (block.role === 'heading' ? lowerHeading(block) : block)) ?? null;
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

const lowerHeading = <T extends { level: number }>(block: T): T => ({
  ...block,
  level: Math.min(6, block.level + 1),
});

function readChunk(
  bytes: Uint8Array,
  type: string,
  readWord: (bytes: Uint8Array) => NormalDocument,
): readonly DocBlock[] | null {
  if (/rfc822|mimearchive|related|\.e?mht/.test(type)) return blocksOfSavedPage(readMail(bytes));
  if (/html/.test(type)) return blocksOfHtml(decodeHtml(bytes), { isMail: false, isBook: true });
  if (/rtf/.test(type)) return readRtf(bytes).blocks;
  if (/wordprocessingml|ms-word|\.do[ct][xm]/.test(type)) return readWord(bytes).blocks;
  return /text\/plain|\.txt/.test(type) ? blocksOfText(decode(bytes).text) : null;
}
