import { invalid, Problem } from '../../contracts/problems.ts';

/** Headers of uploads and of their parts: Content-Type, Content-Disposition, X-Filename. */

const token = /^[\w!#$%&'*+.^`|~-]+/;

/** A header's value and its parameters, names in lower case; null when it is not well-formed. */
export interface HeaderValue {
  value: string;
  parameters: Map<string, string>;
}

/**
 * Reads `value; name=token; name="quoted"` (RFC 9110 §5.6.6). In a quoted string `\"` and `\\` are
 * escapes and any other backslash is itself, since some clients send whole Windows paths. A
 * parameter that stands twice makes it malformed: parsers disagree about which one counts.
 */
export function parseHeaderValue(text: string): HeaderValue | null {
  const semicolon = text.indexOf(';');
  const value = (semicolon < 0 ? text : text.slice(0, semicolon)).trim().toLowerCase();
  const parameters = new Map<string, string>();
  let rest = semicolon < 0 ? '' : text.slice(semicolon);
  while (rest.trim() !== '') {
    const start = /^\s*;\s*/.exec(rest);
    if (!start) return null;
    rest = rest.slice(start[0].length);
    if (rest === '') break;
    const name = token.exec(rest)?.[0];
    if (!name) return null;
    rest = rest.slice(name.length).trimStart();
    if (!rest.startsWith('=')) return null;
    rest = rest.slice(1).trimStart();
    const read = rest.startsWith('"') ? readQuoted(rest) : readToken(rest);
    if (!read || parameters.has(name.toLowerCase())) return null;
    parameters.set(name.toLowerCase(), read.text);
    rest = rest.slice(read.length);
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
 * The text of an extended value such as `UTF-8''na%C3%AFve.pdf` (RFC 8187 §3.2); null when it is
 * malformed or in another charset.
 */
export function decodeExtended(text: string): string | null {
  const parts = /^utf-8'[^']*'((?:[\w!#$&+.^`|~-]|%[0-9a-f]{2})*)$/i.exec(text);
  return parts ? decodePercent(parts[1]!) : null;
}

/**
 * The name in an X-Filename header: percent-encoded UTF-8, an extended value (RFC 8187), or plain
 * UTF-8, which Node hands over byte by byte.
 * @throws Problem 422 for what cannot be read
 */
export function decodeFilenameHeader(text: string): string {
  if (/^utf-8'[^']*'/i.test(text)) {
    return decodeExtended(text) ?? refuse('is not a well-formed value of RFC 8187');
  }
  const plain = decodeUtf8(Buffer.from(text, 'latin1'));
  if (plain === null) return refuse('is not UTF-8');
  return decodePercent(plain) ?? refuse('has a % that does not start UTF-8; write a % as %25');
}

/** UTF-8 as text; null when it is none. */
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

function refuse(what: string): never {
  throw invalid([
    { header: 'X-Filename', code: 'wrong_format', detail: `The header X-Filename ${what}.` },
  ]);
}

/**
 * The boundary in the Content-Type of a form (RFC 2046 §5.1.1).
 * @throws Problem 400 without one, or with one that cannot be
 */
export function boundaryOf(type: HeaderValue): string {
  const boundary = type.parameters.get('boundary');
  if (boundary !== undefined && /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary)) {
    return boundary;
  }
  const detail =
    boundary === undefined
      ? 'The Content-Type names no boundary. Let your HTTP client write this header.'
      : 'The boundary in the Content-Type must have 1 to 70 of the characters of RFC 2046.';
  throw new Problem('malformed_request', detail, {
    errors: [{ header: 'Content-Type', code: 'boundary_invalid', detail }],
  });
}
