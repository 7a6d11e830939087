/** Maximum length of a piece in characters, unless one block takes more. */
export const pieceLength = 2 ** 18;
/** Maximum length of a block in characters, after which it is cut at the end of a line. */
const longestBlock = 2 ** 20;

/** A stretch of a file, parsed. */
export interface MarkdownPiece<T> {
  /** Where it begins in the file. */
  at: number;
  text: string;
  parsed: T;
  /** Text from here on in `text`, or after it, is part of the next piece as well. */
  cut: number;
}

/** Returns the start of the line that holds the character at `at`. */
function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start -= 1;
  return start;
}

/**
 * Returns the start of the line after `from`; `longestBlock` further on if the line is longer than
 * that.
 */
function nextLine(text: string, from: number): number {
  const end = /\r\n|\n|\r/g;
  end.lastIndex = from;
  const lineEnd = end.exec(text) ? end.lastIndex : text.length;
  return Math.min(lineEnd, from + longestBlock);
}

/**
 * Parses a file piece by piece, since micromark takes a hundred bytes of memory per byte of text. Later
 * lines change only the last block of a piece: it is left to the next piece and parsed again with it.
 * @param startOfLastBlock the start of the last block at the top level of the parsed text; null
 *   without one
 */
export function* inPieces<T>(
  source: string,
  parse: (text: string) => T,
  startOfLastBlock: (parsed: T) => number | null,
): Generator<MarkdownPiece<T>> {
  let length = pieceLength;
  for (let at = 0; at < source.length; ) {
    const end = nextLine(source, at + length);
    const text = source.slice(at, end);
    const parsed = parse(text);
    const last = end < source.length ? startOfLastBlock(parsed) : null;
    const cut = last === null ? 0 : lineStart(text, last);
    if (cut > 0) {
      yield { at, text, parsed, cut };
      at += cut;
      length = pieceLength;
    } else if (end === source.length || length >= longestBlock) {
      yield { at, text, parsed, cut: text.length };
      at = end;
      length = pieceLength;
    } else length *= 2;
  }
}
