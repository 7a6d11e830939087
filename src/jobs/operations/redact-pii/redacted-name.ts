import type { FoundType } from '@scriptorium/contracts/documents/entities';
import type { FoundInName } from '@scriptorium/documents';
import { createMatcher } from '@scriptorium/documents/redact/matcher';
import { callOptionsOf } from '../calls.ts';
import type { StepWork } from '../operation.ts';
import { detectorOptionsOf } from './detector-options.ts';

type Value = { type: FoundType; value: string };

/** Capitalises every word: names in file names are often lower case. */
const capitalise = (text: string): string =>
  text.replace(/(?<!\p{L})\p{Ll}/gu, (letter) => {
    const capital = letter.toUpperCase();
    return capital.length === letter.length ? capital : letter;
  });

const findMs = 60_000;

/** The name for the output: that of the source, without the removed values and other personal data. */
export async function nameOfOutput(
  { engines, source, options, signal }: StepWork<'redact_pii'>,
  values: readonly Value[],
): Promise<string> {
  const name = source.filename;
  const found = await engines.findInName(
    { name, options: detectorOptionsOf(options) },
    callOptionsOf(source, findMs, signal),
  );
  return redactedName(name, values, found);
}

/**
 * A file name in which values removed from the file, and personal data found in the name, are
 * replaced by their types.
 */
export function redactedName(
  filename: string,
  values: readonly Value[],
  found: readonly FoundInName[] = [],
): string {
  const matcher = createMatcher(values);
  const hits = [filename, capitalise(filename)]
    .flatMap((reading) => matcher.find(reading))
    .map(({ start, end, value }) => ({ start, end, type: values[value]?.type ?? '' }))
    .concat(found)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let name = '';
  let from = 0;
  for (const { start, end, type } of hits) {
    if (start >= from) name += `${filename.slice(from, start)}${type}`;
    from = Math.max(from, end);
  }
  return name + filename.slice(from);
}
