import { decodeWords, textOfBytes } from './encoded-words.ts';

/** The header of a message or part: the first field of each name, by name in lower case. */
export type Headers = ReadonlyMap<string, string>;

const maxHeaderBytes = 256 * 1024;
const maxFields = 2000;

/** Splits a part into header and body at the first empty line. */
export function splitHeaders(bytes: Uint8Array): { headers: Headers; body: Uint8Array } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ends = [buffer.indexOf('\r\n\r\n'), buffer.indexOf('\n\n'), buffer.indexOf('\r\r')];
  const endOffsets = ends.filter((at) => at >= 0);
  const hasNoHeaders = /^\r?\n/.test(buffer.toString('latin1', 0, 2));
  const end = hasNoHeaders ? 0 : endOffsets.length > 0 ? Math.min(...endOffsets) : buffer.length;
  const gap = hasNoHeaders ? (buffer[0] === 13 ? 2 : 1) : end === ends[0] ? 4 : 2;
  const head = buffer.subarray(0, Math.min(end, maxHeaderBytes));
  return { headers: readHeaders(head), body: buffer.subarray(Math.min(end + gap, buffer.length)) };
}

function readHeaders(head: Uint8Array): Headers {
  // Some senders do not encode letters outside ASCII.
  const unfolded = textOfBytes(head, undefined)
    .replace(/\r\n|\r/g, '\n')
    .replace(/\n[ \t]+/g, ' ');
  const fields = new Map<string, string>();
  for (const line of unfolded.split('\n').slice(0, maxFields)) {
    const [, name, value] = /^([!-9;-~]{1,100}):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

/** Returns the decoded value of a field, as mail programs show it. */
export const displayedField = (headers: Headers, name: string): string =>
  decodeWords(headers.get(name) ?? '')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Parses a field with parameters, such as `text/plain; charset=utf-8`. Returns the value in lower
 * case, and the parameters by name.
 */
export function parseField(field: string): {
  value: string;
  parameters: ReadonlyMap<string, string>;
} {
  const [value = '', ...rest] = field.split(';', 1);
  const pattern = /;\s*([\w*!#$&.^'-]{1,60})\s*=\s*(?:"((?:[^"\\]|\\.){0,4000})"|([^;]{0,4000}))/g;
  const raw = new Map<string, string>();
  for (const [, name = '', quoted, bare] of field.matchAll(pattern)) {
    const text = quoted === undefined ? (bare ?? '').trim() : quoted.replace(/\\(.)/g, '$1');
    if (raw.size < 100) raw.set(name.toLowerCase(), text);
  }
  return { value: [value, ...rest].join('').trim().toLowerCase(), parameters: joinParameters(raw) };
}

/**
 * Joins parameters that are split into pieces or encoded (RFC 2231). They take precedence over
 * plain parameters.
 */
function joinParameters(raw: ReadonlyMap<string, string>): Map<string, string> {
  const out = new Map<string, string>();
  const extended = new Map<string, { text: string; at: number; isEncoded: boolean }[]>();
  for (const [key, text] of raw) {
    const [, name, at = '0'] = /^([^*]+)\*(\d{1,3})?\*?$/.exec(key) ?? [];
    if (name === undefined) out.set(key, decodeWords(text));
    else {
      const piece = { text, at: Number(at), isEncoded: key.endsWith('*') };
      extended.set(name, [...(extended.get(name) ?? []), piece]);
    }
  }
  for (const [name, pieces] of extended) {
    pieces.sort((one, other) => one.at - other.at);
    const joinedText = pieces.map(({ text }) => text).join('');
    const [, charset] = (pieces[0]?.isEncoded && /^([^']*)'[^']*'/.exec(joinedText)) || [];
    if (charset === undefined) out.set(name, decodeWords(joinedText));
    // A character may begin in one piece and end in the next, so the pieces are decoded together.
    else out.set(name, textOfBytes(Buffer.concat(pieces.map(bytesOf)), charset));
  }
  return out;
}

function bytesOf({ text, isEncoded }: { text: string; isEncoded: boolean }, index: number): Buffer {
  if (!isEncoded) return Buffer.from(text);
  const data = index === 0 ? text.replace(/^[^']*'[^']*'/, '') : text;
  const bytes = Buffer.from(data).toString('latin1');
  const decoded = bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}
