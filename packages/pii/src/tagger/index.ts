import { readFileSync } from 'node:fs';
import type { PiiFinding } from '../finding.ts';
import { gazetteerBits as bits } from './gazetteer.ts';
import { beginOf, insideOf, LABELS, OUTSIDE, taggedTypes, typeOf } from './labels.ts';
import { Model } from './model.ts';
import { isLoneName, isNoun, namesOf, type Run } from './runs.ts';
import { foldedHash, gaps, PAD, shapes, type TaggerSegment } from './segment.ts';
import { startOf, withinWalls } from './spans.ts';
import { readTaggerWeights } from './weights.ts';

/**
 * The maximum ratio of the likelihood that a finding is absent to the likelihood that it is
 * present, as a logarithm. It is above 0 because a miss costs more than a false alarm.
 */
const CAUTION = 0.6;
/**
 * The ratio of the odds of personal data in texts to be redacted to the odds in the training texts,
 * most of whose words are not personal.
 */
const ODDS = 2;
/**
 * Minimum probability of a finding. Caution alone would accept less likely findings. For a single
 * word, of its type: nothing else in such a name confirms that it is of a person.
 */
const LEAST = 0.25;
/**
 * Minimum confidence of a single word of no list between numbers, as in rows of goods, where it is more
 * often misread than a name. Such a word is never a place.
 */
const SURE = 0.8;
/** Maximum confidence of a name that is a single word and not in a list of first names. */
const LONE = 0.79;
/** Maximum confidence of a cell without digits in an address that extends over cells. */
const CELL = 0.5;
/** Minimum probability of a person at which a place or organisation counts as a person. */
const PERSON_SHARE = 0.3;
/** The same if places and organisations are kept. */
const PREFERRED_SHARE = 0.1;
const PERSON = taggedTypes.indexOf('PERSON');
const TITLE = taggedTypes.indexOf('TITLE');
const ADDRESS = taggedTypes.indexOf('ADDRESS');
const LOCATION = taggedTypes.indexOf('LOCATION');
const ORGANIZATION = taggedTypes.indexOf('ORGANIZATION');

/** A capitalised word behind a first name, with the particles before it: ` van der Heijden`. */
const surname =
  /^ (?:(?:van|von|zu|de|del|della|di|da|do|dos|der|den|ten|ter|la|le) ){0,3}\p{Lu}[\p{Ll}\p{M}]{2,40}(?:-\p{Lu}[\p{Ll}\p{M}]{2,40})?(?![\p{L}\p{N}])/u;
/** Maximum length of the text behind a first name that is examined, in UTF-16 units. */
const LINE_UNITS = 80;

const usualWords =
  bits.commonest | bits.common | bits.foreign | bits.thing | bits.calendar | bits.job;
/**
 * Minimum length of a word for a list to be evidence. Shorter words are in lists of some language.
 */
const MIN_LISTED = 5;

let shipped: Model | undefined;

function model(): Model {
  shipped ??= new Model(readTaggerWeights(readFileSync(new URL('./weights.bin', import.meta.url))));
  return shipped;
}

/** Whether a word is one of the most common words, or a longer word in a list of any language. */
export function isUsualWord(word: string): boolean {
  const mask = model().gazetteer.maskOf(foldedHash(word));
  const isLonger = word.length >= MIN_LISTED;
  return (mask & (bits.commonest | bits.common)) !== 0 || (isLonger && (mask & usualWords) !== 0);
}

interface TaggerOptions {
  /**
   * Whether places and organisations are kept. If a finding may be a person, it counts as a person.
   */
  prefersPeople?: boolean;
}

/**
 * Returns the tagger of names, titles, organisations, places, addresses and nationalities. Findings
 * are sorted and do not overlap. An address may span lines. The run time is linear in the length of
 * the text.
 * @throws Error if the file of weights is damaged.
 */
