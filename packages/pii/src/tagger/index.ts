import { readFileSync } from 'node:fs';
import type { PiiFinding } from '../finding.ts';
import { particle } from '../particles.ts';
import { isIdentifier, isInCode, isQuantity, isResults, isRunning, isYears } from './codes.ts';
import { isEntry } from './entries.ts';
import { gazetteerBits as bits } from './gazetteer.ts';
import { beginOf, insideOf, LABELS, OUTSIDE, taggedTypes, typeOf } from './labels.ts';
import { besideNames } from './lists.ts';
import { Model } from './model.ts';
import { namesOf, type Run } from './names.ts';
import { foldedHash, gaps, PAD, shapes, type TaggerSegment } from './segment.ts';
import { endOf, isFirm, startOf, withinWalls } from './spans.ts';
import { readTaggerWeights } from './weights.ts';

/**
 * The maximum ratio of the likelihood that a finding is absent to the likelihood that it is
 * present, as a logarithm. It is above 0 because a miss costs more than a false alarm.
 */
const CAUTION = 1;
/**
 * The ratio of the odds of personal data in texts to be redacted to the odds in the training texts,
 * most of whose words are not personal. If half of the documents are letters or forms and the
 * others contain no personal data, a confidence of 0.5 is then correct about half of the time.
 */
const ODDS = 2;

/** Minimum probability of a finding. Caution alone would accept less likely findings. */
const LEAST = 0.25;
/** Maximum confidence of a name that is a single word and not in a list of first names. */
const LONE = 0.79;
/** Minimum probability of a person at which a place or organisation counts as a person. */
const PERSON_SHARE = 0.2;
/** The same if the words are in lists of places. */
const LISTED_SHARE = 0.5;
/** The same if the words are only in lists of names. Larger towns are in the lists. */
const UNLISTED_SHARE = 0.01;
/** The same if the finding starts with a particle of surnames: "Van Berkel". */
const PARTICLE_SHARE = 0.05;
/** The factor for these thresholds if places and organisations are kept. */
const PREFERRED = 1 - 1e-9;
const PERSON = taggedTypes.indexOf('PERSON');
const TITLE = taggedTypes.indexOf('TITLE');
const ADDRESS = taggedTypes.indexOf('ADDRESS');
const LOCATION = taggedTypes.indexOf('LOCATION');
const ORGANIZATION = taggedTypes.indexOf('ORGANIZATION');

const places = bits.city | bits.country | bits.region;
const notNames = ~(bits.first | bits.last);

const usualWords =
  bits.commonest | bits.common | bits.foreign | bits.thing | bits.calendar | bits.job;
const words =
  bits.commonest | bits.common | bits.word | bits.rare | bits.foreign | bits.thing | bits.seldom;

const institutional = bits.organization | bits.legal | bits.street | bits.unit;
/** Bits that surnames do not have. */
const notLast = words | institutional | bits.job | bits.calendar | bits.honorific;

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

/**
 * Returns the tagger of names, titles, organisations, places, addresses and nationalities. Findings
 * are sorted and do not overlap. An address may span lines. The run time is linear in the length of
 * the text.
 * @throws Error if the file of weights is damaged.
 */
export function createTagger(options: TaggerOptions = {}): (text: string) => PiiFinding[] {
  return taggerOf(model(), options);
}

interface TaggerOptions {
  /**
   * Whether places and organisations are kept. If a finding may be a person, it counts as a person.
   */
  prefersPeople?: boolean;
}

/** Creates a tagger with its own model. */
function taggerOf(
  model: Model,
  { prefersPeople = false }: TaggerOptions,
): (text: string) => PiiFinding[] {
  const least = prefersPeople ? PREFERRED : 1;
  return (text) => {
    const findings: PiiFinding[] = [];
    model.start();
    for (let from = 0; from < text.length; ) {
      from = model.label(text, from, CAUTION);
      findings.push(...collect(model, text, least));
    }
    return findings;
  };
}

