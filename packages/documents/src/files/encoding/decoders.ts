import { dosPages } from './dos.ts';
import { decodeMixed, mixedEncoding } from './mixed.ts';

/** The characters 0x80 to 0x9f of Windows-1252, which Node 20 decodes as control characters. */
const windows1252Upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Decodes bytes; null if they are invalid in the encoding.
 * @param isWhole false if the bytes may end within a character
 */
export function decodeStrictly(bytes: Uint8Array, name: string, isWhole: boolean): string | null {
  const decoded = decodeWithTables(bytes, name);
  if (decoded !== null) return decoded;
  try {
    const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true });
    return correctWindows1252(decoder.decode(bytes, { stream: !isWhole }), name);
  } catch {
    return null;
  }
}

/** Decodes bytes and replaces invalid ones with U+FFFD. */
export const decodeLeniently = (bytes: Uint8Array, name: string): string =>
  decodeWithTables(bytes, name) ??
  correctWindows1252(new TextDecoder(name, { ignoreBOM: true }).decode(bytes), name);

/** Decodes bytes in an encoding that the platform does not support; null for other encodings. */
function decodeWithTables(bytes: Uint8Array, name: string): string | null {
  if (name === mixedEncoding) return decodeMixed(bytes, decodeWindows1252Byte);
  const page = dosPages[name];
  if (page === undefined) return null;
  const text = Buffer.from(bytes).toString('latin1');
  return text.replace(/[\u0080-\u00ff]/g, (character) => page[character.charCodeAt(0) - 128] ?? '');
}

function decodeWindows1252Byte(byte: number): string {
  const character = byte < 0xa0 ? (windows1252Upper[byte - 0x80] ?? '') : String.fromCharCode(byte);
  // No modern text has a `ÿ` at such a position, so the byte is not part of text.
  return byte === 0xff || (character >= '\u0080' && character < '\u00a0') ? '\ufffd' : character;
}

const correctWindows1252 = (text: string, name: string): string =>
  name === 'windows-1252'
    ? text.replace(
        /[\u0080-\u009f]/g,
        (character) => windows1252Upper[character.charCodeAt(0) - 128] ?? '',
      )
    : text;
