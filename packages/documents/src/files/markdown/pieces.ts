/** The maximum length of a piece in characters, unless a single block is longer. */
export const maxPieceLength = 2 ** 18;
/** The maximum length of a block in characters. A longer block is cut at the end of a line. */
const maxBlockLength = 2 ** 20;

/** A parsed section of a file. */
export interface MarkdownPiece<T> {
  /** The offset in the file at which the piece begins. */
  at: number;
  text: string;
  parsed: T;
  /** The offset in `text`, or after its end, from which the text also belongs to the next piece. */
  cut: number;
}

/** Returns the start of the line that contains the character at `at`. */
function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start -= 1;
  return start;
}

/**
 * Returns the start of the line after `from`, or the offset `from + maxBlockLength` if the line is
 * longer.
 */
function nextLine(text: string, from: number): number {
  const end = /\r\n|\n|\r/g;
  end.lastIndex = from;
  const lineEnd = end.exec(text) ? end.lastIndex : text.length;
  return Math.min(lineEnd, from + maxBlockLength);
}

/**
 * Parses a file piece by piece, because micromark uses about 100 bytes of memory per byte of text.
 * Later lines can change only the last block of a piece, so that block is parsed again with the
 * next piece.
 * @param startOfLastBlock returns the start of the last top-level block of the parsed text, or null
 * without a block
 */
export function* parseInPieces<T>(
  source: string,
  parse: (text: string) => T,
  startOfLastBlock: (parsed: T) => number | null,
): Generator<MarkdownPiece<T>> {
  let length = maxPieceLength;
  for (let at = 0; at < source.length; ) {
    const end = nextLine(source, at + length);
    const text = source.slice(at, end);
    const parsed = parse(text);
    const last = end < source.length ? startOfLastBlock(parsed) : null;
    const cut = last === null ? 0 : lineStart(text, last);
    if (cut > 0) {
      yield { at, text, parsed, cut };
      at += cut;
      length = maxPieceLength;
    } else if (end === source.length || length >= maxBlockLength) {
      yield { at, text, parsed, cut: text.length };
      at = end;
      length = maxPieceLength;
    } else length *= 2;
  }
}
