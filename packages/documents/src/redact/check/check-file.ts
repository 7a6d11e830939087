import { readFile } from 'node:fs/promises';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { EngineError } from '@scriptorium/sandbox/errors';
import type { RedactionCheck, RemovalReport } from '../contract/report.ts';
import type { CheckRequest } from '../contract/requests.ts';
import { type DeepMatcher, deepMatchers, type SoughtValue } from '../matching/matcher.ts';
import { readClaim, removedValues } from './claim.ts';
import { type ParsedFile, parseFile } from './file/parse.ts';
import { findPictureMetadata } from './file/picture-metadata.ts';
import { searchStreams } from './file/streams.ts';
import { pagesReferringTo, type StructureFault, walkStructure } from './file/structure.ts';
import { ParseFault } from './file/syntax.ts';
import { describeMetadata } from './metadata.ts';
import { type CheckFailure, createVerdict } from './verdict.ts';

/**
 * Checks a redacted file as a whole, byte for byte. A failure that concerns only some pages names
 * them, so that only those are left empty. A file that cannot be read fails every check.
 */
export async function checkFile({
  path,
  mime,
  reportFile,
}: CheckRequest): Promise<RedactionCheck[]> {
  const { report } = await readClaim(reportFile);
  const bytes = await readFile(path);
  if (mime !== 'application/pdf') return checkPictureFile(bytes, mime, report);
  let file: ParsedFile;
  try {
    file = parseFile(bytes);
  } catch (error) {
    if (!(error instanceof ParseFault)) throw error;
    const unread: CheckFailure[] = [{ detail: error.message, page: null }];
    return ['structure', 'streams', 'picture_metadata'].map((name) =>
      createVerdict(name, unread, ''),
    );
  }
  const structure = walkStructure(file);
  const { pages } = structure;
  const failures = (faults: readonly StructureFault[]): CheckFailure[] =>
    faults.flatMap((fault) => failuresOf(file, pages, fault));
  const search = searchStreams(file, structure, removedValues(report));
  const pictures = findPictureMetadata(file, structure.roles);
  const wrongPages: CheckFailure[] =
    pages.length === report.pages.length
      ? []
      : [{ detail: 'The file does not have the expected pages.', page: null }];
  const objects = pluralise(file.objects.size, 'object');
  return [
    createVerdict(
      'structure',
      [...wrongPages, ...failures([...structure.faults, ...search.replacementTextFaults])],
      `One revision with ${objects} on ${pluralise(pages.length, 'page')}, without hidden content.`,
    ),
    createVerdict(
      'streams',
      failures(search.faults),
      `Searched ${pluralise(search.streamCount, 'stream')} and all strings of ${objects}.`,
    ),
    createVerdict(
      'picture_metadata',
      failures(pictures.faults),
      pictures.pictureCount === 0
        ? 'The file has no pictures.'
        : `Searched ${pluralise(pictures.pictureCount, 'picture')}.`,
    ),
  ];
}

/** Returns a failure for each page that refers to the faulty object. */
function failuresOf(
  file: ParsedFile,
  pages: readonly number[],
  { detail, object }: StructureFault,
): CheckFailure[] {
  const faultyPages = object === undefined ? [] : pagesReferringTo(file, pages, object);
  const text = detail.endsWith('.') ? detail : `${detail}.`;
  return faultyPages.length === 0
    ? [{ detail: text, page: null }]
    : faultyPages.map((page) => ({ detail: text, page }));
}

const pictureKinds = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
] as const);

/** Checks that the bytes of a picture file contain only pixels, and none of the values. */
function checkPictureFile(
  bytes: Uint8Array,
  mime: string,
  { values }: RemovalReport,
): RedactionCheck[] {
  const kind = [...pictureKinds].find(([known]) => known === mime)?.[1];
  if (!kind) throw new EngineError('unsupported', `A redacted ${mime} cannot be checked.`);
  const metadata = describeMetadata(kind, bytes);
  const sought = firstIn(values, (matcher) => matcher.inBytes(bytes));
  return [
    createVerdict(
      'picture_metadata',
      metadata ? [{ detail: metadata, page: 1 }] : [],
      'Searched 1 picture.',
    ),
    createVerdict(
      'streams',
      sought ? [{ detail: `${sought.type} in the bytes of the file.`, page: null }] : [],
      'Searched all bytes of the picture.',
    ),
  ];
}

/** Returns the first value found by any of the matchers. */
function firstIn(
  values: readonly SoughtValue[],
  search: (matcher: DeepMatcher) => SoughtValue | undefined,
): SoughtValue | undefined {
  for (const matcher of deepMatchers(values)) {
    const sought = search(matcher);
    if (sought) return sought;
  }
  return undefined;
}
