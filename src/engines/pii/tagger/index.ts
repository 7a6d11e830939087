import { readFileSync } from 'node:fs';
import type { PiiFinding } from '../finding.ts';
import { particle } from '../particles.ts';
import { isIdentifier, isInCode, isQuantity, isResults, isRunning, isYears } from './codes.ts';
import { isEntry } from './entries.ts';
import { gazetteerBits as bits } from './gazetteer.ts';
import { beginOf, insideOf, LABELS, OUTSIDE, taggedTypes, typeOf } from './labels.ts';
import { Model } from './model.ts';
import { namesOf, type Run } from './names.ts';
import { gaps, PAD, shapes, type TaggerSegment } from './segment.ts';
import { endOf, isFirm, startOf } from './spans.ts';
import { readTaggerWeights } from './weights.ts';

/**
 * How much more likely the absence of a finding must be than its presence: a miss costs more than a
 * false alarm.
 */
const CAUTION = 1;
/**
 * How much more likely personal data is in texts to be redacted than in those of the training, most
 * of whose words are not personal: odds are multiplied by this. If one of two documents is a letter
 * or form and the other has no personal data, a confidence of 0.5 is then correct about half of the
 * time.
 */
const ODDS = 2;

/** Less likely findings, which caution alone admits, are left out. */
const LEAST = 0.25;
/** A place or organisation that is a person with this probability counts as one. */
const PERSON_SHARE = 0.2;
/** The same for one whose words are on lists of places. */
const LISTED_SHARE = 0.5;
/** The same for one whose words are on no list but those of names: larger towns are listed. */
const UNLISTED_SHARE = 0.01;
/** The same for one that begins with a particle of surnames: "Van Berkel". */
const PARTICLE_SHARE = 0.05;
const PERSON = taggedTypes.indexOf('PERSON');
const TITLE = taggedTypes.indexOf('TITLE');
const ADDRESS = taggedTypes.indexOf('ADDRESS');
const LOCATION = taggedTypes.indexOf('LOCATION');
const ORGANIZATION = taggedTypes.indexOf('ORGANIZATION');

const places = bits.city | bits.country | bits.region;
const notNames = ~(bits.first | bits.last);

let shipped: Model | undefined;

/**
 * The tagger of names, titles, organisations, places, addresses and nationalities. Findings are in
 * order and do not overlap; an address may span lines. Takes time linear in the text. Throws an
 * `Error` if the file of weights is damaged.
 */
export function createTagger(): (text: string) => PiiFinding[] {
  shipped ??= new Model(readTaggerWeights(readFileSync(new URL('./weights.bin', import.meta.url))));
  return taggerOf(shipped);
}

/** Creates a tagger with its own model. */
function taggerOf(model: Model, caution = CAUTION): (text: string) => PiiFinding[] {
  return (text) => {
    const findings: PiiFinding[] = [];
    for (let from = 0; from < text.length; ) {
      from = model.label(text, from, caution);
      collect(model, text, findings);
    }
    return findings;
  };
}

function collect({ segment, chain }: Model, text: string, findings: PiiFinding[]): void {
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
    const type = mayBePerson(text, segment, chain, best, whole) ? PERSON : best;
    const hasTitle = from > 0 && typeOf(chain.labels[from - 1]!) === TITLE;
    const runs = type === PERSON ? namesOf(text, segment, whole, hasTitle) : [whole];
    for (const run of runs) {
      const first = segment.start[PAD + run.from]!;
      const start = type === ADDRESS ? startOf(text, first) : first;
      const last = segment.end[PAD + run.to - 1]!;
      const end = type === LOCATION ? last : endOf(text, start, last);
      const score = confidence(likelihood(chain, run));
      const found: PiiFinding = { type: taggedTypes[type]!, start, end, score };
      if (
        score >= LEAST &&
        !isOther(text, found) &&
        !(type === PERSON && !hasTitle && (isFirm(text, end) || isRole(text, segment, chain, run)))
      ) {
        const finding =
          before && isName(before.finding, found) && isEntry(segment, before.run, run)
            ? { ...before.finding, end }
            : found;
        if (finding !== found) findings.pop();
        findings.push(finding);
        before = { run, finding };
      }
    }
  }
}

/** Whether a word is what someone is, before a title or a court: "Richter Dr. Falk", "Richter am LG". */
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

/** Whether both are people. */
const isName = (...findings: PiiFinding[]): boolean =>
  findings.every(({ type }) => type === taggedTypes[PERSON]);

/** Whether a place or organisation may well be a person, which matters more. */
function mayBePerson(
  text: string,
  segment: TaggerSegment,
  { likely }: Model['chain'],
  best: number,
  { from, to }: Run,
): boolean {
  if (best !== LOCATION && best !== ORGANIZATION) return false;
  let sum = 0;
  for (let token = from; token < to; token++) {
    const row = token * LABELS;
    sum += likely[row + beginOf(PERSON)]! + likely[row + insideOf(PERSON)]!;
  }
  return sum / (to - from) > shareOf(text, segment, { from, to });
}

/** How likely a person must be, by the lists that the words of a run are on. */
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

/** The mean probability that tokens are personal data. */
function likelihood({ likely }: Model['chain'], { from, to }: Run): number {
  let sum = 0;
  for (let token = from; token < to; token++) sum += 1 - likely[token * LABELS + OUTSIDE]!;
  return sum / (to - from);
}

/**
 * Whether what was found is years, a quantity, results, a code or a part of a sentence. Postcodes and numbers of
 * houses look like codes.
 */
function isOther(text: string, { type, start, end }: PiiFinding): boolean {
  const span = text.slice(start, end);
  if (type !== 'ADDRESS')
    return isInCode(text, start, end) || isIdentifier(span) || isRunning(span);
  return isYears(span) || isQuantity(span) || isResults(span);
}

/**
 * The mean probability that the words are personal data, whatever the type, with the odds above.
 */
function confidence(likely: number): number {
  return (ODDS * likely) / (1 + (ODDS - 1) * likely);
}
