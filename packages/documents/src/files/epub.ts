import { posix } from 'node:path';
import { EngineError } from '@scriptorium/sandbox/errors';
import { decodeHtml } from './html.ts';
import type { UnreadKinds } from './unread/index.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  walk,
  type XmlElement,
  xmlText,
} from './xml.ts';
import { readZip } from './zip.ts';

const maxChapters = 10_000;

/** A book in EPUB 2 or 3. */
export interface Book {
  title: string | null;
  language: string | null;
  /** The paths of the chapters in the order of the spine, without the table of contents. */
  chapters: string[];
  /** The documents with the table of contents, in the formats of EPUB 3 and EPUB 2. */
  contents: string[];
}

/**
 * Opens a book and returns its parts, its structure, and the names of its chapters by path. Throws
 * EngineError.
 */
export function openBook(
  bytes: Uint8Array,
  unread: UnreadKinds,
): { parts: Map<string, Uint8Array>; book: Book; names: Map<string, string> } {
  const parts = readZip(bytes);
  const container = parsePart(parts, 'META-INF/container.xml');
  let packagePath: string | undefined;
  if (container) {
    walk(container, (element) => {
      const path = element.local === 'rootfile' ? attributeValue(element, 'full-path') : undefined;
      if (path !== undefined) packagePath ??= resolvePath(parts, '', path);
    });
  }
  const root = packagePath === undefined ? undefined : parsePart(parts, packagePath);
  if (packagePath === undefined || !root)
    throw new EngineError('unsupported', 'The file is not an EPUB book.');
  if (parts.has('META-INF/encryption.xml') && isEncrypted(parts)) {
    throw new EngineError('encrypted', 'The book is encrypted.');
  }
  const book = readBook(parts, root, posix.dirname(packagePath), unread);
  return { parts, book, names: chapterNames(parts, book) };
}

/** Returns the text of a chapter in the form of HTML; null if it is missing or empty. */
export function chapterText(parts: ReadonlyMap<string, Uint8Array>, path: string): string | null {
  const bytes = bookPart(parts, path);
  return bytes && bytes.length > 0 ? expandSelfClosing(decodeHtml(bytes)) : null;
}

type Item = { path: string; type: string; properties: string; fallback: string };

const isContents = ({ type, properties }: Item): boolean =>
  /(^|\s)nav(\s|$)/.test(properties) || type === 'application/x-dtbncx+xml';
const isChapter = ({ type }: Item): boolean => /html|xml/.test(type);

/**
 * Items without readable text (EPUB 3.3, 3.2): pictures, styles, fonts, scripts, pronunciation and
 * timing of speech, and page maps.
 */
const textlessType =
  /^(?:image\/.*|font\/.*|text\/(?:css|x-oeb1-css|javascript|ecmascript)|application\/(?:(?:x-)?font.*|vnd\.ms-(?:opentype|fontobject)|x-(?:truetype|opentype)-font|truetype|(?:x-)?(?:java|ecma)script|json|x-dtbncx\+xml|smil\+xml|pls\+xml|oebps-page-map\+xml|adobe-page-template\+xml|vnd\.adobe-page-template\+xml|x-dtbresource\+xml))?$/i;

function readBook(
  parts: ReadonlyMap<string, Uint8Array>,
  root: XmlElement,
  folder: string,
  unread: UnreadKinds,
): Book {
  const metadata = childOf(root, 'metadata');
  const metadataText = (name: string): string | null => {
    const found = childOf(metadata, name);
    return (found && xmlText(found).replace(/\s+/g, ' ').trim()) || null;
  };
  const manifest = childOf(root, 'manifest');
  const spine = childOf(root, 'spine');
  const items = new Map<string, Item>();
  for (const item of elementsOf(manifest)) {
    items.set(attributeValue(item, 'id') ?? '', {
      path: resolvePath(parts, folder, attributeValue(item, 'href') ?? ''),
      type: attributeValue(item, 'media-type') ?? '',
      properties: attributeValue(item, 'properties') ?? '',
      fallback: attributeValue(item, 'fallback') ?? '',
    });
  }
  const chapters: string[] = [];
  for (const reference of spine ? elementsOf(spine).slice(0, maxChapters) : []) {
    let item = items.get(attributeValue(reference, 'idref') ?? '');
    if (item && !isChapter(item)) item = items.get(item.fallback) ?? item;
    if (item && !isContents(item) && isChapter(item)) chapters.push(item.path);
  }
  const chapterPaths = new Set(chapters);
  for (const item of items.values()) {
    if (chapterPaths.has(item.path) || isContents(item) || textlessType.test(item.type)) continue;
    unread.add(isChapter(item) ? 'chapter outside of the spine' : item.type);
  }
  const contents = [...items.values()].filter(isContents).map(({ path }) => path);
  return { title: metadataText('title'), language: metadataText('language'), chapters, contents };
}