function collect({ segment, chain }: Model, text: string, least: number): PiiFinding[] {
  const findings: PiiFinding[] = [];
  const others: PiiFinding[] = [];
  let before: { run: Run; finding: PiiFinding } | undefined;
  for (let token = 0; token < segment.count; ) {
    const label = chain.labels[token]!;
    if (label === OUTSIDE) {
      token++;
      continue;
    }
    const best = typeOf(label);
    const from = token;
    do token++;
    while (token < segment.count && chain.labels[token] === insideOf(best));
    const whole = { from, to: token };
    const type = mayBePerson(text, segment, chain, best, whole, least) ? PERSON : best;
    const hasTitle = from > 0 && typeOf(chain.labels[from - 1]!) === TITLE;
    if (type === PERSON) whole.to = token = endOfName(segment, chain, whole, hasTitle, least < 1);
    const runs = type === PERSON ? namesOf(text, segment, whole, hasTitle) : [whole];
    for (const run of runs) {
      const first = segment.start[PAD + run.from]!;
      const start = type === ADDRESS ? startOf(text, first) : first;
      const last = segment.end[PAD + run.to - 1]!;
      const end = type === LOCATION ? last : endOf(text, start, last);
      const likely = confidence(likelihood(chain, run));
      const isLone = type === PERSON && !hasTitle && isLoneName(segment, run);
      const score = isLone ? Math.min(likely, LONE) : likely;
      for (const part of withinWalls(text, start, end)) {
        const found: PiiFinding = { type: taggedTypes[type]!, ...part, score };
        if (
          score < LEAST ||
          isOther(text, found) ||
          (type === PERSON &&
            !hasTitle &&
            (isFirm(text, found.end) || isRole(text, segment, chain, run)))
        )
          continue;
        const finding =
          before &&
          before.run !== run &&
          isName(before.finding, found) &&
          isEntry(segment, before.run, run)
            ? { ...before.finding, end: found.end }
            : found;
        if (finding !== found) findings.pop();
        findings.push(finding);
        before = { run, finding };
        if (type !== PERSON) continue;
        for (const { from, to } of besideNames(text, segment, run)) {
          const place = { start: segment.start[PAD + from]!, end: segment.end[PAD + to - 1]! };
          others.push({ ...found, ...place });
        }
      }
    }
  }
  return withOthers(findings, others);
}

/**
 * Returns the end of a name if only its first word was found. After a title, or if the word is in a
 * list, the next word belongs to the name if it is also a name. If places and organisations are
 * kept, a word that was found as a place or organisation also belongs to the name.
 */
function endOfName(
  { count, gap, shape, gazetteer }: TaggerSegment,
  { labels }: Model['chain'],
  { from, to }: Run,
  hasTitle: boolean,
  prefersPeople: boolean,
): number {
  const at = PAD + to;
  const isApart = to - from > 1 || to === count || gap[at] !== gaps.space;
  if (isApart || shape[at] !== shapes.title || (gazetteer[at]! & notLast) !== 0) return to;
  const next = typeOf(labels[to]!);
  const isListed =
    (gazetteer[PAD + from]! & bits.first) !== 0 && (gazetteer[at]! & bits.last) !== 0;
  if (next < 0) return hasTitle || isListed ? to + 1 : to;
  if (!prefersPeople || (next !== LOCATION && next !== ORGANIZATION)) return to;
  let end = to + 1;
  while (end < count && labels[end] === insideOf(next)) end++;
  return end;
}

/** Returns findings in order, without findings that another finding replaces. */
function withOthers(findings: PiiFinding[], others: readonly PiiFinding[]): PiiFinding[] {
  if (others.length === 0) return findings;
  const isOver = (one: PiiFinding) => (other: PiiFinding) =>
    one.start < other.end && other.start < one.end;
  const added: PiiFinding[] = [];
  for (const one of others) {
    const isKnown = findings.some((found) => isName(found) && isOver(one)(found));
    if (!isKnown && !added.some(isOver(one))) added.push(one);
  }
  const left = findings.filter((found) => !added.some(isOver(found)));
  return [...left, ...added].sort((a, b) => a.start - b.start);
}

/**
 * Whether a name is a single word that is not a first name. A brand or disease may have the same
 * name.
 */
const isLoneName = ({ gazetteer }: TaggerSegment, { from, to }: Run): boolean =>
  to - from === 1 && (gazetteer[PAD + from]! & bits.first) === 0;

