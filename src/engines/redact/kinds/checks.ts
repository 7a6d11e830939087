import type { Detector } from '../../pii/finding.ts';
import { squeeze } from '../check/canonical.ts';
import { deepMatchers, isSoughtEverywhere } from '../check/matcher.ts';
import type { Check } from '../plan.ts';
import type { Texts } from './index.ts';
import { detect } from './redact.ts';
import type { Value } from './spread.ts';
import { joined, type Reading } from './stream.ts';

/** A letter that no value holds: keeps apart what a mark stood between. */
export const barrier = ' ʘ ';

/** What the marks say is not searched: `ORGANIZATION` may be somebody's word as well. */
const withoutMarks = (text: string): string =>
  text.replace(/\[[A-Z][A-Z0-9_]*\]|#redacted|█+/g, barrier);

/** The output opened again: what it reads as, and everything in it in clear. */
export interface Opened {
  reading: Reading;
  /** All text of the file, decoded, part by part. */
  texts: Texts;
  /** What is in the file and may not be, in words without values. */
  strangers: string[];
}

/** Runs all checks on the bytes of an output. Every one gives a verdict; an output that cannot be opened fails. */
export function checkOutput(
  open: () => Opened,
  values: readonly Value[],
  detector: Detector,
): Check[] {
  const opened = opens(open);
  if (opened === null) {
    return [verdict('reopened', false, 'What was written cannot be opened again.')];
  }
  return [
    verdict('reopened', true, 'What was written is well formed and was read again.'),
    structure(opened),
    strings(opened, values),
    detectedAgain(opened, values, detector),
  ];
}

const verdict = (name: string, passed: boolean, detail: string): Check => ({
  name,
  passed,
  detail,
  pages: [],
});

function opens(open: () => Opened): Opened | null {
  try {
    return open();
  } catch {
    // Whatever it is, the output is not what it should be.
    return null;
  }
}

function structure({ strangers }: Opened): Check {
  const detail =
    strangers.length > 0
      ? `Not on the list of what may be in the file: ${strangers.slice(0, 5).join(', ')}.`
      : 'All parts are on the list of what may be in the file.';
  return verdict('structure', strangers.length === 0, detail);
}

/** No removed value in anything that is in the file, in whatever case, encoding and with whatever separators. */
function strings(opened: Opened, values: readonly Value[]): Check {
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
  const rest = short > 0 ? ` ${short} are too short to be told from other text.` : '';
  return verdict(
    'strings',
    hits === 0,
    hits === 0
      ? `${values.length} removed values were looked for in ${searched} characters.${rest}`
      : `Removed values still stand in ${hits} parts of the file.`,
  );
}

/** The detector, run on the output, finds nothing that was removed. */
function detectedAgain(opened: Opened, values: readonly Value[], detector: Detector): Check {
  const removed = new Set(values.map(({ value }) => squeeze(value)));
  let hits = 0;
  let found = 0;
  for (const of of opened.reading.streams) {
    if (!of.detect) continue;
    for (const { value } of detect(of, detector)) {
      found += 1;
      const rest = withoutMarks(value).replaceAll('ʘ', '');
      if (isSoughtEverywhere(rest) && removed.has(squeeze(rest))) hits += 1;
    }
  }
  return verdict(
    'detector',
    hits === 0,
    hits === 0
      ? `The detector was run on the output; of its ${found} findings none was removed before.`
      : `The detector finds ${hits} removed values in the output.`,
  );
}