/** Returns the names of chapters in the table of contents, by file. */
function chapterNames(
  parts: ReadonlyMap<string, Uint8Array>,
  { contents }: Book,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const path of contents) {
    const root = parsePart(parts, path);
    const folder = posix.dirname(path);
    const add = (target: string | undefined, text: string): void => {
      const name = text.replace(/\s+/g, ' ').trim();
      const file = resolvePath(parts, folder, target ?? '');
      if (name !== '' && !names.has(file)) names.set(file, name);
    };
    if (!root) continue;
    walk(root, (element) => {
      if (element.local === 'a') add(attributeValue(element, 'href'), xmlText(element));
      if (element.local !== 'navPoint') return;
      const label = childOf(element, 'navLabel');
      const content = childOf(element, 'content');
      add(attributeValue(content, 'src'), label ? xmlText(label) : '');
    });
  }
  return names;
}

/**
 * Returns the path of a target inside the archive, without its fragment. Percent escapes are
 * decoded if no file has the path as written.
 */
export function resolvePath(
  parts: ReadonlyMap<string, Uint8Array>,
  folder: string,
  target: string,
): string {
  const [path = ''] = target.split('#');
  const literalPath = posix.normalize(posix.join(folder, path));
  if (!path.includes('%') || parts.has(literalPath)) return literalPath;
  try {
    return posix.normalize(posix.join(folder, decodeURIComponent(path)));
  } catch {
    // The percent sign is not part of an escape.
    return literalPath;
  }
}

/** Returns a part of a book. Names that differ only in case are found, as by readers of books. */
export const bookPart = (
  parts: ReadonlyMap<string, Uint8Array>,
  path: string,
): Uint8Array | undefined =>
  parts.get(path) ?? [...parts].find(([name]) => name.toLowerCase() === path.toLowerCase())?.[1];

/**
 * Parses a part; undefined if it is missing or not well-formed, because the book is readable
 * without it.
 */
function parsePart(parts: ReadonlyMap<string, Uint8Array>, path: string): XmlElement | undefined {
  const bytes = bookPart(parts, path);
  if (!bytes) return undefined;
  // Document types of old books declare entities that reading systems know.
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/<!DOCTYPE[^>[]{0,2000}(?:\[[^\]]{0,20000}\])?\s*>/i, '');
  try {
    return parseXml(
      Buffer.from(text.replace(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)[a-z]+;/gi, ' ')),
    );
  } catch (error) {
    if (error instanceof EngineError && error.code === 'damaged') return undefined;
    throw error;
  }
}

/** Whether the text is encrypted. Books with only obfuscated fonts are readable. */
function isEncrypted(parts: ReadonlyMap<string, Uint8Array>): boolean {
  const root = parsePart(parts, 'META-INF/encryption.xml');
  let found = false;
  if (root) {
    walk(root, (element) => {
      const path =
        element.local === 'CipherReference' ? (attributeValue(element, 'URI') ?? '') : '';
      if (/\.x?html?$|\.opf$/i.test(path)) found = true;
    });
  }
  return found;
}

const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;

/** Expands self-closing elements of XHTML, because an HTML parser ignores the slash in `<a/>`. */
const expandSelfClosing = (text: string): string =>
  text.replace(
    /<([a-z][\w:-]{0,60})((?:\s[^<>]{0,4000})?)\/>/gi,
    (whole, name: string, attributes: string) =>
      voidElements.test(name) ? whole : `<${name}${attributes}></${name}>`,
  );
