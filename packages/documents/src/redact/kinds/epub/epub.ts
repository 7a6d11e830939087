import { posix } from 'node:path';
import { EngineError } from '@scriptorium/sandbox/errors';
import { bookPart, chapterText, openBook, resolvePath } from '../../../files/epub.ts';
import { createUnreadKinds } from '../../../files/unread/index.ts';
import {
  childOf,
  elementsOf,
  newElement,
  walk,
  writeXml,
  type XmlElement,
  type XmlNode,
} from '../../../files/xml.ts';
import { writeZip } from '../../../files/zip.ts';
import {
  createPictureFiles,
  type EmbeddedFiles,
  noEmbeddedFiles,
  type ProvenFile,
} from '../embedded/files.ts';
import { dataTarget } from '../html/data-url.ts';
import { newHtmlStreams, readHtmlTree } from '../html/html.ts';
import { greyPixel } from '../package/grey-pixel.ts';
import { redactedTarget } from '../plain/links.ts';
import { type FileReading, newStream, piece, type Stream } from '../stream.ts';
import { toXhtml } from './xhtml.ts';

const epubMime = 'application/epub+zip';
const placeholderName = 'image1.png';

interface Chapter {
  name: string;
  /** The name in the table of contents. */
  title: XmlNode;
  /** Returns the chapter with the current content of its pieces. */
  write(): XmlElement;
}

/**
 * Reads a book in EPUB 2 or 3: its title, the names of its chapters and their text. The output is in
 * EPUB 3. Drops authors and all other metadata, styles, fonts, scripts, sound, and files outside of
 * the order of reading. Pictures that were not proved are replaced.
 * @throws EngineError if the file is damaged, encrypted or not a book
 */
export function readEpubStreams(
  bytes: Uint8Array,
  embedded: EmbeddedFiles = noEmbeddedFiles,
): FileReading {
  const provenPictures = createPictureFiles(embedded, '');
  const unread = createUnreadKinds();
  const { parts, book, names } = openBook(bytes, unread);
  const { hidden, names: idNames } = newHtmlStreams();
  const contents = newStream(1, { part: 'header' });
  const title = addLine(contents, book.title ?? 'Untitled');
  const paths = new Set(book.chapters);
  const fileNames = new Map([...paths].map((path, at) => [path, `chapter${at + 1}.xhtml`]));
  const bodies: Stream[] = [];
  const chapters: Chapter[] = [];
  let pictures = 0;
  for (const [path, name] of fileNames) {
    const text = chapterText(parts, path);
    if (text === null) {
      unread.add('missing chapter');
      continue;
    }
    const body = newStream(1, { collapse: true });
    const rename = (target: string): string => renamed(target, path, parts, fileNames);
    const pictureOf = (target: string): string | null =>
      provenPictures.nameOf(
        dataTarget(target) ?? bookPart(parts, resolvePath(parts, posix.dirname(path), target)),
      );
    const tree = readHtmlTree(text, { body, hidden, names: idNames }, embedded, {
      placeholder: placeholderName,
      pictureOf,
      rename,
    });
    pictures += tree.pictures;
    bodies.push(body);
    chapters.push({
      name,
      title: addLine(contents, names.get(path) ?? `Chapter ${chapters.length + 1}`),
      write: () => {
        tree.update();
        return toXhtml(tree.document);
      },
    });
  }
  if (chapters.length === 0) {
    throw new EngineError('damaged', 'The file is damaged: it has no chapters.');
  }
  return {
    pages: 1,
    streams: [contents, ...bodies, hidden, idNames],
    pictures,
    dropped: unread.kinds(),
    write: () =>
      writeBook({ title, language: book.language, chapters, pictures: provenPictures.files }),
  };
}

function addLine(to: Stream, text: string): XmlNode {
  const own = piece(text);
  to.parts.push(own, '\n');
  return { text, piece: own };
}

/** Returns the new target of a link in a chapter. Links to files that are dropped lead nowhere. */
function renamed(
  target: string,
  chapter: string,
  parts: ReadonlyMap<string, Uint8Array>,
  fileNames: ReadonlyMap<string, string>,
): string {
  if (target.startsWith('#') || /^(?:https?|mailto|tel):/i.test(target.trim())) return target;
  const name = fileNames.get(resolvePath(parts, posix.dirname(chapter), target));
  const fragment = /#.*$/s.exec(target)?.[0] ?? '';
  return name === undefined ? redactedTarget : name + fragment;
}

interface WrittenBook {
  title: XmlNode;
  language: string | null;
  chapters: readonly Chapter[];
  pictures: ReadonlyMap<string, ProvenFile>;
}

