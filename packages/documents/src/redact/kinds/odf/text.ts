import { elementsOf, isXmlElement, type XmlElement, xmlText } from '../../../files/xml.ts';
import { headingsOf } from '../plain/headings.ts';
import { cellEnd, lineEnd, piece, type Stream } from '../stream.ts';
import { qualifiedName } from './namespaces.ts';

/** Separators inside a paragraph. */
const separators: Readonly<Record<string, string>> = {
  'text:tab': cellEnd,
  'text:line-break': lineEnd,
  'text:s': ' ',
};

/** Content that is anchored in a paragraph, and is not part of its text. */
const anchored =
  /^(?:drawing:(?:frame|g|custom-shape|rect|ellipse|circle|line|polyline|polygon|regular-polygon|path|connector|caption|measure)|text:note-(?:citation|body)|text:ruby-text|presentation:notes)$/;

/** Alternative texts, which are read as hidden text. */
const hiddenText = /^(?:svg-compatible|table):(?:title|desc)$/;

/** The streams of a body of text. */
export interface TextStreams {
  body: Stream;
  notes: Stream;
}

/**
 * Reads the text of an element by paragraph (ODF 1.3 part 3, 5). Notes, shapes and text boxes are
 * read after the paragraph in which they are anchored. Spaces collapse as in HTML.
 */
export function readText(root: XmlElement, { body, notes }: TextStreams): void {
  const pending: { element: XmlElement; to: Stream }[] = [{ element: root, to: body }];

  function read(element: XmlElement, to: Stream, isParagraph: boolean): void {
    for (const child of element.children) {
      if (!isXmlElement(child)) {
        if (isParagraph && !child.piece) {
          child.piece = piece(child.text);
          to.parts.push(child.piece);
        }
        continue;
      }
      const name = qualifiedName(child);
      if (hiddenText.test(name)) continue;
      if (name === 'text:p' || name === 'text:h') {
        read(child, to, true);
        to.parts.push(lineEnd);
      } else if (Object.hasOwn(separators, name)) to.parts.push(separators[name] ?? '');
      else if (isParagraph && anchored.test(name)) {
        pending.push({ element: child, to: name.startsWith('text:note-') ? notes : to });
      } else if (name === 'table:table') readTable(child, to);
      else if (/^presentation:.*-decl$/.test(name)) {
        read(child, to, true);
        to.parts.push(lineEnd);
      } else read(child, to, isParagraph);
    }
  }

  function readTable(table: XmlElement, to: Stream): void {
    const rows = rowsOf(table);
    const headings = headingsOf(rows[0] ? cellsOf(rows[0]).map(textOfCell) : []);
    for (const row of rows) {
      cellsOf(row).forEach((cell, column, cells) => {
        const heading = row === rows[0] ? undefined : headings[column];
        if (heading) to.parts.push({ context: `${lineEnd}${heading}: ` });
        const { length } = to.parts;
        read(cell, to, false);
        // The cells of a row form one line, so that a label and its value are adjacent.
        if (column + 1 === cells.length) return;
        if (to.parts.length > length && to.parts.at(-1) === lineEnd) to.parts.pop();
        to.parts.push(cellEnd);
      });
      if (to.parts.at(-1) !== lineEnd) to.parts.push(lineEnd);
    }
  }

  // Reading adds to the list.
  for (const { element, to } of pending) {
    if (/^(?:ruby-text|note-citation)$/.test(element.local)) read(element, to, true);
    else read({ ...element, children: [element] }, to, false);
    if (to.parts.length > 0 && to.parts.at(-1) !== lineEnd) to.parts.push(lineEnd);
  }
}

/** Returns the rows of a table, also in groups. */
export function rowsOf(table: XmlElement): XmlElement[] {
  return elementsOf(table).flatMap((child) => {
    if (child.local === 'table-row') return [child];
    return /^table-(?:rows|header-rows|row-group)$/.test(child.local) ? rowsOf(child) : [];
  });
}

const cellsOf = (row: XmlElement): XmlElement[] =>
  elementsOf(row).filter(({ local }) => /^(?:covered-)?table-cell$/.test(local));

const textOfCell = (cell: XmlElement): string => xmlText(cell).slice(0, 80);
