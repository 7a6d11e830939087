import { readFile, stat } from 'node:fs/promises';
import {
  type SourceKind,
  type SourceMime,
  sources,
} from '@scriptorium/contracts/documents/sources';
import { EngineError } from '@scriptorium/sandbox/errors';
import { maxPages } from '../limits.ts';
import type { Inspection } from '../results.ts';
import { type Package, readPackage } from './opc.ts';
import { childOf, elementsOf, parseXml } from './xml.ts';

const maxBytes = 100 * 2 ** 20;

/**
 * Inspects a file without pages. The file counts as one page, or as one page per sheet of a
 * workbook or slide of a presentation. Checks no more than necessary, because an operation that
 * cannot read the file reports the error itself. Throws EngineError `empty` or `too_large`, and for
 * Office files also `damaged`, `encrypted` or `unsupported`.
 */
export async function inspectUnpaged(path: string, mime: SourceMime): Promise<Inspection> {
  const { kind } = sources[mime];
  const { size } = await stat(path);
  if (size === 0) throw new EngineError('empty', 'The file is empty.');
  if (size > maxBytes) throw new EngineError('too_large', 'The file is larger than 100 MiB.');
  const { count, signed } = await summarisePackage(path, kind);
  const pages = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    widthPt: 0,
    heightPt: 0,
    rotation: 0,
    pixels: null,
    characters: null,
    hasText: true,
  }));
  return { kind, pages, signed, repaired: false };
}

interface PackageSummary {
  /** The number of sheets of a workbook or slides of a presentation. Other files have one page. */
  count: number;
  /** Whether the package has digital signatures. */
  signed: boolean;
}

async function summarisePackage(path: string, kind: SourceKind): Promise<PackageSummary> {
  if (kind === 'odt' || kind === 'ods' || kind === 'odp') {
    const { summariseOdf } = await import('../normalize/kinds/odf/index.ts');
    return summariseOdf(await readFile(path), kind);
  }
  if (kind !== 'docx' && kind !== 'xlsx' && kind !== 'pptx') return { count: 1, signed: false };
  const source = readPackage(await readFile(path));
  // ECMA-376 part 2, 10.4.2: signatures start from the relationship `digital-signature/origin`.
  const signed = source.relationshipsOf('').some((relation) => relation.kind === 'origin');
  return { count: countOfficePages(source, kind), signed };
}

function countOfficePages(
  { parts, relationshipsOf }: Package,
  kind: 'docx' | 'xlsx' | 'pptx',
): number {
  const mainRelation = relationshipsOf('').find((relation) => relation.kind === 'officeDocument');
  const mainPart = mainRelation && parts.get(mainRelation.target);
  if (!mainPart) {
    throw new EngineError('unsupported', 'The file is not of its declared type.');
  }
  if (kind === 'docx') return 1;
  const [list, entry, noun] =
    kind === 'xlsx' ? ['sheets', 'sheet', 'workbook'] : ['sldIdLst', 'sldId', 'presentation'];
  const entries = elementsOf(childOf(parseXml(mainPart), list));
  const count = entries.filter(({ local }) => local === entry).length;
  if (count === 0)
    throw new EngineError(
      'damaged',
      `The ${noun} has no ${kind === 'xlsx' ? 'sheets' : 'slides'}.`,
    );
  if (count > maxPages) {
    throw new EngineError('too_large', `The ${noun} has more than ${maxPages} pages.`);
  }
  return count;
}
