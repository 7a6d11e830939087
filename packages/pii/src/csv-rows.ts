/** Minimum number of delimiters in a row. Lists of numbers have fewer. */
const minDelimiters = 3;
/** Minimum number of consecutive lines with the same number of fields. */
const minRows = 3;
const maxRowLength = 4_000;
const candidates = [',', ';', '|'];
const quote = 0x22;

interface Row {
  delimiters: readonly number[];
}

/**
 * Finds the ends of fields in rows of comma-separated values (RFC 4180). The text may contain other
 * content, such as a log or a message that quotes an export. Semicolons and bars are also
 * delimiters. Rows are adjacent and have the same number of fields, and most delimiters have no
 * space after them.
 * @returns positions in the text, in order
 */
export function fieldEnds(text: string): number[] {
  const ends = candidates.flatMap((delimiter) =>
    text.includes(delimiter) ? fieldEndsBy(text, delimiter.charCodeAt(0)) : [],
  );
  return ends.sort((a, b) => a - b);
}

function fieldEndsBy(text: string, delimiter: number): number[] {
  const ends: number[] = [];
  let block: Row[] = [];
  const closeBlock = (): void => {
    if (block.length >= minRows) ends.push(...block.flatMap((row) => row.delimiters));
    block = [];
  };
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const row = end - start > maxRowLength ? null : rowAt(text, start, end, delimiter);
    if (!row || row.delimiters.length !== block[0]?.delimiters.length) closeBlock();
    if (row) block.push(row);
    start = end + 1;
  }
  closeBlock();
  return ends;
}

function rowAt(text: string, start: number, end: number, delimiter: number): Row | null {
  const delimiters: number[] = [];
  let [isQuoted, spacedCount, hasLetters] = [false, 0, false];
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isQuoted = !isQuoted;
    else if (code === delimiter && !isQuoted) {
      delimiters.push(at);
      if (text.charCodeAt(at + 1) === 0x20) spacedCount += 1;
    } else if (code > 0x40) hasLetters = true;
  }
  if (delimiters.length < minDelimiters || !hasLetters || isQuoted) return null;
  return spacedCount * 4 > delimiters.length ? null : { delimiters };
}
