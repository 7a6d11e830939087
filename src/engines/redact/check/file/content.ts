import { type Dictionary, Fault, isSpace, Name, type PdfValue, Reader, Word } from './syntax.ts';

/** An operator of a content stream with what stands before it. */
export interface Operation {
  operator: string;
  operands: PdfValue[];
  /** Of `BI`: the picture's dictionary and its bytes. */
  picture?: { dictionary: Dictionary; bytes: Uint8Array };
}

const mostOperands = 1_000_000;

/** Reads a content stream (32000-1 §7.8.2) to its end. Throws `Fault` for what is malformed. */
export function* operations(
  bytes: Uint8Array,
  comment: (text: Uint8Array) => void,
): Generator<Operation> {
  const reader = new Reader(bytes, 0, comment);
  let operands: PdfValue[] = [];
  for (;;) {
    const token = reader.next();
    if (token === undefined) {
      if (operands.length > 0) yield { operator: '', operands };
      return;
    }
    if (!(token instanceof Word)) {
      operands.push(token);
      if (operands.length > mostOperands) throw new Fault('A content stream is malformed.');
      continue;
    }
    if (token.text === 'BI') yield { operator: 'BI', operands, picture: readPicture(reader) };
    else yield { operator: token.text, operands };
    operands = [];
  }
}

function readPicture(reader: Reader): { dictionary: Dictionary; bytes: Uint8Array } {
  const dictionary: Dictionary = new Map();
  for (;;) {
    const key = reader.next();
    if (key instanceof Word && key.text === 'ID') break;
    const value = reader.next();
    if (!(key instanceof Name) || value === undefined || value instanceof Word) {
      throw new Fault('A picture within the content is malformed.');
    }
    dictionary.set(key.text, value);
  }
  if (isSpace(reader.bytes[reader.at])) reader.at += 1;
  const start = reader.at;
  const end = endOfPicture(reader.bytes, start);
  reader.at = end + 2;
  return { dictionary, bytes: reader.bytes.subarray(start, end) };
}

/** Where `EI` stands, with white space before it and text that could be operators behind it. */
function endOfPicture(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0x45, start); at >= 0; at = bytes.indexOf(0x45, at + 1)) {
    if (bytes[at + 1] !== 0x49 || !(at === start || isSpace(bytes[at - 1]))) continue;
    const after = bytes.subarray(at + 2, at + 12);
    if (after.length > 0 && !isSpace(after[0])) continue;
    if (after.every((byte) => isSpace(byte) || (byte >= 0x20 && byte < 0x7f))) return at;
  }
  throw new Fault('A picture within the content does not end.');
}
