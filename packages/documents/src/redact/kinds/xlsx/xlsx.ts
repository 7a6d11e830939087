import { EngineError } from '@scriptorium/sandbox/errors';
import { numberFormatsOf } from '../../../files/number-formats.ts';
import { type Package, readPackage } from '../../../files/opc.ts';
import { unreadParts, xlsxKinds } from '../../../files/unread/package.ts';
import {
  attribute,
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  type XmlElement,
} from '../../../files/xml.ts';
import { type EmbeddedFiles, noEmbeddedFiles } from '../embedded/files.ts';
import { readChart } from '../package/charts.ts';
import { cleanPart, type HiddenStreams, readRemaining } from '../package/clean.ts';
import { copyParts, type PackagePart } from '../package/copy-parts.ts';
import { readParagraphs } from '../package/paragraphs.ts';
import { dependentResults } from '../spreadsheet/dependents.ts';
import { readSheetNames } from '../spreadsheet/sheet-names.ts';
import { showAddresses } from '../spreadsheet/show-addresses.ts';
import { type FileReading, newStream, type Stream } from '../stream.ts';
import { type CellContext, type RedactableCell, readCells } from './cells.ts';
import { dropEmptyNames, finishCells, finishTable } from './finish.ts';
import { keptChildren, xlsxMainTypes, xlsxParts } from './parts.ts';
import { xlsxRule } from './rules.ts';
import { readDefinedNames, readHeadersAndFooters, readValidationRules } from './sheets.ts';

/**
 * Reads a workbook (ECMA-376). Each sheet is a page, including hidden sheets. Reads texts, numbers
 * as displayed, results, formulas, names, drawings and charts. Drops comments, pivot tables,
 * queries, links to other files, macros and properties. All other strings are searched.
 * @throws EngineError if the file is damaged or not a workbook
 */
export function readXlsxStreams(
  bytes: Uint8Array,
  embedded: EmbeddedFiles = noEmbeddedFiles,
): FileReading {
  const source = readPackage(bytes);
  const start = source.relationshipsOf('').find(({ kind }) => kind === 'officeDocument');
  if (!start || !xlsxMainTypes.includes(source.contentTypeOf(start.target))) {
    throw new EngineError('unsupported', 'The file is not an Excel workbook.');
  }
  const hiddenStreams: HiddenStreams = {
    hidden: newStream(null),
    names: newStream(null, { detect: false }),
  };
  const main = { kind: 'officeDocument', part: start.target };
  const output = copyParts(source, main, xlsxParts, hiddenStreams, embedded);
  const sheetsBefore = sheetElements(output.main.root).map((sheet) => sheet);
  for (const { root, kind, references } of output.parts) {
    const kept = keptChildren[kind];
    if (kept) root.children = elementsOf(root).filter(({ local }) => kept.has(local));
    cleanPart(root, references, xlsxRule(references));
  }
  renumberNames(output.main.root, sheetsBefore);

  const workbook = output.main;
  const sheets = sheetElements(workbook.root);
  if (sheets.length === 0) {
    throw new EngineError('damaged', 'The file is damaged: it has no sheets.');
  }
  const names = readSheetNames(sheets, hiddenStreams);
  const definedNames = readDefinedNames(workbook.root, hiddenStreams);
  const properties = childOf(workbook.root, 'workbookPr');
  const styles = [...workbook.children.values()].find(({ kind }) => kind === 'styles');
  const sharedContext = {
    strings: sharedStrings(source, start.target),
    formats: numberFormatsOf(styles?.root),
    usesDate1904: /^(1|true)$/.test((properties && attributeValue(properties, 'date1904')) ?? ''),
    unseen: hiddenStreams,
  };
  const streams: Stream[] = [];
  const cells: RedactableCell[][] = [];
  const pagesWithoutAddresses = new Set<number>();
  const tables: { root: XmlElement; cells: RedactableCell[] }[] = [];
  sheets.forEach((sheet, index) => {
    const part = partOf(workbook, sheet);
    if (!part) return;
    const sheetContent = readSheet(part, index + 1, { ...sharedContext, name: names[index] ?? '' });
    streams.push(...sheetContent.streams);
    cells.push(sheetContent.cells);
    if (!sheetContent.isShownInPlace) pagesWithoutAddresses.add(index + 1);
    for (const table of part.children.values()) {
      if (table.kind === 'table') tables.push({ root: table.root, cells: sheetContent.cells });
    }
  });
  for (const { root, kind } of output.parts) {
    if (kind === 'chart') readChart(root, hiddenStreams);
    readValidationRules(root, hiddenStreams);
    readRemaining(root, hiddenStreams);
  }
  return {
    pages: sheets.length,
    streams: [...streams, hiddenStreams.hidden, hiddenStreams.names],
    pictures: output.pictures,
    dropped: unreadParts(source, {
      read: new Set([...Object.keys(xlsxParts), 'sharedStrings']),
      harmless: new Set([...xlsxKinds.harmless, 'comments', 'threadedComment', 'person']),
    }),
    layoutOf: (page) => (pagesWithoutAddresses.has(page) ? 'lines' : 'sheet'),
    names,
    follow: (touched) => dependentResults(cells, touched),
    write: () => {
      finishCells(cells, definedNames);
      dropEmptyNames(workbook.root);
      for (const table of tables) finishTable(table.root, table.cells);
      return output.write();
    },
  };
}

