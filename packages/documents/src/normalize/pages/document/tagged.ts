import { isHeadingTag } from '../tags.ts';
import { type Draft, isText, type TextBlock } from './draft.ts';
import type { Body } from './headings.ts';
import { numberOf } from './numbering.ts';
import { isUpper } from './split.ts';

type TextDraft = Draft & { block: TextBlock };

/** The minimum share of a page's letters that are in elements. */
const minTagged = 0.6;
/** The maximum share of a document's letters that are in headings. */
const maxHeadings = 0.3;
/** The minimum share of tagged headings that look like headings. */
const minAlike = 0.6;

/** Whether style, number or length set a block apart from running text. */
function isApart({ block, size, bold, text }: TextDraft, body: Body): boolean {
  const styled = Math.abs(size - body.size) > 0.05 * body.size || bold !== body.bold;
  const italic = block.lines.every((line) => line.italic);
  return styled || italic || isUpper(text) || numberOf(text) !== undefined;
}

/**
 * Returns the pages whose tagged headings are trusted: the file tags most text of the page, most of
 * its tagged headings look like headings, and they are a small part of the text.
 */
export function taggedPages(flow: readonly Draft[], body: Body): Set<number> {
  const drafts = flow.filter(isText);
  const headings = drafts.filter(({ block }) => isHeadingTag(block.tag));
  const letters = (list: readonly Draft[]): number =>
    list.reduce((sum, { text }) => sum + text.length, 0);
  const alike = headings.filter((draft) => isApart(draft, body)).length;
  if (headings.length === 0 || letters(headings) > maxHeadings * letters(drafts)) return new Set();
  if (alike < minAlike * headings.length) return new Set();
  const pages = new Map<number, { tagged: number; all: number }>();
  for (const { page, block, text } of drafts) {
    const count = pages.get(page.page) ?? { tagged: 0, all: 0 };
    pages.set(page.page, count);
    count.all += text.length;
    if (block.tag !== null) count.tagged += text.length;
  }
  return new Set(
    [...pages].flatMap(([page, { tagged, all }]) => (tagged >= minTagged * all ? [page] : [])),
  );
}

/** Returns the level of a heading tag, from 1; undefined for tags without a level. */
export function levelOfTag({ block }: Draft): number | undefined {
  const level = block.kind === 'text' ? /^H([1-6])$/.exec(block.tag ?? '')?.[1] : undefined;
  return level === undefined ? undefined : Number(level);
}
