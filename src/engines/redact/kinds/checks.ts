import type { Detector } from '../../pii/finding.ts';
import type { Check } from '../plan.ts';
import { detect } from './redact.ts';
import { compact, createSpread, isTelling, type Value } from './spread.ts';
import { joined, type Reading, type Span } from './stream.ts';

/** A letter that no value holds: keeps apart what a mark stood between. */
const barrier = ' ʘ ';

/** What the marks say is not searched: `ORGANIZATION` may be somebody's word as well. */
const withoutMarks = (text: string): string =>
  text.replace(/\[[A-Z][A-Z0-9_]*\]|#redacted|█+/g, barrier);

/** The output opened again: what it reads as, and everything in it in clear. */
export interface Opened {
  reading: Reading;
  /** All text of the file, decoded, part by part. */
  texts: Iterable<string>;
  /** What is in the file and may not be, in words without values. */
  strangers: string[];
}

/** Runs all checks on the bytes of an output. Every one gives a verdict; an output that cannot be opened fails. */
export function checkOutput(
  open: () => Opened,
  values: readonly Value[],
  detector: Detector,
  allowList: readonly string[],
): Check[] {
  const opened = opens(open);
  if (opened === null) {
    return [verdict('reopened', false, 'What was written cannot be opened again.')];
  }
  return [
    verdict('reopened', true, 'What was written is well formed and was read again.'),
    structure(opened),
    strings(opened, values, allowList),
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

/** No removed value in anything that is in the file, decoded, in whatever case and with whatever separators. */
function strings(opened: Opened, values: readonly Value[], allowList: readonly string[]): Check {
  const find = createSpread(
    values.map(({ value }) => ({ value, type: 'CUSTOM_WHOLE' as const })),
    allowList,
  );
  const left = (text: string): Span[] => find(withoutMarks(text));
  let hits = 0;
  let searched = 0;
  for (const text of opened.texts) {
    searched += text.length;
    hits += left(text).length;
  }
  for (const of of opened.reading.streams) hits += left(joined(of)).length;
  const short = values.filter(({ value }) => !isTelling(value)).length;
  const rest = short > 0 ? ` ${short} are too short to be told from other text.` : '';
  return verdict(
    'strings',
    hits === 0,
    hits === 0
      ? `${values.length} removed values were looked for in ${searched} characters.${rest}`
      : `Removed values still stand in ${hits} places.`,
  );
}

/** The detector, run on the output, finds nothing that was removed. */
function detectedAgain(opened: Opened, values: readonly Value[], detector: Detector): Check {
  const removed = new Set(values.map(({ value }) => compact(value)));
  removed.delete('');
  let hits = 0;
  let found = 0;
  for (const of of opened.reading.streams) {
    if (!of.detect) continue;
    for (const { value } of detect(of, detector)) {
      found += 1;
      const rest = compact(withoutMarks(value).replaceAll('ʘ', ''));
      if (removed.has(rest) && isTelling(value)) hits += 1;
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
