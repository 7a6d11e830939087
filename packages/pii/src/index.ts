import {
  type EntityType,
  entityNames,
  type FoundType,
} from '@scriptorium/contracts/documents/entities';
import { besideDates, isLoneNumber, isNumbered, withHouses } from './addresses.ts';
import { findAlternatives, withHouse } from './alternatives.ts';
import { findBroken } from './broken.ts';
import { findByForm } from './by-form.ts';
import { withoutCitations } from './citations.ts';
import { withoutEponyms } from './eponyms.ts';
import { familyEnd, familyStart } from './families.ts';
import type { Detector, DetectorOptions, PiiFinding } from './finding.ts';
import { findGlued } from './glued.ts';
import { wholeHandle } from './handles.ts';
import { cellLabels, findLabelled, initialsOfLabels, labelledLines } from './labels/index.ts';
import { reconcile } from './labels/reconcile.ts';
import { registerType } from './labels/words/registers.ts';
import { foreignLines, uncoveredLanguages } from './language/index.ts';
import { narrow } from './narrowing/index.ts';
import { customFinder } from './recognisers/custom.ts';
import { extensionAt } from './recognisers/phone.ts';
import { patternTypes } from './registry.ts';
import { isProse, resolveOverlaps } from './resolve.ts';
import { findSpaced } from './spaced.ts';
import { findBySurroundings } from './surroundings/index.ts';
import { createTagger } from './tagger/index.ts';
import { taggedTypes } from './tagger/labels.ts';
import { type TextView, textViewOf } from './view.ts';

export { checkPattern } from './recognisers/custom.ts';

/** Finds some types of personal data. Findings may overlap and are not sorted. */
type Source = (text: string, view: TextView) => PiiFinding[];

/** Sources of findings: by form, by language, and by client patterns. Labels are added later. */
const sources: readonly ((options: DetectorOptions) => Source)[] = [
  fromPatterns,
  fromGlued,
  fromAlternatives,
  fromTagger,
  fromCustom,
];

/**
 * Creates a detector. Its run time is linear in the length of the text.
 * @throws Error if a pattern does not pass `checkPattern`.
 */
export function createDetector(options: DetectorOptions): Detector {
  const found = sources.map((source) => source(options));
  const labelled = fromLabels(options);
  const allowed = new Set(options.allowList.map(comparable));
  const read = (text: string, recognised: boolean): PiiFinding[] => {
    const view = textViewOf(text, recognised);
    const isSure = ({ score }: PiiFinding): boolean => score >= options.minConfidence;
    const isOther = inRegisters(view);
    const others = found
      .flatMap((source) => source(text, view))
      .filter((one) => isSure(one) && !(isNumber(one) && isOther(one)));
    const reconciled = reconcile(labelled(text, view).filter(isSure), others, isNumber);
    const named = reconciled.map((one) => withExtension(text, one));
    const around = findBySurroundings(text, view, named, (type) => isWanted(options, type));
    const apart = besideDates([...named, ...around.filter(isSure)], text, view);
    const findings = withHouses(
      apart.filter((one) => !isLoneNumber(one, text, apart)),
      text,
    );
    const wanted = narrow(withoutEponyms(text, findings), text, options.narrowed ?? []);
    return resolveOverlaps(withoutCitations(text, wanted), text).filter(
      ({ start, end }) => allowed.size === 0 || !allowed.has(comparable(text.slice(start, end))),
    );
  };
  return (text, { recognised = false } = {}) => {
    const findings = read(text, recognised);
    const again = (other: string): PiiFinding[] => read(other, recognised);
    const more = [...findSpaced(text, again), ...findBroken(text, again)];
    return more.length === 0 ? findings : resolveOverlaps([...findings, ...more], text);
  };
}

/** Minimum score of a value that a check proves in any context. */
const proved = 0.9;

/**
 * Returns a function that reports whether a number belongs to a company in a register and only
 * resembles the number of a person.
 */
function inRegisters(view: TextView): (found: PiiFinding) => boolean {
  let registers: readonly PiiFinding[] | undefined;
  return ({ start, end, score }) => {
    if (score >= proved) return false;
    registers ??= findLabelled(view, (type) => type === registerType);
    return registers.some((one) => one.start <= start && end <= one.end);
  };
}

/** Minimum number of digits of a telephone number. */
const minDigits = 6;

/**
 * Includes the extension of a number. An extension indicates a telephone number, even if another
 * type fits better.
 */
