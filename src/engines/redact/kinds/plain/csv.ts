import { csvCells, delimiterOf } from '../../../files/csv.ts';
import { decode, encode } from '../../../files/encoding.ts';
import { type Piece, piece, type Reading, stream } from '../stream.ts';
import { headingsOf } from './headings.ts';

/** One cell: how it is written, and its text. */
interface Cell {
  raw: string;
  piece: Piece;
}

/** Cells and, between them, delimiters and line ends as they are written. */
type Row = { cells: Cell[]; gaps: string[] };

function rowsOf(text: string, delimiter: string): Row[] {
  const rows: Row[] = [];
  let row: Row = { cells: [], gaps: [] };
  for (const { raw, value, gap } of csvCells(text, delimiter)) {
    row.cells.push({ raw, piece: piece(value) });
    row.gaps.push(gap);
    if (gap === delimiter) continue;
    rows.push(row);
    row = { cells: [], gaps: [] };
  }
  return rows;
}

function write({ raw, piece: { redacted } }: Cell, delimiter: string): string {
  if (redacted === null) return raw;
  const quotes = raw.startsWith('"') || redacted.includes(delimiter) || /["\r\n]/.test(redacted);
  return quotes ? `"${redacted.replaceAll('"', '""')}"` : redacted;
}

/**
 * CSV: each cell a piece, read behind its column's heading. Delimiter, quotes and line ends stay; a
 * cell that is not touched keeps its bytes. Throws EngineError.
 */
export function readCsv(bytes: Uint8Array): Reading {
  const { text, encoding } = decode(bytes);
  const delimiter = delimiterOf(text);
  const rows = rowsOf(text, delimiter);
  const headings = headingsOf(rows[0]?.cells.map((cell) => cell.piece.text) ?? []);
  const body = stream(1);
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
    streams: [body],
    pictures: 0,
    write: () =>
      encode(
        rows
          .map(({ cells, gaps }) =>
            cells.map((cell, index) => write(cell, delimiter) + gaps[index]).join(''),
          )
          .join(''),
        encoding,
      ),
  };
}
