import type { TextPart } from '@scriptorium/contracts/documents/shown-text';
import { EngineError } from '@scriptorium/sandbox/errors';
import { type OdfKind, odfKinds, readOdfPackage } from '../../../files/odf.ts';
import { unreadOdfParts } from '../../../files/unread/odf.ts';
import {
  attribute,
  attributeValue,
  childOf,
  elementsOf,
  walk,
  type XmlElement,
} from '../../../files/xml.ts';
import { maxPages } from '../../../limits.ts';
import { type EmbeddedFiles, noEmbeddedFiles } from '../embedded/files.ts';
import { type HiddenStreams, readRemaining } from '../package/clean.ts';
import { dependentResults } from '../spreadsheet/dependents.ts';
import { usesOf } from '../spreadsheet/formulas.ts';
import { readSheetNames } from '../spreadsheet/sheet-names.ts';
import { showAddresses } from '../spreadsheet/show-addresses.ts';
import { type FileReading, newStream, type Stream } from '../stream.ts';
import { finishCells, type OdsCell, readCells, referencedRepetitions } from './cells.ts';
import { readNames } from './names.ts';
import { namespaceOf, qualifiedName } from './namespaces.ts';
import { chartTargets, copyOdf, type OdfParts } from './package.ts';
import { finishCell, readTableValues } from './stored-values.ts';
import { readText } from './text.ts';

/** What a kind of document reads of its content. */
interface OdfContent extends Pick<FileReading, 'pages' | 'names' | 'layoutOf' | 'follow'> {
  streams: Stream[];
  /** Updates the content before it is written. */
  finish?(): void;
}

/**
 * Reads a text document, workbook or presentation in OpenDocument (ODF 1.3), with tracked changes
 * accepted. A sheet or a slide is a page, including hidden ones. Drops comments, properties, objects
 * other than charts, forms, macros, animations, and older versions. All other strings are searched.
 * @throws EngineError if the file is damaged, encrypted or of another kind
 */
export function readOdfStreams(
  bytes: Uint8Array,
  kind: OdfKind,
  embedded: EmbeddedFiles = noEmbeddedFiles,
): FileReading {
  const source = readOdfPackage(bytes);
  const definedNames = kind === 'ods' ? definedNamesIn(source.rootOf('content.xml')) : [];
  const hiddenStreams: HiddenStreams = {
    hidden: newStream(null),
    names: newStream(null, { detect: false }),
  };
  const parts = copyOdf(source, kind, hiddenStreams, embedded);
  const body = childOf(childOf(parts.content, 'body'), odfKinds[kind].content);
  if (!body) throw new EngineError('unsupported', 'The file is not of its declared type.');
  const content = readers[kind](body, parts, hiddenStreams, definedNames);
  const prompts = newStream(null, { collapse: true, related: true });
  const streams = [...content.streams, ...readMasterPages(parts.styles, prompts)];
  const readCharts = new Set(chartTargets(parts.content));
  for (const [target, root] of parts.charts) {
    // Charts of master pages.
    if (!readCharts.has(target)) readText(root, { body: prompts, notes: prompts });
  }
  const roots = [parts.content, ...(parts.styles ? [parts.styles] : []), ...parts.charts.values()];
  readNames(roots, hiddenStreams);
  const tables = (kind === 'ods' ? roots.slice(1) : roots).flatMap((root) =>
    readTableValues(root, hiddenStreams.hidden),
  );
  for (const root of roots) readRemaining(root, hiddenStreams);
  const { pages, names, layoutOf, follow } = content;
  return {
    pages,
    streams: [...streams, prompts, hiddenStreams.hidden, hiddenStreams.names],
    pictures: parts.pictures,
    dropped: unreadOdfParts(source.manifest, source.parts),
    ...(names ? { names } : {}),
    ...(layoutOf ? { layoutOf } : {}),
    ...(follow ? { follow } : {}),
    write: () => {
      content.finish?.();
      for (const cell of tables) finishCell(cell);
      return parts.write();
    },
  };
}

const newText = (page: number, part: TextPart): Stream => newStream(page, { collapse: true, part });

/** Reads the text of an element and its charts into separate streams. */
function readWithCharts(
  element: XmlElement,
  page: number,
  { charts }: OdfParts,
  part: TextPart = 'body',
): Stream[] {
  const body = newText(page, part);
  const notes = newText(page, 'notes');
  readText(element, { body, notes });
  const chartStreams = chartTargets(element).flatMap((target) => {
    const root = charts.get(target);
    if (!root) return [];
    const chart = newText(page, 'chart');
    readText(root, { body: chart, notes: chart });
    return [chart];
  });
  return [body, notes, ...chartStreams];
}

