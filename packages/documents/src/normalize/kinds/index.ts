import { readFile, stat, writeFile } from 'node:fs/promises';
import {
  isUnpaged,
  type SourceMime,
  sources,
  type UnpagedKind,
} from '@scriptorium/contracts/documents/sources';
import { EngineError } from '@scriptorium/sandbox/errors';
import { maxAttachedFiles, type NormalizationResult, type NormalizeFileRequest } from '../calls.ts';
import type { NormalDocument } from '../document.ts';
import { writeDocument } from '../write/index.ts';
import { sparsePagesOf } from './sparse-pages.ts';

/** Reads a file as a document. Throws EngineError. */
type Reader = (bytes: Uint8Array) => NormalDocument;

/** The readers by kind. The code of a reader is loaded when the first file of its kind is read. */
const readers: Record<UnpagedKind, () => Promise<Reader>> = {
  docx: async () => (await import('./docx/index.ts')).readDocx,
  html: async () => (await import('./html/index.ts')).readHtml,
  markdown: async () => (await import('./markdown/index.ts')).readMarkdown,
  text: async () => (await import('./text.ts')).readText,
  odt: async () => (await import('./odf/index.ts')).readOdt,
  ods: async () => (await import('./odf/index.ts')).readOds,
  odp: async () => (await import('./odf/index.ts')).readOdp,
  rtf: async () => (await import('./rtf/index.ts')).readRtf,
  epub: async () => (await import('./epub/index.ts')).readEpub,
  mail: async () => (await import('./mail/index.ts')).readMailDocument,
  json: async () => (await import('./listing.ts')).readJsonListing,
  xml: async () => (await import('./listing.ts')).readXmlListing,
  svg: async () => (await import('./svg.ts')).readSvg,
  csv: async () => (await import('./csv.ts')).readCsv,
  pptx: async () => (await import('./pptx/index.ts')).readPptx,
  xlsx: async () => (await import('./xlsx/index.ts')).readXlsx,
};

/** Kinds that contain other files, such as pictures. */
const containers: ReadonlySet<UnpagedKind> = new Set([
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'odp',
  'rtf',
  'epub',
  'mail',
]);

const maxBytes = 100 * 2 ** 20;
/** The maximum size of a text file in bytes. Memory holds several copies of its content. */
const maxTextBytes = 32 * 2 ** 20;

/** Returns the kind of a file without pages. Throws EngineError for files with pages. */
function kindOf(mime: string): UnpagedKind {
  if (!isUnpaged(mime)) {
    throw new EngineError('unsupported', `A file of type ${mime} must be read page by page.`);
  }
  return sources[mime].kind;
}

/** Whether files of a type contain other files, which means that they cannot be read in part. */
export const isContainer = (mime: SourceMime): boolean => containers.has(kindOf(mime));

/** Reads the bytes of a file without pages as a document. Throws EngineError. */
export async function readAsDocument(bytes: Uint8Array, mime: string): Promise<NormalDocument> {
  const reader = await readers[kindOf(mime)]();
  return reader(bytes);
}

/** Reads a file without pages as a document. Throws EngineError. */
export async function readFileAsDocument(path: string, mime: string): Promise<NormalDocument> {
  const kind = kindOf(mime);
  const { size } = await stat(path);
  if (size === 0) throw new EngineError('empty', 'The file is empty.');
  if (size > maxBytes) throw new EngineError('too_large', 'The file is larger than 100 MiB.');
  if (!containers.has(kind) && size > maxTextBytes) {
    throw new EngineError('too_large', 'The text file is larger than 32 MiB.');
  }
  return readAsDocument(await readFile(path), mime);
}

/** Normalises a file without pages. Throws EngineError. */
export async function normalizeFile(request: NormalizeFileRequest): Promise<NormalizationResult> {
  const document = await readFileAsDocument(request.path, request.mime);
  const withMarks = request.blackedOut
    ? (await import('./blacked-out.ts')).replaceBlackBoxes(document)
    : document;
  const written = await writeDocument(withMarks, request.write);
  const { attachedFile } = request;
  const attached = attachedFile === undefined ? [] : (document.attached ?? []);
  const kept = attached.slice(0, maxAttachedFiles);
  if (attachedFile !== undefined) {
    await writeFile(
      attachedFile,
      kept.map(({ content }) => content),
    );
  }
  return {
    ...written,
    sparsePages: sparsePagesOf(document.blocks),
    attached: kept.map(({ filename, mime, content }) => ({
      filename,
      mime,
      bytes: content.length,
    })),
    attachedLeftOut: attached.length - kept.length,
    unread: document.unread ?? [],
  };
}
