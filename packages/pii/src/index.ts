import {
  type EntityType,
  entityNames,
  type FoundType,
} from '@scriptorium/contracts/documents/entities';
import { separateDates } from './addresses.ts';
import { findAlternatives, withHouseNumber } from './alternatives.ts';
import { findBroken } from './broken.ts';
import { withoutCitations } from './citations.ts';
import { coverTest } from './covers.ts';
import { withoutEponyms } from './eponyms.ts';
import { familyEnd, familyStart } from './family-names.ts';
import { findByForm } from './find-by-form.ts';
import type { Detector, DetectorOptions, PiiFinding } from './finding.ts';
import { findGlued } from './glued-values.ts';
import { wholeHandle } from './handles.ts';
import { findLabelled, labelledLines } from './labels/index.ts';
import { reconcile } from './labels/reconcile.ts';
import { registerType } from './labels/words/registers.ts';
import { foreignLines, uncoveredLanguages } from './language/index.ts';
import { narrow } from './narrowing/index.ts';
import { customFinder } from './recognisers/custom.ts';
import { extensionAt } from './recognisers/phone.ts';
import { patternTypes } from './registry.ts';
import { isProse, resolveOverlaps } from './resolve.ts';
import { findSpaced } from './spaced-text.ts';
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
  const finders = sources.map((source) => source(options));
  const labelled = fromLabels(options);
  const allowed = new Set(options.allowList.map(normalise));
  const read = (text: string, recognised: boolean): PiiFinding[] => {
    const view = textViewOf(text, recognised);
    const isSure = ({ score }: PiiFinding): boolean => score >= options.minConfidence;
    const isInRegister = registerMatcher(view);
    const otherFindings = finders
      .flatMap((source) => source(text, view))
      .filter((one) => isSure(one) && !(isNumber(one) && isInRegister(one)));
    const reconciled = reconcile(labelled(text, view).filter(isSure), otherFindings, isNumber);
    const extended = reconciled.map((one) => withExtension(text, one));
    const surrounding = findBySurroundings(text, view, extended, (type) => isWanted(options, type));
    const findings = separateDates([...extended, ...surrounding.filter(isSure)], text, view);
    const reported = narrow(withoutEponyms(text, findings), text, options.narrowed ?? []);
    return resolveOverlaps(withoutCitations(text, reported), text).filter(
      ({ start, end }) => allowed.size === 0 || !allowed.has(normalise(text.slice(start, end))),
    );
  };
  return (text, { recognised = false } = {}) => {
    const findings = read(text, recognised);
    const again = (other: string): PiiFinding[] => read(other, recognised);
    const more = [...findSpaced(text, again), ...findBroken(text, again)];
    return more.length === 0 ? findings : resolveOverlaps([...findings, ...more], text);
  };
}

/** Minimum score of a value that is proved by a check in any context. */
const provedScore = 0.9;

/**
 * Returns a function that reports whether a number belongs to a company in a register and only
 * resembles the number of a person.
 */
function registerMatcher(view: TextView): (finding: PiiFinding) => boolean {
  let isInRegister: ReturnType<typeof coverTest> | undefined;
  return ({ start, end, score }) => {
    if (score >= provedScore) return false;
    isInRegister ??= coverTest(findLabelled(view, (type) => type === registerType));
    return isInRegister(start, end);
  };
}

/** Minimum number of digits of a telephone number. */
const minDigits = 6;

/**
 * Includes the extension of a number. An extension indicates a telephone number, even if another
 * type fits better.
 */
function withExtension(text: string, finding: PiiFinding): PiiFinding {
  const digits = text.slice(finding.start, finding.end).replace(/\D/g, '').length;
  if (!isNumber(finding) || finding.type.startsWith('DATE') || digits < minDigits) return finding;
  if (finding.type === 'FR_NIR') {
    const key = /^[ ,(]{0,2}cl[ée]f? ?:? ?\d{2}(?!\d)/iu.exec(
      text.slice(finding.end, finding.end + 16),
    );
    return { ...finding, end: finding.end + (key?.[0].length ?? 0) };
  }
  return { ...finding, end: finding.end + extensionAt(text, finding.end) };
}

const normalise = (text: string) => text.normalize('NFKC').trim().toLowerCase();

/** Whether a type of personal data was requested. */
function isWanted({ entities }: DetectorOptions, type: EntityType): boolean {
  return entities === 'all' || entities.includes(type);
}

function fromPatterns(options: DetectorOptions): Source {
  const types = patternTypes.filter((type) => isWanted(options, type));
  return (_text, view) => findByForm(view, types, options.minConfidence);
}

/** Finds values by form and by label, regardless of the language. */
function numberFinder(options: DetectorOptions): (view: TextView) => PiiFinding[] {
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
  const find = numberFinder(options);
  return (_text, view) => findAlternatives(view, find);
}

function fromTagger(options: DetectorOptions): Source {
  const types = taggedTypesFor(options);
  if (types.size === 0) return () => [];
  const prefersPeople = types.has('PERSON') && !types.has('ORGANIZATION');
  const tag = createTagger({ prefersPeople });
  return (text, view) => {
    const foreign = foreignLines(text);
    const labelled = labelledLines(view);
    let [lineIndex, labelIndex] = [0, 0];
    // All lists are sorted. A finding ends at the next line in a language that is not read, or at
    // the next label.
    return tag(withCells(text, view)).flatMap((finding) => {
      while (lineIndex < foreign.length && foreign[lineIndex]!.end <= finding.start) lineIndex += 1;
      while (labelIndex < labelled.length && labelled[labelIndex]! <= finding.start)
        labelIndex += 1;
      const nextForeignStart = foreign[lineIndex]?.start ?? text.length;
      const isLabel = finding.type !== 'ADDRESS' && labelled[labelIndex - 1] === finding.start;
      if (!types.has(finding.type) || nextForeignStart <= finding.start || isLabel) return [];
      const stop = Math.min(finding.end, nextForeignStart, labelled[labelIndex] ?? text.length);
      const end = finding.start + text.slice(finding.start, stop).trimEnd().length;
      const start = finding.type === 'PERSON' ? familyStart(text, finding.start) : finding.start;
      if (finding.type === 'PERSON')
        return [{ ...finding, ...wholeHandle(text, start, familyEnd(text, start, end)) }];
      const isRecognised = finding.type === 'ADDRESS' && view.recognised;
      return [
        { ...finding, ...(isRecognised ? withHouseNumber(text, { start, end }) : { start, end }) },
      ];
    });
  };
}

/** Returns the text with tabs between the fields of rows, over which no name or address extends. */
function withCells(text: string, { fieldEnds, original }: TextView): string {
  if (fieldEnds.length === 0) return text;
  const units = Buffer.from(text, 'utf16le');
  for (const at of fieldEnds) units.writeUInt16LE(0x09, original(at) * 2);
  return units.toString('utf16le');
}

/** Returns the requested types that are found by language. */
function taggedTypesFor(options: DetectorOptions): ReadonlySet<FoundType> {
  return new Set<FoundType>(taggedTypes.filter((type) => isWanted(options, type)));
}

/**
 * Returns the languages in a text in which names and addresses are not searched for, as ISO 639
 * codes, most frequent first. Empty if the options request neither names nor addresses.
 */
export function languagesNotCovered(text: string, options: DetectorOptions): string[] {
  return taggedTypesFor(options).size > 0 ? uncoveredLanguages(text) : [];
}

function fromLabels(options: DetectorOptions): Source {
  const types = new Set<FoundType>(entityNames.filter((type) => isWanted(options, type)));
  return (_text, view) => findLabelled(view, (type) => types.has(type));
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