const sheetElements = (workbook: XmlElement): XmlElement[] =>
  elementsOf(childOf(workbook, 'sheets') ?? { ...workbook, children: [] });

/** Returns the part to which the `r:id` of a sheet refers. */
const partOf = (part: PackagePart, element: XmlElement): PackagePart | undefined =>
  part.children.get(attribute(element, 'id')?.value ?? '');

/**
 * Updates sheet numbers in names that are local to a sheet, because numbers change when another
 * sheet is dropped.
 */
function renumberNames(workbook: XmlElement, sheetsBefore: readonly XmlElement[]): void {
  const list = childOf(workbook, 'definedNames');
  if (!list) return;
  const sheetsAfter = sheetElements(workbook);
  list.children = elementsOf(list).filter((element) => {
    const local = attribute(element, 'localSheetId');
    if (!local) return true;
    const sheet = sheetsBefore[Number(local.value)];
    const index = sheet ? sheetsAfter.indexOf(sheet) : -1;
    local.value = String(index);
    return index >= 0;
  });
}

function sharedStrings(source: Package, workbook: string): XmlElement[] {
  const found = source.relationshipsOf(workbook).find(({ kind }) => kind === 'sharedStrings');
  const bytes = found && source.parts.get(found.target);
  return bytes ? elementsOf(parseXml(bytes)).filter(({ local }) => local === 'si') : [];
}

function readSheet(
  part: PackagePart,
  page: number,
  context: CellContext,
): { streams: Stream[]; cells: RedactableCell[]; isShownInPlace: boolean } {
  const body = newStream(page);
  const data = childOf(part.root, 'sheetData');
  const cells = data ? readCells(data, body, context) : [];
  const isShownInPlace = showAddresses(body, cells);
  readHeadersAndFooters(part.root, context.unseen);
  const streams = [body];
  const drawings = [...part.children.values()].filter(({ kind }) => kind === 'drawing');
  for (const drawing of drawings) {
    for (const { root, kind } of [drawing, ...drawing.children.values()]) {
      if (kind !== 'drawing' && kind !== 'chart') continue;
      const text = newStream(page, { part: kind === 'chart' ? 'chart' : 'drawing' });
      readParagraphs(root, { body: text, fallback: text, instructions: context.unseen.hidden });
      streams.push(text);
    }
  }
  return { streams, cells, isShownInPlace };
}
