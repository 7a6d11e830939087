import { rm, writeFile } from 'node:fs/promises';
import type { TextPiece } from '@scriptorium/contracts/documents/shown-text';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { languagesNotCovered } from '@scriptorium/pii';
import type { Detector, DetectorOptions } from '@scriptorium/pii/finding';
import { writeJsonLines } from '../../files/json-lines.ts';
import type { RedactionCheck } from '../contract/report.ts';
import type {
  FindInKindRequest,
  FoundInKind,
  FoundPlace,
  ReadInKindRequest,
  RedactedInKind,
  RedactInKindRequest,
  TextInKind,
} from '../contract/requests.ts';
import { checkOutput, type OpenedOutput } from './checks.ts';
import { readDecidedRemovals } from './decided-removals.ts';
import { readEmbeddedPlans } from './embedded/plans.ts';
import { readProvenFiles } from './embedded/proven.ts';
import { findingsIn, openFile } from './open.ts';
import { applyRemovals, blackBox, findRemovals, label, type Removals } from './redact.ts';
import {
  createLocationFinder,
  digestOf,
  piecesOf,
  type ShownPage,
  shownPages,
  shownRange,
} from './shown/pages.ts';
import { type FileReading, replacedTexts, streamText } from './stream.ts';

/**
 * Redacts a file without pages in its own format, and checks the output.
 * `outPath` exists afterwards only if every check passed.
 * @throws EngineError if the file is empty, too large, damaged or of an unsupported type
 */
export async function redactInKind(
  request: RedactInKindRequest,
  detector: Detector,
): Promise<RedactedInKind> {
  const { path, mime, options, style, outPath, decided } = request;
  const proven = await readProvenFiles(request.embedded ?? []);
  const { kind, reading } = await openFile(path, mime, proven);
  const notCovered = languagesByPage(reading, options);
  const removals = decided
    ? await readDecidedRemovals(reading, decided)
    : await findUnlessKept(reading, detector, request);
  if (!removals) return differentTextResult;
  const removed = applyRemovals(reading, removals, style === 'blackbox' ? () => blackBox : label);
  const bytes = reading.write();
  const openOutput = (): OpenedOutput => ({
    reading: kind.read(bytes),
    texts: kind.textsOf(bytes),
    disallowed: kind.disallowedIn(bytes, proven.isProven),
  });
  const checks = [
    ...checkOutput(openOutput, removed.values, detector, removals.kept),
    checkPictures(reading.pictures, proven.used()),
  ];
  // An output that failed a check is deleted.
  if (checks.every(({ passed }) => passed)) await writeFile(outPath, bytes);
  else await rm(outPath, { force: true });
  return {
    removals: removed.places,
    pages: removed.pages,
    checks,
    embedded: proven.used(),
    picturesReplaced: reading.pictures,
    dropped: reading.dropped ?? [],
    notCovered,
  };
}

/**
 * The result if the text differs from the text that people reviewed. Nothing can be removed in this
 * case.
 */
const differentTextResult: RedactedInKind = {
  removals: [],
  pages: [],
  checks: [
    {
      name: 'reviewed_text',
      passed: false,
      detail: 'The text of the file differs from the text that people reviewed.',
      pages: [],
    },
  ],
  embedded: { kept: 0, redacted: 0 },
  picturesReplaced: 0,
  dropped: [],
  notCovered: [],
};

/**
 * Finds the content that `redactInKind` would remove from a file, and writes the text of the file
 * for review.
 * @throws EngineError if the file is empty, too large, damaged or of an unsupported type
 */
export async function findInKind(
  request: FindInKindRequest,
  detector: Detector,
): Promise<FoundInKind> {
  const { path, mime, textFile, findingsFile } = request;
  const { reading } = await openFile(path, mime);
  const shown = shownPages(reading);
  const removals = await findUnlessKept(reading, detector, request);
  const places = placesIn(reading, shown, removals);
  await writeJsonLines(findingsFile, places);
  await writeJsonLines(textFile, piecesOfAll(shown));
  return { findings: places.length, digest: digestOf(shown) };
}

/**
 * Reads the text of a file as `findInKind` does, without finding anything.
 * @throws EngineError if the file is empty, too large, damaged or of an unsupported type
 */
export async function readInKind({ path, mime, textFile }: ReadInKindRequest): Promise<TextInKind> {
  const shown = shownPages((await openFile(path, mime)).reading);
  await writeJsonLines(textFile, piecesOfAll(shown));
  return { digest: digestOf(shown) };
}

type FindOptions = Pick<
  FindInKindRequest,
  'options' | 'keepRecipients' | 'external' | 'embeddedPlans'
>;

/**
 * Finds the content that must be removed from a file, except for recipients that are kept.
 * @throws EngineError if another recogniser searched a different text
 */
async function findUnlessKept(
  reading: FileReading,
  detector: Detector,
  request: FindOptions,
): Promise<Removals> {
  const { findings, allowList } = await findingsIn(reading, detector, request);
  const elsewhere = await readEmbeddedPlans(request.embeddedPlans);
  return findRemovals(reading, findings, allowList, elsewhere);
}

function* piecesOfAll(shown: readonly ShownPage[]): Generator<TextPiece> {
  for (const page of shown) yield* piecesOf(page);
}

/** Returns the findings, located in the text of the pages. */
function placesIn(
  { streams }: FileReading,
  shown: readonly ShownPage[],
  { spans }: Removals,
): FoundPlace[] {
  return shown.flatMap((page) => {
    const locate = createLocationFinder(page);
    return page.sections.flatMap(({ stream }) => {
      const streamSpans = spans[stream] ?? [];
      const values = replacedTexts(streams[stream]!, streamSpans);
      return streamSpans.flatMap(({ type, score, ...range }, at): FoundPlace[] => {
        const value = values[at];
        const place = shownRange(page, stream, range);
        if (!value || !place) return [];
        const location = locate(place.start);
        return [{ type, score, value, page: page.page, ...place, location }];
      });
    });
  });
}

/**
 * Returns, for each page, the languages of its visible text in which names are not searched for.
 */
function languagesByPage({ pages, streams }: FileReading, options: DetectorOptions): string[][] {
  const texts = Array.from({ length: pages }, (): string[] => []);
  for (const stream of streams)
    if (stream.page !== null) texts[stream.page - 1]?.push(streamText(stream));
  return texts.map((page) => languagesNotCovered(page.join('\n'), options));
}

function checkPictures(
  replaced: number,
  { kept, redacted }: RedactedInKind['embedded'],
): RedactionCheck {
  const parts = [
    ...(redacted > 0 ? [`redacted ${redacted}`] : []),
    ...(kept > 0 ? [`kept ${kept} in which nothing was found`] : []),
    ...(replaced > 0 ? [`replaced or removed ${pluralise(replaced, 'picture')}`] : []),
  ];
  const detail =
    parts.length === 0
      ? 'The file has no pictures.'
      : `Of the pictures and PDF files inside the file: ${parts.join(', ')}.`;
  return { name: 'pictures', passed: true, detail, pages: [] };
}
