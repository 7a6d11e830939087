import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Detector } from '@scriptorium/pii/finding';
import type { RedactionCheck } from '../contract/report.ts';
import { squeeze } from '../matching/canonical.ts';
import { createMatcher, deepMatchers, isSoughtEverywhere } from '../matching/matcher.ts';
import { barrier, type Texts } from './kind.ts';
import { detectInStream } from './redact.ts';
import type { KeptValue, RemovedValue } from './spans.ts';
import { type FileReading, joined } from './stream.ts';

/**
 * Replaces marks with the barrier, because the words of a mark (`ORGANIZATION`) may also be part of
 * a value.
 */
const withoutMarks = (text: string): string =>
  text.replace(/\[[A-Z][A-Z0-9_]*\]|#redacted|█+/g, barrier);

/** The parsed output, with its streams and all of its text in decoded form. */
export interface Opened {
  reading: FileReading;
  /** All text of the file in decoded form, by part. */
  texts: Texts;
  /** Descriptions, without values, of content that no output may contain. */
  strangers: string[];
}

/**
 * Runs all checks on the bytes of an output. Each check returns a verdict. An output that cannot be
 * opened fails.
 */
export function checkOutput(
  open: () => Opened,
  values: readonly RemovedValue[],
  detector: Detector,
  kept: readonly KeptValue[] = [],
): RedactionCheck[] {
  const opened = opens(open);
  if (opened === null) {
    return [verdict('reopened', false, 'The output cannot be opened again.')];
  }
  return [
    verdict('reopened', true, 'The output is well formed and was read again.'),
    structure(opened),
    strings(opened, values),
    detectedAgain(opened, values, detector),
    ...(kept.length > 0 ? [keptPlaces(opened, kept)] : []),
  ];
}

/**
 * Checks that removed values that people kept elsewhere do not occur more often than they were
 * kept.
 */
function keptPlaces({ reading }: Opened, kept: readonly KeptValue[]): RedactionCheck {
  const texts = reading.streams.map((of) => withoutMarks(joined(of)));
  const times = timesIn(kept, texts);
  const hits = kept.filter((value, at) => times[at]! > value.times).length;
  return verdict(
    'kept_places',
    hits === 0,
    hits === 0
      ? `${pluralise(kept.length, 'removed value')} ${kept.length === 1 ? 'stands' : 'stand'} only where the reviewers kept ${kept.length === 1 ? 'it' : 'them'}.`
      : `${pluralise(hits, 'removed value')} ${hits === 1 ? 'stands' : 'stand'} in more places than the reviewers kept.`,
  );
}

/** Counts how often each value occurs in texts. */
export function timesIn(values: readonly RemovedValue[], texts: readonly string[]): number[] {
  const times = values.map(() => 0);
  const matcher = createMatcher(values);
  for (const text of texts) for (const { value } of matcher.find(text)) times[value]! += 1;
  return times;
}

const verdict = (name: string, passed: boolean, detail: string): RedactionCheck => ({
  name,
  passed,
  detail,
  pages: [],
});

function opens(open: () => Opened): Opened | null {
  try {
    return open();
  } catch {
    // The output is invalid, regardless of the type of error.
    return null;
  }
}

function structure({ strangers }: Opened): RedactionCheck {
  const detail =
    strangers.length > 0
      ? `Not on the list of what may be in the file: ${strangers.slice(0, 5).join(', ')}.`
      : 'Everything in the file is on the list of what it may contain.';
  return verdict('structure', strangers.length === 0, detail);
}

/**
 * Checks that no removed value occurs in the file, in any case or encoding and with any separators.
 */
function strings(opened: Opened, values: readonly RemovedValue[]): RedactionCheck {
  const texts = [
    ...opened.texts.shown.map((text) => ({ text: withoutMarks(text), shown: true })),
    ...opened.texts.hidden.map((text) => ({ text: withoutMarks(text), shown: false })),
    ...opened.reading.streams.map((of) => {
      return { text: withoutMarks(joined(of)), shown: of.page !== null };
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
  return verdict(
    'strings',
    hits === 0,
    hits === 0
      ? `Searched ${pluralise(searched, 'character')} for ${pluralise(values.length, 'removed value')}.${rest}`
      : `Removed values remain in ${pluralise(hits, 'part')} of the file.`,
  );
}

/** Checks that the detector, run on the output, finds none of the removed values. */
function detectedAgain(
  opened: Opened,
  values: readonly RemovedValue[],
  detector: Detector,
): RedactionCheck {
  const removed = new Set(values.map(({ value }) => squeeze(value)));
  let hits = 0;
  let found = 0;
  for (const of of opened.reading.streams) {
    if (!of.detect) continue;
    for (const { value } of detectInStream(of, detector)) {
      found += 1;
      const rest = withoutMarks(value).replaceAll('ʘ', '');
      if (isSoughtEverywhere(rest) && removed.has(squeeze(rest))) hits += 1;
    }
  }
  return verdict(
    'detector',
    hits === 0,
    hits === 0
      ? `None of the removed values was detected again${found > 0 ? ` (${pluralise(found, 'other finding')})` : ''}.`
      : `The detector finds ${pluralise(hits, 'removed value')} in the output.`,
  );
}
