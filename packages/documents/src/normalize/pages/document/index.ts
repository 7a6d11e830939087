import type { DocBlock, NormalDocument, Span } from '../../document.ts';
import type { PageLayout } from '../layout.ts';
import { type BlockDraft, draftOf } from './block-draft.ts';
import { textBlock } from './blocks.ts';
import { withContents } from './contents.ts';
import { markFurniture, splitRunning } from './furniture.ts';
import { bodyOf, markHeadings } from './headings.ts';
import { joinParagraphs } from './join.ts';
import { markLevels } from './levels.ts';
import { markRoles } from './roles.ts';
import { sparsePages } from './sparse-pages.ts';
import { joinHeadings, splitHeadings } from './split.ts';
import { joinTables, withCaptions } from './tables.ts';
import { joinBroken, type Lexicon, lexiconOf } from './words.ts';

function fixedBlock({ page, block }: BlockDraft, lexicon: Lexicon): DocBlock | undefined {
  const origin = { page: page.page, box: block.box, confidence: block.confidence };
  if (block.kind === 'picture') {
    return { ...origin, role: 'picture', alt: block.alt, written: block.text };
  }
  if (block.kind !== 'table') return undefined;
  const { rows, columns } = block;
  const cells = block.cells.map((cell) => ({ ...cell, text: joinBroken(cell.text, lexicon) }));
  return { ...origin, role: 'table', rows, columns, cells, caption: null };
}

/** Links raised numbers and symbols to the footnotes on the same page that begin with them. */
function withReferences(blocks: readonly DocBlock[]): DocBlock[] {
  const labels = new Map<number, Set<string>>();
  for (const block of blocks) {
    if (block.role !== 'footnote' || block.label === '') continue;
    const pageLabels = labels.get(block.page);
    if (pageLabels) pageLabels.add(block.label);
    else labels.set(block.page, new Set([block.label]));
  }
  return blocks.map((block) => {
    const pageLabels = labels.get(block.page);
    if (!pageLabels || !('spans' in block) || block.role === 'footnote') return block;
    const spans = block.spans.map((span): Span => {
      const isReference = span.marks.includes('superscript') && pageLabels.has(span.text.trim());
      return isReference ? { ...span, text: span.text.trim(), marks: ['footnote'] } : span;
    });
    return { ...block, spans, text: spans.map(({ text }) => text).join('') };
  });
}

/** A document made of pages, and the pages with less than 90% of their text in the Markdown. */
type PagedDocument = NormalDocument & { sparsePages: readonly number[] };

/** Builds one document from the layouts of its pages, in page order. */
export function documentOf(layouts: readonly PageLayout[]): PagedDocument {
  const pages = splitRunning(
    layouts.map((page) => page.blocks.map((block) => draftOf(page, block))),
  );
  markFurniture(pages, bodyOf(pages.flat()).size);
  const parts = splitHeadings(withContents(pages.flat()));
  const body = bodyOf(parts);
  const frontPages = markHeadings(parts, body);
  const drafts = joinHeadings(parts, body.size);
  markLevels(drafts, body, frontPages);
  markRoles(drafts, body);
  const lexicon = lexiconOf(drafts);
  const blocks = joinParagraphs(joinTables(drafts), body.size).flatMap((one): DocBlock[] => {
    const block = 'draft' in one ? textBlock(one, lexicon) : fixedBlock(one, lexicon);
    return block ? [block] : [];
  });
  const [firstLayout] = layouts;
  return {
    title: firstLayout?.title ?? null,
    language: firstLayout?.language ?? null,
    pages: layouts.map(({ page, widthPt, heightPt }) => ({ page, widthPt, heightPt, name: null })),
    blocks: withReferences(withCaptions(blocks)),
    sparsePages: sparsePages(layouts, drafts),
  };
}
