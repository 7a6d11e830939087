/** The excerpt of a response: a short text that is safe to store and to show. */

/** The maximum size of an excerpt, in bytes of UTF-8. */
export const EXCERPT_BYTES = 4096;
/** Number of bytes of a body from which the excerpt is made. */
export const EXCERPT_SOURCE_BYTES = 16_384;

const MASK = '[removed]';
/**
 * Headers whose values may be echoed: the attempt log contains them anyway, and developers need
 * them.
 */
const HARMLESS_HEADERS = new Set([
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-replay-id',
]);
/**
 * Shorter values may be ordinary words, whose removal would garble the text and hide nothing.
 */
const MIN_SECRET_LENGTH = 8;

/**
 * Makes a text of at most 4 KiB from the first bytes of a body. Control and direction characters
 * are removed. A body that is binary or compressed becomes a note: nothing is decompressed, so a
 * gzip bomb is harmless. `secrets` are values that were sent and may be echoed.
 */
export function makeExcerpt(
  bodyStart: Buffer,
  options: { contentEncoding?: string | undefined; secrets?: readonly string[] },
): string {
  if (bodyStart.length === 0) return '';
  const encoding = options.contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    return `[body with content-encoding ${removeControlCharacters(encoding).slice(0, 40)}, not shown]`;
  }
  let text = bodyStart.subarray(0, EXCERPT_SOURCE_BYTES).toString('utf8');
  if (isBinary(text)) return '[body is not text, not shown]';
  for (const secret of options.secrets ?? []) text = text.replaceAll(secret, MASK);
  return cutToBytes(removeControlCharacters(text), EXCERPT_BYTES);
}

/**
 * Values of sent headers that an excerpt must not contain. Many receivers echo the request, which
 * would put an Authorization header into the attempt log.
 */
export function secretValues(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => !HARMLESS_HEADERS.has(name.toLowerCase()))
    .flatMap(([, value]) => [value, ...value.split(/[\s,;]+/)])
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
}

function isBinary(text: string): boolean {
  let unprintable = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code === 0xfffd || code === 0 || (code < 32 && code !== 9 && code !== 10 && code !== 13)) {
      unprintable += 1;
    }
  }
  return unprintable > 2 && unprintable / text.length > 0.1;
}

function removeControlCharacters(text: string): string {
  // Control characters except tab and line feed, and characters that reorder or hide text.
  return text.replaceAll('\r\n', '\n').replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (char) => {
    return char === '\n' || char === '\t' ? char : '';
  });
}

function cutToBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  let end = limit;
  // Does not cut within a character: continuation bytes are 10xxxxxx.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}
