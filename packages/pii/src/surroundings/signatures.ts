import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';

const score = 0.6;
const word = "\\p{Lu}[\\p{L}\\p{M}'’]{1,30}(?:-\\p{Lu}[\\p{L}\\p{M}]{1,30})?";
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
  `(?<!\\p{L})(?:${closing})[ ,.:;]{0,2}\\n{1,3}[ \\t]{0,20}${title}(${linking}${word} ${linking}${word})`,
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
