import { EngineError } from '../errors.ts';

/** The encoding of a text file. */
export interface Encoding {
  name: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  bom: boolean;
}

const utf8Bom = [0xef, 0xbb, 0xbf];
const startsWith = (bytes: Uint8Array, head: readonly number[]): boolean =>
  head.every((byte, index) => bytes[index] === byte);

const notText = (): EngineError =>
  new EngineError('unsupported', 'The file contains binary data, not text.');

/**
 * Detects how a text is encoded: by its byte order mark, else UTF-8 if it is valid, UTF-16 if every
 * other byte is zero, else Windows-1252. Throws EngineError for bytes that are not text.
 */
export function decode(bytes: Uint8Array): { text: string; encoding: Encoding } {
  if (bytes.length === 0) throw new EngineError('empty', 'The file is empty.');
  const encoding = encodingOf(bytes);
  const skip = encoding.bom ? (encoding.name === 'utf-8' ? 3 : 2) : 0;
  const decoder = new TextDecoder(encoding.name, { ignoreBOM: true });
  const text = decoder.decode(bytes.subarray(skip));
  if (text.includes('\0')) throw notText();
  return { text, encoding };
}

function encodingOf(bytes: Uint8Array): Encoding {
  if (startsWith(bytes, [0xff, 0xfe, 0, 0]) || startsWith(bytes, [0, 0, 0xfe, 0xff])) {
    throw new EngineError('unsupported', 'UTF-32 is not supported.');
  }
  if (startsWith(bytes, utf8Bom)) return { name: 'utf-8', bom: true };
  if (startsWith(bytes, [0xff, 0xfe])) return { name: 'utf-16le', bom: true };
  if (startsWith(bytes, [0xfe, 0xff])) return { name: 'utf-16be', bom: true };
  const zeros = [0, 0];
  const looked = Math.min(bytes.length, 65536);
  for (let index = 0; index < looked; index += 1) {
    if (bytes[index] === 0) zeros[index % 2]! += 1;
  }
  if (zeros[0]! + zeros[1]! > 0) {
    const [even = 0, odd = 0] = zeros;
    if (odd > looked / 4 && even < looked / 100) return { name: 'utf-16le', bom: false };
    if (even > looked / 4 && odd < looked / 100) return { name: 'utf-16be', bom: false };
    throw notText();
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { name: 'utf-8', bom: false };
  } catch {
    // Control characters are not letters in Windows-1252 either: a picture, or an archive.
    const controls = bytes
      .subarray(0, looked)
      .reduce((sum, byte) => sum + (byte < 9 || (byte > 13 && byte < 27) ? 1 : 0), 0);
    if (controls > looked / 200) throw notText();
    return { name: 'windows-1252', bom: false };
  }
}

/** Bytes 0x80 to 0x9f of Windows-1252, as the Encoding standard maps them. */
const upper = new Map(
  [
    ...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 128 }, (_, i) => i + 128)),
  ].map((character, index) => [character, index + 128] as const),
);

/** Encodes a text. Windows-1252 has no block characters: those become `#`, others that it lacks `?`. */
export function encode(text: string, { name, bom }: Encoding): Uint8Array {
  if (name === 'utf-8') return Buffer.from(bom ? `\ufeff${text}` : text, 'utf8');
  if (name === 'windows-1252') {
    const units = [...text].map((character) => {
      const code = character.codePointAt(0) ?? 63;
      return code < 128 ? code : (upper.get(character) ?? (character === '█' ? 35 : 63));
    });
    return Uint8Array.from(units);
  }
  const bytes = Buffer.from(bom ? `\ufeff${text}` : text, 'utf16le');
  return name === 'utf-16le' ? bytes : bytes.swap16();
}
