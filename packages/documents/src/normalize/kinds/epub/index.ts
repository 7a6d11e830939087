import { EngineError } from '@scriptorium/sandbox/errors';
import { chapterText, openBook } from '../../../files/epub.ts';
import { createUnreadKinds } from '../../../files/unread/index.ts';
import type { DocBlock, NormalDocument } from '../../document.ts';
import { onePage, plainSpan, toTextFields } from '../build-blocks.ts';
import { blocksOfHtml } from '../html/index.ts';

const maxBlocks = 400_000;

/**
 * Reads a book in EPUB 2 or 3: its chapters in the order of the spine, without the table of
 * contents. A chapter without headings gets its name in the table of contents as a heading. Throws
 * EngineError.
 */
export function readEpub(bytes: Uint8Array): NormalDocument {
  const unread = createUnreadKinds();
  const { parts, book, names } = openBook(bytes, unread);
  const blocks: DocBlock[] = [];
  for (const path of book.chapters) {
    const text = chapterText(parts, path);
    if (text === null) {
      unread.add('missing chapter');
      continue;
    }
    const chapterBlocks = blocksOfHtml(text, { isMail: false, isBook: true, unread });
    const name = names.get(path);
    for (const block of withHeading(chapterBlocks, name)) blocks.push(block);
    if (blocks.length > maxBlocks)
      throw new EngineError('too_large', 'The book has too many paragraphs.');
  }
  return {
    title: book.title,
    language: book.language,
    pages: onePage,
    blocks,
    unread: unread.kinds(),
  };
}

/** Adds the name in the table of contents as a heading to a chapter without headings. */
function withHeading(blocks: DocBlock[], name: string | undefined): DocBlock[] {
  const [first, ...others] = blocks;
  if (!name || !first || blocks.some(({ role }) => role === 'heading')) return blocks;
  const heading: DocBlock = { role: 'heading', level: 2, ...toTextFields([plainSpan(name)]) };
  const isName = first.role === 'paragraph' && first.text.replace(/\s+/g, ' ') === name;
  return isName ? [heading, ...others] : [heading, ...blocks];
}