const readers: Record<
  OdfKind,
  (
    body: XmlElement,
    parts: OdfParts,
    hiddenStreams: HiddenStreams,
    definedNames: readonly string[],
  ) => OdfContent
> = { odt: readTextDocument, ods: readWorkbook, odp: readPresentation };

function readTextDocument(body: XmlElement, parts: OdfParts): OdfContent {
  return { pages: 1, streams: readWithCharts(body, 1, parts) };
}

function readWorkbook(
  body: XmlElement,
  parts: OdfParts,
  hiddenStreams: HiddenStreams,
  definedNames: readonly string[],
): OdfContent {
  const sheets = pagesOf(body, 'table:table');
  const names = readSheetNames(sheets, hiddenStreams);
  // Names of ranges and their formulas are dropped, and so are filters and pivot tables.
  body.children = sheets;
  const streams: Stream[] = [];
  const cells: OdsCell[][] = [];
  const pagesWithoutAddresses = new Set<number>();
  sheets.forEach((sheet, index) => {
    const page = index + 1;
    const text = newText(page, 'body');
    const found = readCells(sheet, names[index] ?? '', text, hiddenStreams);
    if (!showAddresses(text, found)) pagesWithoutAddresses.add(page);
    cells.push(found);
    const shapes = { ...sheet, local: 'shapes', children: shapesIn(sheet) };
    streams.push(text, ...readWithCharts(shapes, page, parts, 'drawing'));
  });
  return {
    pages: sheets.length,
    streams,
    names,
    layoutOf: (page) => (pagesWithoutAddresses.has(page) ? 'lines' : 'sheet'),
    follow: (touched) => dependentResults([...cells, referencedRepetitions(cells)], touched),
    finish: () => finishCells(cells.flat(), usesOf(definedNames)),
  };
}

/** Returns the shapes of a sheet, including those in cells. */
const shapesIn = (element: XmlElement): XmlElement[] =>
  elementsOf(element).flatMap((child) =>
    namespaceOf(child.uri) === 'drawing' ? [child] : shapesIn(child),
  );

function readPresentation(body: XmlElement, parts: OdfParts): OdfContent {
  const slides = pagesOf(body, 'drawing:page');
  const isDeclaration = (one: XmlElement): boolean =>
    /^presentation:.*-decl$/.test(qualifiedName(one));
  const declarations = elementsOf(body).filter(isDeclaration);
  body.children = [...declarations, ...slides];
  const streams: Stream[] = [];
  slides.forEach((slide, index) => {
    const page = index + 1;
    const isNotes = (one: XmlElement): boolean => qualifiedName(one) === 'presentation:notes';
    const shapes = elementsOf(slide).filter((one) => !isNotes(one));
    streams.push(...readWithCharts({ ...slide, children: shapes }, page, parts));
    for (const notes of elementsOf(slide).filter(isNotes)) {
      streams.push(...readWithCharts(notes, page, parts, 'notes'));
    }
  });
  const footers = newText(1, 'footer');
  readText({ ...body, children: declarations }, { body: footers, notes: footers });
  streams.push(footers);
  return { pages: slides.length, streams };
}

function pagesOf(body: XmlElement, name: string): XmlElement[] {
  const pages = elementsOf(body).filter((one) => qualifiedName(one) === name);
  if (pages.length === 0) throw new EngineError('damaged', 'The file has no pages.');
  if (pages.length > maxPages) {
    throw new EngineError('too_large', `The file has more than ${maxPages} pages.`);
  }
  return pages;
}

/**
 * Reads the headers and footers of pages, and the text that master pages show on slides. The text of
 * placeholders is a prompt.
 */
function readMasterPages(styles: XmlElement | undefined, prompts: Stream): Stream[] {
  const header = newText(1, 'header');
  const footer = newText(1, 'footer');
  for (const master of elementsOf(childOf(styles, 'master-styles'))) {
    for (const part of elementsOf(master)) {
      const isPrompt =
        attributeValue(part, 'placeholder') === 'true' ||
        attribute(part, 'class') !== undefined ||
        qualifiedName(part) === 'presentation:notes';
      const body = isPrompt ? prompts : /^header/.test(part.local) ? header : footer;
      readText({ ...master, children: [part] }, { body, notes: body });
    }
  }
  return [header, footer];
}

/** Returns the names of ranges and formulas, on which formulas depend. */
function definedNamesIn(content: XmlElement | undefined): string[] {
  const names: string[] = [];
  if (!content) return names;
  walk(content, (element) => {
    if (/^table:(?:named-range|named-expression|database-range)$/.test(qualifiedName(element))) {
      names.push(attributeValue(element, 'name') ?? '');
    }
  });
  return names.filter((name) => name !== '');
}
