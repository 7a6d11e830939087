import { type Draft, isText } from './draft.ts';
import { anyOf } from './phrases.ts';

/** The salutation and the closing of a letter. */
const salutation = new RegExp(`^${anyOf('salutation')}(?=[\\s,:!]|$)[^.]{0,70}[,:!]?$`, 'iu');
const closing = new RegExp(`^${anyOf('closing')}\\b[^.]{0,60}$`, 'iu');

const longest = 90;

/**
 * Returns the blocks in the heads of letters: sender, address and subject. These lines are not
 * headings. Only text with both a salutation and a closing is a letter.
 */
export function letterHeads(flow: readonly Draft[]): Set<Draft> {
  const heads = new Set<Draft>();
  let start = 0;
  let open: Draft[] | undefined;
  for (const [at, draft] of flow.entries()) {
    if (!isText(draft) || draft.text.length > 3 * longest) continue;
    const lines = draft.block.lines.map(({ spans }) =>
      spans
        .map(({ text }) => text)
        .join('')
        .trim(),
    );
    const greets = lines.some((line) => line.length <= longest && salutation.test(line));
    if (greets && !open) {
      // The head is on the same page as the salutation. A subject line may follow the salutation.
      const from = flow.findIndex((other, index) => index >= start && other.page === draft.page);
      open = flow.slice(Math.max(start, from), at + 2);
    } else if (open && lines.some((line) => line.length <= longest && closing.test(line))) {
      for (const one of open) heads.add(one);
      open = undefined;
      start = at + 1;
    }
  }
  return heads;
}
