/** Makes file names given by clients safe to store and to send. */

const MAX_BYTES = 255;
const MAX_EXTENSION = 16;
const MAX_INPUT_LENGTH = 2048;

/**
 * The last part of a client's path, in NFC, without control and direction characters or characters
 * that Windows rejects, limited to 255 bytes of UTF-8 including its extension. Never empty: falls
 * back to `fallback`.
 */
export function cleanFilename(clientName: string, fallback = 'file'): string {
  // Cut at the start, because the end of a very long name contains the extension.
  const cleaned = Buffer.from(clientName.slice(-MAX_INPUT_LENGTH))
    .toString() // lone surrogates become U+FFFD, which is removed below
    .normalize('NFC')
    // Direction marks can display fdp.exe as exe.pdf; control characters are invalid in headers.
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\ufffd]/gu, '');
  const lastSegment = cleaned.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? '';
  const name = lastSegment
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[. ]+$/, ''); // Windows drops dots and spaces at the end, and "." and ".." are folders
  if (name === '') return fallback;
  return shorten(name);
}

/** The extension in lower case, without its dot; empty if it has none. */
export function extensionOf(filename: string): string {
  const found = /[^/\\]\.([A-Za-z0-9_-]{1,16})$/.exec(filename);
  return found?.[1]?.toLowerCase() ?? '';
}

/**
 * A Content-Disposition header (RFC 6266): an ASCII `filename` for old clients and, if that differs
 * from the name, `filename*` (RFC 8187), which all others prefer.
 */
export function contentDisposition(
  filename: string,
  type: 'attachment' | 'inline' = 'attachment',
): string {
  const name = cleanFilename(filename);
  // The plain form contains no percent signs, which some clients decode.
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '_')
    .replace(/[%"\\]/g, '_');
  const asciiHeader = `${type}; filename="${ascii}"`;
  return ascii === name ? asciiHeader : `${asciiHeader}; filename*=UTF-8''${encode(name)}`;
}

function encode(name: string): string {
  // attr-char of RFC 8187 excludes ' ( ) *, which `encodeURIComponent` does not escape.
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const keepsExtension = dot > 0 && name.length - dot <= MAX_EXTENSION + 1;
  const extension = keepsExtension ? name.slice(dot) : '';
  const stem = keepsExtension ? name.slice(0, dot) : name;
  let remainingBytes = MAX_BYTES - Buffer.byteLength(extension);
  let shortened = '';
  // By grapheme, so that no emoji is cut in half and no letter loses its accent.
  for (const { segment } of new Intl.Segmenter().segment(stem)) {
    remainingBytes -= Buffer.byteLength(segment);
    if (remainingBytes < 0) break;
    shortened += segment;
  }
  return `${shortened.trimEnd() || 'file'}${extension}`;
}
