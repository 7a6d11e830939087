import { Problem, validationFailed } from '@scriptorium/contracts/problems';

/** Parses headers of uploads and their parts: Content-Type, Content-Disposition, X-Filename. */

const token = /^[\w!#$%&'*+.^`|~-]+/;

/** A header value with its parameters, names in lower case. */
export interface HeaderValue {
  value: string;
  parameters: Map<string, string>;
}

/**
 * Parses `value; name=token; name="quoted"` (RFC 9110 §5.6.6); null if it is malformed. In a quoted
 * string only `\"` and `\\` are escapes, since some clients send whole Windows paths. A repeated
 * parameter makes it malformed, because parsers disagree about which value applies.
 */
export function parseHeaderValue(text: string): HeaderValue | null {
  const semicolon = text.indexOf(';');
  const value = (semicolon < 0 ? text : text.slice(0, semicolon)).trim().toLowerCase();
  const parameters = new Map<string, string>();
  let remaining = semicolon < 0 ? '' : text.slice(semicolon);
  while (remaining.trim() !== '') {
    const start = /^\s*;\s*/.exec(remaining);
    if (!start) return null;
    remaining = remaining.slice(start[0].length);
    if (remaining === '') break;
    const name = token.exec(remaining)?.[0];
    if (!name) return null;
    remaining = remaining.slice(name.length).trimStart();
    if (!remaining.startsWith('=')) return null;
    remaining = remaining.slice(1).trimStart();
    const read = remaining.startsWith('"') ? readQuoted(remaining) : readToken(remaining);
    if (!read || parameters.has(name.toLowerCase())) return null;
    parameters.set(name.toLowerCase(), read.text);
    remaining = remaining.slice(read.length);
  }
  return { value, parameters };
}

function readToken(text: string): { text: string; length: number } | null {
  const found = /^[^\s;"]+/.exec(text)?.[0];
  return found === undefined ? null : { text: found, length: found.length };
}

function readQuoted(text: string): { text: string; length: number } | null {
  let read = '';
  for (let at = 1; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') return { text: read, length: at + 1 };
    if (character === '\\' && /["\\]/.test(text[at + 1] ?? '')) {
      read += text[at + 1];
      at += 1;
    } else read += character;
  }
  return null;
}

/**
 * Decodes an extended value such as `UTF-8''na%C3%AFve.pdf` (RFC 8187 §3.2); null if it is
 * malformed or in another charset.
 */
export function decodeExtended(text: string): string | null {
  const parts = /^utf-8'[^']*'((?:[\w!#$&+.^`|~-]|%[0-9a-f]{2})*)$/i.exec(text);
  return parts ? decodePercent(parts[1]!) : null;
}

/**
 * Decodes an X-Filename header: percent-encoded UTF-8, an extended value (RFC 8187), or plain
 * UTF-8, which Node returns as Latin-1.
 * @throws Problem 422 for an invalid value
 */
export function decodeFilenameHeader(text: string): string {
  if (/^utf-8'[^']*'/i.test(text)) {
    return decodeExtended(text) ?? reject('must be a well-formed value as in RFC 8187');
  }
  const plain = decodeUtf8(Buffer.from(text, 'latin1'));
  if (plain === null) return reject('must be valid UTF-8');
  return (
    decodePercent(plain) ??
    reject('contains an invalid percent escape. Write a percent sign as %25')
  );
}

/** Decodes UTF-8; null if it is invalid. */
export function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function reject(predicate: string): never {
  throw validationFailed([
    { header: 'X-Filename', code: 'wrong_format', detail: `The X-Filename header ${predicate}.` },
  ]);
}

/**
 * The boundary in the Content-Type of a form (RFC 2046 §5.1.1).
 * @throws Problem 400 if it is missing or invalid
 */
export function boundaryOf(type: HeaderValue): string {
  const boundary = type.parameters.get('boundary');
  if (boundary !== undefined && /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary)) {
    return boundary;
  }
  const detail =
    boundary === undefined
      ? 'The Content-Type must have a boundary. Let your HTTP client set this header.'
      : 'The boundary in the Content-Type must have 1 to 70 characters allowed by RFC 2046.';
  throw new Problem('malformed_request', detail, {
    errors: [{ header: 'Content-Type', code: 'boundary_invalid', detail }],
  });
}
