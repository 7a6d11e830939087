import type { TextPart } from '@scriptorium/contracts/documents/shown-text';
import { EngineError } from '@scriptorium/sandbox/errors';
import { isRelationshipNamespace, type Package, readPackage } from '../../../files/opc.ts';
import { pptxKinds, unreadParts } from '../../../files/unread/package.ts';
import {
  childOf,
  elementsOf,
  isXmlElement,
  parseXml,
  walk,
  type XmlElement,
} from '../../../files/xml.ts';
import { maxPages } from '../../../limits.ts';
import { type EmbeddedFiles, noEmbeddedFiles } from '../embedded/files.ts';
import { readChart } from '../package/charts.ts';
import { addText, cleanPart, type HiddenStreams, readRemaining } from '../package/clean.ts';
import { copyParts, type PackagePart } from '../package/copy-parts.ts';
import { decodeEscapes } from '../package/escapes.ts';
import { readParagraphs } from '../package/paragraphs.ts';
import { type FileReading, newStream, type Stream } from '../stream.ts';
import { keptChildren, pptxMainTypes, pptxParts } from './parts.ts';
import { pptxRule } from './rules.ts';

/**
 * Reads a presentation (ECMA-376). Each slide is a page, including hidden slides: its shapes,
 * tables, charts and diagrams, then its notes. The text that masters and layouts show on slides is
 * on the first page. Drops comments, animations, objects, films, macros, properties, and slides that
 * are not in the list of slides. All other strings are searched.
 * @throws EngineError if the file is damaged or not a presentation
 */
export function readPptxStreams(
  bytes: Uint8Array,
  embedded: EmbeddedFiles = noEmbeddedFiles,
): FileReading {
  const file = readPackage(bytes);
  const start = file.relationshipsOf('').find(({ kind }) => kind === 'officeDocument');
  if (!start || !pptxMainTypes.includes(file.contentTypeOf(start.target))) {
    throw new EngineError('unsupported', 'The file is not a PowerPoint presentation.');
  }
  const source = withListedSlides(file, start.target);
  const hiddenStreams: HiddenStreams = {
    hidden: newStream(null),
    names: newStream(null, { detect: false }),
  };
  const prompts = newStream(null, { related: true });
  const mainPart = { kind: 'officeDocument', part: start.target };
  const { main, parts, pictures, write } = copyParts(
    source,
    mainPart,
    pptxParts,
    hiddenStreams,
    embedded,
  );
  main.root.children = elementsOf(main.root).filter(({ local }) => keptChildren.has(local));
  for (const { root, references } of parts) cleanPart(root, references, pptxRule(references));

  const slides = slideElements(main.root);
  if (slides.length === 0) {
    throw new EngineError('damaged', 'The file is damaged: it has no slides.');
  }
  const streams: Stream[] = [];
  const shared = newStream(1, { part: 'footer' });
  for (const { root, kind } of parts) {
    if (['slideMaster', 'slideLayout', 'notesMaster'].includes(kind)) {
      readMaster(root, shared, prompts);
    }
  }
  const read = new Set<PackagePart>();
  slides.forEach((slide, index) => {
    const part = main.children.get(referenceOf(slide));
    if (part) streams.push(...readSlide(part, index + 1, read));
  });
  for (const part of parts) {
    const { root, kind } = part;
    // Charts and diagrams of masters and layouts.
    if (textPartOf(kind) && !read.has(part)) {
      readSlideText(root, prompts);
    }
    if (kind === 'chart') readChart(root, hiddenStreams);
    readTableStyleIds(root, hiddenStreams);
    readRemaining(root, hiddenStreams);
  }
  return {
    pages: slides.length,
    streams: [...streams, shared, prompts, hiddenStreams.hidden, hiddenStreams.names],
    pictures,
    dropped: unreadParts(file, {
      read: new Set(Object.keys(pptxParts)),
      harmless: new Set([...pptxKinds.harmless, 'comments', 'commentAuthors', 'authors']),
    }),
    write,
  };
}

const slideElements = (root: XmlElement): XmlElement[] =>
  elementsOf(childOf(root, 'sldIdLst')).filter(({ local }) => local === 'sldId');

/** Returns the `r:id` of an element. A slide also has a numeric `id`. */
const referenceOf = ({ attributes }: XmlElement): string =>
  attributes.find(({ local, uri }) => local === 'id' && isRelationshipNamespace(uri))?.value ?? '';

/** Removes the references to slides that are not in the list, such as targets of old links. */
function withListedSlides(source: Package, main: string): Package {
  const bytes = source.parts.get(main);
  const ids = new Set(bytes ? slideElements(parseXml(bytes)).map(referenceOf) : []);
  if (ids.size > maxPages) {
    throw new EngineError('too_large', `The presentation has more than ${maxPages} slides.`);
  }
  const listed = new Set(
    source
      .relationshipsOf(main)
      .flatMap(({ id, kind, target }) => (kind === 'slide' && ids.has(id) ? [target] : [])),
  );
  return {
    ...source,
    relationshipsOf: (part) =>
      source
        .relationshipsOf(part)
        .filter(({ kind, target }) => kind !== 'slide' || listed.has(target)),
  };
}

/** The kinds of parts with text that belongs to a slide, and their names as shown to reviewers. */
const slideParts: Readonly<Record<string, TextPart>> = {
  slide: 'body',
  chart: 'chart',
  diagramData: 'drawing',
  notesSlide: 'notes',
};
const textPartOf = (kind: string): TextPart | undefined =>
  Object.hasOwn(slideParts, kind) ? slideParts[kind] : undefined;

/**
 * Reads a slide, then its charts, diagrams and notes.
 * @param read the parts that are already read, to which this adds
 */
function readSlide(slide: PackagePart, page: number, read: Set<PackagePart>): Stream[] {
  const streams: Stream[] = [];
  const pending = [slide];
  for (let next = pending.shift(); next; next = pending.shift()) {
    const part = textPartOf(next.kind);
    if (!part || read.has(next)) continue;
    read.add(next);
    const text = newStream(page, { part });
    readSlideText(next.root, text);
    streams.push(text);
    // A slide may link to other slides, and its notes refer to it.
    pending.push(...[...next.children.values()].filter(({ kind }) => kind !== 'slide'));
  }
  return streams;
}

const readSlideText = (root: XmlElement, to: Stream): void =>
  readParagraphs(root, { body: to, fallback: to, instructions: to }, decodeEscapes);

/**
 * Reads the shapes of a master or layout. Slides do not show the text of placeholders, which is a
 * prompt.
 */
function readMaster(root: XmlElement, shared: Stream, prompts: Stream): void {
  const tree = childOf(childOf(root, 'cSld') ?? root, 'spTree');
  for (const shape of elementsOf(tree)) {
    const to = isPlaceholder(shape) ? prompts : shared;
    readSlideText(shape, to);
  }
}

function isPlaceholder(shape: XmlElement): boolean {
  let found = false;
  walk(shape, ({ local }) => {
    if (local === 'ph') found = true;
  });
  return found && shape.local !== 'grpSp';
}

/** Reads the ids of table styles, which are generated. */
function readTableStyleIds(root: XmlElement, { names }: HiddenStreams): void {
  walk(root, ({ local, children }) => {
    if (local !== 'tableStyleId') return;
    for (const child of children) {
      if (!isXmlElement(child)) child.piece = addText(names, child.text);
    }
  });
}
