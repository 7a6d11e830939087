/** UTF-8 with pieces in Windows-1252, as programs that join texts write: decoded sequence by sequence. */
export const mixed = 'mixed-utf-8';

/** The length of the UTF-8 sequence at a place (Unicode, table 3-7); 0 if it is not valid. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  const isNext = (byte: number | undefined): boolean =>
    byte !== undefined && (byte & 0xc0) === 0x80;
  if (!isNext(second)) return 0;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (!isNext(bytes[at + 2])) return 0;
  if (first === 0xe0) return second >= 0xa0 ? 3 : 0;
  if (first === 0xed) return second <= 0x9f ? 3 : 0;
  if (first > 0xe0 && first <= 0xef) return 3;
  if (!isNext(bytes[at + 3])) return 0;
  if (first === 0xf0) return second >= 0x90 ? 4 : 0;
  if (first === 0xf4) return second <= 0x8f ? 4 : 0;
  return first > 0xf0 && first < 0xf4 ? 4 : 0;
}

/** Letters of alphabets that are written today, and the usual punctuation: others are accidents. */
const isUsual = (bytes: Uint8Array, at: number, length: number): boolean => {
  const first = bytes[at] ?? 0;
  // U+0180 to U+036F: phonetics, marks that follow a letter.
  return length > 2 || first < 0xc6 || first >= 0xcd;
};

/** How many characters outside ASCII are valid UTF-8, and how many bytes are not. */
export function countSequences(bytes: Uint8Array): { valid: number; invalid: number } {
  let valid = 0;
  let invalid = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    if (length === 0) invalid += 1;
    else if (length > 1 && isUsual(bytes, at, length)) valid += 1;
    else if (length > 1) invalid += length;
    at += Math.max(1, length);
  }
  return { valid, invalid };
}

/**
 * Decodes a mixed text: valid sequences as UTF-8, other bytes as Windows-1252, those that it does not have
 * as U+FFFD.
 * @param decodeByte a byte in Windows-1252
 */
export function decodeMixed(bytes: Uint8Array, decodeByte: (byte: number) => string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out: string[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    out.push(buffer.toString('utf8', start, at), decodeByte(bytes[at] ?? 0));
    at += 1;
    start = at;
  }
  out.push(buffer.toString('utf8', start));
  return out.join('');
}