export function createTagger({
  prefersPeople = false,
}: TaggerOptions = {}): (text: string) => PiiFinding[] {
  const own = model();
  const share = prefersPeople ? PREFERRED_SHARE : PERSON_SHARE;
  return (text) => {
    const findings: PiiFinding[] = [];
    own.start();
    for (let from = 0; from < text.length; ) {
      from = own.label(text, from, CAUTION);
      findings.push(...collect(own, text, share));
    }
    return findings;
  };
}

/** Whether a word is a first name and no word of a language. */
const isFirstName = ({ gazetteer }: TaggerSegment, token: number): boolean =>
  (gazetteer[PAD + token]! & bits.first) !== 0 && (gazetteer[PAD + token]! & usualWords) === 0;

function collect({ segment, chain }: Model, text: string, share: number): PiiFinding[] {
  const findings: PiiFinding[] = [];
  for (let token = 0; token < segment.count; ) {
    const label = chain.labels[token]!;
    const missed = label === OUTSIDE ? missedType(chain, token) : undefined;
    if (label === OUTSIDE && missed === undefined) {
      token++;
      continue;
    }
    const best = missed ?? typeOf(label);
    const found = { from: token, to: token + 1 };
    const goesOn = (next: number): boolean =>
      missed === undefined
        ? chain.labels[next] === insideOf(best) && !(best === ADDRESS && startsName(segment, next))
        : chain.labels[next] === OUTSIDE && missedType(chain, next) === missed;
    while (found.to < segment.count && goesOn(found.to)) found.to++;
    if (best === ADDRESS) found.to = townEnd(text, segment, chain, found);
    token = found.to;
    const type = mayBePerson(text, segment, chain, best, found, share) ? PERSON : best;
    const score = confidence(likelihood(chain, found));
    if (score < LEAST) continue;
    if (isBetweenNumbers(segment, found) && (type === LOCATION || score < SURE)) continue;
    const hasTitle = found.from > 0 && typeOf(chain.labels[found.from - 1]!) === TITLE;
    const runs = type === PERSON ? namesOf(text, segment, found) : [found];
    for (const run of runs) {
      if (type === PERSON) run.to = surnameEnd(text, segment, chain, run);
      token = Math.max(token, run.to);
      if (type === PERSON && !hasTitle && isNoun(text, segment, run)) continue;
      if (type === PERSON && run.to - run.from === 1 && shareOf(chain, PERSON, run) < LEAST)
        continue;
      const isLone = type === PERSON && !hasTitle && isLoneName(segment, run);
      const first = segment.start[PAD + run.from]!;
      const start = type === ADDRESS ? startOf(text, first) : first;
      const end = segment.end[PAD + run.to - 1]!;
      const parts = withinWalls(text, start, end);
      for (const part of parts) {
        const isDoubtful =
          type === ADDRESS && parts.length > 1 && !/\p{N}/u.test(text.slice(part.start, part.end));
        const most = isLone ? LONE : isDoubtful ? CELL : 1;
        findings.push({ type: taggedTypes[type]!, ...part, score: Math.min(score, most) });
      }
    }
  }
  return findings;
}

/** Whether a line begins with a first name, so that an address on the line above ends. */
const startsName = (segment: TaggerSegment, token: number): boolean =>
  segment.gap[PAD + token]! >= gaps.line && isFirstName(segment, token);

/** Whether a word is in no list but those of names. */
const isUnlisted = ({ gazetteer }: TaggerSegment, token: number, lists: number): boolean =>
  (gazetteer[PAD + token]! & ~lists) === 0;

/**
 * Returns the end of a name including the surname behind a first name, with its particles, if the
 * chain found only the first name: a capitalised word that is in no list of other words.
 */
