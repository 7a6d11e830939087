import { TextDecoder } from 'node:util';

/** The number of bytes that are read to detect the encoding of a file. */
export const ENCODING_BYTES = 1024;

// One byte per character, with ASCII in the lower half: every reader decodes these the same way.
const singleByte =
  /^(?:us-ascii|ascii|iso-8859-(?:[1-9]|1[03456])|latin-?[1-6]|windows-125\d|cp125\d|koi8-[ru])$/;

/**
 * A decoder for markup, in the encoding of its byte order mark or declaration (XML 1.0, appendix F). It
 * throws if bytes are invalid. Null for encodings that readers may decode differently.
 */
export function markupDecoder(start: Uint8Array): TextDecoder | null {
  const bytes = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, ENCODING_BYTES));
  const startsWith = (...head: number[]) => head.every((byte, index) => bytes[index] === byte);
  const bomEncoding =
    startsWith(0xff, 0xfe, 0, 0) || startsWith(0, 0, 0xfe, 0xff)
      ? null
      : startsWith(0xff, 0xfe)
        ? 'utf-16le'
        : startsWith(0xfe, 0xff)
          ? 'utf-16be'
          : startsWith(0xef, 0xbb, 0xbf)
            ? 'utf-8'
            : undefined;
  if (bomEncoding === null) return null;
  const text = bomEncoding?.startsWith('utf-16')
    ? new TextDecoder(bomEncoding).decode(bytes)
    : bytes.toString('latin1', bomEncoding ? 3 : 0);
  // Two or four bytes per character, without a byte order mark.
  if (!bomEncoding && text.slice(0, 4).includes('\0')) return null;
  const xmlEncoding = declaredEncoding(text);
  if (xmlEncoding === null) return null;
  const family = bomEncoding?.startsWith('utf-16') ? /^utf-?16(?:le|be)?$/ : /^utf-?8$/;
  if (xmlEncoding === undefined || family.test(xmlEncoding))
    return createDecoder(bomEncoding ?? 'utf-8');
  return !bomEncoding && singleByte.test(xmlEncoding) ? createDecoder(xmlEncoding) : null;
}

/**
 * The encoding of the XML declaration; undefined without a declaration, null if it is ambiguous.
 */
function declaredEncoding(text: string): string | null | undefined {
  if (!/^<\?xml\s/.test(text)) return undefined;
  const end = text.indexOf('?>');
  if (end < 0) return null;
  const declaration = text.slice(0, end);
  if (!/encoding/i.test(declaration)) return undefined;
  const match = /\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(declaration);
  return (match?.[1] ?? match?.[2])?.toLowerCase() ?? null;
}

function createDecoder(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return null;
  }
}
