import { EngineError } from '@scriptorium/sandbox/errors';
import { decodeLeniently, decodeStrictly } from './decoders.ts';
import { guessEncoding } from './guess.ts';
import { mixedEncoding, mixedLikelihood } from './mixed.ts';
import { utf16Of } from './utf16.ts';

/** The encoding of a text file. */
export interface Encoding {
  /** A label of the Encoding standard, a code page of DOS, or `mixed`. */
  name: string;
  bom: boolean;
}

const byteOrderMarks: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
const startsWith = (bytes: Uint8Array, head: readonly number[]): boolean =>
  head.every((byte, index) => bytes[index] === byte);

const notTextError = (): EngineError =>
  new EngineError('unsupported', 'The file contains binary data, not text.');

/**
 * Detects the encoding of a text and decodes it. Checks, in this order, the byte order mark, valid
 * UTF-8, plausible UTF-16, the escapes of ISO-2022-JP, the declared encoding if the bytes are valid
 * in it, UTF-8 with pieces in Windows-1252, and finally the encoding in which the letters are most
 * plausible.
 * @throws EngineError `empty`, or `unsupported` for bytes that are not text.
 * @param declared the encoding that the file or its container names
 */
export function decode(bytes: Uint8Array, declared?: string): { text: string; encoding: Encoding } {
  if (bytes.length === 0) throw new EngineError('empty', 'The file is empty.');
  if (startsWith(bytes, [0xff, 0xfe, 0, 0]) || startsWith(bytes, [0, 0, 0xfe, 0xff])) {
    throw new EngineError('unsupported', 'UTF-32 is not supported.');
  }
  const encoding = encodingOf(bytes, declared);
  if (!encoding) throw notTextError();
  const skip = encoding.bom ? (encoding.name === 'utf-8' ? 3 : 2) : 0;
  const text = decodeLeniently(bytes.subarray(skip), encoding.name);
  if (text.includes('\0')) throw notTextError();
  return { text, encoding };
}

/**
 * Returns the encoding of a text, or null if the bytes are not text.
 * @param isWhole false if the bytes are the beginning of a file, which may end within a character
 */
export function encodingOf(bytes: Uint8Array, declared?: string, isWhole = true): Encoding | null {
  const marked = byteOrderMarks.find(([, mark]) => startsWith(bytes, mark));
  if (marked) return { name: marked[0], bom: true };
  const name = encodingWithoutMark(bytes, declared, isWhole);
  return name === null ? null : { name, bom: false };
}

const examinedBytes = 65_536;
/** The escapes that switch to Japanese characters. */
const escapes = ['\x1b$B', '\x1b$@'];

function encodingWithoutMark(bytes: Uint8Array, declared: string | undefined, isWhole: boolean) {
  const head = bytes.subarray(0, examinedBytes);
  if (head.includes(0)) return utf16Of(head);
  if (decodeStrictly(bytes, 'utf-8', isWhole) !== null) {
    return escapes.some((one) => Buffer.from(head).includes(one)) ? 'iso-2022-jp' : 'utf-8';
  }
  const utf16 = utf16Of(head);
  if (utf16 !== null) return utf16;
  // Text in these encodings has few control characters. Pictures and archives have many.
  const controls = head.reduce(
    (sum, byte) => sum + (byte < 9 || (byte > 13 && byte < 27) || byte === 127 ? 1 : 0),
    0,
  );
  if (controls > head.length / 200) return null;
  const likelihood = mixedLikelihood(bytes);
  if (likelihood === 'surely') return mixedEncoding;
  const label = declared === undefined ? null : labelOf(declared);
  if (label !== null && !label.startsWith('utf-') && decodeStrictly(bytes, label, isWhole) !== null)
    return label;
  if (head.length < 8 && !head.some((byte) => byte < 128)) return null;
  if (likelihood) return mixedEncoding;
  return guessEncoding(bytes);
}

/**
 * Decodes bytes in a declared encoding; null if it is not supported, or the bytes are not valid in
 * it.
 */
export function decodeDeclared(bytes: Uint8Array, declared: string): string | null {
  const label = labelOf(declared);
  return label === null ? null : decodeStrictly(bytes, label, true);
}

/** Returns the name of a declared encoding; null if it is not supported. */
function labelOf(declared: string): string | null {
  const page = /^\s*(?:cp|ibm)-?(437|850|852)\s*$/i.exec(declared)?.[1];
  if (page !== undefined) return `cp${page}`;
  try {
    return new TextDecoder(declared.trim()).encoding;
  } catch {
    return null;
  }
}

/**
 * Encodes a text in the encoding of its source. The result is UTF-8 with a byte order mark if the
 * text would be decoded differently, because the encoding lacks a character or the text no longer
 * has the letters by which it was detected. Block characters (`█`) become `#`, because Windows-1252
 * does not have them.
 */
export function encode(text: string, { name, bom }: Encoding): Uint8Array {
  if (name === 'utf-8' || name === mixedEncoding)
    return Buffer.from(bom ? `\ufeff${text}` : text, 'utf8');
  if (name === 'utf-16le' || name === 'utf-16be') {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return name === 'utf-16le' ? bytes : bytes.swap16();
  }
  const substituted = text.replaceAll('█', '#');
  const bytes = encodeSingleByte(substituted, name);
  const isSame = bytes !== null && bytes.length > 0 && decodesTo(bytes, substituted);
  return isSame ? bytes : Buffer.from(`\ufeff${text}`, 'utf8');
}

function decodesTo(bytes: Uint8Array, text: string): boolean {
  const encoding = encodingOf(bytes);
  return encoding !== null && decodeLeniently(bytes, encoding.name) === text;
}

/** Returns a text in a single-byte encoding; null if the encoding lacks one of its characters. */
function encodeSingleByte(text: string, name: string): Uint8Array | null {
  const codes = new Map<string, number>();
  for (let code = 255; code >= 0; code -= 1) {
    const character = decodeLeniently(Uint8Array.of(code), name);
    if (character.length === 1 && character !== '\ufffd') codes.set(character, code);
  }
  const units: number[] = [];
  for (const character of text) {
    const code = codes.get(character);
    if (code === undefined) return null;
    units.push(code);
  }
  return Uint8Array.from(units);
}
