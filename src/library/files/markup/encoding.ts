import { TextDecoder } from 'node:util';

/** How much of a file is read to detect its encoding. */
export const ENCODING_BYTES = 1024;

// One byte per character, with ASCII in the lower half: every reader decodes these the same way.
const singleByte =
  /^(?:us-ascii|ascii|iso-8859-(?:[1-9]|1[03456])|latin-?[1-6]|windows-125\d|cp125\d|koi8-[ru])$/;

/**
 * A decoder of markup in the encoding of its byte order mark or declaration (XML 1.0, appendix F).
 * It throws on invalid bytes. Null for encodings that readers may decode differently.
 */
export function markupDecoder(start: Uint8Array): TextDecoder | null {
  const bytes = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, ENCODING_BYTES));
  const begins = (...head: number[]) => head.every((byte, index) => bytes[index] === byte);
  const marked =
    begins(0xff, 0xfe, 0, 0) || begins(0, 0, 0xfe, 0xff)
      ? null
      : begins(0xff, 0xfe)
        ? 'utf-16le'
        : begins(0xfe, 0xff)
          ? 'utf-16be'
          : begins(0xef, 0xbb, 0xbf)
            ? 'utf-8'
            : undefined;
  if (marked === null) return null;
  const text = marked?.startsWith('utf-16')
    ? new TextDecoder(marked).decode(bytes)
    : bytes.toString('latin1', marked ? 3 : 0);
  // Two or four bytes per character, without a byte order mark.
  if (!marked && text.slice(0, 4).includes('\0')) return null;
  const declared = declaredEncoding(text);
  if (declared === null) return null;
  const family = marked?.startsWith('utf-16') ? /^utf-?16(?:le|be)?$/ : /^utf-?8$/;
  if (declared === undefined || family.test(declared)) return decoder(marked ?? 'utf-8');
  return !marked && singleByte.test(declared) ? decoder(declared) : null;
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
  const found = /\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(declaration);
  return (found?.[1] ?? found?.[2])?.toLowerCase() ?? null;
}

function decoder(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return null;
  }
}
