import { elementsOf, isXmlElement, type XmlElement, xmlText } from '../../../files/xml.ts';
import { headingsOf } from '../plain/headings.ts';
import { type Piece, piece, type Stream } from '../stream.ts';

const separators: Readonly<Record<string, string>> = {
  tab: '\t',
  ptab: '\t',
  br: '\n',
  cr: '\n',
  noBreakHyphen: '-',
};

interface ParagraphStreams {
  body: Stream;
  /** The content that older readers show in place of a text box. It repeats the same text. */
  fallback: Stream;
  /** Field instructions. */
  instructions: Stream;
}

/**
 * Reads the visible text of a part by paragraph, so that a name that spans several runs is read as
 * one name. A text box is read after the paragraph to which it is anchored.
 * @param decodeText decodes the escapes of a format. Default: none.
 */
export function readParagraphs(
  root: XmlElement,
  streams: ParagraphStreams,
  decodeText: (text: string) => string = (text) => text,
): void {
  const boxes: { element: XmlElement; to: Stream }[] = [];

  function read(element: XmlElement, to: Stream): void {
    for (const child of element.children) {
      if (!isXmlElement(child)) continue;
      const { local } = child;
      if (local === 't') {
        addText(child, to, decodeText);
        // In a diagram, the element contains paragraphs.
        read(child, to);
      } else if (local === 'instrText') addText(child, streams.instructions, decodeText);
      else if (local === 'fldChar') streams.instructions.parts.push('\n');
      else if (local === 'txbxContent') boxes.push({ element: child, to });
      else if (local === 'Fallback') read(child, streams.fallback);
      else if (local === 'p') {
        read(child, to);
        to.parts.push('\n');
      } else if (local === 'tbl') readTable(child, to);
      // Tab stops in paragraph properties are not tab characters.
      else if (separators[local] && (element.local === 'r' || local === 'br')) {
        to.parts.push(separators[local]);
      } else read(child, to);
    }
  }

  function readTable(table: XmlElement, to: Stream): void {
    const rows = elementsOf(table).filter(({ local }) => local === 'tr');
    const cellsOf = (row: XmlElement): XmlElement[] =>
      elementsOf(row).flatMap((child) => {
        if (child.local !== 'sdt') return child.local === 'tc' ? [child] : [];
        return elementsOf(child).flatMap((content) =>
          elementsOf(content).filter(({ local }) => local === 'tc'),
        );
      });
    const headings = headingsOf(rows[0] ? cellsOf(rows[0]).map(textOfCell) : []);
    for (const child of table.children) {
      if (!isXmlElement(child)) continue;
      if (child.local !== 'tr') {
        read({ ...child, children: [child] }, to);
        continue;
      }
      cellsOf(child).forEach((cell, column, cells) => {
        const heading = child === rows[0] ? undefined : headings[column];
        if (heading) to.parts.push({ context: `\n${heading}: ` });
        read(cell, to);
        // The cells of a row form one line, so that a label and its value are adjacent.
        if (column + 1 < cells.length && to.parts.at(-1) === '\n')
          to.parts[to.parts.length - 1] = '\t';
      });
    }
  }

  read({ ...root, children: [root] }, streams.body);
  for (let box = boxes.shift(); box; box = boxes.shift()) read(box.element, box.to);
}

const textOfCell = (cell: XmlElement): string => xmlText(cell).slice(0, 80);

function addText(element: XmlElement, to: Stream, decodeText: (text: string) => string): void {
  for (const child of element.children) {
    if (isXmlElement(child) || child.piece) continue;
    const added: Piece = piece(decodeText(child.text));
    child.piece = added;
    to.parts.push(added);
  }
}
