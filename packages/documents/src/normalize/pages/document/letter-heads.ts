import { type BlockDraft, isText } from './block-draft.ts';
import { anyOf } from './phrases.ts';

/** The salutation and the closing of a letter. */
const salutation = new RegExp(`^${anyOf('salutation')}(?=[\\s,:!]|$)[^.]{0,70}[,:!]?$`, 'iu');
const closing = new RegExp(`^${anyOf('closing')}\\b[^.]{0,60}$`, 'iu');

const maxLineLength = 90;

/**
 * Returns the blocks in the heads of letters: sender, address and subject. These lines are not
 * headings. Only text with both a salutation and a closing is a letter.
 */
export function letterHeads(flow: readonly BlockDraft[]): Set<BlockDraft> {
  const heads = new Set<BlockDraft>();
  let start = 0;
  let candidates: BlockDraft[] | undefined;
  for (const [at, draft] of flow.entries()) {
    if (!isText(draft) || draft.text.length > 3 * maxLineLength) continue;
    const lines = draft.block.lines.map(({ spans }) =>
      spans
        .map(({ text }) => text)
        .join('')
        .trim(),
    );
    const hasSalutation = lines.some(
      (line) => line.length <= maxLineLength && salutation.test(line),
    );
    if (hasSalutation && !candidates) {
      // The head is on the same page as the salutation. A subject line may follow the salutation.
      const from = flow.findIndex((other, index) => index >= start && other.page === draft.page);
      candidates = flow.slice(Math.max(start, from), at + 2);
    } else if (
      candidates &&
      lines.some((line) => line.length <= maxLineLength && closing.test(line))
    ) {
      for (const one of candidates) heads.add(one);
      candidates = undefined;
      start = at + 1;
    }
  }
  return heads;
}
