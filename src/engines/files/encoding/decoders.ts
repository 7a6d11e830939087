/** Bytes 0x80 to 0x9f of Windows-1252: Node 20 decodes them as control characters. */
const upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Decodes bytes; null if they are invalid in the encoding.
 * @param isWhole false if they may end within a character
 */
export function decodeStrictly(bytes: Uint8Array, name: string, isWhole: boolean): string | null {
  try {
    const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true });
    return corrected(decoder.decode(bytes, { stream: !isWhole }), name);
  } catch {
    return null;
  }
}

/** Decodes bytes, with U+FFFD in place of what is invalid. */
export const decodeLeniently = (bytes: Uint8Array, name: string): string =>
  corrected(new TextDecoder(name, { ignoreBOM: true }).decode(bytes), name);

const corrected = (text: string, name: string): string =>
  name === 'windows-1252'
    ? text.replace(/[\u0080-\u009f]/g, (character) => upper[character.charCodeAt(0) - 128] ?? '')
    : text;
