import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';

const score = 0.7;

const signedWord = "\\p{Lu}[\\p{L}\\p{M}'’]{1,30}(?:-\\p{Lu}[\\p{L}\\p{M}]{1,30})?";
const linking = '(?:(?:von|van|der|den|de|da|do|dos|del|della|di|la|le) ){0,3}';
const title = '(?:(?:Dr|Prof|Mr|Mrs|Ms|Dipl|Ing|Mag|Dra|Sig|M|Mme)\\.?(?:-Ing\\.)? ){0,3}';
const closing = [
  '[Mm]it (?:freundlichen|besten|herzlichen|lieben) Gr\\S{2,6}',
  'Hochachtungsvoll|Viele Gr\\S{2,6}|Beste Gr\\S{2,6}',
  '[Yy]ours (?:sincerely|faithfully|truly)|(?:[Kk]ind |[Bb]est |[Ww]arm )?[Rr]egards|Sincerely(?: yours)?|Best wishes|Signed',
  '[Cc]ordialement|salutations(?: distingu\\S{2,5}| les meilleures)?|sentiments distingu\\S{2,5}',
  '[Aa]tentamente|[Cc]ordial saludo|[Ss]aludos(?: cordiales)?|[Aa]tenciosamente|[Cc]ordialmente',
  '[Cc]ordiali saluti|[Dd]istinti saluti',
  '[Mm]et vriendelijke groet(?:en)?|[Hh]oogachtend',
  'melhores cumprimentos|[Cc]umprimentos',
  'Z powa\\S{2,3}aniem|Z wyrazami szacunku',
  'Med v\\S{1,2}nlig\\S{0,2} h\\S{1,2}lsning(?:ar)?|H\\S{1,2}lsningar',
].join('|');
const signature = new RegExp(
  `(?<!\\p{L})(?:${closing})[ ,.:;]{0,2}\\n{1,3}[ \\t]{0,20}${title}(${linking}${signedWord} ${linking}${signedWord})`,
  'dgu',
);

/**
 * Finds the first two words of the line below the closing of a letter if a part of them is known to
 * be the name of a person, which is then completed: `Till Marquart`.
 */
export function signatures(
  { text, original }: TextView,
  people: readonly PiiFinding[],
): PiiFinding[] {
  return [...text.matchAll(signature)].flatMap(({ indices }): PiiFinding[] => {
    const [from, to] = indices?.[1] ?? [0, 0];
    if (to === 0) return [];
    const [start, end] = [original(from), original(to - 1) + 1];
    const isKnown = people.some((one) => one.start < end && one.end > start);
    return isKnown ? [{ type: 'PERSON', start, end, score }] : [];
  });
}

/** Lines of a message that name its senders and recipients. */
const header =
  /^[ \t>*]{0,8}(?:from|to|cc|bcc|reply-to|sender|von|an|kopie|de|à|para|da|a|van|aan|od|do|dw)[ \t]{0,2}:\*{0,2}[ \t]{1,8}(.{1,2000})$/dgimu;
const writtenWord = "\\p{Lu}[\\p{L}\\p{M}'’.-]{0,30}";
/** A name in quotes, as mail programs write names without an address. */
const quoted = new RegExp(
  `(?<=^|[;,\\s])['"‘“](${writtenWord}(?:,? (?:\\p{Ll}{2,3} )?${writtenWord}){1,3})['"’”](?=$|[;,\\s<])`,
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

const particles =
  '(?:(?:von|van|de|del|della|di|da|do|dos|den|der|ten|ter|zu|la|le|el|st|St) ){0,3}';
const family =
  "(?:\\p{Lu}['’])?\\p{Lu}[\\p{L}\\p{M}'’]{1,30}(?:[ -]\\p{Lu}[\\p{L}\\p{M}'’]{1,30}){0,2}";
const given =
  "\\p{Lu}(?:[\\p{L}\\p{M}'’-]{1,30}|\\.)?(?:[ -]?\\p{Lu}(?:[\\p{L}\\p{M}'’]{1,30}|\\.)?){0,3}";
const item = `${particles}${family}, ?${given}`;
/** Three or more inverted names between semicolons: `Whitlock, A.; Oakes, B.; Quill, T. M.` */
const list = new RegExp(
  `(?<![\\p{L}\\p{N}])${item}(?:; ?(?:and |und |et |y |e |en |i )?${item}){2,60}`,
  'gu',
);
const part = new RegExp(item, 'gu');

/** Finds all names of a list of inverted names of which at least half are known to be of people. */
export function invertedNames(
  { text, original }: TextView,
  people: readonly PiiFinding[],
): PiiFinding[] {
  return [...text.matchAll(list)].flatMap(({ index, 0: found }): PiiFinding[] => {
    const names = [...found.matchAll(part)].map(
      ({ index: at, 0: name }): PiiFinding => ({
        type: 'PERSON',
        start: original(index + at),
        end: original(index + at + name.length - 1) + 1,
        score,
      }),
    );
    const known = names.filter((name) =>
      people.some(({ start, end }) => start < name.end && end > name.start),
    );
    return known.length * 2 >= names.length ? names : [];
  });
}
