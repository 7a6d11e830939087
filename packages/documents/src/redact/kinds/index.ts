import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { TextPiece } from '@scriptorium/contracts/documents/shown-text';
import { isUnpaged, sources, type UnpagedKind } from '@scriptorium/contracts/documents/sources';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { languagesNotCovered } from '@scriptorium/pii';
import type { Detector, DetectorOptions } from '@scriptorium/pii/finding';
import { EngineError } from '@scriptorium/sandbox/errors';
import { readJsonLines, writeJsonLines } from '../../files/json-lines.ts';
import { isDecidedPlace } from '../contract/guards.ts';
import type { RedactionCheck } from '../contract/report.ts';
import type {
  DecidedInKind,
  DecidedPlace,
  FindInKindRequest,
  FoundInKind,
  FoundPlace,
  ReadInKindRequest,
  RedactedInKind,
  RedactInKindRequest,
  TextInKind,
} from '../contract/requests.ts';
import { checkOutput, type OpenedOutput } from './checks.ts';
import { decidedRemovals } from './decided-removals.ts';
import { externalFindings } from './external.ts';
import type { RedactableKind } from './kind.ts';
import { recipientTest, valuesOfRecipients, withoutRecipients } from './recipients.ts';
import { applyRemovals, blackBox, findRemovals, label, type Removals } from './redact.ts';
import {
  createLocationFinder,
  digestOf,
  piecesOf,
  type ShownPage,
  shownPages,
  shownRange,
} from './shown/pages.ts';
import { addCharacters, type FileReading, replacedTexts, streamText } from './stream.ts';

/** The implementation of each kind, which is loaded for its first file. */
const kinds: Record<UnpagedKind, () => Promise<RedactableKind>> = {
  text: async () => (await import('./plain/kinds.ts')).textKind,
  json: async () => (await import('./plain/kinds.ts')).jsonKind,
  xml: async () => (await import('./xml/kind.ts')).xmlKind,
  svg: async () => (await import('./xml/svg.ts')).svgKind,
  csv: async () => (await import('./plain/kinds.ts')).csvKind,
  markdown: async () => (await import('./plain/kinds.ts')).markdownKind,
  html: async () => (await import('./html/kind.ts')).htmlKind,
  docx: async () => (await import('./docx/kind.ts')).docxKind,
  xlsx: async () => (await import('./xlsx/kind.ts')).xlsxKind,
  pptx: async () => (await import('./pptx/kind.ts')).pptxKind,
  epub: async () => (await import('./epub/kind.ts')).epubKind,
  odt: async () => (await import('./odf/kind.ts')).odtKind,
  ods: async () => (await import('./odf/kind.ts')).odsKind,
  odp: async () => (await import('./odf/kind.ts')).odpKind,
  mail: async () => (await import('./mail/kind.ts')).mailKind,
  rtf: async () => (await import('./rtf/kind.ts')).rtfKind,
};

const maxBytes = 100 * 2 ** 20;

async function openFile(
  path: string,
  mime: string,
): Promise<{ kind: RedactableKind; reading: FileReading }> {
  if (!isUnpaged(mime)) {
    throw new EngineError('unsupported', `A file of type ${mime} cannot be redacted.`);
  }
  const { size } = await stat(path);
  if (size === 0) throw new EngineError('empty', 'The file is empty.');
  if (size > maxBytes) {
    throw new EngineError('too_large', 'The file is larger than 100 MiB.');
  }
  const kind = await kinds[sources[mime].kind]();
  const reading = kind.read(await readFile(path));
  reading.streams.reduce(addCharacters, 0);
  return { kind, reading };
}

/**
 * Redacts a file without pages in its own format, and checks the output.
 * `outPath` exists afterwards only if every check passed.
 * @throws EngineError if the file is empty, too large, damaged or of an unsupported type
 */
export async function redactInKind(
  { path, mime, options, keepRecipients, style, outPath, decided, external }: RedactInKindRequest,
  detector: Detector,
): Promise<RedactedInKind> {
  const { kind, reading } = await openFile(path, mime);
  const notCovered = languagesByPage(reading, options);
  const removals = decided
    ? await readDecidedRemovals(reading, decided)
    : await findUnlessKept(reading, detector, { options, keepRecipients, external });
  if (!removals) return differentTextResult;
  const removed = applyRemovals(reading, removals, style === 'blackbox' ? () => blackBox : label);
  const bytes = reading.write();
  const openOutput = (): OpenedOutput => ({
    reading: kind.read(bytes),
    texts: kind.textsOf(bytes),
    disallowed: kind.disallowedIn(bytes),
  });
  const checks = [
    ...checkOutput(openOutput, removed.values, detector, removals.kept),
    checkPictures(reading.pictures),
  ];
  // An output that failed a check is deleted.
  if (checks.every(({ passed }) => passed)) await writeFile(outPath, bytes);
  else await rm(outPath, { force: true });
  return {
    removals: removed.places,
    pages: removed.pages,
    checks,
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
  picturesReplaced: 0,
  dropped: [],
  notCovered: [],
};

/**
 * Returns the removals that people decided. Null if the text that they reviewed differs from the
 * text of the file.
 */
async function readDecidedRemovals(
  reading: FileReading,
  { decisionsFile, digest }: DecidedInKind,
): Promise<Removals | null> {
  const shown = shownPages(reading);
  if (digestOf(shown) !== digest) return null;
  const decisions: DecidedPlace[] = [];
  for await (const place of readJsonLines(decisionsFile, isDecidedPlace)) decisions.push(place);
  return decidedRemovals(reading, shown, decisions);
}

/**
 * Finds the content that `redactInKind` would remove from a file, and writes the text of the file
 * for review.
 * @throws EngineError if the file is empty, too large, damaged or of an unsupported type
 */
export async function findInKind(
  { path, mime, options, keepRecipients, external, textFile, findingsFile }: FindInKindRequest,
  detector: Detector,
): Promise<FoundInKind> {
  const { reading } = await openFile(path, mime);
  const shown = shownPages(reading);
  const removals = await findUnlessKept(reading, detector, { options, keepRecipients, external });
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

/**
 * Finds the content that must be removed from a file, except for recipients that are kept.
 * @throws EngineError if another recogniser searched a different text
 */
async function findUnlessKept(
  reading: FileReading,
  detector: Detector,
  {
    options: { allowList },
    keepRecipients = false,
    external,
  }: Pick<FindInKindRequest, 'options' | 'keepRecipients' | 'external'>,
): Promise<Removals> {
  const recipients = keepRecipients ? (reading.recipients ?? []) : [];
  const places = external ? await externalFindings(reading, external) : [];
  const isKept = recipientTest(recipients);
  return findRemovals(
    reading,
    withoutRecipients(detector, recipients),
    [...allowList, ...valuesOfRecipients(recipients)],
    places.map((spans) => spans.filter(({ value }) => !isKept(value))),
  );
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

const checkPictures = (count: number): RedactionCheck => ({
  name: 'pictures',
  passed: true,
  detail:
    count === 0
      ? 'The file has no pictures.'
      : `Replaced or removed ${pluralise(count, 'picture')}, because text in pictures cannot be read in this format.`,
  pages: [],
});
