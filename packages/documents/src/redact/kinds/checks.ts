import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Detector } from '@scriptorium/pii/finding';
import type { RedactionCheck } from '../contract/report.ts';
import { foldText } from '../matching/canonical.ts';
import { createMatcher, deepMatchers, isSoughtEverywhere } from '../matching/matcher.ts';
import { detectInStream } from './detect.ts';
import { type Texts, textSeparator } from './kind.ts';
import type { KeptValue, RemovedValue } from './spans.ts';
import { type FileReading, streamText } from './stream.ts';

/**
 * Replaces marks with the text separator, because the words of a mark (`ORGANIZATION`) may also be
 * part of a value.
 */
const withoutMarks = (text: string): string =>
  text.replace(/\[[A-Z][A-Z0-9_]*\]|#redacted|█+/g, textSeparator);

/** The parsed output, with its streams and all of its text in decoded form. */
export interface OpenedOutput {
  reading: FileReading;
  /** All text of the file in decoded form, by part. */
  texts: Texts;
  /** Descriptions, without values, of content that no output may contain. */
  disallowed: string[];
}

/**
 * Runs all checks on the bytes of an output. Each check returns a verdict. An output that cannot be
 * opened fails.
 */
export function checkOutput(
  open: () => OpenedOutput,
  values: readonly RemovedValue[],
  detector: Detector,
  kept: readonly KeptValue[] = [],
): RedactionCheck[] {
  const opened = tryOpen(open);
  if (opened === null) {
    return [checkResult('reopened', false, 'The output cannot be opened again.')];
  }
  return [
    checkResult('reopened', true, 'The output is well formed and was read again.'),
    checkStructure(opened),
    checkStrings(opened, values),
    checkDetector(opened, values, detector),
    ...(kept.length > 0 ? [checkKeptPlaces(opened, kept)] : []),
  ];
}

/**
 * Checks that removed values that people kept elsewhere do not occur more often than they were
 * kept.
 */
function checkKeptPlaces({ reading }: OpenedOutput, kept: readonly KeptValue[]): RedactionCheck {
  const texts = reading.streams.map((stream) => withoutMarks(streamText(stream)));
  const counts = countOccurrences(kept, texts);
  const hits = kept.filter((value, at) => counts[at]! > value.count).length;
  return checkResult(
    'kept_places',
    hits === 0,
    hits === 0
      ? `${pluralise(kept.length, 'removed value')} ${kept.length === 1 ? 'occurs' : 'occur'} only where the reviewers kept ${kept.length === 1 ? 'it' : 'them'}.`
      : `${pluralise(hits, 'removed value')} ${hits === 1 ? 'occurs' : 'occur'} in more places than the reviewers kept.`,
  );
}

/** Counts how often each value occurs in texts. */
export function countOccurrences(
  values: readonly RemovedValue[],
  texts: readonly string[],
): number[] {
  const counts = values.map(() => 0);
  const matcher = createMatcher(values);
  for (const text of texts) for (const { value } of matcher.find(text)) counts[value]! += 1;
  return counts;
}

const checkResult = (name: string, passed: boolean, detail: string): RedactionCheck => ({
  name,
  passed,
  detail,
  pages: [],
});

function tryOpen(open: () => OpenedOutput): OpenedOutput | null {
  try {
    return open();
  } catch {
    // The output is invalid, regardless of the type of error.
    return null;
  }
}

function checkStructure({ disallowed }: OpenedOutput): RedactionCheck {
  const detail =
    disallowed.length > 0
      ? `The file contains content that is not allowed: ${disallowed.slice(0, 5).join(', ')}.`
      : 'The file contains only allowed content.';
  return checkResult('structure', disallowed.length === 0, detail);
}

/**
 * Checks that no removed value occurs in the file, in any case or encoding and with any separators.
 */
function checkStrings(opened: OpenedOutput, values: readonly RemovedValue[]): RedactionCheck {
  const texts = [
    ...opened.texts.shown.map((text) => ({ text: withoutMarks(text), shown: true })),
    ...opened.texts.hidden.map((text) => ({ text: withoutMarks(text), shown: false })),
    ...opened.reading.streams.map((stream) => {
      return { text: withoutMarks(streamText(stream)), shown: stream.page !== null };
    }),
  ];
  const searched = texts.reduce((sum, { text }) => sum + text.length, 0);
  let hits = 0;
  for (const matcher of deepMatchers(values)) {
    for (const { text, shown } of texts) {
      if (shown ? matcher.inText(text) : matcher.inHiddenText(text)) hits += 1;
    }
  }
  const short = values.filter(({ value }) => !isSoughtEverywhere(value)).length;
  const rest = short > 0 ? ` Too short to be searched for: ${short}.` : '';
  return checkResult(
    'strings',
    hits === 0,
    hits === 0
      ? `Searched ${pluralise(searched, 'character')} for ${pluralise(values.length, 'removed value')}.${rest}`
      : `Removed values remain in ${pluralise(hits, 'part')} of the file.`,
  );
}

/** Checks that the detector, run on the output, finds none of the removed values. */
function checkDetector(
  opened: OpenedOutput,
  values: readonly RemovedValue[],
  detector: Detector,
): RedactionCheck {
  const removed = new Set(values.map(({ value }) => foldText(value)));
  let hits = 0;
  let findingCount = 0;
  for (const stream of opened.reading.streams) {
    if (!stream.detect) continue;
    for (const { value } of detectInStream(stream, detector)) {
      findingCount += 1;
      const rest = withoutMarks(value).replaceAll('ʘ', '');
      if (isSoughtEverywhere(rest) && removed.has(foldText(rest))) hits += 1;
    }
  }
  return checkResult(
    'detector',
    hits === 0,
    hits === 0
      ? `None of the removed values was detected again${findingCount > 0 ? ` (${pluralise(findingCount, 'other finding')})` : ''}.`
      : `The detector finds ${pluralise(hits, 'removed value')} in the output.`,
  );
}