function writeBook({ title, language, chapters, pictures }: WrittenBook): Uint8Array {
  const written = chapters.map(({ name, write }, at) => ({
    name,
    root: withTitle(write(), at + 1),
  }));
  const files = new Map<string, Uint8Array>([['mimetype', Buffer.from(epubMime)]]);
  files.set('META-INF/container.xml', writeXml(container));
  const items = written.map(({ name, root }) => {
    const properties = propertiesOf(root);
    return newElement('item', {
      id: name.replace('.xhtml', ''),
      href: name,
      'media-type': 'application/xhtml+xml',
      ...(properties === '' ? {} : { properties }),
    });
  });
  const pictureItems = [...pictures].map(([name, { mime }]) =>
    newElement('item', { id: name.replace(/\..*$/, ''), href: name, 'media-type': mime }),
  );
  files.set('book.opf', writeXml(packageDocument(title, language, items, pictureItems)));
  files.set('nav.xhtml', writeXml(navigation(chapters)));
  for (const { name, root } of written) files.set(name, writeXml(root));
  files.set(placeholderName, greyPixel);
  for (const [name, { bytes }] of pictures) files.set(name, bytes);
  return writeZip(files);
}

const xhtmlNs = 'http://www.w3.org/1999/xhtml';

const container = newElement(
  'container',
  { xmlns: 'urn:oasis:names:tc:opendocument:xmlns:container', version: '1.0' },
  [
    newElement('rootfiles', {}, [
      newElement('rootfile', {
        'full-path': 'book.opf',
        'media-type': 'application/oebps-package+xml',
      }),
    ]),
  ],
);

/** Returns the package document (EPUB 3.3, 5). Its identifier and date are the same in all books. */
function packageDocument(
  title: XmlNode,
  language: string | null,
  items: readonly XmlElement[],
  pictures: readonly XmlElement[],
): XmlElement {
  const isTag = language !== null && /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i.test(language);
  const nav = { id: 'nav', href: 'nav.xhtml', 'media-type': 'application/xhtml+xml' };
  const picture = { id: 'image1', href: placeholderName, 'media-type': 'image/png' };
  return newElement(
    'package',
    { xmlns: 'http://www.idpf.org/2007/opf', version: '3.0', 'unique-identifier': 'id' },
    [
      newElement('metadata', { 'xmlns:dc': 'http://purl.org/dc/elements/1.1/' }, [
        newElement('dc:identifier', { id: 'id' }, [
          { text: 'urn:uuid:00000000-0000-4000-8000-000000000000' },
        ]),
        newElement('dc:title', {}, [title]),
        newElement('dc:language', {}, [{ text: isTag ? language : 'und' }]),
        newElement('meta', { property: 'dcterms:modified' }, [{ text: '1980-01-01T12:00:00Z' }]),
      ]),
      newElement('manifest', {}, [
        newElement('item', { ...nav, properties: 'nav' }),
        ...items,
        newElement('item', picture),
        ...pictures,
      ]),
      newElement(
        'spine',
        {},
        items.map(({ attributes }) => newElement('itemref', { idref: attributes[0]?.value ?? '' })),
      ),
    ],
  );
}

/** Returns the table of contents (EPUB 3.3, 7). */
function navigation(chapters: readonly Chapter[]): XmlElement {
  const entries = chapters.map(({ name, title }) =>
    newElement('li', {}, [newElement('a', { href: name }, [title])]),
  );
  return newElement('html', { xmlns: xhtmlNs, 'xmlns:epub': 'http://www.idpf.org/2007/ops' }, [
    newElement('head', {}, [newElement('title', {}, [{ text: 'Contents' }])]),
    newElement('body', {}, [
      newElement('nav', { 'epub:type': 'toc' }, [newElement('ol', {}, entries)]),
    ]),
  ]);
}

/** Adds the title that the standard requires of every chapter. */
function withTitle(root: XmlElement, number: number): XmlElement {
  const head = childOf(root, 'head');
  if (head && !childOf(head, 'title')) {
    head.children = [...elementsOf(head), newElement('title', {}, [{ text: `Chapter ${number}` }])];
  }
  return root;
}

/** Returns the properties that the manifest must declare of a chapter (EPUB 3.3, D.1). */
function propertiesOf(root: XmlElement): string {
  const found = new Set<string>();
  walk(root, ({ local }) => {
    if (local === 'svg') found.add('svg');
    if (local === 'math') found.add('mathml');
  });
  return [...found].sort().join(' ');
}
