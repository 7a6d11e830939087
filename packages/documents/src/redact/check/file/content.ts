import {
  type Dictionary,
  isSpace,
  OperatorWord,
  ParseFault,
  PdfName,
  type PdfValue,
  SyntaxReader,
} from './syntax.ts';

/** An operator of a content stream with its operands. */
interface ContentOperation {
  operator: string;
  operands: PdfValue[];
  /** The dictionary and bytes of an inline picture (`BI`). */
  picture?: { dictionary: Dictionary; bytes: Uint8Array };
}

const maxOperands = 1_000_000;

/**
 * Reads a content stream (32000-1 §7.8.2) to its end.
 * @throws ParseFault if the stream is malformed
 */
export function* contentOperations(
  bytes: Uint8Array,
  onComment: (text: Uint8Array) => void,
): Generator<ContentOperation> {
  const reader = new SyntaxReader(bytes, 0, onComment);
  let operands: PdfValue[] = [];
  for (;;) {
    const token = reader.next();
    if (token === undefined) {
      if (operands.length > 0) yield { operator: '', operands };
      return;
    }
    if (!(token instanceof OperatorWord)) {
      operands.push(token);
      if (operands.length > maxOperands) throw new ParseFault('A content stream is malformed.');
      continue;
    }
    if (token.text === 'BI') yield { operator: 'BI', operands, picture: readPicture(reader) };
    else yield { operator: token.text, operands };
    operands = [];
  }
}

function readPicture(reader: SyntaxReader): { dictionary: Dictionary; bytes: Uint8Array } {
  const dictionary: Dictionary = new Map();
  for (;;) {
    const key = reader.next();
    if (key instanceof OperatorWord && key.text === 'ID') break;
    const value = reader.next();
    if (!(key instanceof PdfName) || value === undefined || value instanceof OperatorWord) {
      throw new ParseFault('An inline picture is malformed.');
    }
    dictionary.set(key.text, value);
  }
  if (isSpace(reader.bytes[reader.at])) reader.at += 1;
  const start = reader.at;
  const end = endOfPicture(reader.bytes, start);
  reader.at = end + 2;
  return { dictionary, bytes: reader.bytes.subarray(start, end) };
}

/**
 * Returns the position of the `EI` that ends an inline picture. White space must precede it, and
 * text that could be operators must follow.
 */
function endOfPicture(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0x45, start); at >= 0; at = bytes.indexOf(0x45, at + 1)) {
    if (bytes[at + 1] !== 0x49 || !(at === start || isSpace(bytes[at - 1]))) continue;
    const after = bytes.subarray(at + 2, at + 12);
    if (after.length > 0 && !isSpace(after[0])) continue;
    if (after.every((byte) => isSpace(byte) || (byte >= 0x20 && byte < 0x7f))) return at;
  }
  throw new ParseFault('An inline picture is not terminated.');
}
