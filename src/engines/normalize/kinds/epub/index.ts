import { posix } from 'node:path';
import { EngineError } from '../../../errors.ts';
import { decodeHtml } from '../../../files/html.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  walk,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import { readZip } from '../../../files/zip.ts';
import type { DocBlock, NormalDocument } from '../../document.ts';
import { plainSpan, textOf } from '../build.ts';
import { blocksOfHtml } from '../html/index.ts';

const maxChapters = 10_000;
const maxBlocks = 400_000;

/**
 * A book in EPUB 2 or 3: its chapters in the order of its spine, without its table of contents. A chapter without
 * headings has its name from there as one. Throws EngineError.
 */
export function readEpub(bytes: Uint8Array): NormalDocument {
  const parts = readZip(bytes);
  const container = xmlPart(parts, 'META-INF/container.xml');
  let main: string | undefined;
  if (container) {
    walk(container, (element) => {
      if (element.local === 'rootfile') main ??= attributeValue(element, 'full-path');
    });
  }
  const root = main === undefined ? undefined : xmlPart(parts, main);
  if (main === undefined || !root)
    throw new EngineError('unsupported', 'The file is not a book in EPUB.');
  if (parts.has('META-INF/encryption.xml') && isEncrypted(parts)) {
    throw new EngineError('encrypted', 'The book is encrypted.');
  }
  const book = readBook(root, posix.dirname(main));
  const names = namesOf(parts, book);
  const blocks: DocBlock[] = [];
  for (const path of book.chapters) {
    const bytes = partOf(parts, path);
    if (!bytes || bytes.length === 0) continue;
    const own = blocksOfHtml(expanded(decodeHtml(bytes)), { isMail: false, isBook: true });
    const name = names.get(path);
    for (const block of headed(own, name)) blocks.push(block);
    if (blocks.length > maxBlocks)
      throw new EngineError('too_large', 'The book has too many paragraphs.');
  }
  return {
    title: book.title,
    language: book.language,
    pages: [{ page: 1, widthPt: null, heightPt: null, name: null }],
    blocks,
  };
}

/** A chapter with a heading: its own, or its name in the table of contents. */
function headed(blocks: DocBlock[], name: string | undefined): DocBlock[] {
  const [first, ...others] = blocks;
  if (!name || !first || blocks.some(({ role }) => role === 'heading')) return blocks;
  const heading: DocBlock = { role: 'heading', level: 2, ...textOf([plainSpan(name)]) };
  const isName = first.role === 'paragraph' && first.text.replace(/\s+/g, ' ') === name;
  return isName ? [heading, ...others] : [heading, ...blocks];
}

type Book = {
  title: string | null;
  language: string | null;
  chapters: string[];
  /** The documents with the table of contents: that of EPUB 3, that of EPUB 2. */
  contents: string[];
};

function readBook(root: XmlElement, folder: string): Book {
  const metadata = childOf(root, 'metadata');
  const word = (name: string): string | null => {
    const found = metadata && childOf(metadata, name);
    return (found && xmlText(found).replace(/\s+/g, ' ').trim()) || null;
  };
  const manifest = childOf(root, 'manifest');
  const spine = childOf(root, 'spine');
  const items = new Map<string, { path: string; type: string; properties: string }>();
  for (const item of manifest ? elementsOf(manifest) : []) {
    items.set(attributeValue(item, 'id') ?? '', {
      path: resolved(folder, attributeValue(item, 'href') ?? ''),
      type: attributeValue(item, 'media-type') ?? '',
      properties: attributeValue(item, 'properties') ?? '',
    });
  }
  const isContents = (item: { type: string; properties: string }): boolean =>
    /(^|\s)nav(\s|$)/.test(item.properties) || item.type === 'application/x-dtbncx+xml';
  const chapters: string[] = [];
  for (const reference of spine ? elementsOf(spine).slice(0, maxChapters) : []) {
    const item = items.get(attributeValue(reference, 'idref') ?? '');
    if (item && !isContents(item) && /html|xml/.test(item.type)) chapters.push(item.path);
  }
  const contents = [...items.values()].filter(isContents).map(({ path }) => path);
  return { title: word('title'), language: word('language'), chapters, contents };
}

/** The names of chapters in the table of contents, by their files. */
function namesOf(parts: ReadonlyMap<string, Uint8Array>, { contents }: Book): Map<string, string> {
  const names = new Map<string, string>();
  for (const path of contents) {
    const root = xmlPart(parts, path);
    const folder = posix.dirname(path);
    const add = (target: string | undefined, text: string): void => {
      const name = text.replace(/\s+/g, ' ').trim();
      const file = resolved(folder, target ?? '');
      if (name !== '' && !names.has(file)) names.set(file, name);
    };
    if (!root) continue;
    walk(root, (element) => {
      if (element.local === 'a') add(attributeValue(element, 'href'), xmlText(element));
      if (element.local !== 'navPoint') return;
      const label = childOf(element, 'navLabel');
      const content = childOf(element, 'content');
      add(content && attributeValue(content, 'src'), label ? xmlText(label) : '');
    });
  }
  return names;
}

/** A path inside the archive, without the place in the file. */
function resolved(folder: string, target: string): string {
  const path = target.split('#')[0] ?? '';
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // It is written without escapes.
  }
  return posix.normalize(posix.join(folder, decoded));
}

const partOf = (parts: ReadonlyMap<string, Uint8Array>, path: string): Uint8Array | undefined =>
  parts.get(path) ?? [...parts].find(([name]) => name.toLowerCase() === path.toLowerCase())?.[1];

/** Null for a part that is missing or is not well-formed: the book can be read without it. */
function xmlPart(parts: ReadonlyMap<string, Uint8Array>, path: string): XmlElement | undefined {
  const bytes = partOf(parts, path);
  if (!bytes) return undefined;
  // Document types of old books name entities that readers know.
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

/** Fonts are often obscured, and the text can be read; encrypted text cannot. */
function isEncrypted(parts: ReadonlyMap<string, Uint8Array>): boolean {
  const root = xmlPart(parts, 'META-INF/encryption.xml');
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

/** XHTML for a reader of HTML, which does not know that `<a/>` has ended. */
const expanded = (text: string): string =>
  text.replace(
    /<([a-z][\w:-]{0,60})((?:\s[^<>]{0,4000})?)\/>/gi,
    (whole, name: string, rest: string) =>
      voidElements.test(name) ? whole : `<${name}${rest}></${name}>`,
  );
