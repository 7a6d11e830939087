/** Minimum number of delimiters in a row. Lists of numbers have fewer. */
const fewestDelimiters = 3;
/** Minimum number of consecutive lines with the same number of fields. */
const fewestRows = 3;
const longestRow = 4_000;
const candidates = [',', ';', '|'];
const quote = 0x22;

interface Row {
  delimiters: readonly number[];
}

/**
 * Finds the ends of fields in rows of comma-separated values (RFC 4180). The text may contain other
 * content, as a log or a message that quotes an export does. Semicolons and bars are also
 * delimiters. Rows are adjacent and have the same number of fields, and most delimiters have no
 * space after them.
 * @returns positions in the text, in order
 */
export function fieldEnds(text: string): number[] {
  const found = candidates.flatMap((delimiter) =>
    text.includes(delimiter) ? endsBy(text, delimiter.charCodeAt(0)) : [],
  );
  return found.sort((a, b) => a - b);
}

function endsBy(text: string, delimiter: number): number[] {
  const ends: number[] = [];
  let block: Row[] = [];
  const close = (): void => {
    if (block.length >= fewestRows) ends.push(...block.flatMap((row) => row.delimiters));
    block = [];
  };
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const row = end - start > longestRow ? null : rowAt(text, start, end, delimiter);
    if (!row || row.delimiters.length !== block[0]?.delimiters.length) close();
    if (row) block.push(row);
    start = end + 1;
  }
  close();
  return ends;
}

function rowAt(text: string, start: number, end: number, delimiter: number): Row | null {
  const delimiters: number[] = [];
  let [quoted, spaced, letters] = [false, 0, false];
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) quoted = !quoted;
    else if (code === delimiter && !quoted) {
      delimiters.push(at);
      if (text.charCodeAt(at + 1) === 0x20) spaced += 1;
    } else if (code > 0x40) letters = true;
  }
  if (delimiters.length < fewestDelimiters || !letters || quoted) return null;
  return spaced * 4 > delimiters.length ? null : { delimiters };
}
