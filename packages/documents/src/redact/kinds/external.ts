import { EngineError } from '@scriptorium/sandbox/errors';
import { readJsonLines } from '../../files/json-lines.ts';
import { isExternalPlace } from '../contract/guards.ts';
import type { ExternalInKind } from '../contract/requests.ts';
import type { FoundSpan } from './detect.ts';
import { digestOf, rawRanges, shownPages } from './shown/pages.ts';
import { mergeSpans } from './spans.ts';
import { type FileReading, replacedTexts } from './stream.ts';

/**
 * Returns the findings of another recogniser by stream, in order and without overlap. Generated names
 * and ids have none.
 * @throws EngineError if it searched a different text
 */
export async function externalFindings(
  reading: FileReading,
  { placesFile, digest }: ExternalInKind,
): Promise<FoundSpan[][]> {
  const shown = shownPages(reading);
  if (digestOf(shown) !== digest) {
    throw new EngineError(
      'invalid_argument',
      'The text of the file differs from the text that the external recogniser searched.',
    );
  }
  const pages = new Map(shown.map((page) => [page.page, page]));
  const spans: Omit<FoundSpan, 'value'>[][] = reading.streams.map(() => []);
  for await (const { page, start, end, type, score } of readJsonLines(
    placesFile,
    isExternalPlace,
  )) {
    const shownPage = pages.get(page);
    for (const { stream, ...range } of shownPage ? rawRanges(shownPage, start, end) : []) {
      if (reading.streams[stream]!.detect) spans[stream]!.push({ ...range, type, score });
    }
  }
  return spans.map((found, at) => {
    const merged = mergeSpans(found, []);
    const values = replacedTexts(reading.streams[at]!, merged);
    return merged.flatMap((span, index) => {
      const value = values[index];
      return value ? [{ ...span, value }] : [];
    });
  });
}
