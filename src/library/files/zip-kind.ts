/** Detects the kind of a ZIP file by its main part: the part that its format designates. */
import { posix } from 'node:path';
import {
  type ArchiveEntry,
  contentOf,
  entriesInDirectory,
  entriesInHead,
  type RangeReader,
} from './zip-entries.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const MAX_PART_BYTES = 2 ** 18;

export interface ZipKind {
  mime: string;
  executable: boolean;
  scripted: boolean;
}

const zipKind = (mime: string, executable = false, scripted = false): ZipKind => ({
  mime,
  executable,
  scripted,
});

/**
 * The kind of an archive: an Office file by the part that `_rels/.rels` names as its document, whatever
 * else it contains; OpenDocument and EPUB by the type that they declare.
 */
export function* readZipKind(size: number): RangeReader<ZipKind> {
  const entries = yield* entriesInDirectory(size);
  if (entries) return yield* kindOfEntries(entries);
  // Without a directory, as in a truncated file.
  return yield* kindOfEntries(entriesInHead(yield { start: 0, end: Math.min(size, 65_536) }));
}

/** As `readZipKind`, for an archive that is in memory as a whole. */
export function zipKindOf(bytes: Buffer): ZipKind {
  return readFromMemory(readZipKind(bytes.length), bytes);
}

/** The kind that an archive's first bytes suggest: its directory is at the end. */
export function guessZipKind(head: Buffer): ZipKind {
  return readFromMemory(kindOfEntries(entriesInHead(head)), head);
}

function readFromMemory<T>(reading: RangeReader<T>, bytes: Buffer): T {
  let step = reading.next();
  while (!step.done) step = reading.next(bytes.subarray(step.value.start, step.value.end));
  return step.value;
}

function* kindOfEntries(entries: readonly ArchiveEntry[]): RangeReader<ZipKind> {
  const names = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  function* textOf(name: string): RangeReader<string> {
    const entry = names.get(name);
    return entry ? (yield* contentOf(entry, MAX_PART_BYTES)).toString('utf8') : '';
  }
  const declared = /^application\/[\w.+-]+/.exec(yield* textOf('mimetype'))?.[0] ?? '';
  if (acceptedDeclaredTypes.test(declared)) return zipKind(withoutTemplate(declared));
  const office = officeKind(
    [...names.keys()],
    yield* textOf('[content_types].xml'),
    names.has('_rels/.rels') ? yield* textOf('_rels/.rels') : null,
  );
  if (office) return office;
  if (names.has('androidmanifest.xml')) {
    return zipKind('application/vnd.android.package-archive', true);
  }
  if (names.has('meta-inf/manifest.mf')) return zipKind('application/java-archive', true);
  // Many programs write the type of a book last, or not at all.
  if (names.has('meta-inf/container.xml')) return zipKind('application/epub+zip');
  const root = typeOfRoot(yield* textOf('meta-inf/manifest.xml'));
  return zipKind(acceptedDeclaredTypes.test(root) ? withoutTemplate(root) : 'application/zip');
}

/** ODF and EPUB declare their own type; only known types are accepted. */
const acceptedDeclaredTypes =
  /^application\/(?:epub\+zip|vnd\.oasis\.opendocument\.[a-z]+(?:-[a-z]+)?)$/;

/** Templates of OpenDocument are read as documents, as those of Office are. */
const withoutTemplate = (mime: string): string =>
  mime.replace(/\.(text|spreadsheet|presentation)-template$/, '.$1');

/** The type of the whole file in a manifest of ODF (1.3 part 2, 4.8.4). */
function typeOfRoot(manifest: string): string {
  for (const [, attributes = ''] of manifest.matchAll(fileEntryTags)) {
    if (attributeOf(attributes, '(?:[\\w.-]+:)?full-path') !== '/') continue;
    return attributeOf(attributes, '(?:[\\w.-]+:)?media-type');
  }
  return '';
}

const fileEntryTags = /<(?:[\w.-]{1,40}:)?file-entry\s([^<>]{1,4000})>/g;

/**
 * By the content types of main parts (ECMA-376 part 1, 11.3.10, 12.3.23, 13.3.6), and by their
 * usual folder.
 */
const officeKinds = [
  {
    type: /wordprocessingml|ms-word/i,
    folder: 'word/',
    mime: `${OOXML}.wordprocessingml.document`,
    macroMime: 'application/vnd.ms-word.document.macroEnabled.12',
  },
  {
    type: /spreadsheetml|ms-excel/i,
    folder: 'xl/',
    mime: `${OOXML}.spreadsheetml.sheet`,
    macroMime: 'application/vnd.ms-excel.sheet.macroEnabled.12',
  },
  {
    type: /presentationml|ms-powerpoint/i,
    folder: 'ppt/',
    mime: `${OOXML}.presentationml.presentation`,
    macroMime: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
  },
];

function officeKind(names: readonly string[], types: string, rels: string | null): ZipKind | null {
  if (types === '' && rels === null && !names.includes('[content_types].xml')) return null;
  const mainPart = mainPartOf(rels ?? '');
  const type = typeOfPart(types, mainPart);
  const kind =
    officeKinds.find((one) => one.type.test(type)) ??
    officeKinds.find(({ folder }) => mainPart.startsWith(folder)) ??
    officeKinds.find(({ folder }) => names.some((name) => name.startsWith(folder)));
  if (!kind) return null;
  const hasMacros =
    /macroEnabled|vbaProject/i.test(types) || names.some((name) => name.endsWith('vbaproject.bin'));
  return hasMacros ? zipKind(kind.macroMime, false, true) : zipKind(kind.mime);
}

const tagPattern = /<(?:[\w.-]{1,40}:)?(Relationship|Override|Default)\s([^<>]{1,4000})>/g;
const attributeOf = (attributes: string, name: string): string =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    .exec(attributes)
    ?.slice(1)
    .find((value) => value !== undefined) ?? '';

/** The main part of an Office file, in lower case; empty if its relationships do not name one. */
function mainPartOf(rels: string): string {
  for (const [, , attributes = ''] of rels.matchAll(tagPattern)) {
    if (!/\/officeDocument$/.test(attributeOf(attributes, 'Type'))) continue;
    const target = posix.normalize(posix.join('/', attributeOf(attributes, 'Target')));
    return target.slice(1).toLowerCase();
  }
  return '';
}

/** The content type of a part; of any main part if the main part is unknown. */
function typeOfPart(types: string, part: string): string {
  let byExtension = '';
  let mainPartType = '';
  for (const [, , attributes = ''] of types.matchAll(tagPattern)) {
    const type = attributeOf(attributes, 'ContentType');
    const name = attributeOf(attributes, 'PartName').toLowerCase();
    const extension = attributeOf(attributes, 'Extension').toLowerCase();
    if (part !== '' && name === `/${part}`) return type;
    if (part !== '' && extension !== '' && posix.extname(part) === `.${extension}`) {
      byExtension = type;
    }
    if (mainPartType === '' && /\.main(?:\+xml)?$/.test(type)) mainPartType = type;
  }
  return part === '' ? mainPartType : byExtension;
}