function withExtension(text: string, found: PiiFinding): PiiFinding {
  const digits = text.slice(found.start, found.end).replace(/\D/g, '').length;
  if (!isNumber(found) || found.type.startsWith('DATE') || digits < minDigits) return found;
  if (found.type === 'FR_NIR') {
    const key = /^[ ,(]{0,2}cl[ée]f? ?:? ?\d{2}(?!\d)/iu.exec(
      text.slice(found.end, found.end + 16),
    );
    return { ...found, end: found.end + (key?.[0].length ?? 0) };
  }
  return { ...found, end: found.end + extensionAt(text, found.end) };
}

const comparable = (text: string) => text.normalize('NFKC').trim().toLowerCase();

/** Whether a type of personal data was requested. */
function isWanted({ entities }: DetectorOptions, type: EntityType): boolean {
  return entities === 'all' || entities.includes(type);
}

function fromPatterns(options: DetectorOptions): Source {
  const wanted = patternTypes.filter((type) => isWanted(options, type));
  return (_text, view) => findByForm(view, wanted, options.minConfidence);
}

/** Finds values by form and by label, regardless of the language. */
function numbersIn(options: DetectorOptions): (view: TextView) => PiiFinding[] {
  const [patterns, labels] = [fromPatterns(options), fromLabels(options)];
  return (view) => [...patterns(view.text, view), ...labels(view.text, view)];
}

function fromGlued(options: DetectorOptions): Source {
  const [patterns, labels] = [fromPatterns(options), fromLabels(options)];
  return (_text, view) =>
    findGlued(
      view,
      (own) => patterns(own.text, own),
      (own) => labels(own.text, own),
    );
}

function fromAlternatives(options: DetectorOptions): Source {
  const find = numbersIn(options);
  return (_text, view) => findAlternatives(view, find);
}

function fromTagger(options: DetectorOptions): Source {
  const wanted = taggedFor(options);
  if (wanted.size === 0) return () => [];
  const prefersPeople = wanted.has('PERSON') && !wanted.has('ORGANIZATION');
  const tag = createTagger({ prefersPeople });
  return (text, view) => {
    const foreign = foreignLines(text);
    const labelled = labelledLines(view);
    const cells = cellLabels(view);
    const initials = initialsOfLabels(view);
    let [line, label] = [0, 0];
    // All lists are sorted. A finding ends where a line starts that is not read or that has another
    // label.
    return tag(withCells(text, view)).flatMap((found) => {
      while (line < foreign.length && foreign[line]!.end <= found.start) line += 1;
      while (label < labelled.length && labelled[label]! <= found.start) label += 1;
      const next = foreign[line]?.start ?? text.length;
      const isLabel = found.type !== 'ADDRESS' && labelled[label - 1] === found.start;
      if (found.type === 'ADDRESS' && isNumbered(text, found)) return [];
      if ((cells.get(found.start) ?? 0) >= found.end) return [];
      if (!wanted.has(found.type) || next <= found.start || isLabel) return [];
      const stop = Math.min(found.end, next, labelled[label] ?? text.length);
      const end = found.start + text.slice(found.start, stop).trimEnd().length;
      const own = initials.get(found.start) ?? found.start;
      if (own >= end) return [];
      const start =
        found.type === 'PERSON' ? familyStart(text, nameStart(text, own, end)) : found.start;
      if (found.type === 'PERSON')
        return [{ ...found, ...wholeHandle(text, start, familyEnd(text, start, end)) }];
      const isRead = found.type === 'ADDRESS' && view.recognised;
      return [{ ...found, ...(isRead ? withHouse(text, { start, end }) : { start, end }) }];
    });
  };
}

/**
 * Words that the tagger mistakes for the first word of a name: Portuguese prepositions, German
 * feminine occupations, and some relatives and offices.
 */
const beforeName =
  /^(?:(?:d[aeo]|d[ao]s)|(?:von )?(?:\p{Lu}[\p{Ll}-]{2,30}(?:[tlgndkf]er|ist|eur|tor|[dtn]är)in|[Nn]otar|Hausmeister|Sanitäter|Zeuge|[Oo]ma|[Oo]pa|[Oo]nkel|[Tt]ante))(?: Dr\.)? (?=\p{L})/u;

const nameStart = (text: string, start: number, end: number): number =>
  start + (beforeName.exec(text.slice(start, end))?.[0].length ?? 0);

/** Returns the text with tabs between the fields of rows, over which no name or address extends. */
function withCells(text: string, { fieldEnds, original }: TextView): string {
  if (fieldEnds.length === 0) return text;
  const units = Buffer.from(text, 'utf16le');
  for (const at of fieldEnds) units.writeUInt16LE(0x09, original(at) * 2);
  return units.toString('utf16le');
}

/** Returns the requested types that are found by language. */
function taggedFor(options: DetectorOptions): ReadonlySet<FoundType> {
  return new Set<FoundType>(taggedTypes.filter((type) => isWanted(options, type)));
}

/**
 * Returns the languages in a text in which names and addresses are not searched for, as ISO 639
 * codes, most frequent first. Empty if the options request neither names nor addresses.
 */
export function languagesNotCovered(text: string, options: DetectorOptions): string[] {
  return taggedFor(options).size > 0 ? uncoveredLanguages(text) : [];
}

function fromLabels(options: DetectorOptions): Source {
  const wanted = new Set<FoundType>(entityNames.filter((type) => isWanted(options, type)));
  return (_text, view) => findLabelled(view, (type) => wanted.has(type));
}

/**
 * Whether a finding is a value of fixed form, and neither prose nor a match of a client pattern.
 */
const isNumber = ({ type }: PiiFinding): boolean =>
  !isProse({ type }) && !type.startsWith('CUSTOM_');

function fromCustom({ customPatterns }: DetectorOptions): Source {
  const finders = customPatterns.map(customFinder);
  return (text, view) => finders.flatMap((find) => find(text, view));
}
