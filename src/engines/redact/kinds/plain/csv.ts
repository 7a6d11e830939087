import { decode, encode } from '../encoding.ts';
import { type Piece, piece, type Reading, stream } from '../stream.ts';
import { headingsOf } from './headings.ts';

/** One cell: how it is written, and its text. */
interface Cell {
  raw: string;
  piece: Piece;
}

/** Cells and, between them, delimiters and line ends as they are written. */
type Row = { cells: Cell[]; gaps: string[] };

const delimiters = [',', ';', '\t', '|'];

/** The delimiter that stands most often, and equally often, in the first lines, quotes aside. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 65536)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line !== '')
    .slice(0, 20);
  const scores = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const same = counts.filter((count) => count === counts[0]).length;
    return (counts[0] ?? 0) > 0 ? same * 100 + Math.min(99, counts[0] ?? 0) : 0;
  });
  return delimiters[scores.indexOf(Math.max(...scores))] ?? ',';
}

/** Reads rows by RFC 4180, and leniently what is none: a quote inside a cell is a letter. */
function rowsOf(text: string, delimiter: string): Row[] {
  const rows: Row[] = [];
  let row: Row = { cells: [], gaps: [] };
  const bare = new RegExp(`[^\\r\\n${delimiter === '|' ? '\\|' : delimiter}]*`, 'y');
  const quoted = /"(?:[^"]|"")*(?:"|$)/y;
  for (let at = 0; at <= text.length; ) {
    let raw = '';
    let value = '';
    quoted.lastIndex = at;
    const inQuotes = text[at] === '"' ? quoted.exec(text)?.[0] : undefined;
    if (inQuotes !== undefined) {
      raw = inQuotes;
      value = inQuotes.replace(/^"|"$/g, '').replaceAll('""', '"');
    }
    bare.lastIndex = at + raw.length;
    const rest = bare.exec(text)?.[0] ?? '';
    row.cells.push({ raw: raw + rest, piece: piece(value + rest) });
    at += raw.length + rest.length;
    const gap = text.startsWith('\r\n', at) ? '\r\n' : text.slice(at, at + 1);
    row.gaps.push(gap);
    at += gap.length;
    if (gap === delimiter) continue;
    rows.push(row);
    row = { cells: [], gaps: [] };
    if (gap === '' || at === text.length) break;
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
