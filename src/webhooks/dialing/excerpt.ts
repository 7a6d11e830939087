/** What is kept of a receiver's answer: a little text, safe to store and to show. */

/** The most that an excerpt holds, in bytes of UTF-8. */
export const EXCERPT_BYTES = 4096;
/** How much of a body is looked at to make the excerpt. */
export const EXCERPT_SOURCE_BYTES = 16_384;

const MASK = '[removed]';
/** What may be echoed: it is in the attempt log anyway, and tells a receiver's developer a lot. */
const NO_SECRETS = new Set([
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-replay-id',
]);
/** Anything shorter is a word, and removing it would spoil the text without hiding anything. */
const MIN_SECRET_LENGTH = 8;

/**
 * Text of at most 4 KiB from the first bytes of a body. Control and direction characters are
 * dropped; bytes that are no text, or that are compressed (nothing is ever decompressed: a gzip
 * bomb stays small), become a note. `secrets` are values that were sent and may be echoed.
 */
export function makeExcerpt(
  start: Buffer,
  options: { contentEncoding?: string | undefined; secrets?: readonly string[] },
): string {
  if (start.length === 0) return '';
  const encoding = options.contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    return `[body with content-encoding ${clean(encoding).slice(0, 40)}, not shown]`;
  }
  let text = start.subarray(0, EXCERPT_SOURCE_BYTES).toString('utf8');
  if (isBinary(text)) return '[body is not text, not shown]';
  for (const secret of options.secrets ?? []) text = text.replaceAll(secret, MASK);
  return cutToBytes(clean(text), EXCERPT_BYTES);
}

/**
 * Values of sent headers that must not come back in an excerpt: receivers that echo what they got
 * (and there are many) would put an Authorization header into the attempt log.
 */
export function secretValues(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => !NO_SECRETS.has(name.toLowerCase()))
    .flatMap(([, value]) => [value, ...value.split(/[\s,;]+/)])
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
}

function isBinary(text: string): boolean {
  let odd = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code === 0xfffd || code === 0 || (code < 32 && code !== 9 && code !== 10 && code !== 13)) {
      odd += 1;
    }
  }
  return odd > 2 && odd / text.length > 0.1;
}

function clean(text: string): string {
  // Control characters but tab and line feed, and everything that reorders or hides text.
  return text.replaceAll('\r\n', '\n').replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (char) => {
    return char === '\n' || char === '\t' ? char : '';
  });
}

function cutToBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  let end = limit;
  // Never in the middle of a character: continuation bytes are 10xxxxxx.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}
