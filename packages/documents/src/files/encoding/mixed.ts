/**
 * The name of UTF-8 with pieces in Windows-1252, as written by programs that concatenate texts. It
 * is decoded sequence by sequence.
 */
export const mixedEncoding = 'mixed-utf-8';

/**
 * Returns the length of the UTF-8 sequence at a position (Unicode, table 3-7); 0 if it is invalid.
 */
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

/**
 * Whether a valid sequence encodes a character that Windows-1252 also has, which a mixed text may
 * contain in both forms. Pairs of bytes in encodings of other scripts rarely look like these.
 */
function isWestern(bytes: Uint8Array, at: number): boolean {
  const [first, second, third] = bytes.subarray(at, at + 3);
  if (first === 0xc2 || first === 0xc3) return true;
  if (first === 0xc5) return [0x92, 0x93, 0xa0, 0xa1, 0xb8, 0xbd, 0xbe].includes(second ?? 0);
  return first === 0xe2 && (second === 0x80 || (second === 0x82 && third === 0xac));
}

/** Whether a sequence is plausible in modern text. U+0180 to U+036F occur only by accident. */
const isPlausible = (bytes: Uint8Array, at: number): boolean => {
  const first = bytes[at] ?? 0;
  return first < 0xc6 || first >= 0xcd;
};

/**
 * Whether bytes that are not valid UTF-8 are mostly UTF-8: `surely` regardless of a declared
 * encoding, or `probably` if no other is declared.
 */
export function mixedLikelihood(bytes: Uint8Array): 'surely' | 'probably' | false {
  let valid = 0;
  let western = 0;
  let invalid = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    if (length === 0) invalid += 1;
    else if (length > 1 && isPlausible(bytes, at)) {
      valid += 1;
      if (isWestern(bytes, at)) western += 1;
    } else if (length > 1) invalid += length;
    at += Math.max(1, length);
  }
  if (valid >= 10 && valid > 10 * invalid) return 'surely';
  const isLikely =
    (valid > 0 && valid >= invalid) ||
    (western > 0 && 4 * western >= invalid) ||
    (western > 2 && 20 * western >= invalid);
  return isLikely && 'probably';
}

/**
 * Decodes a mixed text: valid sequences as UTF-8 and other bytes as Windows-1252. Bytes that
 * Windows-1252 does not define become U+FFFD.
 * @param decodeByte decodes one byte in Windows-1252
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
