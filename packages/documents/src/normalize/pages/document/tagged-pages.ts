import { isHeadingTag } from '../tags.ts';
import { type BlockDraft, isText, type TextBlock } from './block-draft.ts';
import type { BodyStyle } from './headings.ts';
import { numberOf } from './numbering.ts';
import { isUpper } from './split.ts';

type TextDraft = BlockDraft & { block: TextBlock };

/** The minimum share of a page's letters that are in elements. */
const minTaggedShare = 0.6;
/** The maximum share of a document's letters that are in headings. */
const maxHeadingShare = 0.3;
/** The minimum share of tagged headings that look like headings. */
const minDistinctShare = 0.6;

/** Whether style, number or length set a block apart from running text. */
function isDistinct({ block, size, bold, text }: TextDraft, body: BodyStyle): boolean {
  const hasOwnStyle = Math.abs(size - body.size) > 0.05 * body.size || bold !== body.bold;
  const isItalic = block.lines.every((line) => line.italic);
  return hasOwnStyle || isItalic || isUpper(text) || numberOf(text) !== undefined;
}

/**
 * Returns the pages whose tagged headings are trusted: the file tags most text of the page, most of
 * its tagged headings look like headings, and they are a small part of the text.
 */
export function taggedPages(flow: readonly BlockDraft[], body: BodyStyle): Set<number> {
  const drafts = flow.filter(isText);
  const headings = drafts.filter(({ block }) => isHeadingTag(block.tag));
  const countLetters = (list: readonly BlockDraft[]): number =>
    list.reduce((sum, { text }) => sum + text.length, 0);
  const distinctCount = headings.filter((draft) => isDistinct(draft, body)).length;
  if (headings.length === 0 || countLetters(headings) > maxHeadingShare * countLetters(drafts))
    return new Set();
  if (distinctCount < minDistinctShare * headings.length) return new Set();
  const pages = new Map<number, { tagged: number; total: number }>();
  for (const { page, block, text } of drafts) {
    const count = pages.get(page.page) ?? { tagged: 0, total: 0 };
    pages.set(page.page, count);
    count.total += text.length;
    if (block.tag !== null) count.tagged += text.length;
  }
  return new Set(
    [...pages].flatMap(([page, { tagged, total }]) =>
      tagged >= minTaggedShare * total ? [page] : [],
    ),
  );
}

/** Returns the level of a heading tag, from 1; undefined for tags without a level. */
export function levelOfTag({ block }: BlockDraft): number | undefined {
  const level = block.kind === 'text' ? /^H([1-6])$/.exec(block.tag ?? '')?.[1] : undefined;
  return level === undefined ? undefined : Number(level);
}