/** Whether a word is a role before a title or a court: "Richter Dr. Falk", "Richter am LG". */
function isRole(
  text: string,
  { count, end, gap }: TaggerSegment,
  { labels }: Model['chain'],
  { from, to }: Run,
): boolean {
  if (to - from > 1 || to === count || gap[PAD + to] !== gaps.space) return false;
  const last = end[PAD + from]!;
  return typeOf(labels[to]!) === TITLE || court.test(text.slice(last, last + 40));
}

const court = /^ (?:am|an der|beim|de la|du|al|della) (?:\p{Lu}{2,4}\b|\p{Lu}\p{L}*gericht)/u;

/** Whether all findings are people. */
const isName = (...findings: PiiFinding[]): boolean =>
  findings.every(({ type }) => type === taggedTypes[PERSON]);

/** Whether a place or organisation may be a person, which takes precedence. */
function mayBePerson(
  text: string,
  segment: TaggerSegment,
  { likely }: Model['chain'],
  best: number,
  { from, to }: Run,
  least: number,
): boolean {
  if (best !== LOCATION && best !== ORGANIZATION) return false;
  if (least < 1 && isFullName(segment, { from, to })) return true;
  let sum = 0;
  for (let token = from; token < to; token++) {
    const row = token * LABELS;
    sum += likely[row + beginOf(PERSON)]! + likely[row + insideOf(PERSON)]!;
  }
  return sum / (to - from) > least * shareOf(text, segment, { from, to });
}

/**
 * Whether the words are a first name, or a name that is not a common word or place, and a possible
 * surname.
 */
function isFullName({ gazetteer, shape, gap }: TaggerSegment, { from, to }: Run): boolean {
  const masks = gazetteer.subarray(PAD + from, PAD + to);
  const [first = 0, last = 0] = [masks[0], masks[to - from - 1]];
  if (to - from < 2 || to - from > 4 || gap[PAD + from + 1] !== gaps.space) return false;
  if (masks.some((mask) => (mask & institutional) !== 0)) return false;
  if ([from, to - 1].some((token) => shape[PAD + token] !== shapes.title)) return false;
  const isFirst = (first & bits.first) !== 0 && (first & places) === 0;
  const isLast = (last & bits.last) !== 0;
  return isFirst ? isLast || (last & words) === 0 : isLast && (first & (usualWords | places)) === 0;
}

/**
 * Returns the minimum probability of a person, based on the lists that contain the words of a run.
 */
function shareOf(
  text: string,
  { start, end, gazetteer, shape }: TaggerSegment,
  { from, to }: Run,
): number {
  const masks = gazetteer.subarray(PAD + from, PAD + to);
  if (masks.every((mask) => (mask & places) !== 0)) return LISTED_SHARE;
  const isUnlisted = masks.every(
    (mask, at) => (mask & notNames) === 0 && shape[PAD + from + at]! === shapes.title,
  );
  if (isUnlisted) return UNLISTED_SHARE;
  const first = text.slice(start[PAD + from], end[PAD + from]).toLowerCase();
  const isSurname =
    to - from > 1 && particle.test(first) && (masks[to - from - 1]! & notNames) === 0;
  return isSurname ? PARTICLE_SHARE : PERSON_SHARE;
}

/** Returns the mean probability that the tokens are personal data. */
function likelihood({ likely }: Model['chain'], { from, to }: Run): number {
  let sum = 0;
  for (let token = from; token < to; token++) sum += 1 - likely[token * LABELS + OUTSIDE]!;
  return sum / (to - from);
}

/**
 * Whether a finding is years, a quantity, results, a code or part of a sentence. Postal codes and
 * house numbers also look like codes.
 */
function isOther(text: string, { type, start, end }: PiiFinding): boolean {
  const span = text.slice(start, end);
  if (type !== 'ADDRESS')
    return isInCode(text, start, end) || isIdentifier(span) || isRunning(span);
  return isYears(span) || isQuantity(span) || isResults(span);
}

/**
 * Returns the mean probability that the words are personal data of any type, adjusted by `ODDS`.
 */
function confidence(likely: number): number {
  return (ODDS * likely) / (1 + (ODDS - 1) * likely);
}
