import { csvCells, delimiterOf } from '../../../files/csv.ts';
import { decode, encode } from '../../../files/encoding/index.ts';
import { type FileReading, newStream, type Piece, piece } from '../stream.ts';
import { headingsOf } from './headings.ts';

/** A cell: its source and its text. */
interface Cell {
  raw: string;
  piece: Piece;
}

/** The cells of a row, and the delimiters and line breaks between them. */
type Row = { cells: Cell[]; gaps: string[] };

function rowsOf(text: string, delimiter: string): Row[] {
  const rows: Row[] = [];
  let row: Row = { cells: [], gaps: [] };
  for (const { raw, value, separator } of csvCells(text, delimiter)) {
    row.cells.push({ raw, piece: piece(value) });
    row.gaps.push(separator);
    if (separator === delimiter) continue;
    rows.push(row);
    row = { cells: [], gaps: [] };
  }
  return rows;
}

function writeCell({ raw, piece: { redacted } }: Cell, delimiter: string): string {
  if (redacted === null) return raw;
  const quotes = raw.startsWith('"') || redacted.includes(delimiter) || /["\r\n]/.test(redacted);
  return quotes ? `"${redacted.replaceAll('"', '""')}"` : redacted;
}

/**
 * Reads CSV. Each cell is a piece, with its column heading as context. Delimiters, quotes and line
 * breaks are kept, and an unchanged cell keeps its bytes.
 * @throws EngineError if the file cannot be decoded
 */
export function readCsvStreams(bytes: Uint8Array): FileReading {
  const { text, encoding } = decode(bytes);
  const delimiter = delimiterOf(text);
  const rows = rowsOf(text, delimiter);
  const headings = headingsOf(rows[0]?.cells.map((cell) => cell.piece.text) ?? []);
  const body = newStream(1);
  rows.forEach(({ cells }, index) => {
    cells.forEach((cell, column) => {
      const heading = index > 0 ? headings[column] : undefined;
      if (column > 0) body.parts.push('\t');
      if (heading) body.parts.push({ context: `\n${heading}: ` });
      body.parts.push(cell.piece);
    });
    body.parts.push('\n');
  });
  return {
    pages: 1,
    layoutOf: () => 'table',
    streams: [body],
    pictures: 0,
    write: () =>
      encode(
        rows
          .map(({ cells, gaps }) =>
            cells.map((cell, index) => writeCell(cell, delimiter) + gaps[index]).join(''),
          )
          .join(''),
        encoding,
      ),
  };
}
