import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';

const score = 0.7;
/** Lines of a message that name its senders and recipients. */
const header =
  /^[ \t>*]{0,8}(?:from|to|cc|bcc|reply-to|sender|von|an|kopie|de|à|para|da|a|van|aan|od|do|dw)[ \t]{0,2}:\*{0,2}[ \t]{1,8}(.{1,2000})$/dgimu;
const word = "\\p{Lu}[\\p{L}\\p{M}'’.-]{0,30}";
/** A name in quotes, as mail programs write names without an address. */
const quoted = new RegExp(
  `(?<=^|[;,\\s])['"‘“](${word}(?:,? (?:\\p{Ll}{2,3} )?${word}){1,3})['"’”](?=$|[;,\\s<])`,
  'dgu',
);

/** Finds names in quotes in the lines of a message that name its senders and recipients. */
export function mailHeaders({ text, original }: TextView): PiiFinding[] {
  return [...text.matchAll(header)].flatMap(({ indices }) => {
    const [from, to] = indices?.[1] ?? [0, 0];
    return [...text.slice(from, to).matchAll(quoted)].map(({ indices: own }): PiiFinding => {
      const [start, end] = own?.[1] ?? [0, 0];
      const [first, last] = [original(from + start), original(from + end - 1) + 1];
      return { type: 'PERSON', start: first, end: last, score };
    });
  });
}
