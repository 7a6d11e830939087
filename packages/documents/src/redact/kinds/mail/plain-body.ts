import { newStream, piece, type Stream, type StreamPart } from '../stream.ts';

/**
 * Returns the pattern of the last line of a file inside a text, if a line begins one: uuencoded, in
 * yEnc, or in the armour of PGP and PEM. The text of a signed message (RFC 9580, 7) is text.
 */
function endOfFile(line: string): RegExp | null {
  if (/^begin(?:-base64)? [0-7]{3,4} ./.test(line)) return /^(?:end|====)\s*$/;
  if (line.startsWith('=ybegin ')) return /^=yend /;
  const label = /^-----BEGIN ([A-Z0-9 ]{1,60})-----\s*$/.exec(line)?.[1];
  if (label === undefined || label === 'PGP SIGNED MESSAGE') return null;
  return new RegExp(`^-----END ${label}-----\\s*$`);
}

/** Replaces a file inside the text. */
const removedNote = '(A file was removed here.)';

/**
 * Reads the text of a body. Files inside it are removed, because they are not text; one without an
 * end reaches to the end of the text.
 */
export function readPlainBody(text: string): {
  stream: Stream;
  /** Whether files were removed from the text. */
  hasRemoved: boolean;
  write(): Uint8Array;
} {
  const stream = newStream(1);
  let hasRemoved = false;
  let fileEnd: RegExp | null = null;
  for (const line of text.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/)) {
    // Quote marks are not read, so that a name that was wrapped in a reply is one name.
    const quotes = /^(?:>[ \t]?)*/.exec(line)?.[0] ?? '';
    const content = line.slice(quotes.length);
    if (fileEnd) {
      if (fileEnd.test(content)) fileEnd = null;
      continue;
    }
    fileEnd = endOfFile(content);
    if (fileEnd) hasRemoved = true;
    stream.parts.push({ shown: quotes }, piece(fileEnd ? removedNote : content), '\n');
  }
  return {
    stream,
    hasRemoved,
    write: () => Buffer.from(stream.parts.map(outputOf).join(''), 'utf8'),
  };
}

function outputOf(part: StreamPart): string {
  if (typeof part === 'string') return '\r\n';
  if ('text' in part) return part.redacted ?? part.text;
  return 'shown' in part ? part.shown : '';
}
