import { gazetteerBits as bits } from './gazetteer.ts';
import { gaps, PAD, shapes, type TaggerSegment } from './segment.ts';

/** A range of tokens of a segment. `to` is exclusive. */
export interface Run {
  from: number;
  to: number;
}

const isWord = ({ shape }: TaggerSegment, token: number): boolean =>
  shape[PAD + token]! >= shapes.lower && shape[PAD + token]! <= shapes.uncased;
const isSymbol = ({ shape }: TaggerSegment, token: number): boolean =>
  shape[PAD + token]! >= shapes.symbol;
const wordOf = (text: string, { start, end, count }: TaggerSegment, token: number): string =>
  token < 0 || token >= count ? '' : text.slice(start[PAD + token], end[PAD + token]);

/** The rest of a Dutch name: "van ’t Hof", "in 't Veld". */
const particles = /^ (?:(?:van|in|op|aan) )?['’]t \p{Lu}[\p{L}-]+/u;

/** Extends a name over words that belong to it: `Hyun` to `Hyun-woo`, `Gijs` to `Gijs van ’t Hof`. */
function wholeName(text: string, segment: TaggerSegment, { from, to }: Run): Run {
  const { count, gap, end } = segment;
  const isHyphen = (token: number): boolean =>
    wordOf(text, segment, token) === '-' &&
    gap[PAD + token] === gaps.none &&
    gap[PAD + token + 1] === gaps.none;
  const run = { from, to };
  while (run.to + 1 < count && isHyphen(run.to) && isWord(segment, run.to + 1)) run.to += 2;
  while (run.from > 1 && isHyphen(run.from - 1) && isWord(segment, run.from - 2)) run.from -= 2;
  const last = end[PAD + run.to - 1]!;
  const stop = last + (particles.exec(text.slice(last, last + 40))?.[0].length ?? 0);
  while (run.to < count && end[PAD + run.to]! <= stop) run.to++;
  return run;
}

/** Whether a finding is two first names and a comma: "Stefan, Sabine". */
const areFirstNames = ({ gazetteer }: TaggerSegment, { from, to }: Run): boolean =>
  to - from === 3 &&
  (gazetteer[PAD + from]! & bits.first) !== 0 &&
  (gazetteer[PAD + to - 1]! & bits.first) !== 0;

/** Words between two names. Spanish and Portuguese ones may also be part of a name. */
const conjunction = /^(?:and|or|und|oder|et|ou|en|i|oraz|&)$/;

/**
 * Returns the names in a finding, which separators divide: a conjunction, a slash, a list item on
 * the next line, and two or more commas ("Anke, Stefan, Sabine"). A single comma is between a
 * surname and first names.
 */
export function namesOf(text: string, segment: TaggerSegment, found: Run): Run[] {
  const whole = wholeName(text, segment, found);
  const signs: string[] = [];
  for (let token = whole.from; token < whole.to; token++) {
    signs.push(isSymbol(segment, token) ? wordOf(text, segment, token) : '');
  }
  const isList = signs.filter((sign) => sign === ',').length > 1 || areFirstNames(segment, whole);
  const runs: Run[] = [];
  let run: Run | undefined;
  for (let token = whole.from; token < whole.to; token++) {
    const sign = signs[token - whole.from]!;
    const isItem = sign !== '' && segment.gap[PAD + token]! >= gaps.line;
    const isApart = sign !== '' && segment.gap[PAD + token] !== gaps.none;
    const isBetween = isItem || sign === '/' || (isList && sign === ',');
    if (isBetween || conjunction.test(wordOf(text, segment, token))) run = undefined;
    else if (sign === '') {
      run ??= { from: token, to: token };
      run.to = token + 1;
      if (runs.at(-1) !== run) runs.push(run);
    } else if (run && !isApart) run.to = token + 1;
  }
  return runs;
}

const articles =
  /^(?:der|die|das|den|dem|des|im|vom|zum|zur|beim|ins|(?:k?ein|mein|dein|sein|ihr|unser|eu(?:e?r)|dies|jed|jen|welch)(?:e|en|em|er|es|s)?)$/i;

/**
 * Whether a name is a single word behind an article: "der Brenner", "the Hudson". A family has a
 * plural in English: "the Adlers".
 */
export function isNoun(text: string, segment: TaggerSegment, { from, to }: Run): boolean {
  if (to - from !== 1 || segment.shape[PAD + from] !== shapes.title) return false;
  if (/^the$/i.test(wordOf(text, segment, from - 1)))
    return !wordOf(text, segment, from).endsWith('s');
  return (
    (segment.gazetteer[PAD + from]! & bits.first) === 0 &&
    articles.test(wordOf(text, segment, from - 1)) &&
    !/^(?:von|van|auf|in)$/i.test(wordOf(text, segment, from - 2))
  );
}

/**
 * Whether a name is a single word that is not a first name. A brand or disease may have the same
 * name.
 */
export const isLoneName = ({ gazetteer }: TaggerSegment, { from, to }: Run): boolean =>
  to - from === 1 && (gazetteer[PAD + from]! & bits.first) === 0;
