import { OperatorWord, ParseFault, PdfText, type PdfValue, SyntaxReader } from '../syntax.ts';

/** A CMap (32000-1 §9.7.5, §9.10.3): the meaning of character codes. */
export interface CMap {
  /** Lengths of codes in bytes, from the code space ranges. Default: 1 and 2. */
  lengths: number[];
  /** Text by code, with `length * 2^32 + code` as the key. */
  texts: Map<number, string>;
  /** Glyph number by code, with `length * 2^32 + code` as the key. */
  glyphs: Map<number, number>;
}

const maxEntries = 300_000;
export const codeKey = (length: number, code: number): number => length * 2 ** 32 + code;

const codeOf = (bytes: Uint8Array): number => bytes.reduce((code, byte) => code * 256 + byte, 0);

function textOf(value: PdfValue | undefined, step = 0): string {
  if (!(value instanceof PdfText)) return '';
  const bytes = Buffer.from(value.bytes);
  const last = bytes.length - 1;
  // Within a range, only the last byte is incremented.
  if (step > 0 && last >= 0) bytes[last] = (bytes[last] ?? 0) + step;
  if (bytes.length === 1) return String.fromCharCode(bytes[0] ?? 0);
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le');
}

/**
 * Reads a CMap.
 * @throws ParseFault if the CMap is malformed or has too many entries
 */
export function readCMap(bytes: Uint8Array): CMap {
  const map: CMap = { lengths: [], texts: new Map(), glyphs: new Map() };
  const reader = new SyntaxReader(bytes, 0, () => undefined);
  let operands: PdfValue[] = [];
  const add = (length: number, code: number, value: PdfValue | undefined, step: number): void => {
    if (map.texts.size + map.glyphs.size > maxEntries)
      throw new ParseFault('A font has too many mappings.');
    const key = codeKey(length, code);
    if (typeof value === 'number') map.glyphs.set(key, value + step);
    else map.texts.set(key, textOf(value, step));
  };
  for (;;) {
    const token = reader.next();
    if (token === undefined) break;
    if (!(token instanceof OperatorWord)) {
      operands.push(token);
      continue;
    }
    const texts = operands.flatMap((operand) => (operand instanceof PdfText ? [operand] : []));
    if (token.text === 'endcodespacerange') {
      for (const { bytes: code } of texts) {
        if (!map.lengths.includes(code.length)) map.lengths.push(code.length);
      }
    } else if (token.text === 'endbfchar' || token.text === 'endcidchar') {
      for (let at = 0; at + 1 < operands.length; at += 2) {
        const code = operands[at];
        if (code instanceof PdfText)
          add(code.bytes.length, codeOf(code.bytes), operands[at + 1], 0);
      }
    } else if (token.text === 'endbfrange' || token.text === 'endcidrange') {
      for (let at = 0; at + 2 < operands.length; at += 3) {
        const [from, to, target] = operands.slice(at, at + 3);
        if (!(from instanceof PdfText && to instanceof PdfText)) continue;
        const first = codeOf(from.bytes);
        const count = Math.min(codeOf(to.bytes) - first + 1, 0x10000);
        for (let step = 0; step < count; step += 1) {
          const value = Array.isArray(target) ? target[step] : target;
          add(from.bytes.length, first + step, value, Array.isArray(target) ? 0 : step);
        }
      }
    }
    operands = [];
  }
  return map;
}
