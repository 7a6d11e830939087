import { readFile } from 'node:fs/promises';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { EngineError } from '@scriptorium/sandbox/errors';
import type { RedactionCheck, RemovalReport } from '../contract/report.ts';
import type { CheckRequest } from '../contract/requests.ts';
import { type DeepMatcher, deepMatchers, type Sought } from '../matching/matcher.ts';
import { goneFrom, readClaim } from './claim.ts';
import { type ParsedFile, parseFile } from './file/parse.ts';
import { findPictureMetadata } from './file/pictures.ts';
import { searchStreams } from './file/streams.ts';
import { pagesWith, type StructureFault, walkStructure } from './file/structure.ts';
import { ParseFault } from './file/syntax.ts';
import { metadataIn } from './metadata.ts';
import { type CheckFailure, verdict } from './verdict.ts';

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
    return ['structure', 'streams', 'picture_metadata'].map((name) => verdict(name, unread, ''));
  }
  const structure = walkStructure(file);
  const { pages } = structure;
  const failures = (faults: readonly StructureFault[]): CheckFailure[] =>
    faults.flatMap((fault) => placed(file, pages, fault));
  const search = searchStreams(file, structure, goneFrom(report));
  const pictures = findPictureMetadata(file, structure.roles);
  const wrongPages: CheckFailure[] =
    pages.length === report.pages.length
      ? []
      : [{ detail: 'The file does not have the expected pages.', page: null }];
  const objects = pluralise(file.objects.size, 'object');
  return [
    verdict(
      'structure',
      [...wrongPages, ...failures([...structure.faults, ...search.speaking])],
      `One revision with ${objects} on ${pluralise(pages.length, 'page')}, without hidden content.`,
    ),
    verdict(
      'streams',
      failures(search.faults),
      `Searched ${pluralise(search.streams, 'stream')} and all strings of ${objects}.`,
    ),
    verdict(
      'picture_metadata',
      failures(pictures.faults),
      pictures.pictures === 0
        ? 'The file has no pictures.'
        : `Searched ${pluralise(pictures.pictures, 'picture')}.`,
    ),
  ];
}

/** Returns a failure for each page that refers to the faulty object. */
function placed(
  file: ParsedFile,
  pages: readonly number[],
  { detail, object }: StructureFault,
): CheckFailure[] {
  const on = object === undefined ? [] : pagesWith(file, pages, object);
  const text = detail.endsWith('.') ? detail : `${detail}.`;
  return on.length === 0
    ? [{ detail: text, page: null }]
    : on.map((page) => ({ detail: text, page }));
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
  const metadata = metadataIn(kind, bytes);
  const sought = firstIn(values, (matcher) => matcher.inBytes(bytes));
  return [
    verdict(
      'picture_metadata',
      metadata ? [{ detail: metadata, page: 1 }] : [],
      'Searched 1 picture.',
    ),
    verdict(
      'streams',
      sought ? [{ detail: `${sought.type} in the bytes of the file.`, page: null }] : [],
      'Searched all bytes of the picture.',
    ),
  ];
}

/** Returns the first value found by any of the matchers. */
function firstIn(
  values: readonly Sought[],
  look: (matcher: DeepMatcher) => Sought | undefined,
): Sought | undefined {
  for (const matcher of deepMatchers(values)) {
    const sought = look(matcher);
    if (sought) return sought;
  }
  return undefined;
}
