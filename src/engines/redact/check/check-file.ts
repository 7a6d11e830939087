import { readFile } from 'node:fs/promises';
import { EngineError } from '../../errors.ts';
import type { CheckRequest } from '../calls.ts';
import type { Check, RemovalReport } from '../plan.ts';
import { type ParsedFile, parseFile } from './file/parse.ts';
import { findPictureMetadata } from './file/pictures.ts';
import { searchStreams } from './file/streams.ts';
import { type Finding, pagesWith, walkStructure } from './file/structure.ts';
import { Fault } from './file/syntax.ts';
import { type DeepMatcher, deepMatchers, type Sought } from './matcher.ts';
import { metadataIn } from './metadata.ts';
import { readClaim } from './report.ts';
import { count, type Failure, verdict } from './verdict.ts';

/**
 * Checks a redacted file as a whole, byte for byte. What fails on some pages only names them, so that
 * those can be left empty; a file that cannot be read fails every check.
 */
export async function checkFile({ path, mime, reportFile }: CheckRequest): Promise<Check[]> {
  const { report } = await readClaim(reportFile);
  const bytes = await readFile(path);
  if (mime !== 'application/pdf') return checkPictureFile(bytes, mime, report);
  let file: ParsedFile;
  try {
    file = parseFile(bytes);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const unread: Failure[] = [{ detail: error.message, page: null }];
    return ['structure', 'streams', 'picture_metadata'].map((name) => verdict(name, unread, ''));
  }
  const structure = walkStructure(file);
  const { pages } = structure;
  const failures = (findings: readonly Finding[]): Failure[] =>
    findings.flatMap((finding) => placed(file, pages, finding));
  const search = searchStreams(file, structure, report.values);
  const pictures = findPictureMetadata(file, structure.roles);
  const wrongPages: Failure[] =
    pages.length === report.pages.length
      ? []
      : [{ detail: 'The file has not the pages it should have.', page: null }];
  const objects = count(file.objects.size, 'object');
  return [
    verdict(
      'structure',
      [...wrongPages, ...failures([...structure.findings, ...search.speaking])],
      `One revision of ${objects} on ${count(pages.length, 'page')}; nothing but what is drawn.`,
    ),
    verdict(
      'streams',
      failures(search.findings),
      `${count(search.streams, 'stream')} and all strings of ${objects}.`,
    ),
    verdict('picture_metadata', failures(pictures.findings), count(pictures.pictures, 'picture')),
  ];
}

/** A finding where it can be placed: on the pages that lead to its object. */
function placed(
  file: ParsedFile,
  pages: readonly number[],
  { detail, object }: Finding,
): Failure[] {
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

/** Checks a picture's bytes: nothing but pixels, and no value among them. */
function checkPictureFile(bytes: Uint8Array, mime: string, { values }: RemovalReport): Check[] {
  const kind = [...pictureKinds].find(([known]) => known === mime)?.[1];
  if (!kind) throw new EngineError('unsupported', `A redacted ${mime} cannot be checked.`);
  const metadata = metadataIn(kind, bytes);
  const sought = firstIn(values, (matcher) => matcher.inBytes(bytes));
  return [
    verdict('picture_metadata', metadata ? [{ detail: metadata, page: 1 }] : [], '1 picture'),
    verdict(
      'streams',
      sought ? [{ detail: `${sought.type} in the bytes of the file.`, page: null }] : [],
      'All bytes of the picture.',
    ),
  ];
}

/** What the first of the matchers of all values finds. */
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