function surnameEnd(
  text: string,
  segment: TaggerSegment,
  { labels }: Model['chain'],
  { from, to }: Run,
): number {
  const { count, gap, shape, end } = segment;
  for (let token = from; token < to; token++) {
    if (!isFirstName(segment, token) && !isUnlisted(segment, token, bits.first)) return to;
  }
  const last = end[PAD + to - 1]!;
  const behind = surname.exec(text.slice(last, last + LINE_UNITS))?.[0];
  if (behind === undefined) return to;
  const stop = last + behind.length;
  let next = to;
  while (next < count && shape[PAD + next] === shapes.lower) next++;
  const isSurname =
    next < count &&
    gap[PAD + next] === gaps.space &&
    labels[next] === OUTSIDE &&
    shape[PAD + next] === shapes.title &&
    isUnlisted(segment, next, bits.first | bits.last);
  if (!isSurname) return to;
  while (next < count && end[PAD + next]! <= stop) next++;
  return next;
}

/**
 * Whether a place, an organisation or an address without a number may be a person, which takes
 * precedence.
 */
function mayBePerson(
  text: string,
  segment: TaggerSegment,
  chain: Model['chain'],
  best: number,
  run: Run,
  share: number,
): boolean {
  if (best === ADDRESS) {
    const span = text.slice(segment.start[PAD + run.from], segment.end[PAD + run.to - 1]);
    if (/[\p{N}\n]/u.test(span)) return false;
    if (isFirstName(segment, run.from)) return true;
  } else if (best !== LOCATION && best !== ORGANIZATION) return false;
  return shareOf(chain, PERSON, run) > share;
}

/**
 * Returns the end of an address including the place that a comma joins to it. In `14 Mill Lane,
 * Northfield` the chain may begin a place at `Northfield`, which alone is not personal data.
 */
function townEnd(
  text: string,
  { start, end, count }: TaggerSegment,
  { labels }: Model['chain'],
  { from, to }: Run,
): number {
  const [first, last] = [start[PAD + from]!, end[PAD + to - 1]!];
  const isPlace = to + 1 < count && labels[to + 1] === beginOf(LOCATION);
  if (!isPlace || labels[to] !== OUTSIDE) return to;
  const joint = text.slice(last, start[PAD + to + 1]);
  if (!/^, ?$/.test(joint) || !/\p{N}/u.test(text.slice(first, last))) return to;
  let town = to + 2;
  while (town < count && labels[town] === insideOf(LOCATION)) town++;
  return town;
}

/** Returns the type of a word that is outside of all findings but likely to be a name or title. */
function missedType(chain: Model['chain'], token: number): number | undefined {
  const word = { from: token, to: token + 1 };
  return [PERSON, TITLE].find((type) => shareOf(chain, type, word) >= LEAST);
}

/** Whether a finding is a single word of no list, with numbers before and behind it, signs aside. */
function isBetweenNumbers({ shape, count, gazetteer }: TaggerSegment, { from, to }: Run): boolean {
  const isSign = (token: number): boolean => shape[PAD + token]! >= shapes.symbol;
  const isNumber = (token: number): boolean =>
    shape[PAD + token]! >= shapes.digits && !isSign(token);
  if (to - from !== 1 || gazetteer[PAD + from] !== 0) return false;
  let before = from - 1;
  let after = to;
  while (before >= 0 && isSign(before)) before--;
  while (after < count && isSign(after)) after++;
  return before >= 0 && after < count && isNumber(before) && isNumber(after);
}

/** Returns the mean probability that the tokens are of a type. */
function shareOf({ likely }: Model['chain'], type: number, { from, to }: Run): number {
  let sum = 0;
  for (let token = from; token < to; token++) {
    const row = token * LABELS;
    sum += likely[row + beginOf(type)]! + likely[row + insideOf(type)]!;
  }
  return sum / (to - from);
}

/** Returns the mean probability that the tokens are personal data. */
function likelihood({ likely }: Model['chain'], { from, to }: Run): number {
  let sum = 0;
  for (let token = from; token < to; token++) sum += 1 - likely[token * LABELS + OUTSIDE]!;
  return sum / (to - from);
}

/**
 * Returns the mean probability that the words are personal data of any type, adjusted by `ODDS`.
 */
function confidence(likely: number): number {
  return (ODDS * likely) / (1 + (ODDS - 1) * likely);
}
